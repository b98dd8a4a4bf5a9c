//! Errors of convex hulls.

use clearance_math::Real;

/// The error of points that have no convex hull.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HullError {
    /// There are no points.
    #[error("points is empty, must hold at least one point")]
    NoPoints,
    /// A component of a point is NaN or infinite.
    #[error("points[{index}][{axis}] is {value}, must be finite")]
    NotFinite {
        /// The index of the point in the input, counted from 0.
        index: usize,
        /// The axis: 0 is x, 1 is y, 2 is z.
        axis: usize,
        /// The value that was given.
        value: Real,
    },
}
