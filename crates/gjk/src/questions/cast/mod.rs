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
//! | two convex shapes, or a half-space and one | planes between them, and how long each holds: [`turning`] |
//! | composite and anything | the first of all pairs of parts: [`composites`] |
//! | solid and anything | its hull if it is convex; else as a composite, and how deep the whole is: `composites/solids.rs` |
//! | mesh in space and a convex shape that go straight | the same, with cheaper tests first: `composites/in_mesh.rs` |
//! | two half-spaces | their gap, if they keep facing each other: [`half_spaces`] |
//! | motions a million times as long as all that matters | their beginning: [`long_motion`] |
//!
//! The sides are put into canonical order first, so that exchanging them mirrors the answer. [`cast_shapes`] goes through this
//! table from above. What is here, each above those before it:
//!
//! | file or folder | what is in it |
//! | --- | --- |
//! | `answer.rs`, `motion.rs`, `sides.rs` | what is asked and answered; bodies in motion; the two sides, and their order |
//! | `pair/` | two parts in motion, where they are at a time, and how well that is known; a whole shape is its own part |
//! | `straight.rs`, `turning/` | when they are as near as asked |
//! | `meeting.rs` | the first meeting that counts, and its answer |
//! | `composites/` | the first pair of parts |
//! | `balls.rs`, `half_spaces.rs`, `long_motion.rs`, `trace.rs` | what needs no parts; long motions; all of a cast's steps |

mod answer;
mod balls;
mod composites;
mod half_spaces;
mod long_motion;
mod meeting;
mod motion;
mod pair;
mod sides;
mod straight;
mod trace;
mod turning;

use clearance_math::internal::MapEach;
use clearance_math::{Real, RelativePose, Vector, compile_once};
use clearance_shapes::{Composite, Shape};

use crate::pair::{Exchange, QueryError};
use crate::parts::any_pair;
use crate::search::Steps;
pub use answer::{CastHit, CastOptions, Leaving};
use long_motion::{Beginning, may_be_long};
pub use motion::Motion;
use pair::{Asked, MovingPair, with_pair};
pub use sides::Cast;
use sides::{check_casts, compare};
use straight::Straight;
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
        return found.map(|met| met.hit());
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
    let exchange = Exchange::by(compare(a, b));
    let sides = exchange.sides([a, b]);
    match sides.map_each(|side| side.placed.shape) {
        [_, Shape::Composite(composite)] => {
            exchange.answer(hit_of_composite(sides, composite, options, until))
        }
        [Shape::HalfSpace(_), Shape::HalfSpace(_)] => {
            exchange.answer(half_spaces::meet(sides[0], sides[1], options))
        }
        _ => hit_of_pair(sides, exchange, options, Asked::new(options.within, until)),
    }
}

/// Two convex shapes in canonical order, or a half-space and one.
fn hit_of_pair<V: Vector>(
    sides: [&Cast<V>; 2],
    exchange: Exchange,
    options: CastOptions,
    asked: Asked,
) -> Option<CastHit<V>> {
    with_pair(sides, |pair| {
        let found = pair.meet_straight(&asked, &mut None);
        if let Straight::Met(meeting) = &found
            && let (true, Some(apart)) = (meeting.converged, &meeting.apart)
        {
            let a_in_world = RelativePose {
                rotation: pair.a.at_start().rotation,
                translation: pair.a.body.translation(meeting.time),
            };
            let measured = pair.measured(&a_in_world.rotation, apart, asked.within);
            let separation = exchange
                .answer(measured.moved_to_world(&a_in_world))
                .rounded();
            return Some(CastHit::at(meeting.time, separation));
        }
        exchange.answer(finished(pair, found, sides, options, asked))
    })
}

/// The answer for two shapes in canonical order, from what one search found of them.
///
/// It stays a call, so that casts without it need no room for what it needs.
#[inline(never)]
fn finished<V: Vector>(
    pair: &MovingPair<V>,
    found: Straight<V::Precise>,
    [a, b]: [&Cast<V>; 2],
    options: CastOptions,
    asked: Asked,
) -> Option<CastHit<V>> {
    if let Straight::Missed { .. } = found {
        return None;
    }
    let steps = &mut Steps::counted();
    let meeting = pair.first_meeting(found, asked, options.leaving, steps)?;
    if meeting.is_start {
        // The answer of a question at rest, to the last bit.
        let near = any_pair::measure(a.placed, b.placed, Real::INFINITY).near()?;
        return Some(pair.with_separation(&meeting, near, options.within));
    }
    pair.answer(&meeting, options.within)
}

/// A composite, which is the second side, and anything.
#[inline(never)]
fn hit_of_composite<V: Vector>(
    [a, b]: [&Cast<V>; 2],
    composite: &Composite<V>,
    options: CastOptions,
    until: Real,
) -> Option<CastHit<V>> {
    let of_hulls = |a: &Cast<V>, b: &Cast<V>| hit_of_whole(a, b, options, until);
    composites::hit_of_hulls([a, b], of_hulls).unwrap_or_else(|| {
        composites::first(*b, composite, *a, options, until).map(CastHit::flipped)
    })
}
