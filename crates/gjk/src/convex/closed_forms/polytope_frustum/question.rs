//! What is asked, and what is known before.

use clearance_math::DVec3;

use crate::convex::closed_forms::axes::AxisGap;

/// The most normals of faces of a polytope: those of a hull of 64 corners, whose support function looks at all corners.
pub(super) const MOST_NORMALS: usize = 124;

/// The most edges of a polytope: one more than a hull of 64 corners has.
pub(super) const MOST_EDGES: usize = 187;

/// What is asked about a polytope and a frustum, and what is known already.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrustumQuestion {
    /// The size of the smaller shape.
    pub(super) smaller: f64,
    /// A point in the middle of the polytope.
    pub(super) middle: DVec3,
    /// How far rounding may move a point of the difference.
    pub(super) rounding: f64,
    /// The range in which the closest points are wanted.
    pub(super) within: f64,
    /// The direction from the centre of the polytope to that of the frustum.
    pub(super) toward_b: DVec3,
    /// The gap along it, if there is one.
    pub(super) apart: Option<AxisGap>,
}

impl FrustumQuestion {
    pub(super) fn is_in_range(&self, AxisGap(gap): AxisGap) -> bool {
        !(gap - self.rounding > self.within)
    }
}
