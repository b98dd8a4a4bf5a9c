//! Boxes that no tree can be built from.

/// The error of boxes that no tree can be built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A corner of a box has a NaN or infinite component.
    #[error("box {number} is not finite")]
    NotFinite {
        /// The number of the box.
        number: usize,
    },
    /// The least corner of a box exceeds its greatest corner.
    #[error("box {number} is empty: its min exceeds its max")]
    Empty {
        /// The number of the box.
        number: usize,
    },
    /// There are more boxes than [`MAX_LEAVES`](crate::MAX_LEAVES).
    #[error("{count} boxes are more than a tree can hold")]
    TooMany {
        /// The number of boxes.
        count: usize,
    },
}
