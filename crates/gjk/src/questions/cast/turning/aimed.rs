//! Steps to where two parts are about to meet, which are proven afterwards.
//!
//! How fast the distance of the nearest points falls tells about when the parts meet. They are measured there, and if a
//! plane is still between them, the way there is proven by all the planes whose normals lie between the two, from the one
//! to the other at a constant rate. The normals between are shorter than one, so a gap along them is proven to be at least
//! as wide as it is computed. Such planes turn as the nearest features do, whatever these are; so the steps converge as
//! fast as the guesses do.

use clearance_math::internal::MapEach;
use clearance_math::{PreciseVector, Vector};

use super::certify::{Stretch, duration};
use super::seen::{Course, Pace, PlaneBetween};
use super::step::Change;
use crate::questions::cast::pair::{MovingPair, MovingPart};

/// Where in the range that counts as near parts should be measured.
const WITHIN_NEAR: f64 = 0.4;

/// The share of a way by which the first guess falls short of the meeting, lest the parts overlap there.
const FIRST_RESERVE: f64 = 0.03;

/// The share of what the second derivative contributes to a guess by which others fall short.
const RESERVE: f64 = 0.05;

/// A guess must lead at least so far, as a share of the way that the gap along a plane that stays as it is may last.
const WORTH_AIMING: f64 = 0.1;

impl<V: Vector> MovingPair<'_, V> {
    /// When the parts should be measured; `None` if they do not approach each other, if a plane that stays as it is leads
    /// as far, or if a half-space turns, along whose normal alone it has an end.
    pub(super) fn aim(
        &self,
        plane: &PlaneBetween<V::Precise>,
        change: &Change,
        course: &Course<V::Precise>,
    ) -> Option<f64> {
        if self.a.is_half_space() && !self.a.turn.is_none() {
            return None;
        }
        let pace = plane.pace;
        let nearest = WITHIN_NEAR * course.near;
        let (curve, reserve) = match &course.before {
            None => (0.0, FIRST_RESERVE * pace.margin),
            Some(before) => {
                let curve = curve(before, &pace);
                let ahead = fall(&pace, curve, nearest)?;
                (curve, RESERVE * 0.5 * curve.abs() * ahead * ahead)
            }
        };
        let ahead = fall(&pace, curve, reserve.max(nearest).min(0.5 * pace.margin))?;
        // Beyond this a plane that stays as it is would not prove the way.
        let longest = (2.0 * pace.margin / change.bend).sqrt();
        let ahead = ahead.min(longest).min(1.0 - pace.time);
        // The cheaper step leads so far, whatever rounding makes of the guess.
        let cheap = change
            .around(pace.margin)
            .max(WORTH_AIMING * duration(pace.margin, change.rate, change.bend));
        let goal = pace.time + ahead;
        (goal > pace.time && ahead > cheap.min(1.0 - pace.time)).then_some(goal.min(1.0))
    }

    /// For how long planes between two normals certainly keep the parts apart.
    pub(super) fn free_between(&self, planes: [&PlaneBetween<V::Precise>; 2]) -> f64 {
        let normals = planes.map_each(|plane| plane.apart.normal);
        let [first, last] = planes.map_each(|plane| &plane.pace);
        let duration = last.time - first.time;
        let change = (normals[1] - normals[0]) / duration;
        let bend_of = |part: &MovingPart<V>| {
            let [first, last] = normals.map_each(|normal| part.bend(normal));
            first.max(last) + 2.0 * part.sway(change)
        };
        let bend = bend_of(self.a) + bend_of(self.b) + 2.0 * change.dot(self.way.velocity);
        let stretch = Stretch {
            first: first.margin,
            last: last.margin,
            duration,
            bend: bend.max(0.0),
        };
        stretch.certain()
    }
}

/// The second derivative of a margin at the second of two times, by Hermite's interpolation.
fn curve(before: &Pace, now: &Pace) -> f64 {
    let time = now.time - before.time;
    let slope = (now.margin - before.margin) / time;
    (2.0 * before.rate + 4.0 * now.rate - 6.0 * slope) / time
}

/// How long a margin takes to fall to a goal below it, without end if it does not come down to it; `None` if it does not fall.
fn fall(pace: &Pace, curve: f64, goal: f64) -> Option<f64> {
    let Pace { margin, rate, .. } = *pace;
    let discriminant = rate * rate - 2.0 * curve * (margin - goal);
    if discriminant < 0.0 {
        // They seem to pass each other.
        return (rate < 0.0).then_some(f64::INFINITY);
    }
    let fall = discriminant.sqrt() - rate;
    (fall > 0.0).then(|| 2.0 * (margin - goal) / fall)
}

#[cfg(test)]
mod tests;
