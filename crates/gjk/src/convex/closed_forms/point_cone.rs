//! Point and cone: ball and cone.

use clearance_math::{DVec2, PreciseVector};
use clearance_shapes::Cone;

use super::{HalfPlane, PointAnswer};

/// In the half-plane of the axis and the point the cone is a triangle, with the base from the axis
/// to the rim and the flank from the rim to the apex.
///
/// With the rim at (r, -h) and the apex at (0, h), the flank has the outward normal (2h, r) / l,
/// where l = sqrt(4 h^2 + r^2). For a point above the flank, the nearest point is on the flank; for
/// a point below the base, on the base. For a point inside, the nearer of the two lines is the way
/// out.
pub(crate) fn measure<P: PreciseVector>(point: P, cone: &Cone) -> PointAnswer<P> {
    let (half, radius) = (f64::from(cone.half_height), f64::from(cone.radius));
    let plane = HalfPlane::through(point);
    let to_space = |p| plane.to_space(p);

    let p = plane.point;
    let (rim, apex) = (DVec2::new(radius, -half), DVec2::new(0.0, half));
    let slope = apex - rim;
    let flank = DVec2::new(2.0 * half, radius).normalize();
    let above_flank = flank.dot(p - apex);
    let below_base = -half - p.y;
    if above_flank > 0.0 || below_base > 0.0 {
        let t = ((p - rim).dot(slope) / slope.length_squared()).clamp(0.0, 1.0);
        let on_flank = rim + slope * t;
        let on_base = DVec2::new(p.x.min(radius), -half);
        let nearer_base = p.distance_squared(on_base) < p.distance_squared(on_flank);
        let nearest = if nearer_base { on_base } else { on_flank };
        if let Some(answer) = PointAnswer::outside(point, to_space(nearest), 0.0) {
            return answer;
        }
    }
    if above_flank > below_base {
        PointAnswer::inside(point, -above_flank, to_space(flank))
    } else {
        PointAnswer::inside(point, -below_base, -P::axis(1))
    }
}
