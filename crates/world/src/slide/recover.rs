//! Getting out of what a shape starts in, and keeping the skin.

use clearance_math::{PreciseVector, Vector, tolerances};

use super::mover::{Mover, Terrain, Touch};
use super::planes::{Plane, Planes};

/// How many times the shape is pushed out of what is around it, at most.
const MOST_PUSHES: usize = 12;

/// How many times it is pushed at the end, where only rounding and curved surfaces are left.
const LAST_PUSHES: usize = 3;

/// The share of the skin from which on a shape is not pushed out when it starts.
const NEAR_ENOUGH: f64 = 0.75;

/// How much of the skin may be missing at the end, as a share.
pub(super) const SETTLED: f64 = tolerances::SLIDE_SKIN_SLACK;

/// The share of the skin below which the shape is said to be squeezed: what is missing at the end, and as much again for
/// the rounding of its place and for curved surfaces.
const SQUEEZED: f64 = 1.0 - 1.0 / 32.0;

/// How far a shape that overlaps something is pushed at once, and how far by a whole call, relative to its radius.
const PUSH: f64 = 0.5;
const MOST_PUSHED: f64 = 2.0;

/// How far a shape goes at most for its skin, relative to what is missing of it, and for getting out of something, relative
/// to how deep it is in there. Between surfaces that nearly face each other the way to a wider place is as long as one likes.
const FOR_SKIN: f64 = 2.0;
const FOR_DEPTH: f64 = 8.0;

/// How far a shape goes ahead that touches something exactly, in skins, and up to which gap it does, as a share of that.
const AHEAD: f64 = 1.0 / 1024.0;
const EXACT: f64 = 0.25;

/// How often a shape makes do with half of the room.
const MOST_HALVES: i32 = 6;

/// Which way leads away from something.
type Away<'m, V> = dyn Fn(&Touch<V>) -> Plane<<V as Vector>::Precise> + 'm;

/// A way out of what is around a shape.
struct WayOut<P> {
    way: P,
    /// Whether it leads away from everything. Otherwise it leads away from what is nearest.
    is_complete: bool,
}

