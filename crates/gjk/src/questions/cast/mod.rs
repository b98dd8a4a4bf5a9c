//! Casts: when two shapes in motion meet.
//!
//! Both shapes move and turn at constant velocity from time 0 to time 1. The answer is proven: up to
//! `time_lower` a chain of planes keeps them farther apart than asked, whatever their speed, their thinness
//! or the number of their turns.
//!
//! | pair | method |
//! | --- | --- |
//! | two balls | the root of a quadratic equation, proven by the distance there: [`balls`] |
//! | two convex shapes that do not turn | a ray against their difference, by one search: [`straight`] |
//! | two convex shapes, or a half-space and one | planes between them, and how long each holds: [`advance`] |
//! | composite and anything | the first of all pairs of parts: [`composite`] |
//! | solid and anything | its hull if it is convex; else as a composite, and how deep the whole is: [`solids`] |
//! | mesh in space and a convex shape that go straight | the same, with cheaper tests first: [`in_mesh`] |
//! | two half-spaces | their gap, if they keep facing each other: [`half_spaces`] |
//! | motions a million times as long as all that matters | their beginning: [`long_motion`] |
//!
//! The sides are put into canonical order first, so that exchanging them mirrors the answer. [`cast_shapes`] goes through this
//! table from above; `meeting.rs` finds the first meeting of a pair of convex shapes.

mod advance;
mod aimed;
mod answer;
mod asked;
mod balls;
mod bounding_balls;
mod certify;
mod composite;
mod first_meeting;
mod fronts;
mod half_spaces;
mod in_mesh;
mod long_motion;
mod meeting;
mod motion;
mod pair;
mod part;
mod precision;
mod seen;
mod sharpened;
mod sides;
mod slabs;
mod solids;
mod step;
mod straight;
mod swept_boxes;
mod swept_plane;
mod trace;
mod turning_plane;
mod two_trees;
mod way;

use clearance_math::{Real, Vector, compile_once};
use clearance_shapes::Shape;

use crate::pair::{Exchange, QueryError};
use crate::parts::any_pair;
use crate::search::Steps;
pub use answer::{CastHit, CastOptions, Leaving};
use asked::{Asked, Meeting};
use long_motion::{Beginning, may_be_long};
pub use motion::Motion;
use pair::MovingPair;
pub use sides::Cast;
use sides::{check_casts, compare, moving_pair};
use straight::{Straight, StraightPair};
pub use trace::{Advance, trace_cast};

/// Finds when two shapes in motion first meet, if they do.
///
/// They meet when their signed distance is `options.within` or less; shapes that are that near at the start
/// meet at time 0. A miss is proven. A pass that comes within the tolerance of meeting may be reported as a
/// hit.
///
/// Two half-spaces that overlap without bound meet with a distance of minus infinity.
///
/// # Errors
/// [`QueryError`] if a pose is not valid, if a motion is not finite, or if `within` is negative or not
/// finite. [`hit_by_cast`] is the same without these checks.
///
/// ```
/// use clearance::dim3::{Cast, CastOptions, Motion, Placed, Pose, Shape, Vec3, cast_shapes};
///
/// // A small ball, much faster than a bullet, and a thin plate.
/// let (ball, start) = (Shape::ball(0.125)?, Pose::from_translation(Vec3::new(-512.0, 0.0, 0.0)));
/// let shot = Motion::from_linear(Vec3::new(1024.0, 0.0, 0.0));
/// let (plate, place) = (Shape::cuboid(Vec3::new(1e-4, 1.0, 1.0))?, Pose::IDENTITY);
/// let (ball, plate) = (Cast::new(Placed::new(&ball, &start), shot), Cast::resting(Placed::new(&plate, &place)));
/// let hit = cast_shapes(ball, plate, CastOptions::default())?.unwrap();
/// assert!((hit.time - 0.4998777).abs() < 1e-6);
/// assert!(hit.time_lower <= hit.time && hit.time <= hit.time_upper);
/// assert_eq!(hit.separation.normal, Vec3::X);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("shapecast", "shape_cast", "toi", "time_of_impact", "ccd"))]
pub fn cast_shapes<V: Vector>(
    a: Cast<V>,
    b: Cast<V>,
    options: CastOptions,
) -> Result<Option<CastHit<V>>, QueryError> {
    checked_hit(&a, &b, options)
}

compile_once! {
    /// It takes references, since casts that were copied for the call would be read while they are still on their way to
    /// the cache: two balls would wait for that as long as their closed form takes.
    fn checked_hit<'a, V>(
        a: &'a Cast<'a, V>,
        b: &'a Cast<'a, V>,
        options: CastOptions,
    ) -> Result<Option<CastHit<V>>, QueryError> {
        let asked = Asked::new(options.within, 1.0);
        if let Some(hit) = balls::hit(a, b, &asked, Some(options)) {
            return Ok(hit);
        }
        checked_hit_of_others(a, b, options)
    }
}

/// [`cast_shapes`] where the short way for balls does not lead. It stays a call, so that the short way is short.
#[inline(never)]
fn checked_hit_of_others<V: Vector>(
    a: &Cast<V>,
    b: &Cast<V>,
    options: CastOptions,
) -> Result<Option<CastHit<V>>, QueryError> {
    check_casts(a, b, options)?;
    Ok(hit_of_others(a, b, options, 1.0))
}

