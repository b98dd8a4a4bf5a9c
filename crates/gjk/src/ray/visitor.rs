//! What looks at the parts that a ray comes by.

use clearance_math::{Real, Vector};
use clearance_shapes::TriangleGroup;

use super::four::Met;
use super::in_frame::RayInFrame;

/// Looks at the parts whose boxes a ray enters.
pub(super) trait Visitor<V: Vector> {
    /// The ray in the frame of the composite.
    fn line(&self) -> &RayInFrame<V::Precise>;
    /// The greatest distance along the ray that is still of interest.
    fn limit(&self) -> Real;
    /// Looks at a part.
    fn visit(&mut self, number: u32);
    /// Looks at what the ray meets of the triangles of a group.
    fn take(&mut self, group: &TriangleGroup, met: &Met);
}
