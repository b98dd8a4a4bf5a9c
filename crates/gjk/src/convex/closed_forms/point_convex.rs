//! Point and any convex shape: chooses the closed form and proves its result.

use clearance_math::{PreciseVector, Vector, tolerances};
use clearance_shapes::{Convex, Core, Support, Triangle};

use super::{
    PointAnswer, point_cuboid, point_ellipsoid, point_hull, point_round, point_segment,
    point_triangle,
};
use crate::answer::Measured;

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
        Core::Segment(segment) => point_segment::measure(point, segment, rounding),
        Core::Triangle(triangle) => point_triangle::measure(point, triangle, rounding)?,
        Core::Cuboid(cuboid) => point_cuboid::measure(point, cuboid),
        Core::Hull(hull) => point_hull::measure_inside(point, hull, 4.0 * rounding)?,
        Core::Cylinder(cylinder) => point_round::cylinder(point, cylinder),
        Core::Cone(cone) => point_round::cone(point, cone),
        Core::Ellipsoid(ellipsoid) => point_ellipsoid::measure(point, ellipsoid),
        Core::TaperedCapsule(capsule) => point_round::tapered_capsule(point, capsule, rounding)?,
        Core::TaperedCylinder(cylinder) => point_round::tapered_cylinder(point, cylinder),
        // Two points have a closed form of their own; where there is none, as for shapes of your own, the search decides.
        _ => return None,
    };
    let proven = is_proven(core.core(), point, &answer, rounding);
    proven.then(|| measured(&answer, point, rounding, [core.radius(), radius]))
}

/// The answer of [`measure`] for a triangle without a radius, and a point with its distance from the origin.
#[inline]
pub(crate) fn measure_triangle<V: Vector>(
    triangle: &Triangle<V>,
    (point, reach): (V::Precise, f64),
    radius: f64,
) -> Option<Measured<V::Precise>> {
    let scale = triangle.bounding_radius() + reach;
    let rounding = tolerances::DIFFERENCE_ROUNDING * scale;
    let answer = point_triangle::measure(point, triangle, rounding)?;
    let proven = is_proven(triangle, point, &answer, rounding);
    proven.then(|| measured(&answer, point, rounding, [0.0, radius]))
}

/// The nearest point of a core that has a plain formula for it, the point itself if it is inside.
pub(crate) fn nearest_of_core<V: Vector>(core: &Core<V>, point: V::Precise) -> Option<V::Precise> {
    match core {
        Core::Point(center) => Some(center.to_precise()),
        Core::Segment(segment) => Some(point_segment::nearest(point, segment)),
        Core::Triangle(triangle) => Some(point_triangle::nearest(point, triangle)),
        Core::Cuboid(cuboid) => Some(point_cuboid::nearest(point, cuboid)),
        _ => None,
    }
}

#[inline]
fn measured<P: PreciseVector>(
    answer: &PointAnswer<P>,
    point: P,
    rounding: f64,
    [radius_a, radius_b]: [f64; 2],
) -> Measured<P> {
    let witnesses = (answer.nearest, point);
    Measured::exact(answer.distance, answer.outward, witnesses, 4.0 * rounding)
        .with_radii(radius_a, radius_b)
}

/// Whether the plane perpendicular to the result's normal proves it: the core must end at that
/// plane.
///
/// This takes one support query, and catches what rounding may do to a closed form in degenerate
/// cases.
#[inline]
fn is_proven<P: PreciseVector>(
    core: &impl Support<P>,
    point: P,
    answer: &PointAnswer<P>,
    rounding: f64,
) -> bool {
    let height = answer.outward.dot(core.support(answer.outward));
    let over = answer.outward.dot(point) - height;
    (over - answer.distance).abs() <= 2.0 * rounding
}
