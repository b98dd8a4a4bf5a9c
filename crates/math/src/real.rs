//! The number type of the public interface, and functions that round to it.

/// The number type of shapes, poses and answers: single precision (`f32`).
///
/// The engine computes distances in `f64` and rounds the answers to this type. Lower bounds are
/// rounded down and upper bounds up, so they remain bounds.
pub type Real = f32;

/// The [`Real`] nearest to `value`. Values beyond its range become the greatest or least finite
/// number.
#[inline]
#[must_use]
pub fn round_nearest(value: f64) -> Real {
    (value as Real).clamp(Real::MIN, Real::MAX)
}

/// The greatest [`Real`] that is not above `value`. A lower bound stays a lower bound.
///
/// Below the finite range the result is minus infinity.
#[must_use]
pub fn round_down(value: f64) -> Real {
    let nearest = value as Real;
    let is_above = f64::from(nearest) > value;
    // Where the nearest number lies above the value, go down by one unit in the last place. This is
    // done with integer arithmetic, because no processor could predict the branches: half of all
    // values are rounded up, and half of them are negative. The bits of positive numbers increase
    // with the number, those of negative numbers decrease. A negative value that was rounded up to
    // zero has become -0.0, so it takes the negative path as it must.
    let bits = nearest.to_bits();
    let upwards = (bits as i32 >> 31 | 1) as u32;
    Real::from_bits(bits.wrapping_sub(upwards * u32::from(is_above)))
}

/// The least [`Real`] that is not below `value`. An upper bound stays an upper bound.
///
/// Above the finite range the result is infinity.
#[must_use]
pub fn round_up(value: f64) -> Real {
    -round_down(-value)
}

/// The greater of two numbers by one comparison, and `b` where they are equal or one is NaN.
///
/// `f64::max` must ignore NaN, which takes a call in WebAssembly and three instructions elsewhere. Which of two zeros
/// it gives depends on the processor; here it is the second.
#[inline(always)]
#[must_use]
pub fn greater_of<T: PartialOrd>(a: T, b: T) -> T {
    if a > b { a } else { b }
}

/// The lesser of two numbers by one comparison, and `b` where they are equal or one is NaN: see [`greater_of`].
#[inline(always)]
#[must_use]
pub fn lesser_of<T: PartialOrd>(a: T, b: T) -> T {
    if a < b { a } else { b }
}

/// What rounding `exact` to `rounded` left over, such that adding it to `rounded` and rounding again gives
/// `rounded`.
///
/// The difference is rounded itself, and may come out as exactly half a step, which then rounds to the
/// neighbour of `rounded`: one step of the difference nearer to zero is less than half.
pub(crate) fn left_over(exact: f64, rounded: Real) -> Real {
    let rest = (exact - f64::from(rounded)) as Real;
    if rest == 0.0 || (f64::from(rounded) + f64::from(rest)) as Real == rounded {
        rest
    } else {
        Real::from_bits(rest.to_bits() - 1)
    }
}

/// The cube root, with the same bits on every platform.
#[must_use]
pub fn cube_root(number: f64) -> f64 {
    libm::cbrt(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greater_and_the_lesser_of_two() {
        assert_eq!((greater_of(1.0, 2.0), lesser_of(1.0, 2.0)), (2.0, 1.0));
        assert_eq!((greater_of(2.0, 1.0), lesser_of(2.0, 1.0)), (2.0, 1.0));
        let (minus, plus) = (-0.0_f64, 0.0_f64);
        assert_eq!(greater_of(minus, plus).to_bits(), plus.to_bits());
        assert_eq!(greater_of(plus, minus).to_bits(), minus.to_bits());
        assert_eq!(lesser_of(minus, plus).to_bits(), plus.to_bits());
        assert_eq!(greater_of(f64::NAN, 1.0), 1.0);
        assert!(lesser_of(1.0, f64::NAN).is_nan());
    }

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
