//! Two convex parts that do not turn: a ray against the Minkowski difference of their cores.
//!
//! It does without what is prepared for parts that turn ([`MovingPair`](super::pair::MovingPair)), which takes longer than the
//! search. What the search leaves open, such as parts that overlap at the start, goes on from there with that preparation.

use clearance_math::{Matrix, PreciseVector, RelativePose, Rotation, Vector, tolerances};
use clearance_shapes::{Convex, Shape};

use super::asked::{Apart, Asked, Meeting, Missed};
use super::bounding_balls::BoundingBalls;
use super::pair::BodyPart;
use super::precision::{Precision, common_size};
use super::sides::Cast;
use crate::answer::Measured;
use crate::search::moving_origin::{Arrival, Place, Way, arrival};
use crate::search::{Cores, CornerStorage};

/// What is found of two parts that do not turn.
pub(super) enum Straight<P> {
    /// They meet.
    Met(Meeting<P>),
    /// They do not meet.
    Missed(Missed<P>),
    /// They do not meet before this time, and what comes then is left to other methods.
    Open { time: f64 },
}

/// A convex part of a body that does not turn.
struct StraightPart<'a, V: Vector> {
    convex: &'a Convex<V>,
    rotation: <V::Precise as PreciseVector>::Matrix,
    /// The origin of the body, and the way from there to that of the part, along the axes of the world.
    origin: V::Precise,
    offset: V::Precise,
    /// No less than the length of that way.
    offset_length: f64,
    velocity: V::Precise,
}

impl<'a, V: Vector> StraightPart<'a, V> {
    /// A whole shape. `None` if it is not convex, or turns.
    #[inline(always)]
    fn of_cast(cast: &Cast<'a, V>) -> Option<Self> {
        let Shape::Convex(convex) = cast.placed.shape else {
            return None;
        };
        (!cast.turns()).then(|| Self {
            convex,
            rotation: cast.placed.pose.rotation.matrix(),
            origin: cast.placed.pose.position(),
            offset: V::Precise::ZERO,
            offset_length: 0.0,
            velocity: cast.motion.linear.to_precise(),
        })
    }

    /// `None` if the part is not convex, or turns.
    #[inline(always)]
    fn of_body(part: &BodyPart<'a, '_, V>) -> Option<Self> {
        let Shape::Convex(convex) = part.shape else {
            return None;
        };
        if part.turns() {
            return None;
        }
        let body = part.body.rotation_at_start();
        let (rotation, offset, offset_length) = match part.in_body {
            None => (*body, V::Precise::ZERO, 0.0),
            Some(pose) => (
                body.after(&pose.rotation),
                body.apply(pose.translation),
                pose.translation.length(),
            ),
        };
        Some(Self {
            convex,
            rotation,
            origin: part.body.translation(0.0),
            offset,
            offset_length,
            velocity: part.body.linear,
        })
    }

    /// The centre of a ball around the core, from the origin of the body, in the axes of the world, and its radius.
    #[inline(always)]
    fn ball(&self) -> (V::Precise, f64) {
        let (center, radius) = self.convex.core_ball();
        (self.rotation.apply(center) + self.offset, radius)
    }

    /// How far the part reaches from the origin of its body.
    #[inline(always)]
    fn reach(&self) -> f64 {
        self.convex.core_bounding_radius() + self.offset_length + self.convex.radius()
    }

    /// The size of the part with its radius.
    #[inline(always)]
    fn size(&self) -> f64 {
        self.convex.core_size() + self.convex.radius()
    }
}

/// Two parts in canonical order.
pub(super) struct StraightPair<'a, V: Vector> {
    a: StraightPart<'a, V>,
    b: StraightPart<'a, V>,
    /// The way from the origin of a to that of b at time 0.
    apart: V::Precise,
    /// The velocity of b as seen from a.
    velocity: V::Precise,
    precision: Precision,
}

