//! Two placed shapes and a range.

use clearance_math::{Real, Vector};

use super::placed::Placed;

/// Two placed shapes and the range in which their distance is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a, V: Vector> {
    /// The first shape.
    pub a: Placed<'a, V>,
    /// The second shape.
    pub b: Placed<'a, V>,
    /// The range in units of length, as for [`measure`](crate::measure).
    pub within: Real,
}
