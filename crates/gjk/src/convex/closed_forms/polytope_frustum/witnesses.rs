//! The witness points of a polytope and a frustum whose depth is known.

use clearance_math::internal::MapEach;
use clearance_math::{DVec3, tolerances};

use super::frustum::Frustum;
use super::polytope::{Near, Polytope};
use super::question::FrustumQuestion;
use crate::convex::closed_forms::axes::LeastHeight;

/// A point of the polytope and one of the frustum whose difference is the depth times the normal: a farthest point of
/// either, moved by the depth, if that is a point of the other. `None` if it is not, or if that is not certain.
pub(super) fn witness_points(
    polytope: &(impl Polytope + ?Sized),
    frustum: &Frustum,
    least: &LeastHeight,
    question: &FrustumQuestion,
) -> Option<(DVec3, DVec3)> {
    let leave = least.normal * least.height;
    let slack = tolerances::WITNESS_BESIDE * question.smaller + 4.0 * question.rounding;
    let on_frustum = match least.crossing {
        Some([edge, line]) => crossing(edge.map_each(|end| end - leave), line),
        None => frustum.support(-least.normal),
    };
    let near = Near {
        middle: question.middle,
        slack,
    };
    if polytope.holds(on_frustum + leave, near) {
        return Some((on_frustum + leave, on_frustum));
    }
    let on_polytope = polytope.support(least.normal);
    let is_on_both = frustum.holds(on_polytope - leave, slack);
    is_on_both.then_some((on_polytope, on_polytope - leave))
}

/// The point of the second segment that is nearest to the line through the first; both are in one plane.
fn crossing([from, to]: [DVec3; 2], [start, end]: [DVec3; 2]) -> DVec3 {
    let (edge, line) = (to - from, end - start);
    let across = edge.cross(line);
    let at = edge.cross(from - start).dot(across) / across.length_squared();
    // Parallel ones meet everywhere: in the middle, if nowhere else.
    let at = if at.is_finite() { at } else { 0.5 };
    start + line * at.clamp(0.0, 1.0)
}
