//! What is asked, what is known so far, and what is found.

use clearance_math::DVec3;

use crate::answer::Measured;
use crate::convex::closed_forms::axes::Apart;
use crate::search::penetration::Depth;

/// The most normals of faces of a polytope: those of a hull of 64 corners, whose support function looks at all corners.
pub(super) const MOST_NORMALS: usize = 124;

/// The most edges of a polytope: one more than a hull of 64 corners has.
pub(super) const MOST_EDGES: usize = 187;

/// What the closed forms tell about a polytope and a frustum.
pub(crate) enum AgainstFrustum<P> {
    /// They are apart, or touch.
    Near(Measured<P>),
    /// They overlap.
    Overlapping(Depth<P>),
    /// They are apart, but only the gap along some direction is known.
    Apart(Apart),
}

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
    pub(super) apart: Option<Apart>,
}

impl FrustumQuestion {
    pub(super) fn is_in_range(&self, Apart(gap): Apart) -> bool {
        !(gap - self.rounding > self.within)
    }
}

/// The least height so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeastHeight {
    pub(super) height: f64,
    /// The unit direction along which b has to be moved.
    pub(super) normal: DVec3,
    /// What no height is below, as far as the directions were looked at.
    pub(super) lower: f64,
    /// An edge of the polytope and a line along the side of the frustum, if these meet along the normal.
    pub(super) crossing: Option<[[DVec3; 2]; 2]>,
}

impl LeastHeight {
    pub(super) const NONE: Self = Self {
        height: f64::INFINITY,
        normal: DVec3::X,
        lower: f64::INFINITY,
        crossing: None,
    };

    /// Takes a direction and the height along it. An error means that it separates the shapes.
    #[inline(always)]
    pub(super) fn test(&mut self, normal: DVec3, height: f64) -> Result<(), Apart> {
        if height < 0.0 {
            return Err(Apart(-height));
        }
        if height < self.height {
            *self = Self {
                height,
                normal,
                lower: self.lower.min(height),
                crossing: None,
            };
        }
        Ok(())
    }
}
