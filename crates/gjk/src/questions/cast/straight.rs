//! Two convex parts that do not turn: a ray against the Minkowski difference of their cores.

use clearance_math::{Matrix, RelativePose, Vector};
use clearance_shapes::Convex;

use super::asked::{Apart, Asked, Meeting, Missed, Stop};
use super::pair::{First, MovingPair, PairAt};
use crate::search::moving_origin::{Arrival, Place, Way, arrival};
use crate::search::{Cores, CornerStorage, Steps};

/// What is found of two parts that do not turn.
pub(super) enum Straight<P> {
    /// They meet.
    Met(Meeting<P>),
    /// They do not meet.
    Missed(Missed<P>),
    /// They do not meet before this time, and what comes then is left to other methods.
    Open { time: f64 },
}

impl<V: Vector> MovingPair<'_, V> {
    /// Finds when two parts that do not turn first are as near as asked, from `time` on, until which they are
    /// not. `near` is how much more than asked their distance may be, in units of length.
    pub(super) fn straight(
        &self,
        asked: &Asked,
        near: f64,
        time: f64,
        steps: &mut Steps<Stop<V::Precise>>,
    ) -> Straight<V::Precise> {
        let First::Part(part) = &self.a else {
            return Straight::Open { time };
        };
        let at = self.at(time);
        let way = Way {
            velocity: at.a.rotation.apply_transposed(self.bodies.velocity),
            from: time,
            until: asked.until,
            target: asked.within + self.precision.radii,
            near,
            rounding: self.precision.rounding_of(asked.within),
        };
        let mut places = steps.list.is_some().then(Vec::new);
        let arrival = search(part.convex, self.b.convex, &at.b_in_a(), &way, &mut places);
        for place in places.into_iter().flatten() {
            steps.record(|| self.stop_at(&place));
        }
        match arrival {
            Arrival::Never { normal } => Straight::Missed(Missed {
                normal: at.a.rotation.apply(normal),
            }),
            Arrival::Open { time } => Straight::Open { time },
            // What they are at the start is measured as at rest.
            Arrival::At(place) if place.time == 0.0 => Straight::Open { time },
            Arrival::At(place) => {
                steps.record(|| self.stop_at(&place));
                Straight::Met(Meeting {
                    lower: place.time,
                    time: place.time,
                    is_start: false,
                    converged: self.precision.is_precise(asked.within),
                    apart: Some(in_world(&at, &place)),
                })
            }
        }
    }

    /// A place of a search as a stop of the cast.
    fn stop_at(&self, place: &Place<V::Precise>) -> Stop<V::Precise> {
        let at = self.at(place.time);
        self.stop(&at, Some(&in_world(&at, place)))
    }
}

/// Finds when the cores of two convex shapes come as near as asked.
#[inline(never)]
pub(super) fn search<V: Vector>(
    a: &Convex<V>,
    b: &Convex<V>,
    b_in_a: &RelativePose<V::Precise>,
    way: &Way<V::Precise>,
    places: &mut Option<Vec<Place<V::Precise>>>,
) -> Arrival<V::Precise> {
    let mut storage = CornerStorage::default();
    arrival(
        &Cores::with_few_corners(a, b, b_in_a, &mut storage),
        way,
        places,
    )
}

/// A place between the cores with its normal in the frame of the world.
fn in_world<P: clearance_math::PreciseVector>(at: &PairAt<P>, place: &Place<P>) -> Apart<P> {
    Apart {
        normal: at.a.rotation.apply(place.normal),
        upper: place.upper,
        witness_points: place.witness_points,
    }
}
