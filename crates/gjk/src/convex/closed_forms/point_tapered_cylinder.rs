//! Point and tapered cylinder: ball and tapered cylinder.

use clearance_math::{DVec2, PreciseVector};
use clearance_shapes::TaperedCylinder;

use super::{HalfPlane, PointAnswer};

/// In the half-plane of the axis and the point the tapered cylinder is a trapezoid: the base from the
/// axis to the lower rim, the flank from there to the upper rim, and the top back to the axis.
///
/// With the rims at (s, -h) and (r, h), the flank has the outward normal (2h, s - r) / l. For a point
/// outside, the nearest point is the nearest one of the three sides. For a point inside, the side with
/// the least depth is the way out.
pub(crate) fn measure<P: PreciseVector>(point: P, shape: &TaperedCylinder) -> PointAnswer<P> {
    let half = f64::from(shape.half_height);
    let (top, bottom) = (f64::from(shape.radius_top), f64::from(shape.radius_bottom));
    let plane = HalfPlane::through(point);
    let to_space = |p| plane.to_space(p);

    let p = plane.point;
    let (lower, upper) = (DVec2::new(bottom, -half), DVec2::new(top, half));
    let slope = upper - lower;
    let flank = DVec2::new(2.0 * half, bottom - top).normalize();
    let beyond_flank = flank.dot(p - lower);
    let beyond_ends = p.y.abs() - half;
    if beyond_flank > 0.0 || beyond_ends > 0.0 {
        let t = ((p - lower).dot(slope) / slope.length_squared()).clamp(0.0, 1.0);
        let sides = [
            lower + slope * t,
            DVec2::new(p.x.min(bottom), -half),
            DVec2::new(p.x.min(top), half),
        ];
        let nearer = |best: DVec2, next: DVec2| {
            if p.distance_squared(next) < p.distance_squared(best) {
                next
            } else {
                best
            }
        };
        let nearest = sides.into_iter().fold(sides[0], nearer);
        if let Some(answer) = PointAnswer::outside(point, to_space(nearest), 0.0) {
            return answer;
        }
    }
    if beyond_flank > beyond_ends {
        PointAnswer::inside(point, -beyond_flank, to_space(flank))
    } else {
        let end = 1.0_f64.copysign(p.y);
        PointAnswer::inside(point, -beyond_ends, P::axis(1) * end)
    }
}
