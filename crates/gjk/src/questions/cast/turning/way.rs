//! How two parts go on from a time.

use clearance_math::{PreciseVector, Vector};

use super::seen::{Course, PlaneBetween, Seen};
use super::step::after;
use crate::questions::cast::pair::{Asked, MovingPair, PairAt};

/// If so large a share of the way to where parts are about to meet is proven, it is long enough.
const LONG_ENOUGH: f64 = 0.5;

/// Near parts meet long before the end of the motion if so many times the time that they need at their speed is left.
const SOON: f64 = 2.0;

/// How two parts go on.
pub(super) enum Onward<P: PreciseVector> {
    /// They do not meet before the end of the motion, or the time of interest.
    Passes,
    /// They do not meet until this time.
    Until(f64),
    /// They do not meet until a time at which they were seen.
    To(Seen<P>),
    /// They have met, or no plane leads on.
    Ends,
}

impl<V: Vector> MovingPair<'_, V> {
    /// The way of parts that are not near.
    pub(super) fn way(
        &self,
        at: &PairAt<V::Precise>,
        plane: &PlaneBetween<V::Precise>,
        course: &mut Course<V::Precise>,
    ) -> Onward<V::Precise> {
        if !(plane.pace.margin > 0.0) {
            return Onward::Ends;
        }
        let change = self.change(at, plane);
        let goal = self.aim(plane, &change, course);
        course.before = Some(plane.pace);
        let until = course.asked.until.min(1.0);
        let mut certain = at.time;
        if let Some(goal) = goal {
            // Only a cheaper proof that they pass depends on the time of interest, and never the way of those that do not.
            if goal >= until && self.step(at, plane, &change) >= until {
                return Onward::Passes;
            }
            let there = self.seen_at(goal, course);
            if let Some(later) = there.plane.filter(|later| later.pace.margin > 0.0) {
                let way = goal - at.time;
                let free = self.free_between([plane, &later]);
                if free >= way {
                    return if goal >= until {
                        Onward::Passes
                    } else {
                        Onward::To(there)
                    };
                }
                certain = after(at.time, free);
                if free >= LONG_ENOUGH * way {
                    return until_time(at, certain, until);
                }
            }
        }
        let step = self.step(at, plane, &change);
        until_time(at, step.max(certain), until)
    }

    /// The way of parts that are near: they have met, whatever is of interest, unless they move apart.
    pub(super) fn way_of_near(
        &self,
        at: &PairAt<V::Precise>,
        plane: &PlaneBetween<V::Precise>,
        asked: &Asked,
        may_leave: bool,
    ) -> Onward<V::Precise> {
        if !(plane.pace.margin > 0.0) {
            return Onward::Ends;
        }
        let change = self.change(at, plane);
        let is_leaving = change.rate >= 0.0;
        if !is_leaving && SOON * plane.pace.margin < -change.rate * (1.0 - at.time) {
            return Onward::Ends;
        }
        let certain = self.step(at, plane, &change);
        if certain >= 1.0 {
            Onward::Passes
        } else if may_leave && is_leaving {
            until_time(at, certain, asked.until)
        } else {
            Onward::Ends
        }
    }
}

/// The way of parts that certainly do not meet up to a time.
fn until_time<P: PreciseVector>(at: &PairAt<P>, certain: f64, until: f64) -> Onward<P> {
    if certain >= 1.0 || certain > until {
        Onward::Passes
    } else if certain > at.time {
        Onward::Until(certain)
    } else {
        Onward::Ends
    }
}
