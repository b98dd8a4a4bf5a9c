//! The nearest of the faces, found without branches.

use core::hint::select_unpredictable;

/// The index of a vertex or of a face, or a face and one of its edges packed by `edge_of`.
pub(super) type Index = u16;

/// The face whose plane is nearest to the origin among the faces examined so far.
#[derive(Clone, Copy)]
pub(super) struct NearestFace {
    /// The distance of the plane as [`ordered_bits`].
    distance: i64,
    pub(super) face: Index,
}

impl NearestFace {
    pub(super) const NONE: Self = Self {
        distance: ordered_bits(f64::INFINITY),
        face: 0,
    };

    /// The nearer of this face and another one, whose distance is not NaN; this one if they are equally near.
    ///
    /// Which of two faces is nearer cannot be predicted. Integers are selected without a branch everywhere,
    /// floating-point numbers are not in WebAssembly.
    #[inline(always)]
    pub(super) fn or(self, distance: f64, face: Index) -> Self {
        debug_assert!(!distance.is_nan(), "the distance of face {face} is NaN");
        // The zero makes both zeros one, whose bits differ.
        let distance = ordered_bits(distance + 0.0);
        let is_nearer = distance < self.distance;
        Self {
            distance: select_unpredictable(is_nearer, distance, self.distance),
            face: select_unpredictable(is_nearer, face, self.face),
        }
    }

    #[inline(always)]
    pub(super) fn distance(self) -> f64 {
        of_ordered_bits(self.distance)
    }
}

/// The bits of a number as an integer that is greater for a greater number.
///
/// The bits of positive numbers increase with the number. Those of negative numbers decrease, so all bits but the
/// sign are inverted.
#[inline(always)]
const fn ordered_bits(number: f64) -> i64 {
    let bits = number.to_bits() as i64;
    bits ^ (bits >> 63) & i64::MAX
}

/// The number whose [`ordered_bits`] are given.
#[inline(always)]
const fn of_ordered_bits(ordered: i64) -> f64 {
    f64::from_bits((ordered ^ (ordered >> 63) & i64::MAX) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equally_near_faces_stays() {
        for [first, second] in [[0.0, -0.0], [-0.0, 0.0], [1.5, 1.5], [-1.5, -1.5]] {
            let nearest = NearestFace::NONE.or(2.0, 7).or(first, 1).or(second, 2);
            assert_eq!((nearest.face, nearest.distance()), (1, first));
        }
        let nearest = NearestFace::NONE.or(-0.0, 1).or(-1e-300, 2).or(1e-300, 3);
        assert_eq!((nearest.face, nearest.distance()), (2, -1e-300));
    }

    #[test]
    fn ordered_bits_keep_the_order_and_the_number() {
        let tiny = f64::from_bits(1);
        let numbers = [
            f64::NEG_INFINITY,
            -2.0,
            -1.0,
            -tiny,
            -0.0,
            0.0,
            tiny,
            1.0,
            1.5,
            f64::MAX,
            f64::INFINITY,
        ];
        for pair in numbers.windows(2) {
            assert!(ordered_bits(pair[0]) < ordered_bits(pair[1]), "{pair:?}");
        }
        for number in numbers {
            assert_eq!(
                of_ordered_bits(ordered_bits(number)).to_bits(),
                number.to_bits()
            );
        }
    }
}
