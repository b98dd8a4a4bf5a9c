//! Two convex parts that do not turn: a ray against the Minkowski difference of their cores.
//!
//! What the search leaves open, such as parts that overlap at the start, goes on from there as that of parts that turn.

use clearance_math::{Matrix, PreciseVector, RelativePose, Vector};
use clearance_shapes::Convex;

use super::pair::{Apart, Asked, Meeting, MovingPair, PairAt};
use crate::search::moving_origin::{Arrival, SafeTime, StraightMotion, arrival};
use crate::search::{Cores, CornerStorage};

/// What is found of two parts by one search.
#[derive(Clone, Copy)]
pub(super) enum Straight<P> {
    /// They meet.
    Met(Meeting<P>),
    /// They do not meet before the time of interest.
    Missed {
        /// A direction from a to b, of any length, in the frame of the world. Nearly always there is a plane across it
        /// that keeps the parts apart all the time, but what uses it must prove that.
        normal: P,
    },
    /// They do not meet before this time, and what comes then is left to other methods.
    Open { time: f64 },
    /// Nothing, since one of them turns or is a half-space.
    Nothing,
}

impl<V: Vector> MovingPair<'_, V> {
    /// Finds when the parts first are as near as asked. The places at which the search looked at them are appended to
    /// `places`, if there is a list.
    #[inline(always)]
    pub(super) fn meet_straight(
        &self,
        asked: &Asked,
        places: &mut Option<Vec<SafeTime<V::Precise>>>,
    ) -> Straight<V::Precise> {
        let Some(convex_a) = self.a.convex().filter(|_| self.only_translates()) else {
            return Straight::Nothing;
        };
        let (within, precision) = (asked.within, &self.precision);
        let near = precision.near(within);
        let (a, b) = (self.a.at_start(), self.b.at_start());
        let balls = self.balls([&a, &b], within + precision.radii + near);
        let from = match balls.meet() {
            Ok(time) if time <= asked.until => time,
            Ok(_) => {
                let normal = balls.way + balls.velocity * asked.until;
                return Straight::Missed { normal };
            }
            Err(normal) => return Straight::Missed { normal },
        };
        let at = PairAt {
            time: from,
            a,
            b,
            apart: self.way.at(from),
        };
        let rotation = &at.a.rotation;
        let way = StraightMotion {
            velocity: rotation.apply_transposed(self.way.velocity),
            from,
            until: asked.until,
            target: within + precision.radii,
            near,
            rounding: precision.rounding_of(within),
        };
        match search(convex_a, self.convex_b, &at.b_in_a(), &way, places) {
            Arrival::Never { normal } => Straight::Missed {
                normal: rotation.apply(normal),
            },
            Arrival::Open { time } => Straight::Open { time },
            // What they are at the start is measured as at rest.
            Arrival::At(place) if place.time == 0.0 => Straight::Open { time: from },
            Arrival::At(place) => Straight::Met(Meeting {
                lower: place.time,
                time: place.time,
                is_start: false,
                converged: precision.is_precise(within),
                apart: Some(in_world(rotation, &place)),
            }),
        }
    }
}

/// Finds when the cores of two convex shapes come as near as asked.
#[inline(never)]
fn search<V: Vector>(
    a: &Convex<V>,
    b: &Convex<V>,
    b_in_a: &RelativePose<V::Precise>,
    way: &StraightMotion<V::Precise>,
    places: &mut Option<Vec<SafeTime<V::Precise>>>,
) -> Arrival<V::Precise> {
    let mut storage = CornerStorage::default();
    let cores = Cores::with_few_corners(a, b, b_in_a, &mut storage);
    arrival(&cores, way, places)
}

/// What is known at a place, with the normal in the frame of the world.
#[inline(always)]
pub(super) fn in_world<P: PreciseVector>(rotation: &P::Matrix, place: &SafeTime<P>) -> Apart<P> {
    Apart {
        normal: rotation.apply(place.normal),
        upper: place.upper,
        witness_points: place.witness_points,
    }
}

#[cfg(test)]
mod tests;
