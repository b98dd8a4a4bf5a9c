//! The pair function: which algorithm measures which pair.

use clearance_math::{PreciseVector, RelativePose, Vector, tolerances};
use clearance_shapes::{Convex, Core, Shape, Support};

use crate::answer::Status;
use crate::cores::Cores;
use crate::corners::{Corners, Room};
use crate::difference::Minkowski;
use crate::distance::{Goal, Search, search_in};
use crate::iterate::measure_in;
use crate::measured::{Measured, Outcome};
use crate::pairs::axes::{Apart, Best};
use crate::pairs::cuboid_cuboid::Boxes;
use crate::pairs::{
    PointAnswer, coaxial, cuboid_cuboid, half_space_convex, half_space_half_space, point_cone,
    point_cuboid, point_cylinder, point_ellipsoid, point_hull, point_segment, point_triangle,
    polygon_polygon, segment_cuboid, segment_segment,
};
use crate::penetration::{Depth, finish};
use crate::trace::Observer;

/// Measures b, placed at `b_in_a`, against a, both in a's frame, in the canonical order of kinds.
///
/// A pair proven to be farther apart than `within` need not be measured further.
pub(crate) fn measure_shapes<V: Vector>(
    a: &Shape<V>,
    b: &Shape<V>,
    b_in_a: &RelativePose<V::Precise>,
    within: f64,
) -> Outcome<V::Precise> {
    match (a, b) {
        (Shape::HalfSpace(a), Shape::HalfSpace(b)) => half_space_half_space::measure(a, b, b_in_a),
        (Shape::HalfSpace(a), Shape::Convex(b)) => {
            Outcome::Near(half_space_convex::measure(a, b, b_in_a))
        }
        (Shape::Convex(a), Shape::HalfSpace(b)) => {
            let a_in_b = b_in_a.inverse();
            Outcome::Near(half_space_convex::measure(b, a, &a_in_b).flipped(&a_in_b))
        }
        (Shape::Convex(a), Shape::Convex(b)) => measure_convex(a, b, b_in_a, within),
    }
}

/// Cores first, radii after.
fn measure_convex<V: Vector>(
    a: &Convex<V>,
    b: &Convex<V>,
    b_in_a: &RelativePose<V::Precise>,
    within: f64,
) -> Outcome<V::Precise> {
    let radii = a.radius() + b.radius();
    // A little farther than asked, so that rounding the radii off leaves no less than asked.
    let cores_within = within + radii + 16.0 * f64::EPSILON * (within.abs() + radii);
    match measure_cores(a, b, b_in_a, cores_within) {
        Outcome::Near(core) => Outcome::Near(core.with_radii(a.radius(), b.radius())),
        Outcome::Farther { lower } => Outcome::Farther {
            lower: lower - radii - 4.0 * f64::EPSILON * (lower.abs() + radii),
        },
        Outcome::Unbounded => Outcome::Unbounded,
    }
}

/// The closed forms that need nothing but the two cores; iteration where there is none, or where
/// it does not decide.
fn measure_cores<V: Vector>(
    a: &Convex<V>,
    b: &Convex<V>,
    b_in_a: &RelativePose<V::Precise>,
    within: f64,
) -> Outcome<V::Precise> {
    let axes = match (a.core(), b.core()) {
        (Core::Segment(core_a), Core::Segment(core_b)) => {
            let closed = segment_segment::measure(core_a, core_b, b_in_a);
            return closed.map_or_else(|| without_axes(a, b, b_in_a, within), Outcome::Near);
        }
        (Core::Segment(core_a), Core::Cuboid(core_b)) if V::DIM == 3 => {
            segment_cuboid::deepest_axis(core_a, core_b, b_in_a)
        }
        (Core::Cuboid(core_a), Core::Cuboid(core_b)) => {
            match cuboid_cuboid::measure((a, core_a), (b, core_b), b_in_a, within) {
                Boxes::Near(measured) => return Outcome::Near(measured),
                Boxes::Farther(lower) => return Outcome::Farther { lower },
                Boxes::Overlapping(best, witnesses) => {
                    return Outcome::Near(along_axis(a, b, b_in_a, &best, witnesses));
                }
                Boxes::Undecided => return by_iteration(a, b, b_in_a, within),
            }
        }
        _ => return without_axes(a, b, b_in_a, within),
    };
    match axes {
        Ok(best) => {
            let witnesses = deepest_corner(a, b, b_in_a, &best);
            Outcome::Near(along_axis(a, b, b_in_a, &best, witnesses))
        }
        Err(Apart(gap)) => {
            let scale = a.core_reach() + b.core_reach() + b_in_a.translation.length();
            let lower = gap - tolerances::DIFFERENCE_ROUNDING * scale;
            if lower > within {
                Outcome::Farther { lower }
            } else {
                by_iteration(a, b, b_in_a, within)
            }
        }
    }
}

