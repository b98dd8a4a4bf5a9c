//! Why points have no hull.

use clearance_math::Real;

/// Why points were refused.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HullError {
    /// There is no point to enclose.
    #[error("points is empty, must hold at least one point")]
    NoPoints,
    /// A component of a point is NaN or infinite.
    #[error("points[{index}][{axis}] is {value}, must be finite")]
    NotFinite {
        /// The position of the point in the input, counted from 0.
        index: usize,
        /// The axis, counted from 0.
        axis: usize,
        /// The value that was given.
        value: Real,
    },
}
