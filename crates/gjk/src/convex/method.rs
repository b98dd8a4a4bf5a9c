//! Chooses the method that measures a pair, for all pairs of shapes but composites, which [`crate::parts::any_pair`] takes apart.
//!
//! | pair | method |
//! | --- | --- |
//! | two balls | closed form along the axes of the world, without canonical order |
//! | ball and anything convex | closed form in the frame of the other, if it proves itself |
//! | half-space and anything | closed form |
//! | two segments | closed form, if it proves itself |
//! | segment or triangle and cuboid in space | separating axes; the deepest one if they overlap, else corners and edges |
//! | segment, triangle, cuboid or hull and cylinder, cone or tapered cylinder | faces, edges and corners in a closed form, if it proves itself |
//! | two hulls of at most 64 corners in space, or one and a cuboid | a walk to what is nearest, if it proves itself; a [hint](Hint) shortens it |
//! | two cuboids | separating axes and nearest features; in a [batch](crate::batch) four or eight pairs at a time |
//! | two polygons of the plane | the normals of all sides, four at a time |
//! | bodies of revolution about one axis that overlap | the plane of their profiles |
//! | all else, and where a closed form does not decide | GJK, and the expanding polytope for overlaps |
//!
//! Pairs are put into canonical order, with the lesser kind of core first. Then the distance of the
//! cores is measured, and the rounding radii are subtracted at the end.

use clearance_math::{Real, RelativePose, Vector, round_down};
use clearance_shapes::{Convex, Core, Shape};

use super::closed_forms::axes::ByAxes;
use super::closed_forms::point_point::turned;
use super::closed_forms::polytope_polytope::Hint;
use super::closed_forms::segment_segment::{Segments, two_segments};
use super::closed_forms::{
    coaxial, cuboid_cuboid, half_space_convex, half_space_half_space, point_convex, point_point,
    polygon_polygon, polytope_frustum, polytope_polytope, segment_cuboid, triangle_cuboid,
};
use super::core_pair::CorePair;
use super::depth_gap::{depth_gap, near_enough};
use crate::answer::{Measured, Outcome, Proximity, Separation};
use crate::pair::{Exchange, Frames, FramesOf, KeptFrames, Placed, Question, canonical};
use crate::search::{
    Cores, CornerStorage, Goal, KeptSimplex, SearchResult, measure_in, search_from,
};

/// Measures two shapes that are no composites.
pub(crate) fn measure<V: Vector>(a: Placed<V>, b: Placed<V>, within: Real) -> Proximity<V> {
    if let Some(found) = point_point::measure(a, b, within) {
        return found.into();
    }
    let mut answer = Proximity::Unbounded;
    measure_in_order(&Question { a, b, within }, None, &mut answer);
    answer
}

/// Puts the shapes into canonical order, and exchanges the sides of the answer if they were
/// exchanged. The answer is written where it stays: to copy it in one piece, just after it was written number by number,
/// takes as long as two divisions.
pub(crate) fn measure_in_order<V: Vector>(
    question: &Question<V>,
    hint: Option<Hint<'_>>,
    answer: &mut Proximity<V>,
) {
    let &Question { a, b, within } = question;
    let pair = ordered(a, b);
    let frames = FramesOf {
        a: pair.a.pose,
        b: pair.b.pose,
    };
    *answer = measure_exchanged(pair, &frames, within, hint, |_| {});
}

/// Measures shapes in canonical order, and exchanges the sides of the answer if they were exchanged for that.
#[inline(always)]
fn measure_exchanged<V: Vector>(
    pair: OrderedPair<V>,
    frames: &impl Frames<V::Precise>,
    within: Real,
    hint: Option<Hint<'_>>,
    keep: impl FnOnce(&Measured<V::Precise>),
) -> Proximity<V> {
    if let Some(answer) = measure_segments(pair, frames, within) {
        return answer;
    }
    let answer = measure_ordered([pair.a, pair.b], frames, within, hint, keep);
    pair.exchange.answer(answer)
}

/// [`measure`] for two shapes that are no composites, with frames that were computed before. The answer
/// is the same, bit for bit. `keep` gets what [`measure_shapes`] found, if it was asked and found something.
pub(crate) fn measure_in_frames<V: Vector>(
    a: Placed<V>,
    b: Placed<V>,
    frames: &KeptFrames<V::Precise>,
    within: Real,
    keep: impl FnOnce(&Measured<V::Precise>),
) -> Proximity<V> {
    if let Some(found) = point_point::measure(a, b, within) {
        return found.into();
    }
    let pair = ordered(a, b);
    let frames = frames.in_order(pair.exchange);
    measure_exchanged(pair, &frames, within, None, keep)
}

/// Two shapes in canonical order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrderedPair<'a, V: Vector> {
    pub(crate) a: Placed<'a, V>,
    pub(crate) b: Placed<'a, V>,
    /// The way back to the order of the question.
    pub(crate) exchange: Exchange,
}

