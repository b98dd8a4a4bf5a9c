//! The meeting of two convex parts: whether it counts, and its answer.

use clearance_math::{
    Matrix, PreciseVector, Real, Vector, round_down, round_nearest, round_up, tolerances,
};

use super::answer::{CastHit, Leaving};
use super::pair::{Asked, Meeting, MovingPair, PairAt, Stop};
use super::straight::Straight;
use crate::answer::{Measured, Outcome, Separation, Status};
use crate::parts::effort;
use crate::search::Steps;

/// In how many places a time is looked for at which two parts that graze each other are near.
const SAMPLES: u32 = 64;

/// In how many places before the first of those it is looked for, each twice as far ahead as the one before.
const DOUBLINGS: i32 = 40;

/// How many times two parts that leave each other are looked at while one turns by a radian.
const LOOKS: f64 = 16.0;

/// The greatest number of looks.
const MOST_LOOKS: f64 = 1024.0;

impl<V: Vector> MovingPair<'_, V> {
    /// When the parts first meet, from what one search found of them. Meetings of parts that leave each other may not count.
    pub(super) fn first_meeting(
        &self,
        found: Straight<V::Precise>,
        asked: Asked,
        leaving: Leaving,
        steps: &mut Steps<Stop<V::Precise>>,
    ) -> Option<Meeting<V::Precise>> {
        let meeting = match found {
            Straight::Missed { .. } => return None,
            Straight::Met(meeting) => {
                steps.record(|| self.stop(&self.at(meeting.time), meeting.apart.as_ref()));
                meeting
            }
            Straight::Open { time } => self.advance_from(time, asked, steps)?,
            Straight::Nothing => self.advance(asked, steps)?,
        };
        self.counted(meeting, asked, leaving, steps)
    }

    /// A meeting if it counts; if it does not, the first one that does.
    ///
    /// Only a meeting at time 0 may not count. Where the search ends there, the parts are in range or nearer to it than
    /// rounding, so that no step leads on: they are measured as at rest.
    fn counted(
        &self,
        meeting: Meeting<V::Precise>,
        asked: Asked,
        leaving: Leaving,
        steps: &mut Steps<Stop<V::Precise>>,
    ) -> Option<Meeting<V::Precise>> {
        // Where rounding leaves open whether they were ever apart, the status says so, and the meeting stays.
        let is_known = self.precision.is_precise(asked.within);
        let counts = if meeting.is_start {
            leaving == Leaving::Hit
        } else {
            !is_known
        };
        if meeting.time > 0.0 || counts {
            return Some(meeting);
        }
        let at = self.at(0.0);
        let Outcome::Near(measured) = self.look(&at, steps) else {
            return Some(meeting);
        };
        // Nothing proves that they are out of range.
        let is_in_range = measured.lower <= asked.within;
        if is_in_range && leaving == Leaving::Hit {
            Some(meeting)
        } else if is_in_range && leaving == Leaving::Ignore {
            None
        } else if self.approaches(&at, &measured, steps) {
            Some(meeting)
        } else if self.only_translates() {
            // The signed distance is a convex function of time: once it grows it never falls again.
            None
        } else {
            self.meeting_after_leaving(asked, steps)
        }
    }

    /// [`MovingPair::measure`], which counts as steps.
    fn look(
        &self,
        at: &PairAt<V::Precise>,
        steps: &mut Steps<Stop<V::Precise>>,
    ) -> Outcome<V::Precise> {
        let outcome = self.measure(at);
        steps.work(effort::of_outcome(&outcome) / effort::OF_CASTING);
        outcome
    }

    /// Whether the parts come nearer to each other.
    ///
    /// Where they do not approach each other along the normal between their nearest or deepest points, they do not. Where
    /// they do, the normal may be one of many, such as those of a corner on an edge, or tilted by rounding while they slide
    /// along each other. So the parts are looked at a little later, and must be nearer then. While nothing turns, the
    /// distance is a convex function of time, so what the looks do not tell of it is no more than they leave open, sixteen
    /// times.
    fn approaches(
        &self,
        at: &PairAt<V::Precise>,
        now: &Measured<V::Precise>,
        steps: &mut Steps<Stop<V::Precise>>,
    ) -> bool {
        if self.rate_between(at, now) >= 0.0 {
            return false;
        }
        if !self.precision.is_precise(0.0) {
            return true;
        }
        let turns = self.angle();
        let speed = self.way.velocity.length() + turns * self.precision.size;
        let share = tolerances::CAST_LOOK_AHEAD * self.precision.size / speed;
        // Of a point and a plane nothing has a size, and the first look may be the last one.
        let mut ahead = if share > 0.0 { share.min(1.0) } else { 1.0 };
        loop {
            let is_nearer = match self.look(&self.at(at.time + ahead), steps) {
                Outcome::Near(later) => later.upper < now.lower,
                _ => true,
            };
            if is_nearer || ahead >= 1.0 || !self.only_translates() {
                return is_nearer;
            }
            ahead = (16.0 * ahead).min(1.0);
        }
    }

    /// How fast the distance of the nearest or deepest points grows.
    fn rate_between(&self, at: &PairAt<V::Precise>, measured: &Measured<V::Precise>) -> f64 {
        let normal = at.a.rotation.apply(measured.normal);
        let from_a = |point| at.a.rotation.apply(point) + at.a.offset;
        normal.dot(self.way.velocity) + self.b.rate(from_a(measured.on_b) - at.apart, normal)
            - self.a.rate(from_a(measured.on_a), normal)
    }

    /// Looks at parts that turn while they leave each other, in small steps, until they are out of range or
    /// approach each other.
    fn meeting_after_leaving(
        &self,
        asked: Asked,
        steps: &mut Steps<Stop<V::Precise>>,
    ) -> Option<Meeting<V::Precise>> {
        let angle = self.angle();
        let looks = (LOOKS * (1.0 + angle)).min(MOST_LOOKS).ceil();
        let beyond = asked.within
            + 2.0 * tolerances::CAST_GAP * self.precision.size
            + 16.0 * self.precision.rounding;
        let mut before = 0.0;
        for look in 1..=looks as u32 {
            let time = f64::from(look) / looks;
            if before > asked.until {
                return None;
            }
            let at = self.at(time);
            match self.look(&at, steps) {
                Outcome::Near(measured) if measured.distance <= beyond => {
                    if self.approaches(&at, &measured, steps) {
                        return Some(Meeting {
                            lower: before,
                            time,
                            is_start: false,
                            converged: self.precision.is_precise(asked.within),
                            apart: None,
                        });
                    }
                }
                _ => {
                    let from_here = Asked {
                        from: time,
                        ..asked
                    };
                    return self.advance(from_here, steps);
                }
            }
            before = time;
        }
        None
    }

    /// The answer for a meeting.
    pub(super) fn answer(&self, meeting: &Meeting<V::Precise>, within: Real) -> Option<CastHit<V>> {
        let at = self.at(meeting.time);
        if let Some(apart) = &meeting.apart {
            let measured = self.measured(&at.a.rotation, apart, f64::from(within));
            let separation = measured.in_world(&self.a_in_world(&at));
            return Some(self.with_separation(meeting, separation, within));
        }
        let Outcome::Near(mut measured) = self.measure(&at) else {
            return None;
        };
        if meeting.lower == meeting.time && !meeting.is_start {
            // Up to here the parts are proven to be apart, which may be more than the measurement knows
            // of curved shapes that just touch.
            let proven = f64::from(within) - 2.0 * self.precision.rounding;
            measured.lower = measured.lower.max(proven);
            measured.distance = measured.distance.max(measured.lower);
            measured.upper = measured.upper.max(measured.distance);
        }
        let separation = measured.in_world(&self.a_in_world(&at));
        Some(self.with_separation(meeting, separation, within))
    }

    /// The answer for a meeting whose separation is known.
    pub(super) fn with_separation(
        &self,
        meeting: &Meeting<V::Precise>,
        separation: Separation<V>,
        within: Real,
    ) -> CastHit<V> {
        // The poses at the start are exact.
        let is_met_at_start = meeting.is_start && separation.distance <= within;
        let (upper, status) = if meeting.converged || is_met_at_start {
            (meeting.time, Status::Converged)
        } else {
            (
                self.near_after(meeting.time, within),
                Status::IterationLimit,
            )
        };
        let lower = round_down(meeting.lower);
        CastHit {
            time: round_nearest(meeting.time),
            time_lower: lower,
            time_upper: round_up(upper),
            separation,
            status,
        }
    }

    /// A time not before `time` at which the parts are as near as asked; the end if none is found.
    fn near_after(&self, time: f64, within: Real) -> f64 {
        let near = f64::from(within)
            + tolerances::CAST_GAP * self.precision.size
            + 8.0 * self.precision.rounding;
        let is_near = |time: f64| match self.measure(&self.at(time)) {
            Outcome::Near(measured) => measured.distance <= near,
            _ => false,
        };
        let rest = 1.0 - time;
        // Most are near soon.
        let soon = (0..DOUBLINGS).map(|k| rest / f64::from(SAMPLES) * 0.5_f64.powi(DOUBLINGS - k));
        let later = (1..=SAMPLES).map(|k| rest * f64::from(k) / f64::from(SAMPLES));
        let mut before = time;
        for after in [0.0].into_iter().chain(soon).chain(later) {
            let at = (time + after).min(1.0);
            if is_near(at) {
                return first_near(before, at, is_near);
            }
            before = at;
        }
        1.0
    }
}

/// Halves the time between `far`, when two parts are not near, and `near`, when they are, until rounding ends
/// it: a time soon after they come near.
fn first_near(mut far: f64, mut near: f64, is_near: impl Fn(f64) -> bool) -> f64 {
    while near - far > f64::from(Real::EPSILON) * far * 0.125 {
        let middle = 0.5 * (far + near);
        if !(far < middle && middle < near) {
            break;
        }
        if is_near(middle) {
            near = middle;
        } else {
            far = middle;
        }
    }
    near
}
