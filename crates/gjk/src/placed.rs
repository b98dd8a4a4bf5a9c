//! A shape at a pose: one side of a query.

use clearance_math::{Pose, PoseError, Real, Vector};
use clearance_shapes::Shape;

/// A shape at a pose: one side of a query.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a, V: Vector> {
    /// The shape, in the frame of its body.
    pub shape: &'a Shape<V>,
    /// Where the body is, in the world.
    pub pose: &'a Pose<V>,
}

impl<'a, V: Vector> Placed<'a, V> {
    /// `shape` at `pose`.
    #[must_use]
    pub fn new(shape: &'a Shape<V>, pose: &'a Pose<V>) -> Self {
        Self { shape, pose }
    }
}

/// Which of the two shapes of a query is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The first.
    A,
    /// The second.
    B,
}

impl core::fmt::Display for Side {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::A => "a",
            Self::B => "b",
        })
    }
}

/// Why a query was refused.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// A pose is not finite or its rotation not of unit length.
    #[error("{side}.pose.{error}")]
    Pose {
        /// The side whose pose it is.
        side: Side,
        /// What is wrong with it.
        error: PoseError,
    },
    /// The range is NaN.
    #[error("within is NaN, must be a number or infinity")]
    Range,
}

/// Refuses what the algorithms must never see.
pub(crate) fn check<V: Vector>(
    a: &Placed<V>,
    b: &Placed<V>,
    within: Real,
) -> Result<(), QueryError> {
    if within.is_nan() {
        return Err(QueryError::Range);
    }
    for (side, placed) in [(Side::A, a), (Side::B, b)] {
        if let Err(error) = placed.pose.checked() {
            return Err(QueryError::Pose { side, error });
        }
    }
    Ok(())
}