/// The overlap along the axis of least overlap, completed by witness points where they are missing.
#[inline(never)]
fn along_axis<V: Vector>(
    a: &Convex<V>,
    b: &Convex<V>,
    b_in_a: &RelativePose<V::Precise>,
    best: &Best<V::Precise>,
    witnesses: Option<(V::Precise, V::Precise)>,
) -> Measured<V::Precise> {
    let difference = Cores::new(a, b, b_in_a);
    let slack = tolerances::WITNESS_OFFSET * difference.size();
    let depth = Depth {
        height: best.depth,
        lower: best.depth,
        normal: best.normal,
        witnesses,
    };
    Measured {
        status: Status::Exact,
        ..finish(&difference, depth, (slack, None))
    }
}

/// The deepest corner of one shape leads straight to the other's face, if it lies over it.
#[inline(never)]
fn deepest_corner<V: Vector>(
    a: &Convex<V>,
    b: &Convex<V>,
    b_in_a: &RelativePose<V::Precise>,
    best: &Best<V::Precise>,
) -> Option<(V::Precise, V::Precise)> {
    let difference = Cores::new(a, b, b_in_a);
    let leave = best.normal * best.depth;
    let deepest = difference.support(best.normal);
    let slack = tolerances::WITNESS_OFFSET * difference.size();
    let above_b = b_in_a.inverse_transform_point(deepest.on_a - leave);
    if holds(b.core(), above_b, slack) {
        Some((deepest.on_a, deepest.on_a - leave))
    } else if holds(a.core(), deepest.on_b + leave, slack) {
        Some((deepest.on_b + leave, deepest.on_b))
    } else {
        None
    }
}

/// Whether a cuboid holds a point of its frame up to `slack`; other cores are not asked.
fn holds<V: Vector>(core: &Core<V>, point: V::Precise, slack: f64) -> bool {
    match core {
        Core::Cuboid(cuboid) => {
            let room = cuboid.half_extents.to_precise() - point.abs();
            (0..V::DIM).all(|k| room.component(k) >= -slack)
        }
        _ => false,
    }
}

/// Polygons of the plane by the normals of their edges; all else by iteration.
#[inline(never)]
fn without_axes<V: Vector>(
    a: &Convex<V>,
    b: &Convex<V>,
    b_in_a: &RelativePose<V::Precise>,
    within: f64,
) -> Outcome<V::Precise> {
    if V::DIM == 2
        && let Some(outcome) = polygon_polygon::measure(a, b, b_in_a, within)
    {
        return outcome;
    }
    by_iteration(a, b, b_in_a, within)
}

fn by_iteration<V: Vector>(
    a: &Convex<V>,
    b: &Convex<V>,
    b_in_a: &RelativePose<V::Precise>,
    within: f64,
) -> Outcome<V::Precise> {
    let gap = depth_gap(a, b);
    if let Some(measured) = coaxial::measure(a, b, b_in_a, gap) {
        return Outcome::Near(measured);
    }
    if let Some(corners) = Corners::new(a, b, b_in_a, &mut Room::default()) {
        return measure_in(&corners, within, gap);
    }
    measure_in(&Cores::new(a, b, b_in_a), within, gap)
}

