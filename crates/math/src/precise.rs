//! Vectors and matrices in double precision, in which the engine computes distances.

use core::fmt::Debug;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use glam::{DMat2, DMat3, DVec2, DVec3};

/// Prevents other crates from implementing the traits of this crate.
pub trait Sealed {}

/// A vector of two or three `f64`: glam's `DVec2` or `DVec3`. The trait is sealed.
///
/// The product of two `f32` is exact in `f64`, and the sixth power of any finite `f32` neither
/// overflows nor becomes zero. The code that measures distances therefore needs no special cases
/// for very large and very small input.
pub trait PreciseVector:
    Sealed
    + Copy
    + Debug
    + Default
    + PartialEq
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + SubAssign
    + Neg<Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
{
    /// The number of components, 2 or 3.
    const DIM: usize;
    /// The zero vector.
    const ZERO: Self;
    /// The square matrix with the dimension of the vector.
    type Matrix: Matrix<Self>;

    /// The vector whose components are all `value`.
    fn splat(value: f64) -> Self;
    /// The unit vector along an axis: 0 is x, 1 is y, 2 is z.
    fn axis(index: usize) -> Self;
    /// The vector with the component that a function gives for each axis: 0 is x, 1 is y, 2 is z.
    #[inline]
    fn from_fn(mut component: impl FnMut(usize) -> f64) -> Self {
        (0..Self::DIM).fold(Self::ZERO, |vector, axis| {
            vector.with_component(axis, component(axis))
        })
    }

    /// The component along an axis: 0 is x, 1 is y, 2 is z.
    fn component(self, index: usize) -> f64;
    /// This vector with one component replaced.
    #[must_use]
    fn with_component(self, index: usize, value: f64) -> Self;
    /// The scalar product.
    fn dot(self, other: Self) -> f64;
    /// The absolute value of each component.
    #[must_use]
    fn abs(self) -> Self;
    /// The smaller of the two in each component.
    #[must_use]
    fn min(self, other: Self) -> Self;
    /// The greater of the two in each component.
    #[must_use]
    fn max(self, other: Self) -> Self;
    /// The components of `self` with the signs of the components of `other`.
    #[must_use]
    fn with_signs_of(self, other: Self) -> Self;
    /// The product component by component.
    #[must_use]
    fn scaled_by(self, other: Self) -> Self;
    /// The vector as a 3D vector, with z = 0 if it is a 2D vector.
    fn in_space(self) -> DVec3;
    /// The vector made of the leading components of a 3D vector.
    fn from_space(vector: DVec3) -> Self;

    /// The Euclidean length.
    #[inline]
    fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// The squared Euclidean length.
    #[inline]
    fn length_squared(self) -> f64 {
        self.dot(self)
    }

    /// The unit vector with the direction of `self`, or `None` if all components are zero or
    /// subnormal, or if one is infinite.
    ///
    /// The vector is divided by its largest component first, so that even tiny vectors keep their
    /// direction.
    fn direction(self) -> Option<Self> {
        let largest = (0..Self::DIM).fold(0.0, |m: f64, k| m.max(self.component(k).abs()));
        if !(largest.is_normal()) {
            return None;
        }
        let scaled = self / largest;
        Some(scaled / scaled.length())
    }

    /// A unit vector perpendicular to `self`, which must not be zero.
    #[must_use]
    fn perpendicular(self) -> Self {
        // Take the axis along which `self` has the smallest component, and subtract its part along
        // `self`.
        let mut least = 0;
        for k in 1..Self::DIM {
            if self.component(k).abs() < self.component(least).abs() {
                least = k;
            }
        }
        let along = self.direction().unwrap_or(Self::axis(0));
        let across = Self::axis(least) - along * along.component(least);
        across.direction().unwrap_or(Self::axis(least))
    }
}

/// A rotation matrix for a [`PreciseVector`]: glam's `DMat2` or `DMat3`. The trait is sealed.
pub trait Matrix<P>: Sealed + Copy + Debug + PartialEq + Send + Sync + 'static {
    /// The identity matrix.
    const IDENTITY: Self;
    /// The rotation about the axis `turn` by its length in radians, by the right-hand rule. In 2D only z
    /// counts. Computed by portable code, with the same bits on every platform.
    fn of_turn(turn: DVec3) -> Self;
    /// The product of the matrix and `vector`.
    fn apply(&self, vector: P) -> P;
    /// The product of the transposed matrix and `vector`. The transpose of a rotation is its
    /// inverse.
    fn apply_transposed(&self, vector: P) -> P;
    /// The matrix product `self * other`, which first applies `other` and then `self`.
    #[must_use]
    fn after(&self, other: &Self) -> Self;
    /// The transposed matrix. The transpose of a rotation is its inverse.
    #[must_use]
    fn transposed(&self) -> Self;
    /// The matrix with these columns, of which the third does not count in 2D.
    fn from_columns(columns: [P; 3]) -> Self;
    /// Row `index`, counted from 0.
    fn row(&self, index: usize) -> P;
    /// Column `index`, counted from 0, which is the image of that axis.
    fn column(&self, index: usize) -> P;
}

