//! Advancing two convex parts in motion until they meet, by steps that are proven to be free.
//!
//! At any time before they meet there is a plane between the parts. The gap along its normal is known
//! exactly at two times, and between them it is bent by no more than turning can bend it, so the parts are
//! apart at least as long as a parabola is above zero: see [`super::certify`]. A turning part is also never
//! higher than the ring that it goes round on. The plane may also turn with one of the parts: see
//! [`super::turning_plane`]. The best of these is the step. Where nothing turns the gap
//! is linear, and the step ends exactly where the gap does; this is then Newton's method on a convex
//! function. Two parts that do not turn are left to [`super::straight`], and come here only if that does not
//! decide.
//!
//! Sources: Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems" (1996), is the origin of
//! conservative advancement; Zhang, Lee and Kim, "Interactive Continuous Collision Detection for Non-Convex
//! Polyhedra" (2006), bound the motion along the direction of separation. Both bound the speed of points
//! from one pose; comparing two poses leaves only the second derivative.

use clearance_math::{Matrix, PreciseVector, Real, Vector, tolerances};

use super::motion::rate_of_turning;
use super::pair::{Apart, Between, Facing, First, MovingPair, PairAt};
use super::precision::Precision;
use super::straight::Straight;
use super::trace::Stop;
use crate::trace::Recorder;

/// The number of steps after which the tolerance begins to grow, where nothing turns far.
const PATIENCE: usize = 2048;

/// So many more steps for each radian that the bodies turn: parts that pass each other closely in every turn take about
/// ten steps a turn.
const PATIENCE_PER_RADIAN: f64 = 4.0;

/// Turns beyond this, in radians, get no more steps: so many take about a twentieth of a second. No body of a game turns
/// farther in a step, unless a solver has blown up.
pub(super) const MOST_PATIENT_TURN: f64 = 16_384.0;

/// After so many more steps the tolerance is doubled, again and again. In the end it exceeds any gap.
const DOUBLING: usize = 64;

/// After so many steps parts count as met even while they move apart. All others end long before, since their tolerance
/// grows; this many take about a third of a second.
const MOST_STEPS: usize = 1 << 18;

/// A step that is proven to so large a share need not be compared with others.
const ENOUGH: f64 = 0.5;

/// A plane whose gap is a smaller share of the distance than this leads nowhere: a better one is needed.
const LEADS_NOWHERE: f64 = 1e-3;

/// When two parts meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Meeting<P> {
    /// Up to this time the parts are proven to be farther apart than asked.
    pub(super) lower: f64,
    /// At this time they are as near as asked, up to the tolerance.
    pub(super) time: f64,
    /// Whether they were that near at time 0.
    pub(super) is_start: bool,
    /// Whether the tolerance is [`tolerances::CAST_GAP`].
    pub(super) converged: bool,
    /// The cores at that time, if they are apart and their nearest points are known.
    pub(super) apart: Option<Apart<P>>,
}

/// Two parts that do not meet before the time of interest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Missed<P> {
    /// A direction from a to b, of any length, in the frame of the world. Nearly always there is a plane across it
    /// that keeps the parts apart all the time, but what uses it must prove that. Zero if none is known.
    pub(super) normal: P,
}

impl<P: PreciseVector> Missed<P> {
    pub(super) fn without_plane() -> Self {
        Self { normal: P::ZERO }
    }
}

/// What is asked of two parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    /// The distance that counts as met.
    pub(super) within: f64,
    /// Where to begin.
    pub(super) from: f64,
    /// Meetings after this time are of no interest.
    pub(super) until: f64,
}

impl Asked {
    /// From time 0 to a time that was rounded.
    pub(super) fn new(within: Real, until: Real) -> Self {
        Self {
            within: f64::from(within),
            from: 0.0,
            until: f64::from(until.next_up()),
        }
    }
}

/// What is between two parts along a normal.
pub(super) struct Room<P> {
    pub(super) facing: Facing<P>,
    /// By how much the gap exceeds what is asked, and rounding.
    pub(super) margin: f64,
}

/// When two parts count as near.
pub(super) struct Needed {
    /// The distance of the cores that counts as met.
    pub(super) target: f64,
    /// How much a distance may be wrong.
    pub(super) rounding: f64,
    /// How much more than the target counts, too.
    pub(super) near: f64,
}

impl Needed {
    fn new(precision: &Precision, within: f64) -> Self {
        Self {
            target: within + precision.radii,
            rounding: precision.rounding_of(within),
            near: precision.near(within),
        }
    }
}

