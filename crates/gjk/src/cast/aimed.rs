//! Steps to where two parts are about to meet, which are proven afterwards.
//!
//! How fast the distance of the nearest points falls tells about when the parts meet. They are measured there, and if a
//! plane is still between them, the way there is proven by all the planes whose normals lie between the two, from the one
//! to the other at a constant rate. The normals between are shorter than one, so a gap along them is proven to be at least
//! as wide as it is computed. Such planes turn as the nearest features do, whatever these are; so the steps converge as
//! fast as the guesses do.

use clearance_math::{PreciseVector, Vector};

use super::advance::{Needed, Pace, Plane};
use super::certify::Stretch;
use super::pair::{First, MovingPair, PairAt};

impl<V: Vector> MovingPair<'_, V> {
    /// How far ahead the parts should be measured; `None` if they do not approach each other, or if a half-space turns,
    /// along whose normal alone it has an end.
    pub(super) fn aim(
        &self,
        at: &PairAt<V::Precise>,
        plane: &Plane<V::Precise>,
        before: Option<Pace>,
        needed: &Needed,
    ) -> Option<f64> {
        let normal = plane.apart.normal;
        let bend = match &self.a {
            First::Part(part) => part.bend(normal) + self.b.bend(normal),
            First::HalfSpace(_, body) if body.turn.is_none() => self.b.bend(normal),
            First::HalfSpace(..) => return None,
        };
        let (margin, rate) = (plane.room.margin, plane.rate);
        if bend == 0.0 {
            return None;
        }
        let curve = match before {
            Some(before) => curve(&before, &Pace { time: at.time, margin, rate }).clamp(-bend, bend),
            None => 0.0,
        };
        let ahead = root(margin, rate, curve, 0.4 * needed.near)?;
        let error = 0.05 * (0.5 * curve * ahead * ahead).abs() + if before.is_none() { 0.03 * margin } else { 0.0 };
        let ahead = root(margin, rate, curve, error.max(0.4 * needed.near).min(0.5 * margin))?;
        let most = (2.0 * margin / bend).sqrt();
        Some(ahead.min(most).min(1.0 - at.time))
    }

    /// For how long planes between two normals certainly keep the parts apart.
    pub(super) fn free_between(&self, planes: [&Plane<V::Precise>; 2], duration: f64) -> f64 {
        let normals = planes.map(|plane| plane.apart.normal);
        let change = (normals[1] - normals[0]) / duration;
        let bend_of = |part: &super::part::MovingPart<V>| {
            let [first, last] = normals.map(|normal| part.bend(normal));
            first.max(last) + 2.0 * part.sway(change)
        };
        let bend_a = match &self.a {
            First::Part(part) => bend_of(part),
            First::HalfSpace(..) => 0.0,
        };
        let bend = bend_a + bend_of(&self.b) + 2.0 * change.dot(self.bodies.velocity);
        let stretch = Stretch {
            first: planes[0].room.margin,
            last: planes[1].room.margin,
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

/// When a margin comes down to a goal below it; `None` if it does not.
fn root(margin: f64, rate: f64, curve: f64, goal: f64) -> Option<f64> {
    let discriminant = rate * rate - 2.0 * curve * (margin - goal);
    if discriminant < 0.0 {
        return (rate < 0.0).then(|| -rate / curve);
    }
    let fall = discriminant.sqrt() - rate;
    (fall > 0.0).then(|| 2.0 * (margin - goal) / fall)
}
