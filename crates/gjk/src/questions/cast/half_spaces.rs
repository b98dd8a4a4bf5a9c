//! Two half-spaces in motion.

use clearance_math::internal::MapEach;
use clearance_math::{DVec3, Matrix, PreciseVector, Real, RelativePose, Vector, tolerances};
use clearance_shapes::{HalfSpace, Shape};

use super::answer::{CastHit, CastOptions, Leaving};
use super::motion::Bodies;
use super::sides::Cast;
use crate::answer::{Measured, Outcome, Proximity, Status};
use crate::convex::closed_forms::half_space_half_space::{self, unbounded_separation};
use crate::convex::method;

/// The greatest number of steps of two half-spaces that turn together.
const MOST_STEPS: usize = 4096;

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
    let gap = match method::measure(a.placed, b.placed, Real::INFINITY) {
        Proximity::Near(near) => near,
        Proximity::Unbounded => return Some(unbounded(0.0)),
        Proximity::Farther { .. } | Proximity::Undecided { .. } => return None,
    };
    let bodies = Bodies::new(a.moving(), b.moving());
    let normal = bodies.a.rotation(0.0).apply(plane_a.normal());
    let is_turned = |velocity: DVec3| velocity.cross(normal.in_space()).length() > 0.0;
    let [turn_a, turn_b] = [&bodies.a, &bodies.b].map_each(|body| body.turn.velocity());
    if gap.distance <= options.within {
        let is_left = normal.dot(bodies.way.velocity) >= 0.0 && !is_turned(turn_a - turn_b);
        let is_passed = is_left && !is_turned(turn_a);
        let counts = match options.leaving {
            Leaving::Hit => true,
            Leaving::Pass => !is_passed,
            Leaving::Ignore => false,
        };
        return counts.then(|| CastHit::at(0.0, gap));
    }
    if is_turned(turn_a - turn_b) {
        return Some(unbounded(0.0));
    }
    let facing = FacingPlanes {
        planes: [plane_a, plane_b],
        bodies,
        within: options.within.into(),
    };
    if is_turned(turn_a) {
        facing.meet_turning_together()
    } else {
        facing.meet_straight(normal.dot(bodies.way.velocity))
    }
}

/// Two half-spaces that face each other all the time.
struct FacingPlanes<'a, V: Vector> {
    planes: [&'a HalfSpace<V>; 2],
    bodies: Bodies<V::Precise>,
    /// The distance that counts as met.
    within: f64,
}

impl<V: Vector> FacingPlanes<'_, V> {
    /// When they meet if neither turns, and the gap grows at this rate.
    fn meet_straight(&self, rate: f64) -> Option<CastHit<V>> {
        let excess = self.measured(0.0)?.distance - self.within;
        let time = if rate < 0.0 {
            excess / -rate
        } else {
            f64::INFINITY
        };
        (time <= 1.0).then(|| self.at_time(time))?
    }

    /// When they meet if both turn alike, so that the normal goes round while the way between the origins is straight.
    fn meet_turning_together(&self) -> Option<CastHit<V>> {
        let Bodies { a, way, .. } = &self.bodies;
        let reach = way.reach();
        let fastest = a.turn.angle * reach + way.velocity.length();
        let [plane_a, plane_b] = self.planes;
        let near = tolerances::CAST_GAP * (reach + plane_a.offset() + plane_b.offset());
        let mut time = 0.0;
        for _ in 0..MOST_STEPS {
            let excess = self.measured(time)?.distance - self.within;
            if excess <= near {
                return self.at_time(time);
            }
            time += excess / fastest;
            if !(time <= 1.0) {
                return None;
            }
        }
        Some(CastHit {
            time_upper: 1.0,
            status: Status::IterationLimit,
            ..self.at_time(time)?
        })
    }

    fn measured(&self, time: f64) -> Option<Measured<V::Precise>> {
        let [a, b] = self.planes;
        match half_space_half_space::measure(a, b, &self.bodies.b_in_a(time)) {
            Outcome::Near(measured) => Some(measured),
            _ => None,
        }
    }

    fn at_time(&self, time: f64) -> Option<CastHit<V>> {
        let a = &self.bodies.a;
        let a_in_world = RelativePose {
            rotation: a.rotation(time),
            translation: a.translation(time),
        };
        let measured = self.measured(time)?;
        Some(CastHit::at(time, measured.in_world(&a_in_world)))
    }
}
