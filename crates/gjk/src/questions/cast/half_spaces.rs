//! Two half-spaces in motion.

use clearance_math::internal::MapEach;
use clearance_math::{Matrix, PreciseVector, Vector, tolerances};
use clearance_shapes::{HalfSpace, Shape};

use super::answer::{CastHit, CastOptions, Leaving};
use super::motion::Bodies;
use super::sides::Cast;
use crate::answer::{Measured, Outcome, Proximity, Status};
use crate::convex::closed_forms::half_space_half_space;
use crate::convex::closed_forms::half_space_half_space::unbounded_separation;
use crate::convex::method;

/// When two half-spaces meet.
///
/// Half-spaces that do not face each other exactly overlap without bound. Those that do are apart as long as
/// they turn together.
pub(super) fn meet<V: Vector>(
    a: &Cast<V>,
    b: &Cast<V>,
    options: CastOptions,
) -> Option<CastHit<V>> {
    let (Shape::HalfSpace(plane_a), Shape::HalfSpace(plane_b)) = (a.placed.shape, b.placed.shape)
    else {
        return None;
    };
    let unbounded = |time: f64| CastHit::at(time, unbounded_separation(a.placed, b.placed));
    let gap = match method::measure(a.placed, b.placed, clearance_math::Real::INFINITY) {
        Proximity::Near(near) => near,
        Proximity::Unbounded => return Some(unbounded(0.0)),
        Proximity::Farther { .. } | Proximity::Undecided { .. } => return None,
    };
    let bodies = Bodies::new(a.moving(), b.moving());
    let normal = bodies.a.rotation(0.0).apply(plane_a.normal());
    let is_turned =
        |velocity: clearance_math::DVec3| velocity.cross(normal.in_space()).length() > 0.0;
    let [turn_a, turn_b] = [&bodies.a, &bodies.b].map_each(|body| body.turn.velocity());
    if gap.distance <= options.within {
        let is_left = normal.dot(bodies.velocity) >= 0.0 && !is_turned(turn_a - turn_b);
        if options.leaving == Leaving::Ignore {
            return None;
        }
        if options.leaving == Leaving::Hit || !is_left || is_turned(turn_a) {
            return Some(CastHit::at(0.0, gap));
        }
        return None;
    }
    if is_turned(turn_a - turn_b) {
        return Some(unbounded(0.0));
    }
    if !is_turned(turn_a) {
        let excess = measured(plane_a, plane_b, &bodies, 0.0)?.distance - f64::from(options.within);
        let rate = normal.dot(bodies.velocity);
        let time = if rate < 0.0 {
            excess / -rate
        } else {
            f64::INFINITY
        };
        return (time <= 1.0)
            .then(|| at_time(plane_a, plane_b, &bodies, time))
            .flatten();
    }
    turning_together(plane_a, plane_b, &bodies, options)
}

/// Both turn alike, so that the normal goes round while the way between the origins is straight.
fn turning_together<V: Vector>(
    plane_a: &HalfSpace<V>,
    plane_b: &HalfSpace<V>,
    bodies: &Bodies<V::Precise>,
    options: CastOptions,
) -> Option<CastHit<V>> {
    let turn = &bodies.a.turn;
    let reach = bodies.reach();
    let fastest = turn.angle * reach + bodies.velocity.length();
    let near = tolerances::CAST_GAP * (reach + plane_a.offset() + plane_b.offset());
    let mut time = 0.0;
    for _ in 0..MOST_STEPS {
        let excess = measured(plane_a, plane_b, bodies, time)?.distance - f64::from(options.within);
        if excess <= near {
            return at_time(plane_a, plane_b, bodies, time);
        }
        time += excess / fastest;
        if !(time <= 1.0) {
            return None;
        }
    }
    let met = at_time(plane_a, plane_b, bodies, time)?;
    Some(CastHit {
        time_upper: 1.0,
        status: Status::IterationLimit,
        ..met
    })
}

/// The greatest number of steps of two half-spaces that turn together.
const MOST_STEPS: usize = 4096;

fn measured<V: Vector>(
    plane_a: &HalfSpace<V>,
    plane_b: &HalfSpace<V>,
    bodies: &Bodies<V::Precise>,
    time: f64,
) -> Option<Measured<V::Precise>> {
    match half_space_half_space::measure(plane_a, plane_b, &bodies.b_in_a(time)) {
        Outcome::Near(measured) => Some(measured),
        _ => None,
    }
}

fn at_time<V: Vector>(
    plane_a: &HalfSpace<V>,
    plane_b: &HalfSpace<V>,
    bodies: &Bodies<V::Precise>,
    time: f64,
) -> Option<CastHit<V>> {
    let measured = measured(plane_a, plane_b, bodies, time)?;
    let a_in_world = clearance_math::RelativePose {
        rotation: bodies.a.rotation(time),
        translation: bodies.a.translation(time),
    };
    Some(CastHit::at(time, measured.in_world(&a_in_world)))
}
