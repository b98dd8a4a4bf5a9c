//! GJK against an origin in motion: when two cores that do not turn come as near as asked.
//!
//! While b moves along a line, the Minkowski difference keeps its shape, and the origin moves through it. The
//! search for the nearest point of the difference finds planes that separate the origin from it. As soon as
//! one of them leads far enough, the origin moves up to it, and the search goes on from there with the same
//! simplex. So the whole cast takes hardly more support points than one distance.
//!
//! Source: van den Bergen, "Ray Casting against General Convex Objects with Application to Continuous
//! Collision Detection" (2004). There the origin moves up to every plane in front of it. Here it moves only
//! if the plane is at least half as far away as the nearest point: early planes lead nowhere.
//!
//! In space, where it only matters when the cores touch, a search that does without nearest points is tried first:
//! [`portal`].

mod cylinders;
mod portal;

use clearance_math::lanes::{Simd, dispatch};
use clearance_math::{PreciseVector, tolerances};

pub(crate) use cylinders::{CylinderAt, Cylinders};

use crate::difference::Minkowski;
use crate::simplex::witness_points_of;
use crate::simplex_in_lanes::{Added, SimplexInLanes};
use crate::trace::Recorder;
use crate::vertex::Vertex;

/// The greatest number of support points of one search.
const ITERATION_LIMIT: usize = 128;

/// The share of the distance to the nearest point that a plane must have for the origin to move up to it. With
/// shares from 0.1 to 0.9 a cast takes as long, up to 3 %.
const WORTH_MOVING: f64 = 0.5;

/// How b moves, as seen in a's frame, and what is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way<P> {
    /// How far b goes in one unit of time.
    pub(crate) velocity: P,
    /// The time at which b is where the difference has it.
    pub(crate) from: f64,
    /// Meetings after this time are of no interest.
    pub(crate) until: f64,
    /// The distance of the cores that counts as met.
    pub(crate) target: f64,
    /// How much more than that counts, too.
    pub(crate) near: f64,
    /// How much a distance may be wrong because poses and times are rounded.
    pub(crate) rounding: f64,
}

/// A time up to which the cores are proven to be farther apart than asked, and what is known of them there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<P> {
    pub(crate) time: f64,
    /// The unit normal of a plane between the cores, from a to b, in a's frame.
    pub(crate) normal: P,
    /// An upper bound of the distance of the cores.
    pub(crate) upper: f64,
    /// The points whose distance that is, in a's frame.
    pub(crate) witness_points: (P, P),
}

/// What the search finds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arrival<P> {
    /// The cores are proven not to come as near as asked before the end.
    Never {
        /// The normal of a plane that keeps them apart all the time, up to rounding, from a to b, in a's frame;
        /// but only from the time at which the search began, where the first plane that was found is enough.
        normal: P,
    },
    /// They do, and a plane has kept them apart until there.
    At(Place<P>),
    /// Until this time they do not. What comes then is not decided.
    Open {
        /// The time.
        time: f64,
    },
}

/// Finds when the cores come as near as asked.
///
/// The places sees from where the origin moves.
pub(crate) fn arrival<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    way: &Way<P>,
    places: &mut Option<Vec<Place<P>>>,
) -> Arrival<P> {
    dispatch!(simd => arrival_in_lanes(simd, difference, way, places))
}

/// Where the origin is on its way.
struct Progress<P> {
    time: f64,
    /// How far b has moved.
    moved: P,
    /// The normal of the plane up to which the origin has moved.
    plane: Option<P>,
}

impl<P: PreciseVector> Progress<P> {
    fn start(way: &Way<P>) -> Self {
        Self {
            time: way.from,
            moved: P::ZERO,
            plane: None,
        }
    }

    /// Goes on to a time, at which the origin reaches a plane with this normal. Returns how far b moves.
    #[inline(always)]
    fn move_on(&mut self, way: &Way<P>, time: f64, normal: P) -> P {
        let moved = way.velocity * (time - way.from);
        let step = moved - self.moved;
        *self = Self {
            time,
            moved,
            plane: Some(normal),
        };
        step
    }
}

#[inline(always)]
fn arrival_in_lanes<S: Simd, P: PreciseVector>(
    simd: S,
    difference: &impl Minkowski<P>,
    way: &Way<P>,
    places: &mut Option<Vec<Place<P>>>,
) -> Arrival<P> {
    match portal::through_portal(simd, difference, way, places) {
        Ok(arrival) => arrival,
        Err(progress) => by_nearest_points(simd, difference, (way, progress), places),
    }
}

