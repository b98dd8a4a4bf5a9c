//! What the depth of a convex shape in a polytope needs to know about the convex shape.

use clearance_math::DVec3;

use super::Least;
use super::polytope::Polytope;
use crate::pairs::axes::Apart;

/// A ball inside of a shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ball {
    pub(super) center: DVec3,
    pub(super) radius: f64,
}

/// The convex shape opposite the polytope, in the frame of the polytope.
pub(super) trait Opposite {
    /// A ball inside, the larger the better.
    fn ball(&self) -> Ball;

    /// The farthest point along a unit vector.
    fn support(&self, direction: DVec3) -> DVec3;

    /// The greatest scalar product with a unit vector.
    fn height(&self, direction: DVec3) -> f64;

    /// Whether it contains a point up to `slack`.
    fn holds(&self, point: DVec3, slack: f64) -> bool;

    /// Tests directions along which a corner of the polytope may meet a flat or straight part of this shape.
    ///
    /// # Errors
    /// A direction that separates the shapes.
    fn test_own_directions(&self, polytope: &impl Polytope, least: &mut Least)
    -> Result<(), Apart>;

    /// Tests the directions between two normals at which the height of an edge of the polytope, given by its ends, may be
    /// least. The edge is the farthest part of the polytope along all of them, which are less than half a turn.
    ///
    /// # Errors
    /// A direction that separates the shapes.
    fn test_arc(
        &self,
        edge: [DVec3; 2],
        normals: [DVec3; 2],
        least: &mut Least,
    ) -> Result<(), Apart>;
}
