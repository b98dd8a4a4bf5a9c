//! The number type of the public interface, and the roundings into it.

/// The number type of shapes, poses and answers: single precision.
///
/// The narrow phase computes in `f64` and rounds its answers into this type, bounds outwards.
pub type Real = f32;

/// The nearest [`Real`] to `value`; values beyond its range become the largest finite number.
#[must_use]
pub fn round_nearest(value: f64) -> Real {
    (value as Real).clamp(Real::MIN, Real::MAX)
}

/// The largest [`Real`] not above `value`: rounds a lower bound without breaking it.
///
/// Below the finite range the answer is minus infinity, which is still a lower bound.
#[must_use]
pub fn round_down(value: f64) -> Real {
    let nearest = value as Real;
    let is_above = f64::from(nearest) > value;
    // One place down where the nearest lies above, by integer arithmetic: half of all values do, and
    // half of all values are negative, which no branch predicts. The bits of a positive number grow
    // with it, those of a negative one fall; what is rounded up to zero is negative, and so is zero.
    let bits = nearest.to_bits();
    let upwards = (bits as i32 >> 31 | 1) as u32;
    Real::from_bits(bits.wrapping_sub(upwards * u32::from(is_above)))
}

/// The least [`Real`] not below `value`: rounds an upper bound without breaking it.
///
/// Above the finite range the answer is infinity, which is still an upper bound.
#[must_use]
pub fn round_up(value: f64) -> Real {
    -round_down(-value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roundings_enclose_the_value() {
        for value in [
            0.1,
            -0.1,
            1e-50,
            -1e-50,
            1e300,
            -1e300,
            16_777_217.0,
            0.0,
            -0.0,
            1e-45,
            -1e-45,
        ] {
            let (low, high) = (f64::from(round_down(value)), f64::from(round_up(value)));
            assert!(low <= value && value <= high, "{low} {value} {high}");
            assert!(round_nearest(value).is_finite());
        }
        assert_eq!(round_down(f64::NEG_INFINITY), Real::NEG_INFINITY);
        assert_eq!(round_down(1e300), Real::MAX);
        assert!(round_down(f64::NAN).is_nan());
        assert_eq!(round_down(0.1), 0.1f32.next_down());
        assert_eq!(round_up(0.1), 0.1);
        assert_eq!(round_down(0.5), 0.5);
        assert_eq!(round_up(0.5), 0.5);
    }
}
