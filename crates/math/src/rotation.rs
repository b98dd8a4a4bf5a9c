//! Rotations: [`Rotation2`](crate::Rotation2) (a unit complex number) in 2D and glam's [`glam::Quat`] (a unit
//! quaternion) in 3D.

#[cfg(test)]
mod tests;

use core::fmt::{Debug, Display};

use glam::Vec3;

use crate::lanes::{Lanes, MatricesInLanes};
use crate::precise::{PreciseVector, Sealed};
use crate::real::Real;
use crate::tolerances::UNIT_LENGTH_SLACK;
use crate::vector::Vector;

/// The error of a rotation that is not valid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RotationError {
    /// A component is NaN or infinite.
    #[error("has a component that is not finite")]
    NotFinite,
    /// The length differs from one by more than 1e-3.
    #[error("has length {length}, must be of unit length (within 1e-3)")]
    NotUnit {
        /// The length that was given.
        length: f64,
    },
}

/// The rotation that belongs to the vector type `V`. The trait is sealed: `Rotation2` implements it
/// for `Vec2`, and `Quat` for `Vec3`.
///
/// A rotation stands for its numbers divided by their length. A stored rotation whose length is not
/// exactly one because of rounding therefore never scales a body.
pub trait Rotation<V: Vector>:
    Sealed + Copy + Debug + Display + PartialEq + Send + Sync + 'static
{
    /// What rounding a rotation to single precision leaves over, zero by default: four numbers in
    /// 3D, and nothing in 2D, where rotations are stored in double precision.
    type Residual: Copy + Debug + Default + PartialEq + Send + Sync + 'static;

    /// The rotation by zero.
    const IDENTITY: Self;

    /// Checks that the rotation is finite and within 1e-3 of unit length, and returns it unchanged.
    ///
    /// It is not normalised, since [`Rotation::matrix`] divides by the length.
    ///
    /// # Errors
    /// [`RotationError::NotFinite`] or [`RotationError::NotUnit`].
    fn checked(self) -> Result<Self, RotationError>;

    /// The rotation that first turns by `first` and then by `self`. For quaternions this is the
    /// product `self * first`.
    ///
    /// It is computed in double precision and normalised, with the same bits on every platform.
    #[must_use]
    fn after(self, first: Self) -> Self;

    /// The inverse rotation, without rounding error.
    #[must_use]
    fn inverse(self) -> Self;

    /// The rotation matrix, computed in double precision.
    #[inline]
    fn matrix(self) -> <V::Precise as PreciseVector>::Matrix {
        Self::matrices::<f64, 1>((), [self]).lane(0)
    }

    /// The matrices of a rotation in each lane.
    fn matrices<F: Lanes<N>, const N: usize>(
        set: F::Set,
        rotations: [Self; N],
    ) -> MatricesInLanes<F, V::Precise>;

    /// The rotation after turning with angular velocity `angular` (radians a second, about the axes
    /// of the world, counter-clockwise positive) for `dt` seconds.
    ///
    /// It is computed in double precision by portable code, with the same bits on every platform.
    #[must_use]
    fn integrated(self, angular: V::Angular, dt: Real) -> Self {
        self.integrated_from(Self::Residual::default(), angular, dt)
            .0
    }

    /// Turns as [`Rotation::integrated`] does, but starts from the exact rotation, which is `self`
    /// plus `residual`. Returns the rounded rotation and the new residual.
    ///
    /// Turns too small to change the rounded rotation add up in the residual until they do.
    #[must_use]
    fn integrated_from(
        self,
        residual: Self::Residual,
        angular: V::Angular,
        dt: Real,
    ) -> (Self, Self::Residual);

    /// Returns `residual` if it can belong to this rotation, that is if it is small enough to be a
    /// rounding error of it, and otherwise a residual of zero.
    #[must_use]
    fn residual_or_none(self, residual: Self::Residual) -> Self::Residual;

    /// The bits of a residual: four `f32` in 3D, zeros in 2D.
    fn encode_residual(residual: Self::Residual) -> [u32; 4];

    /// The residual with the given bits.
    fn decode_residual(encoding: [u32; 4]) -> Self::Residual;

    /// Whether an angular velocity is free of NaN and infinity.
    fn is_finite_angular(angular: V::Angular) -> bool;

    /// An angular velocity as a 3D vector; in 2D the vector points along z.
    fn angular_in_space(angular: V::Angular) -> Vec3;

    /// The inverse of [`Rotation::angular_in_space`]: the angular velocity for a 3D vector, of
    /// which 2D uses z only.
    fn angular_from_space(vector: Vec3) -> V::Angular;

    /// The bits of the rotation: four `f32` in the order x, y, z, w in 3D; in 2D the cosine and the
    /// sine as `f64`, each with its low half first.
    fn to_bits(self) -> [u32; 4];

    /// The rotation with the given bits, not normalised.
    ///
    /// # Errors
    /// The errors of [`Rotation::checked`]. In 2D the length must also be one up to rounding, as it
    /// is for every rotation that this library makes.
    fn from_bits(bits: [u32; 4]) -> Result<Self, RotationError>;
}

/// Returns sin(x) / x and cos(x) for the angle x whose square is given.
///
/// Few bodies turn by more than half a radian in a frame. Up to that angle the Taylor series in the
/// square are accurate to 2e-16 and need neither a square root nor a division.
#[inline]
pub(crate) fn sinc_and_cos(square: f64) -> (f64, f64) {
    const SINC: [f64; 8] = inverse_factorials(1);
    const COS: [f64; 8] = inverse_factorials(0);
    if square <= 0.25 {
        let series = |terms: [f64; 8]| {
            terms
                .iter()
                .rev()
                .fold(0.0, |sum, term| term + square * sum)
        };
        return (series(SINC), series(COS));
    }
    let angle = square.sqrt();
    let (sin, cos) = libm::sincos(angle);
    (sin / angle, cos)
}

/// The reciprocals of the factorials of `first`, `first` + 2 and so on, with alternating signs.
const fn inverse_factorials(first: usize) -> [f64; 8] {
    let mut terms = [1.0; 8];
    let mut k = 1;
    while k < terms.len() {
        let n = (first + 2 * k) as f64;
        terms[k] = -terms[k - 1] / (n * (n - 1.0));
        k += 1;
    }
    terms
}

#[inline]
pub(crate) fn check_squared_length(squared_length: f64) -> Result<(), RotationError> {
    // The square differs from one by about twice as much as the length, so a length whose square
    // passes here is valid and needs no square root.
    if (squared_length - 1.0).abs() <= UNIT_LENGTH_SLACK {
        Ok(())
    } else {
        check_length(squared_length.sqrt())
    }
}

pub(crate) fn check_length(length: f64) -> Result<(), RotationError> {
    if !length.is_finite() {
        Err(RotationError::NotFinite)
    } else if (length - 1.0).abs() > UNIT_LENGTH_SLACK {
        Err(RotationError::NotUnit { length })
    } else {
        Ok(())
    }
}
