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

use super::certify::{Stretch, duration};
use super::motion::rate_of_turning;
use super::pair::{Apart, Between, Facing, First, MovingPair, PairAt};
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

/// How far two parts can go.
struct Step {
    time: f64,
    /// Whether they are moving apart at the beginning.
    is_leaving: bool,
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
        mut time: f64,
        asked: Asked,
        recorder: &mut impl Recorder<Stop<V::Precise>>,
    ) -> Option<Meeting<V::Precise>> {
        let target = asked.within + self.precision.radii;
        let rounding = self.precision.rounding_of(asked.within);
        let mut near = self.precision.near(asked.within);
        let patience = self.patience(&asked);
        let is_precise = self.precision.is_precise(asked.within);
        for count in 0.. {
            if count >= patience && count % DOUBLING == 0 {
                near *= 2.0;
            }
            let met = Meeting {
                lower: time,
                time,
                is_start: time == 0.0,
                converged: is_precise && count < patience,
                apart: None,
            };
            let at = self.at(time);
            let plane = self.good_plane(&at, target, near);
            recorder.record(|| self.stop(&at, plane.as_ref()));
            let Some(apart) = plane else {
                return Some(met);
            };
            let Apart { normal, upper, .. } = apart;
            if upper <= target {
                return Some(met);
            }
            let facing = self.facing(&at, normal);
            let margin = facing.gap - target - rounding;
            let step = (margin > 0.0).then(|| self.step(&at, &apart, &Room { facing, margin }));
            let is_near = upper <= target + near;
            let may_leave = count < MOST_STEPS;
            let met = Meeting {
                is_start: false,
                ..met
            };
            match step {
                Some(step) if step.time >= 1.0 => return None,
                // Parts that are near have met, whatever is of interest.
                Some(step) if step.time > time && (!is_near || may_leave && step.is_leaving) => {
                    if step.time > asked.until {
                        return None;
                    }
                    time = step.time;
                }
                _ => {
                    let converged = met.converged && is_near;
                    return Some(Meeting {
                        converged,
                        apart: is_near.then_some(apart),
                        ..met
                    });
                }
            }
        }
        None
    }

    /// A plane between the cores that leads far enough, and an upper bound of their distance.
    fn good_plane(
        &self,
        at: &PairAt<V::Precise>,
        target: f64,
        near: f64,
    ) -> Option<Apart<V::Precise>> {
        let mut gap = tolerances::CAST_SEARCH_GAP;
        loop {
            let Between::Apart(apart) = self.between(at, gap) else {
                return None;
            };
            let margin = self.gap_along(at, apart.normal) - target;
            let excess = apart.upper - target;
            let is_good = margin >= 0.5 * excess || excess <= 0.5 * near;
            if is_good {
                return Some(apart);
            }
            if gap <= tolerances::RAY_SEARCH_GAP {
                let leads_nowhere = margin <= LEADS_NOWHERE * excess && excess > near;
                return Some(if leads_nowhere {
                    self.sharpened(at, apart)
                } else {
                    apart
                });
            }
            gap = (gap * 1e-4).max(tolerances::RAY_SEARCH_GAP);
        }
    }

    /// The gap along a normal that stays as it is, or along that of a half-space, which turns with it.
    fn gap_along_plane(&self, at: &PairAt<V::Precise>, normal: V::Precise) -> f64 {
        let normal = match &self.a {
            First::Part(_) => normal,
            First::HalfSpace(plane, _) => at.a.rotation.apply(plane.normal()),
        };
        self.gap_along(at, normal)
    }

    /// How long a plane with this normal certainly keeps the parts apart: one that does not turn, or one that
    /// turns with a part.
    fn step(
        &self,
        at: &PairAt<V::Precise>,
        apart: &Apart<V::Precise>,
        room: &Room<V::Precise>,
    ) -> Step {
        let normal = apart.normal;
        let Room {
            facing: Facing { on_a, on_b, gap },
            margin,
        } = *room;
        let straight = normal.dot(self.bodies.velocity);
        let falls_b = self.b.rate(on_b.point, normal);
        let remaining = 1.0 - at.time;
        let (rate, bend, rise) = match &self.a {
            First::Part(part) => {
                let rate = straight + falls_b - part.rate(on_a.point, normal);
                let bend = part.bend(normal) + self.b.bend(normal);
                let rise = part.rise(normal, &on_a) + self.b.rise(-normal, &on_b);
                (rate, bend, rise)
            }
            First::HalfSpace(_, body) if body.turn.is_none() => {
                let rate = straight + falls_b;
                (rate, self.b.bend(normal), self.b.rise(-normal, &on_b))
            }
            First::HalfSpace(_, body) => {
                let seen = at.apart + on_b.point;
                let turning = rate_of_turning(&body.turn, seen, normal);
                let rate = straight + falls_b - turning;
                (rate, self.bend_of_plane(at, body, &self.b), f64::INFINITY)
            }
        };
        let is_leaving = rate >= 0.0;
        let end = |ahead: f64| Step {
            time: if ahead >= remaining {
                1.0
            } else {
                at.time + ahead * (1.0 - 4.0 * f64::EPSILON)
            },
            is_leaving,
        };
        if bend == 0.0 {
            return end(free(margin, straight));
        }
        let around = if margin > rise {
            free(margin - rise, straight)
        } else {
            0.0
        };
        if around >= remaining {
            return end(around);
        }
        let ahead = duration(margin, rate, bend).min(remaining);
        let later = self.at(at.time + ahead);
        let last = self.gap_along_plane(&later, normal);
        let stretch = Stretch {
            first: margin,
            last: last - (gap - margin),
            duration: ahead,
            bend,
        };
        let certain = stretch.certain().max(around);
        end(certain.max(self.free_with_turning_plane(at, apart, room, certain)))
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
