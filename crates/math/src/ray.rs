//! Rays: half lines for queries.

use crate::pose::{is_in_range, without_tiny_components};
use crate::{PreciseVector, Real, Vector};

/// The error of a ray that is not valid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RayError {
    /// A component of the origin is NaN, infinite or beyond the range of single precision.
    #[error(
        "the origin of the ray must be finite and at most {:e} in size",
        Real::MAX
    )]
    Origin,
    /// The direction is the zero vector, or has a NaN or infinite component.
    #[error("the direction of the ray must be finite and not zero")]
    Direction,
}

/// A half line that starts at `origin` and extends along `direction`. Parameter t >= 0 stands for
/// the point `origin + t * direction`.
///
/// The direction need not have unit length; t is measured in multiples of its length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray<V: Vector> {
    origin: V::Precise,
    direction: V,
}

impl<V: Vector> Ray<V> {
    /// The ray from `origin` along `direction`, both in one frame. The origin may be given in double precision.
    ///
    /// # Errors
    /// [`RayError`] if a number is not finite or the direction is the zero vector.
    pub fn new(origin: impl Into<V::Precise>, direction: V) -> Result<Self, RayError> {
        let origin: V::Precise = without_tiny_components(origin.into());
        if !(0..V::DIM).all(|axis| is_in_range(origin.component(axis))) {
            return Err(RayError::Origin);
        }
        if !direction.is_finite() || direction == V::ZERO {
            return Err(RayError::Direction);
        }
        Ok(Self { origin, direction })
    }

    /// The start of the ray, in double precision.
    #[must_use]
    pub fn origin(&self) -> V::Precise {
        self.origin
    }

    /// The direction as it was given, not normalised.
    #[must_use]
    pub fn direction(&self) -> V {
        self.direction
    }

    /// The point `origin + t * direction`, rounded to single precision.
    #[must_use]
    pub fn at(&self, t: Real) -> V {
        V::from_precise(self.origin + self.direction.to_precise() * f64::from(t))
    }
}