/// Puts two shapes into canonical order that are no composites, and so have no effort and no parts.
#[inline]
pub(crate) fn ordered<'a, V: Vector>(a: Placed<'a, V>, b: Placed<'a, V>) -> OrderedPair<'a, V> {
    let exchange = Exchange::by(canonical::compare(&a, &b));
    // References are chosen one by one, in registers: all that is placed would be copied in memory.
    let [shape_a, shape_b] = exchange.sides([a.shape, b.shape]);
    let [pose_a, pose_b] = exchange.sides([a.pose, b.pose]);
    OrderedPair {
        a: Placed::new(shape_a, pose_a),
        b: Placed::new(shape_b, pose_b),
        exchange,
    }
}

/// [`measure`] for shapes in canonical order that are no composites.
pub(crate) fn measure_ordered<V: Vector>(
    [a, b]: [Placed<V>; 2],
    frames: &impl Frames<V::Precise>,
    within: Real,
    hint: Option<Hint<'_>>,
    keep: impl FnOnce(&Measured<V::Precise>),
) -> Proximity<V> {
    if let Some(answer) = measure_ball(a, b, frames, within) {
        return answer;
    }
    let (a_in_world, b_in_a) = frames.of_a();
    let beyond = just_beyond(within);
    match measure_shapes([a.shape, b.shape], &b_in_a, beyond, hint) {
        Outcome::Near(measured) => {
            keep(&measured);
            near_within(&measured, within, |measured| measured.in_world(&a_in_world))
        }
        Outcome::Farther { lower } => Proximity::Farther {
            lower: round_down(lower),
        },
        Outcome::Unbounded => Proximity::Unbounded,
    }
}

/// A distance such that a lower bound of at least this much exceeds the range even after it was
/// rounded down.
#[inline]
pub(crate) fn just_beyond(within: Real) -> f64 {
    f64::from(within.next_up())
}

/// The answer in the frame of the world. Beyond the range the witness points are not computed.
#[inline]
pub(crate) fn near_within<V: Vector>(
    measured: &Measured<V::Precise>,
    within: Real,
    in_world: impl Fn(&Measured<V::Precise>) -> Separation<V>,
) -> Proximity<V> {
    let lower = round_down(measured.lower);
    if lower > within {
        Proximity::Farther { lower }
    } else {
        Proximity::Near(in_world(measured))
    }
}

/// Measures a ball against a convex shape, in the frame of that shape; the rotation of the ball
/// does not matter. `None` if `a` is not a ball, or if no closed form decides.
fn measure_ball<V: Vector>(
    a: Placed<V>,
    b: Placed<V>,
    frames: &impl Frames<V::Precise>,
    within: Real,
) -> Option<Proximity<V>> {
    let (Shape::Convex(ball), Shape::Convex(other)) = (a.shape, b.shape) else {
        return None;
    };
    let Core::Point(center) = ball.core() else {
        return None;
    };
    let b_in_world = frames.b_in_world();
    let apart = a.pose.position() - b.pose.position();
    let in_b = b_in_world.inverse_transform_direction(apart + turned(*center, a.pose));
    let measured = point_convex::measure(other, in_b, ball.radius())?;
    Some(near_within(&measured, within, |measured| {
        measured.in_world(&b_in_world).flipped()
    }))
}

/// Measures two segments along the axes of the world, which takes fewer rotations than in the frame of one of them,
/// and exchanges the sides of the answer if they were exchanged. `None` for other shapes, and if the closed form does
/// not decide.
#[inline(always)]
fn measure_segments<V: Vector>(
    pair: OrderedPair<V>,
    frames: &impl Frames<V::Precise>,
    within: Real,
) -> Option<Proximity<V>> {
    let cores = two_segments([pair.a.shape, pair.b.shape])?;
    let (a_in_world, b_in_world) = (frames.a_in_world(), frames.b_in_world());
    let measured = Segments::in_world(cores, [&a_in_world, &b_in_world]).measure()?;
    let [(a, _), (b, _)] = cores;
    let measured = measured.with_radii(a.radius(), b.radius());
    Some(near_within(&measured, within, |measured| {
        let in_world = measured.moved_by(a_in_world.translation);
        pair.exchange.answer(in_world).rounded()
    }))
}

/// Measures b at `b_in_a` against a, in a's frame. The shapes must be in canonical order.
///
/// The measurement stops when the pair is proven to be farther apart than `within`.
pub(crate) fn measure_shapes<V: Vector>(
    [a, b]: [&Shape<V>; 2],
    b_in_a: &RelativePose<V::Precise>,
    within: f64,
    hint: Option<Hint<'_>>,
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
        (Shape::Convex(a), Shape::Convex(b)) => measure_convex([a, b], b_in_a, within, hint),
        (Shape::Composite(_), _) | (_, Shape::Composite(_)) => {
            unreachable!("composites are taken apart before their parts are measured")
        }
    }
}

