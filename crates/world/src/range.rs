//! How far apart two bodies may be to make a contact, and by how much boxes are inflated for it.

use clearance_math::{Real, round_nearest, tolerances};

/// The greatest distance of a contact of two bodies with these extra margins, in units of length.
#[inline]
pub(crate) fn range(margin: Real, extra_a: Real, extra_b: Real) -> Real {
    round_nearest(f64::from(margin) + f64::from(extra_a) + f64::from(extra_b))
}

/// By how much the bounding box of a body is inflated: half the margin, and its own extra margin.
///
/// The inflations of two bodies add up to their range, so the boxes of bodies within range overlap.
#[inline]
pub(crate) fn inflation(margin: Real, extra: Real) -> f64 {
    (0.5 * f64::from(margin) + f64::from(extra)) * (1.0 + tolerances::CONTACT_BOX_SLACK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inflations_cover_every_distance_that_rounds_into_the_range() {
        let numbers = [0.0, 1e-6, 0.05, 0.1, 0.3, 1.0 / 3.0, 0.7, 5.0, 1e3, 3e37];
        let mut rounded_up = 0;
        for margin in numbers {
            for extra_a in numbers {
                for extra_b in numbers {
                    let range = range(margin, extra_a, extra_b);
                    // The greatest distance of which `range` is the nearest single precision number.
                    let greatest = f64::midpoint(range.into(), range.next_up().into());
                    let inflated = inflation(margin, extra_a) + inflation(margin, extra_b);
                    assert!(
                        range == 0.0 || inflated >= greatest,
                        "{margin} {extra_a} {extra_b}"
                    );
                    let sum = f64::from(margin) + f64::from(extra_a) + f64::from(extra_b);
                    rounded_up += usize::from(f64::from(range) > sum);
                }
            }
        }
        assert!(rounded_up > 100, "{rounded_up} sums were rounded up");
    }
}
