//! How b moves, what is asked, and what is found.

use clearance_math::internal::lanes::Simd;
use clearance_math::{PreciseVector, tolerances};

use crate::search::{SimplexInLanes, witness_points_of};

/// How b moves, as seen in a's frame, and what is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StraightMotion<P> {
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
pub(crate) struct SafeTime<P> {
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
    At(SafeTime<P>),
    /// Until this time they do not. What comes then is not decided.
    Open {
        /// The time.
        time: f64,
    },
}

impl<P: PreciseVector> StraightMotion<P> {
    /// How far apart the bounds of a distance may be where the search ends.
    ///
    /// Where curved shapes are nearer than the tolerance of the cast, that tolerance would leave their normal
    /// open, so a share of the distance decides.
    #[inline(always)]
    pub(super) fn open(&self, distance: f64) -> f64 {
        (tolerances::CAST_SEARCH_GAP * distance).min(0.5 * self.near)
    }

    /// Whether the points of a place are as near as asked. The nearest point of a thin simplex may seem nearer
    /// than they are.
    #[inline(always)]
    pub(super) fn has_met(&self, place: &SafeTime<P>) -> bool {
        place.upper <= self.target + self.near
    }

    /// The normal of a plane that keeps the cores apart all the time: one does so up to a time, and b does not
    /// approach the one with this normal from there on.
    ///
    /// It is the mean of both along which b neither comes nearer nor leaves. At that time the gap along it is that
    /// mean of both gaps, or more, and so it is at all times.
    pub(super) fn combined(&self, progress: &Progress<P>, normal: P) -> P {
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
    pub(super) fn place<S: Simd>(&self, simplex: &SimplexInLanes<S, P>, time: f64) -> SafeTime<P> {
        let toward = simplex.toward();
        let normal = -toward.direction / toward.length;
        self.between(witness_points_of(simplex.vertices()), normal, time)
    }

    /// Points of a and of b, which is given as it was when the search began, at a time.
    #[inline(always)]
    pub(super) fn between(&self, (on_a, on_b): (P, P), normal: P, time: f64) -> SafeTime<P> {
        let on_b = on_b + self.velocity * (time - self.from);
        SafeTime {
            time,
            normal,
            upper: (on_a - on_b).length() + self.rounding,
            witness_points: (on_a, on_b),
        }
    }

    /// Cores that touch up to rounding, or are nearer than asked by no more than that: the plane up to which
    /// the origin has moved is the one between them.
    #[inline(never)]
    pub(super) fn touching(&self, progress: &Progress<P>, points: (P, P)) -> Arrival<P> {
        let time = progress.time;
        let place = (progress.plane).map(|normal| self.between(points, normal, time));
        let met = place.filter(|place| self.has_met(place));
        met.map_or(Arrival::Open { time }, Arrival::At)
    }
}

/// Where the origin is on its way.
pub(super) struct Progress<P> {
    pub(super) time: f64,
    /// How far b has moved.
    pub(super) moved: P,
    /// The normal of the plane up to which the origin has moved.
    pub(super) plane: Option<P>,
}

impl<P: PreciseVector> Progress<P> {
    pub(super) fn start(way: &StraightMotion<P>) -> Self {
        Self {
            time: way.from,
            moved: P::ZERO,
            plane: None,
        }
    }

    /// Goes on to a time, at which the origin reaches a plane with this normal. Returns how far b moves.
    #[inline(always)]
    pub(super) fn move_on(&mut self, way: &StraightMotion<P>, time: f64, normal: P) -> P {
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
