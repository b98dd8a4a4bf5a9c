//! Shapes at poses, and the errors of queries.

use clearance_math::{Pose, PoseError, Real, Rotation, Vector};
use clearance_shapes::Shape;

/// A shape at a pose: one of the two sides of a query.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a, V: Vector> {
    /// The shape, in the frame of its body.
    pub shape: &'a Shape<V>,
    /// The pose of the body in the world.
    pub pose: &'a Pose<V>,
}

impl<'a, V: Vector> Placed<'a, V> {
    /// Places `shape` at `pose`. Nothing is checked here; queries check the pose.
    #[must_use]
    pub fn new(shape: &'a Shape<V>, pose: &'a Pose<V>) -> Self {
        Self { shape, pose }
    }

    /// Whether the pose is valid.
    #[inline]
    pub(crate) fn is_valid(&self) -> bool {
        self.pose.translation.is_finite() && self.pose.rotation.checked().is_ok()
    }
}

/// One of the two shapes of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The first shape.
    A,
    /// The second shape.
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

/// The error of a query with input that is not valid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// A pose is not finite, or its rotation is not of unit length.
    #[error("{side}.pose.{error}")]
    Pose {
        /// The shape whose pose is not valid.
        side: Side,
        /// What is wrong with the pose.
        error: PoseError,
    },
    /// The range is NaN.
    #[error("within is NaN, must be a number or infinity")]
    Range,
    /// A shape is a composite, where a convex one or a half-space is needed.
    #[error("{side}.shape is a {kind}, must be convex")]
    NotConvex {
        /// The side of the shape.
        side: Side,
        /// The kind of the composite.
        kind: &'static str,
    },
    /// The greatest distance of a ray is NaN or negative.
    #[error("max_distance is {value}, must be >= 0")]
    MaxDistance {
        /// The value that was given.
        value: Real,
    },
    /// The range of a cast is NaN, infinite or negative.
    #[error("within is {value}, must be finite and >= 0")]
    CastRange {
        /// The value that was given.
        value: Real,
    },
    /// A number of a motion is NaN or infinite.
    #[error("motion_{side}.{field}[{axis}] is {value}, must be finite")]
    Motion {
        /// The shape whose motion is not valid.
        side: Side,
        /// The field of the motion: `linear` or `angular`.
        field: &'static str,
        /// The axis: 0 is x, 1 is y, 2 is z.
        axis: usize,
        /// The value that was given.
        value: Real,
    },
    /// A coordinate of a point is NaN or infinite.
    #[error("point[{axis}] is {value}, must be finite")]
    Point {
        /// The axis: 0 is x, 1 is y, 2 is z.
        axis: usize,
        /// The value that was given.
        value: Real,
    },
}

/// Checks the input, since the algorithms rely on valid poses.
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

/// Checks what a query asks about, as shape a.
///
/// # Errors
/// [`QueryError`] if the pose is not valid, or if `within` is NaN.
#[doc(hidden)] // for the crates of this workspace
pub fn check_side<V: Vector>(a: &Placed<V>, within: Real) -> Result<(), QueryError> {
    check(a, a, within)
}