fn depth_gap<V: Vector>(a: &Convex<V>, b: &Convex<V>) -> f64 {
    if a.core().is_polytope() && b.core().is_polytope() {
        tolerances::POLYTOPE_DEPTH_GAP
    } else {
        tolerances::SMOOTH_DEPTH_GAP
    }
}

/// Whether two convex shapes share a point: as [`measure_shapes`] would say by its sign, without
/// looking for the distance.
pub(crate) fn overlap<V: Vector>(
    a: &Convex<V>,
    b: &Convex<V>,
    b_in_a: &RelativePose<V::Precise>,
) -> bool {
    let by_distance = || match measure_convex(a, b, b_in_a, 0.0) {
        Outcome::Near(measured) => measured.distance <= 0.0,
        Outcome::Farther { .. } => false,
        Outcome::Unbounded => true,
    };
    let radii = a.radius() + b.radius();
    match (a.core(), b.core()) {
        // The closed form is faster than any search.
        (Core::Segment(_), Core::Segment(_)) => return by_distance(),
        (Core::Cuboid(core_a), Core::Cuboid(core_b)) => {
            let by_axes = cuboid_cuboid::overlap((a, core_a), (b, core_b), b_in_a, radii);
            return by_axes.unwrap_or_else(by_distance);
        }
        _ => {}
    }
    match search_cores(a, b, b_in_a, Goal::side_of(radii), &mut ()) {
        Search::Farther { .. } => false,
        Search::Separated(found) if found.upper <= radii => true,
        Search::Overlapping(overlap) if overlap.upper() <= 0.0 => true,
        // Neither a plane nor a thick simplex around the origin: the shapes but touch.
        _ => by_distance(),
    }
}

/// The search for the distance of two cores, in the frame of a.
pub(crate) fn search_cores<V: Vector>(
    a: &Convex<V>,
    b: &Convex<V>,
    b_in_a: &RelativePose<V::Precise>,
    goal: Goal,
    observer: &mut impl Observer<V::Precise>,
) -> Search<V::Precise> {
    if let Some(corners) = Corners::new(a, b, b_in_a, &mut Room::default()) {
        return search_in(&corners, goal, observer);
    }
    search_in(&Cores::new(a, b, b_in_a), goal, observer)
}

/// Measures a core against a point of its frame, radii included: the normal points from the core
/// (a) to the point (b). `None` where only iteration decides.
pub(crate) fn measure_point<V: Vector>(
    core: &Convex<V>,
    point: V::Precise,
    radius: f64,
) -> Option<Measured<V::Precise>> {
    let scale = core.core_reach() + point.length();
    let rounding = tolerances::DIFFERENCE_ROUNDING * scale;
    let answer = match core.core() {
        // Two points have a closed form that needs no frame.
        Core::Point(_) => return None,
        Core::Segment(segment) => point_segment::measure(point, segment, rounding),
        Core::Triangle(triangle) => point_triangle::measure(point, triangle, rounding)?,
        Core::Cuboid(cuboid) => point_cuboid::measure(point, cuboid),
        Core::Hull(hull) => point_hull::measure_inside(point, hull, 4.0 * rounding)?,
        Core::Cylinder(cylinder) => point_cylinder::measure(point, cylinder),
        Core::Cone(cone) => point_cone::measure(point, cone),
        Core::Ellipsoid(ellipsoid) => point_ellipsoid::measure(point, ellipsoid),
    };
    let proven = is_proven(core.core(), point, &answer, rounding);
    proven.then(|| {
        let witnesses = (answer.nearest, point);
        Measured::exact(answer.distance, answer.outward, witnesses, 4.0 * rounding)
            .with_radii(core.radius(), radius)
    })
}

/// Whether the plane across the answer's normal proves it: the core ends there.
///
/// One support evaluation that catches what rounding may do to a closed form in a degenerate case.
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