/// A plane between two cores.
pub(super) struct Plane<P> {
    pub(super) apart: Apart<P>,
    pub(super) room: Room<P>,
    /// How fast the distance of the nearest points grows.
    pub(super) rate: f64,
}

impl<P> Plane<P> {
    fn pace(&self, time: f64) -> Pace {
        Pace {
            time,
            margin: self.room.margin,
            rate: self.rate,
        }
    }
}

/// How two parts approached each other at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub(super) time: f64,
    pub(super) margin: f64,
    pub(super) rate: f64,
}

/// Two parts at a time until which they are not as near as asked.
pub(super) struct Seen<P: PreciseVector> {
    pub(super) at: PairAt<P>,
    /// A plane between the cores; `None` if they overlap, or touch up to rounding.
    pub(super) plane: Option<Plane<P>>,
}

/// How two parts go on.
enum Way<P: PreciseVector> {
    /// They do not meet before the time of interest ends.
    Passed,
    /// They have met, as far as it can be known.
    Stands,
    /// They do not meet until this time.
    Until(f64),
    /// They do not meet until a time at which they were seen.
    To(Seen<P>),
}

impl<V: Vector> MovingPair<'_, V> {
    /// Finds when the parts first are as near as asked; an error if they are proven not to be, until the
    /// time of interest.
    ///
    /// `recorder` sees every time at which the parts are measured.
    pub(super) fn advance(
        &self,
        asked: Asked,
        recorder: &mut impl Recorder<Stop<V::Precise>>,
    ) -> Result<Meeting<V::Precise>, Missed<V::Precise>> {
        let near = self.precision.near(asked.within);
        let mut time = self.balls_meet(asked.within + self.precision.radii + near)?;
        if time > asked.until {
            return Err(self.balls_apart(asked.until));
        }
        time = time.max(asked.from);
        if time > asked.until {
            return Err(Missed::without_plane());
        }
        if self.bodies.only_translate() {
            match self.straight((&asked, near), time, recorder) {
                Straight::Met(meeting) => return Ok(meeting),
                Straight::Missed(missed) => return Err(missed),
                Straight::Open { time: later } => time = later,
            }
        }
        self.advance_from(time, asked, recorder)
            .ok_or(Missed::without_plane())
    }

    /// After how many steps the tolerance begins to grow.
    fn patience(&self, asked: &Asked) -> usize {
        let duration = (asked.until.min(1.0) - asked.from).max(0.0);
        let angle = (self.bodies.a.turn.angle + self.bodies.b.turn.angle).min(MOST_PATIENT_TURN);
        PATIENCE + (angle * duration * PATIENCE_PER_RADIAN) as usize
    }

    /// [`MovingPair::advance`] from a time until which the parts are not as near as asked.
    pub(super) fn advance_from(
        &self,
        time: f64,
        asked: Asked,
        recorder: &mut impl Recorder<Stop<V::Precise>>,
    ) -> Option<Meeting<V::Precise>> {
        let mut needed = Needed::new(&self.precision, asked.within);
        let patience = self.patience(&asked);
        let is_precise = self.precision.is_precise(asked.within);
        let mut here = self.seen_at(time, &needed);
        let mut before = None;
        for count in 0.. {
            if count >= patience && count % DOUBLING == 0 {
                needed.near *= 2.0;
            }
            recorder.record(|| self.stop(&here.at, here.plane.as_ref().map(|plane| &plane.apart)));
            let time = here.at.time;
            let met = Meeting {
                lower: time,
                time,
                is_start: time == 0.0,
                converged: is_precise && count < patience,
                apart: None,
            };
            let Some(plane) = &here.plane else {
                return Some(met);
            };
            if plane.apart.upper <= needed.target {
                return Some(met);
            }
            let is_near = plane.apart.upper <= needed.target + needed.near;
            let way = if is_near {
                self.way_of_near(&here.at, plane, count < MOST_STEPS)
            } else {
                self.way(&here.at, plane, before, (&needed, &asked))
            };
            let pace = plane.pace(time);
            match way {
                Way::Passed => return None,
                Way::Stands => {
                    return Some(Meeting {
                        is_start: false,
                        converged: met.converged && is_near,
                        apart: is_near.then_some(plane.apart),
                        ..met
                    });
                }
                Way::Until(later) => here = self.seen_at(later, &needed),
                Way::To(there) => here = there,
            }
            before = Some(pace);
        }
        None
    }

    /// The parts at a time until which they are not as near as asked.
    pub(super) fn seen_at(&self, time: f64, needed: &Needed) -> Seen<V::Precise> {
        let at = self.at(time);
        let plane = self.good_plane(&at, needed);
        Seen { at, plane }
    }

    /// A plane between the cores that leads far enough, and an upper bound of their distance.
    fn good_plane(&self, at: &PairAt<V::Precise>, needed: &Needed) -> Option<Plane<V::Precise>> {
        let mut gap = tolerances::CAST_SEARCH_GAP;
        loop {
            let Between::Apart(apart) = self.between(at, gap) else {
                return None;
            };
            let plane = self.plane(at, apart, needed);
            let margin = plane.room.facing.gap - needed.target;
            let excess = plane.apart.upper - needed.target;
            let is_good = margin >= 0.5 * excess || excess <= 0.5 * needed.near;
            if is_good {
                return Some(plane);
            }
            if gap <= tolerances::RAY_SEARCH_GAP {
                let leads_nowhere = margin <= LEADS_NOWHERE * excess && excess > needed.near;
                return Some(if leads_nowhere {
                    self.plane(at, self.sharpened(at, plane.apart), needed)
                } else {
                    plane
                });
            }
            gap = (gap * 1e-4).max(tolerances::RAY_SEARCH_GAP);
        }
    }

    fn plane(
        &self,
        at: &PairAt<V::Precise>,
        apart: Apart<V::Precise>,
        needed: &Needed,
    ) -> Plane<V::Precise> {
        let facing = self.facing(at, apart.normal);
        let margin = facing.gap - needed.target - needed.rounding;
        Plane {
            apart,
            room: Room { facing, margin },
            rate: self.rate_of_nearest(at, &apart),
        }
    }

    /// How fast the distance of the nearest points grows.
    fn rate_of_nearest(&self, at: &PairAt<V::Precise>, apart: &Apart<V::Precise>) -> f64 {
        let normal = apart.normal;
        let (near_a, near_b) = apart.witness_points;
        let in_world = |point| at.a.rotation.apply(point) + at.a.offset;
        let (near_a, near_b) = (in_world(near_a), in_world(near_b) - at.apart);
        let turning = match &self.a {
            First::Part(part) => part.rate(near_a, normal),
            First::HalfSpace(_, body) => rate_of_turning(&body.turn, near_a, normal),
        };
        normal.dot(self.bodies.velocity) + self.b.rate(near_b, normal) - turning
    }

    /// The way of parts that are not near.
    fn way(
        &self,
        at: &PairAt<V::Precise>,
        plane: &Plane<V::Precise>,
        before: Option<Pace>,
        (needed, asked): (&Needed, &Asked),
    ) -> Way<V::Precise> {
        let (time, remaining) = (at.time, 1.0 - at.time);
        if !(plane.room.margin > 0.0) {
            return Way::Stands;
        }
        let mut certain = 0.0;
        if let Some(ahead) = self.aim(at, plane, before, needed) {
            let until = time + ahead;
            if ahead >= remaining || until > asked.until {
                let step = self.step(at, &plane.apart, &plane.room);
                if step.time >= 1.0 || step.time > asked.until {
                    return Way::Passed;
                }
            }
            let there = self.seen_at(until.min(1.0), needed);
            if let Some(later) = &there.plane
                && later.room.margin > 0.0
            {
                certain = self.free_between([plane, later], ahead);
                if certain >= ahead {
                    if ahead >= remaining {
                        return Way::Passed;
                    }
                    return Way::To(there);
                }
            }
            if certain >= ENOUGH * ahead {
                let later = time + certain * (1.0 - 4.0 * f64::EPSILON);
                return if later > asked.until { Way::Passed } else { Way::Until(later) };
            }
        }
        let step = self.step(at, &plane.apart, &plane.room);
        let later = step.time.max(time + certain * (1.0 - 4.0 * f64::EPSILON));
        if later >= 1.0 || later > asked.until {
            Way::Passed
        } else if later > time {
            Way::Until(later)
        } else {
            Way::Stands
        }
    }

    /// The way of parts that are near: they have met, whatever is of interest, unless they move apart.
    fn way_of_near(
        &self,
        at: &PairAt<V::Precise>,
        plane: &Plane<V::Precise>,
        may_leave: bool,
    ) -> Way<V::Precise> {
        if !(plane.room.margin > 0.0) {
            return Way::Stands;
        }
        let step = self.step(at, &plane.apart, &plane.room);
        if step.time >= 1.0 {
            Way::Passed
        } else if step.time > at.time && may_leave && step.is_leaving {
            Way::Until(step.time)
        } else {
            Way::Stands
        }
    }
}

/// For how long a gap lasts that grows at a constant rate.
pub(super) fn free(gap: f64, rate: f64) -> f64 {
    if rate < 0.0 {
        gap / -rate
    } else {
        f64::INFINITY
    }
}
