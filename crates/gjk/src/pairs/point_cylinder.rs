//! Point and cylinder: ball and cylinder.

use clearance_math::PreciseVector;
use clearance_shapes::Cylinder;

use super::PointAnswer;

/// In the half-plane of the axis and the point the cylinder is a rectangle, which is solved like a
/// cuboid, with the distance from the axis as one coordinate.
pub(crate) fn measure<P: PreciseVector>(point: P, cylinder: &Cylinder) -> PointAnswer<P> {
    let (half, radius) = (f64::from(cylinder.half_height), f64::from(cylinder.radius));
    let y = point.component(1);
    let flat = point.with_component(1, 0.0);
    let across = flat.length();
    let radial = if across > 0.0 {
        flat / across
    } else {
        P::axis(0)
    };
    if across > radius || y.abs() > half {
        let nearest = (radial * across.min(radius)).with_component(1, y.clamp(-half, half));
        if let Some(answer) = PointAnswer::outside(point, nearest, 0.0) {
            return answer;
        }
    }
    if radius - across < half - y.abs() {
        PointAnswer::inside(point, radius - across, radial)
    } else {
        let sign = if y < 0.0 { -1.0 } else { 1.0 };
        PointAnswer::inside(point, half - y.abs(), P::axis(1) * sign)
    }
}
