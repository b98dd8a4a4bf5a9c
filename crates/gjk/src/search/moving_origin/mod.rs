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

mod planes;
mod portal;
mod way;

use clearance_math::PreciseVector;
use clearance_math::internal::lanes::{Simd, dispatch};

use way::Progress;
pub(crate) use way::{Arrival, SafeTime, StraightMotion};

use crate::search::{Added, Minkowski, SimplexInLanes, Vertex, record, witness_points_of};

/// The greatest number of support points of one search.
const ITERATION_LIMIT: usize = 128;

/// The share of the distance to the nearest point that a plane must have for the origin to move up to it. With
/// shares from 0.1 to 0.9 a cast takes as long, up to 3 %.
const WORTH_MOVING: f64 = 0.5;

/// Finds when the cores come as near as asked.
///
/// The places from which the origin moves are appended to `places`, if there is a list.
pub(crate) fn arrival<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    way: &StraightMotion<P>,
    places: &mut Option<Vec<SafeTime<P>>>,
) -> Arrival<P> {
    dispatch!(simd => arrival_in_lanes(simd, difference, way, places))
}

#[inline(always)]
fn arrival_in_lanes<S: Simd, P: PreciseVector>(
    simd: S,
    difference: &impl Minkowski<P>,
    way: &StraightMotion<P>,
    places: &mut Option<Vec<SafeTime<P>>>,
) -> Arrival<P> {
    match portal::through_portal(simd, difference, way, places) {
        Ok(arrival) => arrival,
        Err(progress) => by_nearest_points(simd, difference, way, progress, places),
    }
}

/// Follows the nearest point of the difference, from where the origin is.
#[inline(always)]
fn by_nearest_points<S: Simd, P: PreciseVector>(
    simd: S,
    difference: &impl Minkowski<P>,
    way: &StraightMotion<P>,
    mut progress: Progress<P>,
    places: &mut Option<Vec<SafeTime<P>>>,
) -> Arrival<P> {
    let rounding = way.rounding + difference.rounding();
    let start = difference.start() - progress.moved;
    let first = difference.support_by_call(simd, -start);
    let first = after_motion(&first, progress.moved);
    let mut simplex = SimplexInLanes::from_vertex(simd, &first, difference.size());
    for _ in 0..ITERATION_LIMIT {
        let toward = *simplex.toward();
        let excess = toward.distance - way.target;
        if !(toward.distance > rounding && excess > 0.0) {
            return way.touching(&progress, witness_points_of(simplex.vertices()));
        }
        let vertex = difference.support_by_call(simd, -toward.direction);
        let vertex = after_motion(&vertex, progress.moved);
        let height = toward.direction.dot(vertex.point) / toward.length;
        let margin = height - way.target - rounding;
        // How fast the plane comes nearer.
        let rate = toward.direction.dot(way.velocity) / toward.length;
        let place = || way.place(&simplex, progress.time);
        if margin > 0.0 && !(rate > 0.0) {
            record(places, place);
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
            record(places, place);
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

#[cfg(test)]
mod tests;
