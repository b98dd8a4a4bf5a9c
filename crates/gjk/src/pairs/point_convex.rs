//! Point and any convex shape: chooses the closed form and proves its result.

use clearance_math::{PreciseVector, Vector, tolerances};
use clearance_shapes::{Convex, Core, Support};

use super::{
    PointAnswer, point_cone, point_cuboid, point_cylinder, point_ellipsoid, point_hull,
    point_segment, point_tapered_capsule, point_tapered_cylinder, point_triangle,
};
use crate::measured::Measured;

/// Measures a convex shape against a point of its frame, with radii included. The normal points
/// from the core (a) to the point (b). `None` if only iteration can decide.
pub(crate) fn measure<V: Vector>(
    core: &Convex<V>,
    point: V::Precise,
    radius: f64,
) -> Option<Measured<V::Precise>> {
    let scale = core.core_bounding_radius() + point.length();
    let rounding = tolerances::DIFFERENCE_ROUNDING * scale;
    let answer = match core.core() {
        // Two points have a closed form of their own.
        Core::Point(_) | Core::Custom(_) => return None,
        Core::Segment(segment) => point_segment::measure(point, segment, rounding),
        Core::Triangle(triangle) => point_triangle::measure(point, triangle, rounding)?,
        Core::Cuboid(cuboid) => point_cuboid::measure(point, cuboid),
        Core::Hull(hull) => point_hull::measure_inside(point, hull, 4.0 * rounding)?,
        Core::Cylinder(cylinder) => point_cylinder::measure(point, cylinder),
        Core::Cone(cone) => point_cone::measure(point, cone),
        Core::Ellipsoid(ellipsoid) => point_ellipsoid::measure(point, ellipsoid),
        Core::TaperedCapsule(capsule) => point_tapered_capsule::measure(point, capsule, rounding)?,
        Core::TaperedCylinder(cylinder) => point_tapered_cylinder::measure(point, cylinder),
    };
    let proven = is_proven(core.core(), point, &answer, rounding);
    proven.then(|| {
        let witnesses = (answer.nearest, point);
        Measured::exact(answer.distance, answer.outward, witnesses, 4.0 * rounding)
            .with_radii(core.radius(), radius)
    })
}

/// Whether the plane perpendicular to the result's normal proves it: the core must end at that
/// plane.
///
/// This takes one support query, and catches what rounding may do to a closed form in degenerate
/// cases.
fn is_proven<V: Vector>(
    core: &Core<V>,
    point: V::Precise,
    answer: &PointAnswer<V::Precise>,
    rounding: f64,
) -> bool {
    let height = answer.outward.dot(core.support(answer.outward));
    let over = answer.outward.dot(point) - height;
    (over - answer.distance).abs() <= 2.0 * rounding
}
