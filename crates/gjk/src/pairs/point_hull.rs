//! Point and hull, the point inside: ball and hull.

use clearance_math::{PreciseVector, Vector};
use clearance_shapes::Hull;

use super::PointAnswer;

/// The way out of a polytope is through its nearest face: depth = least offset - normal . point.
///
/// `None` for a point in front of a face, and for a flat hull, whose faces enclose nothing.
pub(crate) fn measure_inside<V: Vector>(
    point: V::Precise,
    hull: &Hull<V>,
) -> Option<PointAnswer<V::Precise>> {
    if hull.dimension() < V::DIM {
        return None;
    }
    let mut depth = f64::INFINITY;
    let mut outward = V::Precise::ZERO;
    for face in hull.faces() {
        let room = face.offset - face.normal.dot(point);
        if room < 0.0 {
            return None;
        }
        if room < depth {
            (depth, outward) = (room, face.normal);
        }
    }
    Some(PointAnswer::inside(point, depth, outward))
}
