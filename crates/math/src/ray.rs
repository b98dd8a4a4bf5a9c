//! Rays: where a query starts and where it goes.

use crate::{Real, Vector};

/// Why a ray was refused.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RayError {
    /// A component of the origin is NaN or infinite.
    #[error("the origin of the ray is not finite")]
    Origin,
    /// The direction is zero, NaN or infinite.
    #[error("the direction of the ray must be finite and not zero")]
    Direction,
}

/// A half line from `origin` along `direction`; a parameter t means `origin + t * direction`.
///
/// The direction need not be of unit length: t then counts in its length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray<V> {
    origin: V,
    direction: V,
}

impl<V: Vector> Ray<V> {
    /// The ray from `origin` along `direction`.
    ///
    /// # Errors
    /// [`RayError`] if a number is not finite or the direction is zero.
    pub fn new(origin: V, direction: V) -> Result<Self, RayError> {
        if !origin.is_finite() {
            return Err(RayError::Origin);
        }
        if !direction.is_finite() || direction == V::ZERO {
            return Err(RayError::Direction);
        }
        Ok(Self { origin, direction })
    }

    /// Where the ray starts.
    #[must_use]
    pub fn origin(&self) -> V {
        self.origin
    }

    /// Where the ray goes, not normalised.
    #[must_use]
    pub fn direction(&self) -> V {
        self.direction
    }

    /// The point at parameter `t`.
    #[must_use]
    pub fn at(&self, t: Real) -> V {
        self.origin + self.direction * t
    }
}