impl<'a, V: Vector> StraightPair<'a, V> {
    /// Two whole shapes. `None` if they are not convex, or if one of them turns.
    #[inline(always)]
    pub(super) fn of_casts([a, b]: [&Cast<'a, V>; 2]) -> Option<Self> {
        let (a, b) = (StraightPart::of_cast(a)?, StraightPart::of_cast(b)?);
        Some(Self::new(a, b, 0.0))
    }

    /// Two parts. `None` if they are not convex, or if one of them turns.
    pub(super) fn of_parts([a, b]: [&BodyPart<'a, '_, V>; 2], extra_rounding: f64) -> Option<Self> {
        let (a, b) = (StraightPart::of_body(a)?, StraightPart::of_body(b)?);
        Some(Self::new(a, b, extra_rounding))
    }

    #[inline(always)]
    fn new(a: StraightPart<'a, V>, b: StraightPart<'a, V>, extra_rounding: f64) -> Self {
        let (apart, velocity) = (b.origin - a.origin, b.velocity - a.velocity);
        let reach = apart.length() + velocity.length() + a.reach() + b.reach();
        Self {
            precision: Precision {
                rounding: tolerances::CAST_ROUNDING * reach + extra_rounding,
                size: common_size(a.size(), b.size()),
                radii: a.convex.radius() + b.convex.radius(),
            },
            a,
            b,
            apart,
            velocity,
        }
    }

    /// Finds when the parts first are as near as asked. The places at which the search looked at them are appended to
    /// `places`, if there is a list.
    #[inline(always)]
    pub(super) fn meet(
        &self,
        asked: &Asked,
        places: &mut Option<Vec<Place<V::Precise>>>,
    ) -> Straight<V::Precise> {
        let (within, precision) = (asked.within, &self.precision);
        let near = precision.near(within);
        let balls = self.balls(within + precision.radii + near);
        let from = match balls.meet() {
            Ok(time) if time <= asked.until => time,
            Ok(_) => {
                let normal = balls.way + balls.velocity * asked.until;
                return Straight::Missed(Missed { normal });
            }
            Err(missed) => return Straight::Missed(missed),
        };
        let way = Way {
            velocity: self.a.rotation.apply_transposed(self.velocity),
            from,
            until: asked.until,
            target: within + precision.radii,
            near,
            rounding: precision.rounding_of(within),
        };
        let cores = (self.a.convex, self.b.convex);
        match search(cores, &self.b_in_a(from), &way, places) {
            Arrival::Never { normal } => Straight::Missed(Missed {
                normal: self.a.rotation.apply(normal),
            }),
            Arrival::Open { time } => Straight::Open { time },
            // What they are at the start is measured as at rest.
            Arrival::At(place) if place.time == 0.0 => Straight::Open { time: from },
            Arrival::At(place) => Straight::Met(Meeting {
                lower: place.time,
                time: place.time,
                is_start: false,
                converged: precision.is_precise(within),
                apart: Some(in_world(&self.a.rotation, &place)),
            }),
        }
    }

    /// Balls around the cores, which have met where the cores may be as near as the target.
    #[inline(always)]
    fn balls(&self, target: f64) -> BoundingBalls<V::Precise> {
        let (center_a, radius_a) = self.a.ball();
        let (center_b, radius_b) = self.b.ball();
        BoundingBalls {
            way: self.apart + center_b - center_a,
            velocity: self.velocity,
            radius: radius_a + radius_b + target + self.precision.rounding,
        }
    }

    /// The pose of b in the frame of a at a time.
    #[inline(always)]
    fn b_in_a(&self, time: f64) -> RelativePose<V::Precise> {
        let to_a = self.a.rotation.transposed();
        let apart = self.apart + self.velocity * time + self.b.offset - self.a.offset;
        RelativePose {
            rotation: to_a.after(&self.b.rotation),
            translation: to_a.apply(apart),
        }
    }

    /// The distance of two whole shapes where they have met, in the frame of the world.
    #[inline(always)]
    pub(super) fn measured(
        &self,
        (time, apart): (f64, &Apart<V::Precise>),
        within: f64,
    ) -> Measured<V::Precise> {
        let lower = within - 2.0 * self.precision.rounding + self.precision.radii;
        let normal = self.a.rotation.apply_transposed(apart.normal);
        let cores = apart.measured(normal, lower, &self.precision);
        let measured = cores.with_radii(self.a.convex.radius(), self.b.convex.radius());
        measured.moved_to_world(&RelativePose {
            rotation: self.a.rotation,
            translation: self.a.origin + self.a.velocity * time,
        })
    }
}

/// Finds when the cores of two convex shapes come as near as asked.
#[inline(never)]
fn search<V: Vector>(
    (a, b): (&Convex<V>, &Convex<V>),
    b_in_a: &RelativePose<V::Precise>,
    way: &Way<V::Precise>,
    places: &mut Option<Vec<Place<V::Precise>>>,
) -> Arrival<V::Precise> {
    let mut storage = CornerStorage::default();
    let cores = Cores::with_few_corners(a, b, b_in_a, &mut storage);
    arrival(&cores, way, places)
}

/// What is known at a place, with the normal in the frame of the world.
#[inline(always)]
pub(super) fn in_world<P: PreciseVector>(rotation: &P::Matrix, place: &Place<P>) -> Apart<P> {
    Apart {
        normal: rotation.apply(place.normal),
        upper: place.upper,
        witness_points: place.witness_points,
    }
}

#[cfg(test)]
mod tests;