compile_once! {
    /// Finds when two shapes in motion first meet, if they do so until the time `until`, from 0 to 1.
    ///
    /// Like [`cast_shapes`], but without checking the input: the poses must be finite with rotations of unit
    /// length, the motions must be finite, and the options must pass [`CastOptions::check`]. It is for callers that
    /// have checked them, as a world has. Otherwise the answer is meaningless. Meetings that are certainly later
    /// than `until` are passed over; one that is a little later may still be found.
    #[must_use]
    pub fn hit_by_cast<'a, V>(
        a: Cast<'a, V>,
        b: Cast<'a, V>,
        options: CastOptions,
        until: Real,
    ) -> Option<CastHit<V>> {
        if let Some(hit) = balls::hit(&a, &b, &Asked::new(options.within, until), None) {
            return hit;
        }
        hit_of_others(&a, &b, options, until)
    }
}

/// [`hit_by_cast`] without the closed form for balls.
fn hit_of_others<V: Vector>(
    a: &Cast<V>,
    b: &Cast<V>,
    options: CastOptions,
    until: Real,
) -> Option<CastHit<V>> {
    let asked = Asked::new(options.within, until);
    if balls::are_balls(a, b)
        && let Some(found) = balls::meet(a, b, &asked)
    {
        return found.hit(Exchange::NONE);
    }
    if may_be_long(a, b, options.within) {
        return hit_of_long(a, b, options, until);
    }
    hit_of_whole(a, b, options, until)
}

/// [`hit_of_others`] for motions of which perhaps only the beginning matters.
#[cold]
#[inline(never)]
fn hit_of_long<V: Vector>(
    a: &Cast<V>,
    b: &Cast<V>,
    options: CastOptions,
    until: Real,
) -> Option<CastHit<V>> {
    match Beginning::of(a, b, options.within) {
        Some(beginning) => beginning.hit(options, until, hit_of_others),
        None => hit_of_whole(a, b, options, until),
    }
}

/// [`hit_of_others`] for motions that are cast as a whole, and for balls that are left over by the closed form.
fn hit_of_whole<V: Vector>(
    a: &Cast<V>,
    b: &Cast<V>,
    options: CastOptions,
    until: Real,
) -> Option<CastHit<V>> {
    let asked = Asked::new(options.within, until);
    let exchange = Exchange::by(compare(a, b));
    let ordered = exchange.sides([a, b]);
    let Some(pair) = StraightPair::of_casts(ordered) else {
        return exchange.answer(hit_in_order(ordered[0], ordered[1], options, until));
    };
    let found = pair.meet(&asked, &mut None);
    if let Straight::Met(meeting) = &found
        && let (true, Some(apart)) = (meeting.converged, &meeting.apart)
    {
        let measured = pair.measured((meeting.time, apart), asked.within);
        let separation = exchange.answer(measured).rounded();
        return Some(CastHit::at(meeting.time, separation));
    }
    exchange.answer(finished(found, ordered, options, asked))
}

/// [`hit_by_cast`] for two convex shapes in canonical order that do not turn, from what was found of them.
#[inline(never)]
fn finished<V: Vector>(
    found: Straight<V::Precise>,
    [a, b]: [&Cast<V>; 2],
    options: CastOptions,
    asked: Asked,
) -> Option<CastHit<V>> {
    if let Straight::Missed(_) = found {
        return None;
    }
    let pair = moving_pair(a, b)?;
    let steps = &mut Steps::counted();
    let meeting = pair.after_straight(found, asked, options.leaving, steps)?;
    answer([a, b], &pair, &meeting, options.within)
}

/// [`hit_by_cast`] for sides in canonical order.
///
/// It stays a call, so that casts without it need no room for what it needs.
#[inline(never)]
fn hit_in_order<V: Vector>(
    a: &Cast<V>,
    b: &Cast<V>,
    options: CastOptions,
    until: Real,
) -> Option<CastHit<V>> {
    match (a.placed.shape, b.placed.shape) {
        (_, Shape::Composite(composite)) => {
            let of_hulls = |a: &Cast<V>, b: &Cast<V>| hit_of_whole(a, b, options, until);
            solids::hit_of_hulls([a, b], of_hulls).unwrap_or_else(|| {
                composite::first(*b, composite, *a, options, until).map(CastHit::flipped)
            })
        }
        (Shape::HalfSpace(_), Shape::HalfSpace(_)) => half_spaces::meet(a, b, options),
        _ => convex(a, b, options, until),
    }
}

/// Two convex shapes, or a half-space and one, in canonical order.
fn convex<V: Vector>(
    a: &Cast<V>,
    b: &Cast<V>,
    options: CastOptions,
    until: Real,
) -> Option<CastHit<V>> {
    let pair = moving_pair(a, b)?;
    let asked = Asked::new(options.within, until);
    let meeting = pair.first_meeting(asked, options.leaving, &mut Steps::counted())?;
    answer([a, b], &pair, &meeting, options.within)
}

/// The answer for a meeting of two shapes in canonical order.
fn answer<V: Vector>(
    [a, b]: [&Cast<V>; 2],
    pair: &MovingPair<V>,
    meeting: &Meeting<V::Precise>,
    within: Real,
) -> Option<CastHit<V>> {
    if meeting.is_start {
        // The answer of a question at rest, to the last bit.
        let near = any_pair::measure(a.placed, b.placed, Real::INFINITY).near()?;
        return Some(pair.with_separation(meeting, near, within));
    }
    pair.answer(meeting, within)
}