impl<V: Vector> Mover<'_, V> {
    /// Gets out of what the shape overlaps, and away from what is too near. Returns whether it still overlaps something.
    pub(super) fn recover(&mut self) -> bool {
        let is_stuck = self.get_out();
        if !is_stuck {
            self.make_room();
        }
        is_stuck
    }

    fn get_out(&mut self) -> bool {
        let start = self.at;
        self.look_around();
        let depth = self.least_gap();
        self.go_ahead();
        let mut budget = self.longest().min(MOST_PUSHED * self.rules.radius);
        for _ in 0..MOST_PUSHES {
            self.look_around();
            if self.least_gap() > 0.0 || !(budget > self.rules.still()) {
                break;
            }
            let longest = budget.min(PUSH * self.rules.radius);
            let way = self.roomiest_way_out().way;
            let way = way * (longest / way.length()).min(1.0);
            budget -= way.length().max(self.rules.still());
            self.within = 0.0;
            let before = self.at;
            if self.advance(way).share < 0.5 {
                // What it overlaps keeps it. Nothing can be proven in there, so it is just moved.
                self.at = before + way;
            }
        }
        self.look_around();
        if self.least_gap() > 0.0 {
            return false;
        }
        if self.least_gap() <= depth {
            // Nowhere near is it better.
            self.at = start;
            self.look_around();
        }
        true
    }

    /// What a shape touches exactly, at an edge or a corner, has no one normal: all those between the faces beside are right. So
    /// a shape that touches goes a tiny bit ahead, which shows which of them leaves it the way that it wants to go.
    fn go_ahead(&mut self) {
        let ahead = AHEAD * self.rules.skin;
        let touches = |touch: Touch<V>| touch.gap.abs() <= EXACT * ahead;
        if let Some(way) = self.wanted.direction()
            && self.around().any(touches)
        {
            self.at += way * ahead;
        }
    }

    /// The way out to as much of the skin as there is room for.
    fn roomiest_way_out(&self) -> WayOut<V::Precise> {
        let (mut room, longest) = (self.rules.skin, self.longest());
        let mut out = self.way_out(longest, &|touch| push(touch, room));
        for _ in 0..MOST_HALVES {
            if out.is_complete {
                break;
            }
            room *= 0.5;
            out = self.way_out(longest, &|touch| push(touch, room));
        }
        out
    }

    /// Gives a shape that overlaps nothing its skin, or as much of it as there is room for.
    fn make_room(&mut self) {
        let (mut room, mut longest) = (self.rules.skin, self.longest());
        for _ in 0..MOST_PUSHES {
            let nearest = self.least_gap();
            if nearest >= NEAR_ENOUGH * room {
                return;
            }
            let before = self.at;
            let out = self.way_out(longest, &|touch| push(touch, room));
            if out.is_complete {
                self.within = (0.5 * nearest).max(0.0);
                self.advance(out.way);
                self.look_around();
            }
            if self.least_gap() <= nearest {
                self.at = before;
                self.look_around();
                room *= 0.5;
            } else {
                longest -= out.way.length();
            }
        }
    }

    /// Keeps the skin where the shape ended: the ground lifts it, steep slopes push it aside.
    pub(super) fn settle(&mut self) {
        self.look_around();
        let mut longest = self.longest();
        for _ in 0..LAST_PUSHES {
            self.look_around();
            let way = self.way_out(longest, &|touch| self.away(touch)).way;
            longest -= way.length();
            let nearest = self.least_gap();
            if !(way.length() > 0.0) || nearest <= 0.0 {
                return;
            }
            let before = self.at;
            self.reset_range();
            self.advance(way);
            self.look_around();
            if self.least_gap() <= nearest + 0.25 * SETTLED * self.rules.skin {
                // Between slopes that lean the same way a push aside gives no more room.
                self.at = before;
                return;
            }
        }
    }

    /// Whether something is so near that the shape has not got its skin.
    pub(super) fn is_squeezed(&self) -> bool {
        self.least_gap() < SQUEEZED * self.rules.skin
    }

    /// How long a way out may be.
    fn longest(&self) -> f64 {
        let gap = self.least_gap();
        FOR_SKIN * (self.rules.skin - gap).clamp(0.0, self.rules.skin) + FOR_DEPTH * (-gap).max(0.0)
    }

    /// How near the nearest thing around the shape is.
    pub(super) fn least_gap(&self) -> f64 {
        self.around()
            .fold(f64::INFINITY, |least, touch| least.min(touch.gap))
    }

    fn away(&self, touch: &Touch<V>) -> Plane<V::Precise> {
        let plane = push(touch, self.rules.skin);
        let is_ground = match self.terrain(touch) {
            Terrain::Above => return plane,
            Terrain::Ground => true,
            Terrain::Edge => !self.is_approached(touch),
            Terrain::Steep => false,
        };
        if is_ground {
            let bound = plane.bound / self.rules.rise(touch.normal);
            Plane::new(self.rules.up, bound)
        } else {
            self.upright(&plane).unwrap_or(plane)
        }
    }

    /// The shortest way that gives everything around the shape its distance. Where there is none, or only a long one, it
    /// leads away from what is nearest.
    ///
    /// Of the planes, the most violated one is taken into account next: few of many contacts decide.
    fn way_out(&self, longest: f64, away: &Away<'_, V>) -> WayOut<V::Precise> {
        let (mut planes, mut way) = (Planes::none(), V::Precise::ZERO);
        while !planes.is_full() {
            let mut worst = SETTLED * self.rules.skin;
            let mut next = None;
            for touch in self.around() {
                let plane = away(&touch);
                let missing = plane.bound - plane.normal.dot(way);
                if missing > worst {
                    (worst, next) = (missing, Some(plane));
                }
            }
            let Some(plane) = next else {
                return WayOut {
                    way,
                    is_complete: true,
                };
            };
            planes.add(plane);
            let better = planes.nearest(V::Precise::ZERO);
            let Some(better) = better.filter(|better| better.length() <= longest) else {
                break;
            };
            way = better;
        }
        WayOut {
            way,
            is_complete: false,
        }
    }
}

/// What a push along the normal must come to, for a gap to be as wide as asked.
fn push<V: Vector>(touch: &Touch<V>, gap: f64) -> Plane<V::Precise> {
    Plane::new(touch.normal, gap - touch.gap)
}