/// Follows the nearest point of the difference, from where the origin is.
#[inline(always)]
fn by_nearest_points<S: Simd, P: PreciseVector>(
    simd: S,
    difference: &impl Minkowski<P>,
    (way, mut progress): (&Way<P>, Progress<P>),
    places: &mut Option<Vec<Place<P>>>,
) -> Arrival<P> {
    let rounding = way.rounding + difference.rounding();
    let start = difference.start() - progress.moved;
    let first = difference.support_in_lanes(simd, -start);
    let first = after_motion(&first, progress.moved);
    let mut simplex = SimplexInLanes::from_vertex(simd, &first, difference.size());
    for _ in 0..ITERATION_LIMIT {
        let toward = *simplex.toward();
        let excess = toward.distance - way.target;
        if !(toward.distance > rounding && excess > 0.0) {
            return way.touching(&progress, witness_points_of(simplex.vertices()));
        }
        let vertex = difference.support_in_lanes(simd, -toward.direction);
        let vertex = after_motion(&vertex, progress.moved);
        let height = toward.direction.dot(vertex.point) / toward.length;
        let margin = height - way.target - rounding;
        // How fast the plane comes nearer.
        let rate = toward.direction.dot(way.velocity) / toward.length;
        let place = || way.place(&simplex, progress.time);
        if margin > 0.0 && !(rate > 0.0) {
            places.record(place);
            let normal = way.combined(&progress, -toward.direction / toward.length);
            return Arrival::Never { normal };
        }
        let is_near = excess <= way.near;
        if is_near && toward.distance - height <= way.open(toward.distance) + 2.0 * rounding {
            let place = place();
            if way.has_met(&place) {
                return Arrival::At(place);
            }
        }
        if margin >= WORTH_MOVING * excess && !is_near {
            places.record(place);
            let normal = -toward.direction / toward.length;
            let next = progress.time + margin / rate * (1.0 - 4.0 * f64::EPSILON);
            if next >= 1.0 || next > way.until {
                return Arrival::Never { normal };
            }
            let step = progress.move_on(way, next, normal);
            let newest = after_motion(&vertex, step);
            if let Added::Holds(held) = simplex.move_b_and_add(step, &newest) {
                let touching = way.touching(&progress, held.witness_points_on_surface());
                if let Arrival::At(_) = touching {
                    return touching;
                }
                simplex = SimplexInLanes::from_vertex(simd, &newest, difference.size());
            }
            continue;
        }
        match simplex.add(&vertex, 0.0) {
            Added::Nearer if simplex.toward().distance < toward.distance => {}
            Added::Holds(held) => return way.touching(&progress, held.witness_points_on_surface()),
            // Rounding ends the search. So near the direction means nothing.
            _ => return way.touching(&progress, witness_points_of(simplex.vertices())),
        }
    }
    Arrival::Open {
        time: progress.time,
    }
}

/// The vertex after b has moved on. The point of b stays that of the time at which the search began.
#[inline(always)]
fn after_motion<P: PreciseVector>(vertex: &Vertex<P>, offset: P) -> Vertex<P> {
    Vertex {
        point: vertex.point - offset,
        ..*vertex
    }
}

impl<P: PreciseVector> Way<P> {
    /// How far apart the bounds of a distance may be where the search ends.
    ///
    /// Where curved shapes are nearer than the tolerance of the cast, that tolerance would leave their normal
    /// open, so a share of the distance decides.
    #[inline(always)]
    fn open(&self, distance: f64) -> f64 {
        (tolerances::CAST_SEARCH_GAP * distance).min(0.5 * self.near)
    }

    /// Whether the points of a place are as near as asked. The nearest point of a thin simplex may seem nearer
    /// than they are.
    #[inline(always)]
    fn has_met(&self, place: &Place<P>) -> bool {
        place.upper <= self.target + self.near
    }

    /// The normal of a plane that keeps the cores apart all the time: one does so up to a time, and b does not
    /// approach the one with this normal from there on.
    ///
    /// It is the mean of both along which b neither comes nearer nor leaves. At that time the gap along it is that
    /// mean of both gaps, or more, and so it is at all times.
    fn combined(&self, progress: &Progress<P>, normal: P) -> P {
        let Some(before) = progress.plane else {
            return normal;
        };
        let (approach, leave) = (-before.dot(self.velocity), normal.dot(self.velocity));
        (before * leave + normal * approach)
            .direction()
            .unwrap_or(normal)
    }

    /// What is known at the nearest point of the simplex.
    #[inline(always)]
    fn place<S: Simd>(&self, simplex: &SimplexInLanes<S, P>, time: f64) -> Place<P> {
        let toward = simplex.toward();
        let normal = -toward.direction / toward.length;
        self.between(witness_points_of(simplex.vertices()), normal, time)
    }

    /// Points of a and of b, which is given as it was when the search began, at a time.
    #[inline(always)]
    fn between(&self, (on_a, on_b): (P, P), normal: P, time: f64) -> Place<P> {
        let on_b = on_b + self.velocity * (time - self.from);
        Place {
            time,
            normal,
            upper: (on_a - on_b).length() + self.rounding,
            witness_points: (on_a, on_b),
        }
    }

    /// Cores that touch up to rounding, or are nearer than asked by no more than that: the plane up to which
    /// the origin has moved is the one between them.
    #[inline(never)]
    fn touching(&self, progress: &Progress<P>, points: (P, P)) -> Arrival<P> {
        let time = progress.time;
        match progress.plane {
            Some(normal) => {
                let place = self.between(points, normal, time);
                if self.has_met(&place) {
                    Arrival::At(place)
                } else {
                    Arrival::Open { time }
                }
            }
            None => Arrival::Open { time },
        }
    }
}

#[cfg(test)]
mod tests;
