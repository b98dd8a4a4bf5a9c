//! Point and tapered capsule: ball and tapered capsule.

use clearance_math::{DVec2, PreciseVector};
use clearance_shapes::TaperedCapsule;

use super::{HalfPlane, PointAnswer};

/// In the half-plane of the axis and the point the core is the hull of a disc about (0, h) and one
/// about (0, -h), one of which is a point.
///
/// Their common tangent has an outward normal n whose slope is the difference of the radii over the
/// distance of the centres: n_y = (s - r) / 2h for the radii r at the top and s at the bottom. The
/// direction from a centre to the point decides what is nearest: above the normal through the upper
/// centre it is the upper disc, below the one through the lower centre the lower disc, and between
/// them the tangent. `None` at the centre of a disc, where every direction is as near.
pub(crate) fn measure<P: PreciseVector>(
    point: P,
    shape: &TaperedCapsule,
    rounding: f64,
) -> Option<PointAnswer<P>> {
    let half = f64::from(shape.half_length());
    let [top, bottom] = shape.core_radii();
    let plane = HalfPlane::through(point);
    let to_space = |p| plane.to_space(p);

    let p = plane.point;
    // Less than one in absolute value, because no ball contains the other.
    let slope = ((bottom - top) / (2.0 * half)).clamp(-1.0, 1.0);
    let normal = DVec2::new((1.0 - slope * slope).sqrt(), slope);
    let along = DVec2::new(-normal.y, normal.x);
    let (upper, lower) = (DVec2::new(0.0, half), DVec2::new(0.0, -half));
    let (center, radius) = if along.dot(p - upper) > 0.0 {
        (upper, top)
    } else if along.dot(p - lower) < 0.0 {
        (lower, bottom)
    } else {
        let distance = normal.dot(p - upper) - top;
        let outward = to_space(normal);
        return Some(PointAnswer {
            distance,
            outward,
            nearest: point - outward * distance,
        });
    };
    let away = p - center;
    let length = away.length();
    (length > rounding).then(|| {
        let outward = to_space(away / length);
        PointAnswer {
            distance: length - radius,
            outward,
            nearest: point - outward * (length - radius),
        }
    })
}
