//! Points and bodies of revolution: ball and cylinder, cone, tapered cylinder, tapered capsule.

use clearance_math::{DVec2, PreciseVector};
use clearance_shapes::{Cone, Cylinder, TaperedCapsule, TaperedCylinder};

use super::PointAnswer;

/// The half-plane of the y axis and a point, in which a body of revolution about y is a flat figure.
#[derive(Clone, Copy, Debug)]
struct HalfPlane<P> {
    /// The point: its distance from the axis, and its height.
    point: DVec2,
    /// The unit vector from the axis to the point; x if the point lies on the axis.
    radial: P,
}

impl<P: PreciseVector> HalfPlane<P> {
    fn through(point: P) -> Self {
        let flat = point.with_component(1, 0.0);
        let across = flat.length();
        Self {
            point: DVec2::new(across, point.component(1)),
            radial: if across > 0.0 {
                flat / across
            } else {
                P::axis(0)
            },
        }
    }

    /// A point or direction of the half-plane in space.
    fn to_space(self, point: DVec2) -> P {
        (self.radial * point.x).with_component(1, point.y)
    }

    /// The answer for a point outside, one of these points being nearest, the first of equal ones; `None` for one of them.
    fn outside<const N: usize>(&self, point: P, sides: [DVec2; N]) -> Option<PointAnswer<P>> {
        let from = self.point;
        let nearer = |best: DVec2, next: DVec2| {
            if from.distance_squared(next) < from.distance_squared(best) {
                next
            } else {
                best
            }
        };
        let nearest = sides.into_iter().reduce(nearer)?;
        PointAnswer::outside(point, self.to_space(nearest), 0.0)
    }
}

/// In the half-plane of the axis and the point the cylinder is a rectangle, which is solved like a
/// cuboid, with the distance from the axis as one coordinate.
pub(super) fn cylinder<P: PreciseVector>(point: P, cylinder: &Cylinder) -> PointAnswer<P> {
    let (half, radius) = (f64::from(cylinder.half_height), f64::from(cylinder.radius));
    let plane = HalfPlane::through(point);
    let DVec2 { x: across, y } = plane.point;
    if across > radius || y.abs() > half {
        let nearest = DVec2::new(across.min(radius), y.clamp(-half, half));
        if let Some(answer) = plane.outside(point, [nearest]) {
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

/// In the half-plane of the axis and the point the cone is a triangle, with the base from the axis
/// to the rim and the flank from the rim to the apex.
///
/// With the rim at (r, -h) and the apex at (0, h), the flank has the outward normal (2h, r) / l,
/// where l = sqrt(4 h^2 + r^2). For a point above the flank, the nearest point is on the flank; for
/// a point below the base, on the base. For a point inside, the nearer of the two lines is the way
/// out.
pub(super) fn cone<P: PreciseVector>(point: P, cone: &Cone) -> PointAnswer<P> {
    let (half, radius) = (f64::from(cone.half_height), f64::from(cone.radius));
    let plane = HalfPlane::through(point);
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
        if let Some(answer) = plane.outside(point, [on_flank, on_base]) {
            return answer;
        }
    }
    if above_flank > below_base {
        PointAnswer::inside(point, -above_flank, plane.to_space(flank))
    } else {
        PointAnswer::inside(point, -below_base, -P::axis(1))
    }
}

/// In the half-plane of the axis and the point the tapered cylinder is a trapezoid: the base from the
/// axis to the lower rim, the flank from there to the upper rim, and the top back to the axis.
///
/// With the rims at (s, -h) and (r, h), the flank has the outward normal (2h, s - r) / l. For a point
/// outside, the nearest point is the nearest one of the three sides. For a point inside, the side with
/// the least depth is the way out.
pub(super) fn tapered_cylinder<P: PreciseVector>(
    point: P,
    shape: &TaperedCylinder,
) -> PointAnswer<P> {
    let half = f64::from(shape.half_height);
    let (top, bottom) = (f64::from(shape.radius_top), f64::from(shape.radius_bottom));
    let plane = HalfPlane::through(point);
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
        if let Some(answer) = plane.outside(point, sides) {
            return answer;
        }
    }
    if beyond_flank > beyond_ends {
        PointAnswer::inside(point, -beyond_flank, plane.to_space(flank))
    } else {
        let end = 1.0_f64.copysign(p.y);
        PointAnswer::inside(point, -beyond_ends, P::axis(1) * end)
    }
}

/// In the half-plane of the axis and the point the core is the hull of a disc about (0, h) and one
/// about (0, -h), one of which is a point.
///
/// Their common tangent has an outward normal n whose slope is the difference of the radii over the
/// distance of the centres: n_y = (s - r) / 2h for the radii r at the top and s at the bottom. The
/// direction from a centre to the point decides what is nearest: above the normal through the upper
/// centre it is the upper disc, below the one through the lower centre the lower disc, and between
/// them the tangent. `None` at the centre of a disc, where every direction is as near.
pub(super) fn tapered_capsule<P: PreciseVector>(
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
