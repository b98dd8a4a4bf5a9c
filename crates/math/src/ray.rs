//! Rays: half lines for queries.

use crate::{Real, Vector};

/// The error of a ray that is not valid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RayError {
    /// A component of the origin is NaN or infinite.
    #[error("the origin of the ray is not finite")]
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
pub struct Ray<V> {
    origin: V,
    direction: V,
}

impl<V: Vector> Ray<V> {
    /// The ray from `origin` along `direction`, both in one frame.
    ///
    /// # Errors
    /// [`RayError`] if a number is not finite or the direction is the zero vector.
    pub fn new(origin: V, direction: V) -> Result<Self, RayError> {
        if !origin.is_finite() {
            return Err(RayError::Origin);
        }
        if !direction.is_finite() || direction == V::ZERO {
            return Err(RayError::Direction);
        }
        Ok(Self { origin, direction })
    }

    /// The start of the ray.
    #[must_use]
    pub fn origin(&self) -> V {
        self.origin
    }

    /// The direction as it was given, not normalised.
    #[must_use]
    pub fn direction(&self) -> V {
        self.direction
    }

    /// The point `origin + t * direction`.
    #[must_use]
    pub fn at(&self, t: Real) -> V {
        self.origin + self.direction * t
    }
}
