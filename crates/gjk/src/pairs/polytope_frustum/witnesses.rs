//! The witness points of a polytope and a frustum whose depth is known.

use clearance_math::{DVec3, tolerances};

use super::Sort;
use super::frustum::Frustum;
use super::polytope::Polytope;

/// The least height of the difference, and the parts of the shapes that meet there.
pub(super) struct Deepest {
    pub(super) height: f64,
    pub(super) normal: DVec3,
    pub(super) sort: Sort,
    /// The size of the difference.
    pub(super) size: f64,
}

/// A point of the polytope and one of the frustum whose difference is the depth times the normal; `None` if they are not
/// found in the simple ways.
pub(super) fn witness_points(
    polytope: &impl Polytope,
    frustum: &Frustum,
    deepest: &Deepest,
) -> Option<(DVec3, DVec3)> {
    let leave = deepest.normal * deepest.height;
    let slack = tolerances::WITNESS_BESIDE * deepest.size;
    let on_frustum = match deepest.sort {
        Sort::Side { edge } => crossing(edge.map(|end| end - leave), frustum.side_facing(-deepest.normal)),
        _ => frustum.support(-deepest.normal),
    };
    if polytope.holds(on_frustum + leave, slack) {
        return Some((on_frustum + leave, on_frustum));
    }
    let on_polytope = polytope.support(deepest.normal);
    if frustum.holds(on_polytope - leave, slack) {
        return Some((on_polytope, on_polytope - leave));
    }
    None
}

/// The point of the second segment that is nearest to the line through the first, both in one plane.
fn crossing([from, to]: [DVec3; 2], [start, end]: [DVec3; 2]) -> DVec3 {
    let (edge, line) = (to - from, end - start);
    let across = edge.cross(line);
    let at = edge.cross(from - start).dot(across) / across.length_squared();
    // Parallel ones meet everywhere: in the middle, if nowhere else.
    let at = if at.is_finite() { at } else { 0.5 };
    start + line * at.clamp(0.0, 1.0)
}
