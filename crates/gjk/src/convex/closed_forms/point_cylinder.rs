//! Point and cylinder: ball and cylinder.

use clearance_math::{DVec2, PreciseVector};
use clearance_shapes::Cylinder;

use super::{HalfPlane, PointAnswer};

/// In the half-plane of the axis and the point the cylinder is a rectangle, which is solved like a
/// cuboid, with the distance from the axis as one coordinate.
pub(crate) fn measure<P: PreciseVector>(point: P, cylinder: &Cylinder) -> PointAnswer<P> {
    let (half, radius) = (f64::from(cylinder.half_height), f64::from(cylinder.radius));
    let plane = HalfPlane::through(point);
    let DVec2 { x: across, y } = plane.point;
    if across > radius || y.abs() > half {
        let nearest = plane.to_space(DVec2::new(across.min(radius), y.clamp(-half, half)));
        if let Some(answer) = PointAnswer::outside(point, nearest, 0.0) {
            return answer;
        }
    }
    if radius - across < half - y.abs() {
        PointAnswer::inside(point, radius - across, plane.radial)
    } else {
        let sign = if y < 0.0 { -1.0 } else { 1.0 };
        PointAnswer::inside(point, half - y.abs(), P::axis(1) * sign)
    }
}
