//! Climbing steps.

use clearance_math::{PreciseVector, Vector};

use super::mover::{Mover, Touch};

/// How often the least way on to a step is halved.
const HALVINGS: usize = 6;

/// The least height of a step that is lower than the feet, in skins. What is no higher is the ground in front of it.
const LEAST_RISE: f64 = 0.125;

/// How far beyond the edge of a step there must be room at least, in skins.
const LEAST_ROOM: f64 = 2.0;

/// A place above a step, and the way on from there.
struct Above<P> {
    place: P,
    /// How far above the place before the step.
    raised: f64,
    /// The level unit vector into the step.
    into: P,
    /// The height of the feet in front of the step.
    feet: f64,
}

impl<V: Vector> Mover<'_, V> {
    /// Climbs the step that blocks the way: up, on, and down again. Returns what is left of the way, or `None` if there is
    /// no step to stand on; then the shape stays.
    pub(super) fn step_up(&mut self, touch: &Touch<V>, rest: V::Precise) -> Option<V::Precise> {
        let start = self.at;
        let climbed = self.climb(touch, rest);
        if climbed.is_none() {
            self.at = start;
        }
        climbed
    }

    /// Whether there is a step depends on where it is, and not on how far this way leads: the shape must be able to stand
    /// as deep in it as a step must be. Then it goes as far on as asked, and at least as far as the step begins to carry.
    fn climb(&mut self, touch: &Touch<V>, rest: V::Precise) -> Option<V::Precise> {
        let (rules, low) = (self.rules, self.at);
        let into = -rules.level(touch.normal).direction()?;
        if !(rules.step_height > 0.0) {
            return None;
        }
        let feet = self.feet();
        self.reset_range();
        self.advance(rules.up * (rules.step_height + rules.skin));
        let place = self.at;
        let raised = rules.rise(place - low);
        let beyond = into.dot(low - touch.point) + self.extent(into);
        let depth = (rules.step_depth - beyond).max(LEAST_ROOM * rules.skin);
        self.advance(into * depth);
        let free = into.dot(self.at - place);
        // There must be room to stand on the step, for all that is above it, too.
        let needed = rules.rise(touch.point) - feet;
        if raised < needed.max(rules.still()) || free < 0.999 * depth {
            return None;
        }
        let above = Above {
            place,
            raised,
            into,
            feet,
        };
        if !self.comes_down(&above, free) {
            return None;
        }
        let asked = into.dot(rest).max(0.0);
        let (mut short, mut enough) = (asked.min(free), free);
        if short < free && self.comes_down(&above, short) {
            return Some(rest - into * short);
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (short + enough);
            if self.comes_down(&above, middle) {
                enough = middle;
            } else {
                short = middle;
            }
        }
        self.comes_down(&above, enough);
        Some(rest - into * enough.min(asked))
    }

    /// Comes down on the step from above, so far on. Returns whether it then stands on more than the ground in front.
    fn comes_down(&mut self, above: &Above<V::Precise>, on: f64) -> bool {
        let rules = self.rules;
        self.at = above.place + above.into * on;
        self.reset_range();
        // A little farther than it was raised, since it may come nearer before it is blocked.
        let down = -rules.up * (above.raised + rules.skin);
        let Some(touch) = self.advance(down).touch else {
            return false;
        };
        let fallen = rules.rise(above.place - self.at);
        let height = rules.rise(touch.point) - above.feet;
        if height > rules.highest_step() || !self.can_stand_on(&touch) {
            return false;
        }
        self.rise_to_skin(&touch, fallen);
        height > 0.0 || self.feet() - above.feet > LEAST_RISE * rules.skin
    }
}