/// Measures the cores, then subtracts the rounding radii.
pub(crate) fn measure_convex<V: Vector>(
    [a, b]: [&Convex<V>; 2],
    b_in_a: &RelativePose<V::Precise>,
    within: f64,
    hint: Option<Hint<'_>>,
) -> Outcome<V::Precise> {
    let radii = a.radius() + b.radius();
    // The range for the cores is a little larger than required, so that the rounding of the radii
    // cannot make it too small.
    let cores_within = within + radii + 16.0 * f64::EPSILON * (within.abs() + radii);
    if const { V::DIM == 2 } && has_no_other_form(a.core(), b.core()) {
        let pair = CorePair {
            a,
            b,
            b_in_a,
            within: cores_within,
            hint,
        };
        // Together with the radii, because the answer for the cores would have to be copied in memory: frames of polygons take
        // a twentieth longer.
        return without_axes(&pair, Some([a.radius(), b.radius()]));
    }
    measure_cores([a, b], b_in_a, cores_within, hint).with_radii(a.radius(), b.radius())
}

/// Whether no other closed form than that of polygons comes first in [`measure_cores`].
fn has_no_other_form<V: Vector>(a: &Core<V>, b: &Core<V>) -> bool {
    !matches!(
        (a, b),
        (Core::Segment(_), Core::Segment(_)) | (Core::Cuboid(_), Core::Cuboid(_))
    )
}

/// Measures two cores by a closed form, or by iteration if there is no closed form or it does not
/// decide.
pub(crate) fn measure_cores<V: Vector>(
    [a, b]: [&Convex<V>; 2],
    b_in_a: &RelativePose<V::Precise>,
    within: f64,
    hint: Option<Hint<'_>>,
) -> Outcome<V::Precise> {
    let pair = CorePair {
        a,
        b,
        b_in_a,
        within,
        hint,
    };
    match (a.core(), b.core()) {
        (Core::Segment(core_a), Core::Segment(core_b)) => {
            let segments = Segments::in_a([(a, core_a), (b, core_b)], b_in_a);
            (segments.measure()).map_or_else(|| without_axes(&pair, None), Outcome::Near)
        }
        (Core::Segment(core_a), Core::Cuboid(core_b)) if const { V::DIM == 3 } => {
            by_axes(segment_cuboid::measure(&pair, core_a, core_b), &pair)
        }
        (Core::Triangle(core_a), Core::Cuboid(core_b)) if const { V::DIM == 3 } => {
            by_axes(triangle_cuboid::measure_one(&pair, core_a, core_b), &pair)
        }
        (Core::Cuboid(core_a), Core::Cuboid(core_b)) => {
            by_axes(cuboid_cuboid::measure(&pair, [core_a, core_b]), &pair)
        }
        (Core::Cuboid(_) | Core::Hull(_), Core::Hull(_)) if const { V::DIM == 3 } => {
            let search = || by_iteration(&pair);
            polytope_polytope::measure(&pair, search).unwrap_or_else(search)
        }
        _ => {
            let found = if const { V::DIM == 3 } {
                polytope_frustum::measure(&pair)
            } else {
                None
            };
            found.map_or_else(|| without_axes(&pair, None), |found| by_axes(found, &pair))
        }
    }
}

/// What separating axes found, and what they did not decide by iteration.
#[inline(always)]
fn by_axes<V: Vector>(found: ByAxes<V::Precise>, pair: &CorePair<V>) -> Outcome<V::Precise> {
    match found {
        ByAxes::Near(measured) => Outcome::Near(measured),
        ByAxes::Farther(lower) => Outcome::Farther { lower },
        ByAxes::Overlapping(depth) => Outcome::Near(pair.along_axis(depth)),
        ByAxes::Undecided => by_iteration(pair),
    }
}

/// Measures polygons in the plane by the normals of their sides, and everything else by iteration. The radii are
/// subtracted if they are given.
#[inline(never)]
fn without_axes<V: Vector>(pair: &CorePair<V>, radii: Option<[f64; 2]>) -> Outcome<V::Precise> {
    if const { V::DIM == 2 }
        && let Some(outcome) = polygon_polygon::measure(pair, radii)
    {
        return outcome;
    }
    let outcome = by_iteration(pair);
    match radii {
        Some([a, b]) => outcome.with_radii(a, b),
        None => outcome,
    }
}

fn by_iteration<V: Vector>(pair: &CorePair<V>) -> Outcome<V::Precise> {
    let gap = depth_gap(pair.a, pair.b);
    if let Some(measured) = coaxial::measure(pair, gap.relative) {
        return near_enough(Outcome::Near(measured), gap);
    }
    let mut storage = CornerStorage::default();
    let cores = Cores::with_few_corners(pair.a, pair.b, pair.b_in_a, &mut storage);
    near_enough(measure_in(&cores, pair.within, gap.relative), gap)
}

/// Searches the distance of two cores, in a's frame. If there is a place for a simplex, it begins with that of an earlier
/// search of the same two cores, and keeps its own.
pub(crate) fn search_cores<V: Vector>(
    a: &Convex<V>,
    b: &Convex<V>,
    b_in_a: &RelativePose<V::Precise>,
    goal: Goal,
    kept: Option<&mut KeptSimplex<V::Precise>>,
) -> SearchResult<V::Precise> {
    let mut storage = CornerStorage::default();
    let cores = Cores::with_few_corners(a, b, b_in_a, &mut storage);
    search_from(&cores, goal, kept, &mut None)
}