macro_rules! precise_vector {
    ($vector:ident, $matrix:ident, $dim:literal, $in_space:expr, $from_space:expr, $of_turn:expr) => {
        impl PreciseVector for $vector {
            const DIM: usize = $dim;
            const ZERO: Self = $vector::ZERO;
            type Matrix = $matrix;

            #[inline]
            fn splat(value: f64) -> Self {
                $vector::splat(value)
            }
            #[inline]
            fn axis(index: usize) -> Self {
                $vector::AXES[index]
            }
            #[inline]
            fn component(self, index: usize) -> f64 {
                self[index]
            }
            #[inline]
            fn with_component(mut self, index: usize, value: f64) -> Self {
                self[index] = value;
                self
            }
            #[inline]
            fn dot(self, other: Self) -> f64 {
                $vector::dot(self, other)
            }
            #[inline]
            fn abs(self) -> Self {
                $vector::abs(self)
            }
            #[inline]
            fn min(self, other: Self) -> Self {
                $vector::min(self, other)
            }
            #[inline]
            fn max(self, other: Self) -> Self {
                $vector::max(self, other)
            }
            #[inline]
            fn with_signs_of(self, other: Self) -> Self {
                $vector::copysign(self, other)
            }
            #[inline]
            fn scaled_by(self, other: Self) -> Self {
                self * other
            }
            #[inline]
            fn in_space(self) -> DVec3 {
                $in_space(self)
            }
            #[inline]
            fn from_space(vector: DVec3) -> Self {
                $from_space(vector)
            }
        }

        impl Matrix<$vector> for $matrix {
            const IDENTITY: Self = $matrix::IDENTITY;

            fn of_turn(turn: DVec3) -> Self {
                $of_turn(turn)
            }
            #[inline]
            fn apply(&self, vector: $vector) -> $vector {
                *self * vector
            }
            #[inline]
            fn apply_transposed(&self, vector: $vector) -> $vector {
                let mut image = $vector::ZERO;
                for k in 0..$dim {
                    image[k] = self.col(k).dot(vector);
                }
                image
            }
            #[inline]
            fn after(&self, other: &Self) -> Self {
                *self * *other
            }
            #[inline]
            fn transposed(&self) -> Self {
                self.transpose()
            }
            #[inline]
            fn from_columns(columns: [$vector; 3]) -> Self {
                let mut matrix = $matrix::IDENTITY;
                for k in 0..$dim {
                    *matrix.col_mut(k) = columns[k];
                }
                matrix
            }
            #[inline]
            fn row(&self, index: usize) -> $vector {
                $matrix::row(self, index)
            }
            #[inline]
            fn column(&self, index: usize) -> $vector {
                self.col(index)
            }
        }

        impl Sealed for $vector {}
        impl Sealed for $matrix {}
    };
}

precise_vector!(
    DVec2,
    DMat2,
    2,
    |v: DVec2| v.extend(0.0),
    |v: DVec3| v.truncate(),
    |turn: DVec3| {
        let (sin, cos) = libm::sincos(turn.z);
        DMat2::from_cols_array(&[cos, sin, -sin, cos])
    }
);
precise_vector!(
    DVec3,
    DMat3,
    3,
    |v: DVec3| v,
    |v: DVec3| v,
    |turn: DVec3| {
        let angle = turn.length();
        if !(angle > 0.0) {
            return DMat3::IDENTITY;
        }
        let axis = turn / angle;
        let (sin, cos) = libm::sincos(angle);
        let column = |k: usize| {
            let along = DVec3::AXES[k];
            along * cos + axis.cross(along) * sin + axis * (axis[k] * (1.0 - cos))
        };
        DMat3::from_cols(column(0), column(1), column(2))
    }
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perpendicular_is_perpendicular() {
        for v in [DVec3::X, DVec3::new(1.0, 2.0, 3.0), DVec3::splat(1e-40)] {
            let p = v.perpendicular();
            assert!((p.length() - 1.0).abs() < 1e-14 && p.dot(v).abs() < 1e-14 * v.length());
        }
        let p = DVec2::new(3.0, -4.0).perpendicular();
        assert!(p.dot(DVec2::new(3.0, -4.0)).abs() < 1e-14);
    }

    /// The bits of answers depend on it, and glam does not promise it.
    #[test]
    fn of_equal_zeros_the_second_counts() {
        use crate::Vector;
        let (zero, minus) = (DVec3::ZERO, -DVec3::ZERO);
        for [a, b] in [[zero, minus], [minus, zero]] {
            for chosen in [PreciseVector::min(a, b), PreciseVector::max(a, b)] {
                assert_eq!(chosen.x.to_bits(), b.x.to_bits());
            }
            let [a, b] = [a, b].map(glam::Vec3::from_precise);
            for chosen in [Vector::min(a, b), Vector::max(a, b)] {
                assert_eq!(chosen.x.to_bits(), b.x.to_bits());
            }
        }
    }

    #[test]
    fn turns_follow_the_right_hand_rule() {
        let quarter = core::f64::consts::FRAC_PI_2;
        let turned = DMat3::of_turn(DVec3::Z * quarter).apply(DVec3::X);
        assert!((turned - DVec3::Y).length() < 1e-15);
        let turned = DMat2::of_turn(DVec3::Z * quarter).apply(DVec2::X);
        assert!((turned - DVec2::Y).length() < 1e-15);
        // Many turns about a slanted axis: lengths and the axis stay, and the inverse is the transpose.
        let turn = DVec3::new(30.0, -70.0, 110.0);
        let matrix = DMat3::of_turn(turn);
        assert!((matrix.apply(turn) - turn).length() < 1e-12);
        assert!((matrix.transposed().after(&matrix).row(1) - DVec3::Y).length() < 1e-14);
        assert!((DMat3::of_turn(-turn).row(2) - matrix.column(2)).length() < 1e-14);
        assert_eq!(DMat3::of_turn(DVec3::ZERO), DMat3::IDENTITY);
    }

    #[test]
    fn tiny_vectors_have_a_direction() {
        let tiny = DVec2::new(3e-200, 4e-200).direction();
        assert!((tiny.unwrap() - DVec2::new(0.6, 0.8)).length() < 1e-15);
        assert_eq!(DVec3::ZERO.direction(), None);
    }
}
