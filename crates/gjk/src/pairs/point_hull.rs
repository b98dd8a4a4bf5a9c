//! Point and hull, the point inside: ball and hull.

use clearance_math::{PreciseVector, Vector};
use clearance_shapes::Hull;

use super::PointAnswer;

/// The way out of a polytope is through its nearest face: depth = least offset - normal . point.
///
/// `None` for a flat hull, whose faces enclose nothing, and for a point that is not behind all faces by
/// more than `rounding`, which may show a point near a sharp edge behind both faces though it is outside.
pub(crate) fn measure_inside<V: Vector>(
    point: V::Precise,
    hull: &Hull<V>,
    rounding: f64,
) -> Option<PointAnswer<V::Precise>> {
    if hull.dimension() < V::DIM {
        return None;
    }
    let mut depth = f64::INFINITY;
    let mut outward = V::Precise::ZERO;
    for face in hull.faces() {
        let inset = face.offset - face.normal.dot(point);
        if !(inset > rounding) {
            return None;
        }
        if inset < depth {
            (depth, outward) = (inset, face.normal);
        }
    }
    Some(PointAnswer::inside(point, depth, outward))
}
