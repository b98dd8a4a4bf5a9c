//! Climbing steps.

use clearance_math::Vector;

use super::mover::Mover;

/// How deep a step must be at least, relative to the size of the shape. Where there is no room for so much, a wall
/// with small ledges would be climbed like a ladder.
const LEAST_DEPTH: f64 = 0.25;

/// How far a shape goes at most while it is lifted, relative to its size.
const LONGEST: f64 = 2.0;

impl<V: Vector> Mover<'_, V> {
    /// Climbs the step that blocks the way: up, on, and down again. Returns which share of the way it went, or `None` if
    /// there is no step to stand on; then the shape stays.
    pub(super) fn step_up(&mut self, rest: V::Precise) -> Option<f64> {
        let start = self.at;
        let climbed = self.climb(rest);
        if climbed.is_none() {
            self.at = start;
        }
        climbed
    }

    fn climb(&mut self, rest: V::Precise) -> Option<f64> {
        use clearance_math::PreciseVector;
        let (up, size, skin) = (self.rules.up, self.rules.size, self.rules.skin);
        let level = self.rules.level(rest);
        let (length, forward) = (level.length(), level.direction()?);
        if !(length > self.rules.still()) || !(self.rules.step_height > 0.0) {
            return None;
        }
        let (feet, low) = (self.feet(), self.at.to_precise());
        self.reset_range();
        self.advance(up * (self.rules.step_height + skin));
        let raised = self.rules.rise(self.at.to_precise() - low);
        let above = self.at.to_precise();
        let depth = (LEAST_DEPTH * size).max(2.0 * skin);
        let asked = length.min(LONGEST * size);
        self.advance(forward * asked.max(depth));
        let free = forward.dot(self.at.to_precise() - above);
        if !(raised > self.rules.still()) || free < 0.999 * depth {
            return None;
        }
        let highest = feet + self.rules.step_height + skin / 16.0;
        let farthest = asked.min(free);
        let least = depth.min(free);
        let tries = [farthest, (0.5 * farthest).max(least), least];
        for distance in tries {
            self.at = V::from_precise(above + forward * distance);
            self.reset_range();
            let leg = self.advance(up * -(raised + self.rules.snap_distance));
            // It may have to go a little farther than asked to stand on an edge, or less far, where the next step begins.
            let Some(touch) = leg.touch else {
                continue;
            };
            let fallen = self.rules.rise(above - self.at.to_precise());
            let height = self.rules.rise(touch.point.to_precise());
            if height <= highest && self.can_stand_on(&touch) {
                self.rise_to_skin(&touch, fallen);
                return Some((distance / length).min(1.0));
            }
        }
        None
    }
}
