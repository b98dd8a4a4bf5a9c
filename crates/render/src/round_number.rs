//! Round numbers, as scales and grids have them.

/// The greatest of 1, 2 and 5 times a power of ten that is not above a positive length.
pub(crate) fn round_below(length: f64) -> f64 {
    let power = libm::exp10(libm::floor(libm::log10(length)));
    let factors = [5.0, 2.0].into_iter().map(|factor| factor * power);
    let found = factors.into_iter().find(|found| *found <= length);
    found.unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use super::round_below;

    #[test]
    fn they_are_round_and_not_above() {
        for (length, expected) in [
            (1.0, 1.0),
            (1.9, 1.0),
            (2.1, 2.0),
            (730.0, 500.0),
            (0.3, 0.2),
        ] {
            let found = round_below(length);
            assert!(
                (found / expected - 1.0).abs() < 1e-12,
                "{found} for {length}"
            );
        }
    }
}
