//! Point and hull, for a point inside: ball and hull.

use clearance_math::{PreciseVector, Vector};
use clearance_shapes::Hull;

use super::PointAnswer;

/// The shortest way out of a polytope is through its nearest face: depth = least offset - normal .
/// point.
///
/// `None` for a flat hull, which has no interior, and for a point that is not behind all faces by
/// more than `rounding`: a point outside, near a sharp edge, could otherwise seem to be behind both
/// faces.
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
    for face in 0..hull.faces().len() {
        let (normal, offset) = hull.face_plane(face);
        let inset = offset - normal.dot(point);
        if !(inset > rounding) {
            return None;
        }
        if inset < depth {
            (depth, outward) = (inset, normal);
        }
    }
    Some(PointAnswer::inside(point, depth, outward))
}
