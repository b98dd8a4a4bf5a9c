//! Rotations: a unit complex number in the plane, a unit quaternion in space.

mod plane;
mod quaternion;
#[cfg(test)]
mod tests;

use core::fmt::{Debug, Display};

use glam::Vec3;

use crate::lanes::{FourMatrices, LANES, Simd};
use crate::real::Real;
use crate::tolerances::UNIT_LENGTH_SLACK;
use crate::vector::Sealed;
use crate::{PreciseVector, Vector};

pub use plane::Rotation2;

/// Why a rotation was refused.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RotationError {
    /// A component is NaN or infinite.
    #[error("has a component that is not finite")]
    NotFinite,
    /// The length is not within 1e-3 of one.
    #[error("has length {length}, must be of unit length (within 1e-3)")]
    NotUnit {
        /// The length that was given.
        length: f64,
    },
}

/// A rotation of vectors `V`; sealed.
///
/// Its meaning is that of the number divided by its own length, so that rounding in a stored
/// rotation turns a body by a hair but never scales it.
pub trait Rotation<V: Vector>:
    Sealed + Copy + Debug + Display + PartialEq + Send + Sync + 'static
{
    /// What rounding leaves over of a rotation: four numbers in 3D, nothing in 2D, where rotations are
    /// kept in double precision. Zero by default.
    type Residual: Copy + Debug + Default + PartialEq + Send + Sync + 'static;

    /// The rotation that changes nothing.
    const IDENTITY: Self;

    /// The rotation itself if it is finite and within 1e-3 of unit length.
    ///
    /// It is not rewritten: [`Rotation::matrix`] divides by the length, whatever it is.
    ///
    /// # Errors
    /// [`RotationError`] says what is wrong with it.
    fn checked(self) -> Result<Self, RotationError>;

    /// The rotation that turns by `first`, then by `self`; for quaternions the product `self * first`.
    ///
    /// Computed in double precision and normalised: the same bits on every platform.
    #[must_use]
    fn after(self, first: Self) -> Self;

    /// The rotation that undoes this one; exact.
    #[must_use]
    fn inverse(self) -> Self;

    /// The exact rotation matrix in double precision.
    fn matrix(self) -> <V::Precise as PreciseVector>::Matrix;

    /// The matrices of four rotations, each that of [`Rotation::matrix`] to the last bit.
    fn matrices<S: Simd>(simd: S, rotations: [Self; LANES]) -> FourMatrices<S, V::Precise>;

    /// The rotation after turning at `angular` (radians a second, world axes) for `dt` seconds.
    ///
    /// Computed in double precision by portable code: the same bits on every platform.
    #[must_use]
    fn integrated(self, angular: V::Angular, dt: Real) -> Self {
        self.integrated_from(Self::Residual::default(), angular, dt)
            .0
    }

    /// The rotation after a turn as for [`Rotation::integrated`], from the exact rotation of which this is
    /// the rounded one, and what rounding then leaves over.
    ///
    /// Turns far below the resolution of a rotation add up in the residual until they show.
    #[must_use]
    fn integrated_from(
        self,
        residual: Self::Residual,
        angular: V::Angular,
        dt: Real,
    ) -> (Self, Self::Residual);

    /// The residual if rounding can have left it over of this rotation, else none at all.
    #[must_use]
    fn residual_or_none(self, residual: Self::Residual) -> Self::Residual;

    /// The bits of a residual: of four `f32` in 3D, zeros in 2D.
    fn encode_residual(residual: Self::Residual) -> [u32; 4];

    /// The residual with these bits.
    fn decode_residual(encoding: [u32; 4]) -> Self::Residual;

    /// Whether an angular velocity has no NaN and no infinite component.
    fn is_finite_angular(angular: V::Angular) -> bool;

    /// An angular velocity as a vector in space: in 2D it turns about z.
    fn angular_in_space(angular: V::Angular) -> Vec3;

    /// The angular velocity that [`Rotation::angular_in_space`] shows as `vector`; in 2D only z counts.
    fn angular_from_space(vector: Vec3) -> V::Angular;

    /// The bits of the rotation: of four `f32` in 3D, of two `f64`, low halves first, in 2D.
    fn to_bits(self) -> [u32; 4];

    /// The rotation with these bits, unchanged.
    ///
    /// # Errors
    /// [`RotationError`] if it is not one that [`Rotation::checked`] accepts, or in 2D not one of unit
    /// length up to rounding, as all are there.
    fn from_bits(bits: [u32; 4]) -> Result<Self, RotationError>;
}

/// sin(x) / x and cos(x) of the angle with the given square.
///
/// Few bodies turn by more than half a radian in a frame. Up to there Taylor's series in the square
/// are right to 2e-16, and take neither a root nor a division.
#[inline]
fn sinc_and_cos(square: f64) -> (f64, f64) {
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

/// The inverses of the factorials of `first`, `first` + 2 and so on, with alternating signs.
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
fn check_squared_length(squared_length: f64) -> Result<(), RotationError> {
    // A square is about twice as far from one as its root: what passes here needs no root.
    if (squared_length - 1.0).abs() <= UNIT_LENGTH_SLACK {
        Ok(())
    } else {
        check_length(squared_length.sqrt())
    }
}

fn check_length(length: f64) -> Result<(), RotationError> {
    if !length.is_finite() {
        Err(RotationError::NotFinite)
    } else if (length - 1.0).abs() > UNIT_LENGTH_SLACK {
        Err(RotationError::NotUnit { length })
    } else {
        Ok(())
    }
}
