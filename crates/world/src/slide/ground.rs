//! What a shape stands on, and how it gets down to it.

use clearance_math::{PreciseVector, RelativePose, Vector, tolerances};

use super::answer::SlideGround;
use super::mover::{Mover, Terrain, Touch};
use super::planes::{Plane, Planes};
use super::travel::Gait;

/// How many steep places a shape slides off, on its way down to the ground.
const MOST_SLIPS: usize = 4;

/// How far it slides off each of them, relative to its size.
const SLIP: f64 = 0.25;

/// Up to which share of the skin that is left of a way with the ground was lost to rounding. More was blocked.
const LOST: f64 = 1.0 / 32.0;

/// How much of the way down must be taken by several steep faces together, for them to carry a shape.
const WEDGED: f64 = 0.05;

impl<V: Vector> Mover<'_, V> {
    /// The ground among what is around the shape.
    pub(super) fn ground(&self) -> Option<Touch<V>> {
        let mut best: Option<(Touch<V>, f64)> = None;
        for touch in self.around() {
            let height = self.rules.rise(touch.normal);
            let is_higher =
                best.is_none_or(|(_, most)| height > most + tolerances::SLIDE_EQUALLY_HIGH);
            if is_higher && self.can_stand_on(&touch) {
                best = Some((touch, height));
            }
        }
        best.map(|(touch, _)| touch).or_else(|| self.wedge())
    }

    /// The highest of several steep faces that carry the shape together.
    fn wedge(&self) -> Option<Touch<V>> {
        let mut planes = Planes::none();
        let mut highest: Option<Touch<V>> = None;
        for touch in self.around() {
            let height = self.rules.rise(touch.normal);
            if height <= 0.0 || planes.is_full() {
                continue;
            }
            planes.add(Plane::new(touch.normal, 0.0));
            if highest.is_none_or(|highest| height > self.rules.rise(highest.normal)) {
                highest = Some(touch);
            }
        }
        let way = planes.free_way(-self.rules.up);
        highest.filter(|_| way.length() < WEDGED)
    }

    /// The ground as the answer tells of it.
    pub(super) fn describe(&self, ground: &Touch<V>) -> SlideGround<V> {
        let normal = match self.terrain(ground) {
            Terrain::Edge => self.upper_side(ground).unwrap_or(ground.normal),
            _ => ground.normal,
        };
        let place = self.place_below(ground, normal);
        let place_in_body = match self.query.world.body(ground.body) {
            Ok(body) => {
                RelativePose::from_pose(body.pose()).inverse_transform_point(place + self.lost)
            }
            Err(_) => V::Precise::ZERO,
        };
        SlideGround {
            body: ground.body,
            part: ground.part,
            normal: V::from_precise(normal),
            position: ground.point,
            velocity: self.velocity_of(ground, place),
            place,
            place_in_body,
            seconds: 0.0,
        }
    }

    /// Goes where the place of the ground that it stood on went since.
    ///
    /// What rounding takes off this way is kept for the next one. Without that, a shape would drift on ground that turns.
    /// Returns how far the place went.
    pub(super) fn ride(&mut self, ground: &SlideGround<V>) -> V::Precise {
        let Ok(body) = self.query.world.body(ground.body) else {
            return V::Precise::ZERO;
        };
        let place = RelativePose::from_pose(body.pose()).transform_point(ground.place_in_body);
        let (way, from) = (place - ground.place, self.at);
        self.reset_range();
        let gone = self.advance(way).share;
        // Ground that tilts lifts a round shape: along its normal it would be pushed aside a little in each frame.
        self.settle();
        self.travel(way * (1.0 - gone), Gait::Fly);
        let lost = self.rules.level(from + way - self.at);
        if lost.length() <= LOST * self.rules.skin {
            self.lost = lost;
        }
        way
    }

    /// Lets the shape down on ground that is at most so far below. Where there is none, it stays.
    pub(super) fn snap(&mut self, distance: f64) -> bool {
        let start = self.at;
        let up = self.rules.up;
        let mut rest = distance;
        self.reset_range();
        for _ in 0..MOST_SLIPS {
            let before = self.at;
            let leg = self.advance(-up * rest);
            let Some(touch) = leg.touch else {
                break;
            };
            let fallen = self.rules.rise(before - self.at);
            if self.can_stand_on(&touch) {
                self.rise_to_skin(&touch, fallen);
                return true;
            }
            rest -= fallen;
            let down = up * -rest.min(SLIP * self.rules.size);
            let push = (self.rules.skin - touch.gap).min(self.rules.skin);
            let along = down + touch.normal * (push - touch.normal.dot(down));
            let before = self.at;
            self.advance(along);
            rest -= self.rules.rise(before - self.at).max(0.0);
            if !(rest > 0.0) {
                break;
            }
        }
        self.at = start;
        false
    }

    /// Goes back on the way that it came down, to keep the skin above the ground.
    pub(super) fn rise_to_skin(&mut self, ground: &Touch<V>, most: f64) {
        let rise = (self.rules.skin - ground.gap) / self.rules.rise(ground.normal);
        let rise = rise.clamp(0.0, most.max(0.0));
        self.at += self.rules.up * rise;
    }
}
