//! Boxes that hardly move.
//!
//! What lies in a pile trembles about its place, or goes on by so little that for a long time it is as
//! good as still. Its reach had better widen where it is left than be guessed anew: after a while it
//! holds all places that the box goes to, and nothing changes any more but the boxes themselves.

use clearance_math::{Aabb, Real, Vector};

use crate::table::Reach;

/// Boxes are calm if they are expected to move by no more than this share of their size within the
/// longest horizon.
pub(super) const CALM: Real = 0.0625;

/// In one frame a calm box does not move by more than this share of its size: four times what takes it
/// that far within the longest horizon.
const CALM_STEP: Real = CALM / 12.0;

/// By how many times what a side went too far its reach widens at least.
const OVERSHOOT: Real = 4.0;

/// How far it widens at most, in sizes of the box.
const LARGEST_WIDENING: Real = 5.0;

/// For so many more frames all is left as it is, again and again while that pays.
const STRETCH: u32 = 16;

/// For so many frames in all: how wide reaches became should not depend for ever on what was once.
const MOST_FRAMES: u32 = 1024;

/// So many horizons pass at most before a stretch is tried again.
const MOST_RESTRAINT: u32 = 63;

/// What a horizon has cost so far, and whether to go on beyond it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stretch {
    /// What the search has cost that began it.
    search: Real,
    /// How many frames were meant to be, and how many have been.
    frames: u32,
    age: u32,
    /// What has been spent since all reaches were guessed, and since the last stretch began: on boxes
    /// that left theirs, and on pairs that had to be tested.
    left: Real,
    left_lately: Real,
    tested: Real,
    /// How many horizons are to pass before one is stretched again, and the same after the next stretch
    /// that does not pay.
    restraint: u32,
    next_restraint: u32,
}

impl Stretch {
    /// A horizon of so many frames begins with a search.
    ///
    /// Where the last one was stretched and soon given up, stretches are tried less often.
    pub(super) fn begin(&mut self, search: Real, frames: u32) {
        if self.age <= self.frames {
            self.restraint = self.restraint.saturating_sub(1);
        } else if self.age < 2 * self.frames {
            self.restraint = self.next_restraint;
            self.next_restraint = (2 * self.next_restraint + 1).min(MOST_RESTRAINT);
        } else {
            self.next_restraint = 0;
        }
        *self = Self {
            search,
            frames,
            restraint: self.restraint,
            next_restraint: self.next_restraint,
            ..Self::default()
        };
    }

    /// Counts a frame, and what boxes have cost that left their reach, and tests of pairs.
    pub(super) fn count(&mut self, left: Real, tested: Real) {
        self.age += 1;
        self.left += left;
        self.left_lately += left;
        self.tested += tested;
    }

    /// Whether this is beyond the horizon.
    pub(super) fn has_begun(&self) -> bool {
        self.age > self.frames
    }

    /// For how many frames to go on at the end of the horizon or of a stretch; a frame of tests costs
    /// as much as `tests`.
    ///
    /// The mean cost of a frame, the search included, is least if all is guessed anew as soon as one
    /// more frame costs more than the mean so far (the marginal value theorem; Charnov, "Optimal
    /// Foraging", 1976). Not so where reaches are so wide that testing costs more than searching.
    pub(super) fn more(&mut self, tests: Real) -> u32 {
        let has_begun = self.has_begun();
        let frames = if has_begun { STRETCH } else { self.frames };
        let lately = self.left_lately / frames as Real + tests;
        let mean = (self.search + self.left + self.tested) / self.age as Real;
        let is_tried = has_begun || self.restraint == 0;
        let is_narrow = tests * self.frames as Real <= self.search;
        if is_tried && is_narrow && lately <= mean && self.age < MOST_FRAMES {
            self.left_lately = 0.0;
            STRETCH
        } else {
            0
        }
    }
}

/// Whether what a box did in a frame is what calm ones do.
#[inline(never)]
pub(super) fn is_calm_step<V: Vector>(before: &Aabb<V>, now: &Aabb<V>) -> bool {
    (0..V::DIM).all(|k| {
        let most = (now.max.component(k) - now.min.component(k)) * CALM_STEP;
        let by_low = now.min.component(k) - before.min.component(k);
        let by_high = now.max.component(k) - before.max.component(k);
        by_low.abs() <= most && by_high.abs() <= most
    })
}

/// Widens the reach of a box that left it.
pub(super) fn widen<V: Vector>(reach: &mut Reach<V>, now: &Aabb<V>) {
    let Reach { outer, inner } = reach;
    for k in 0..V::DIM {
        let (low, high) = (now.min.component(k), now.max.component(k));
        let lows = (outer.min.component(k), inner.min.component(k));
        let lows = widened(lows, low, high - low);
        let highs = (inner.max.component(k), outer.max.component(k));
        let highs = widened(highs, high, high - low);
        outer.min = outer.min.with_component(k, lows.0.max(Real::MIN));
        inner.min = inner.min.with_component(k, lows.1);
        inner.max = inner.max.with_component(k, highs.0);
        outer.max = outer.max.with_component(k, highs.1.min(Real::MAX));
    }
}

/// The way of one side, which now is `at`, of a box of such a size. If it went too far, the way that
/// there was is doubled, and at least some times what it went too far is added.
fn widened((least, greatest): (Real, Real), at: Real, size: Real) -> (Real, Real) {
    let too_far = (least - at).max(at - greatest);
    if too_far <= 0.0 {
        return (least, greatest);
    }
    let more = (greatest - least).max(too_far * OVERSHOOT);
    let more = more.min(size * LARGEST_WIDENING);
    let way = if at < least {
        (at - more, greatest)
    } else {
        (least, at + more)
    };
    if way.1 - way.0 <= size * CALM {
        way
    } else {
        // It goes away, and will not come back.
        (way.0.max(at - more), way.1.min(at + more))
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::{Vec2, Vec3};

    use super::*;
    use crate::bvh::Bvh;
    use crate::{BroadPhase, Mobility};

    /// The place of a box in a frame; `by` says how far it is from home.
    fn place(key: u32, by: Vec3) -> Aabb<Vec3> {
        let home = [key % 8, key / 8 % 8, key / 64].map(|k| k as Real * 0.98);
        let center = Vec3::from_array(home) + by;
        Aabb::new(center - Vec3::splat(0.5), center + Vec3::splat(0.5))
    }

    /// In how many of the last frames a box left its reach, or all were guessed anew.
    fn busy_frames(frames: usize, last: usize, by: impl Fn(u32, usize) -> Vec3) -> usize {
        let mut tree = Bvh::new();
        for key in 0..512 {
            tree.insert(key, place(key, Vec3::ZERO), Mobility::Moving);
        }
        tree.refresh();
        let mut busy = 0;
        for frame in 0..frames {
            for key in 0..512 {
                tree.set_bounds(key, place(key, by(key, frame)));
            }
            let is_busy = !tree.moving.moved.is_empty();
            busy += usize::from(is_busy && frame + last >= frames);
            tree.refresh();
            tree.pairs();
        }
        busy
    }

    #[test]
    fn what_trembles_is_left_alone_in_the_end() {
        let swing = |key: u32, frame: usize| {
            let turns = [0.5, 0.7, 0.9].map(|rate| rate * frame as Real + key as Real);
            Vec3::from_array(turns.map(Real::sin)) * 2e-4
        };
        let busy = busy_frames(600, 400, swing);
        assert!(busy <= 4, "{busy} frames in which a reach changed");
    }

    #[test]
    fn what_goes_on_is_guessed_about_as_seldom_as_without_stretches() {
        let way = |key: u32, frame: usize| {
            let directions = [key % 3, key % 5, key % 7].map(|k| k as Real - 2.0);
            Vec3::from_array(directions) * frame as Real * 1e-4
        };
        let busy = busy_frames(480, 480, way);
        assert!(
            (1..40).contains(&busy),
            "{busy} frames in which a reach changed"
        );
    }

    #[test]
    fn a_reach_widens_where_it_was_left() {
        let bounds = |x: Real, y: Real| Aabb::new(Vec2::new(x, y), Vec2::new(x + 1.0, y + 1.0));
        let mut reach = Reach::exact(bounds(0.0, 0.0));
        for (x, y) in [(0.001, 0.0), (-0.002, 0.0), (0.003, 1e-6), (9.0, 0.0)] {
            let before = reach;
            widen(&mut reach, &bounds(x, y));
            assert!(reach.allows(&bounds(x, y)), "{reach:?}");
            assert!(before.allows(&bounds(x, y)) || before != reach);
        }
        // What goes away leaves nothing behind.
        assert!(reach.allows(&bounds(9.1, 0.0)) && !reach.allows(&bounds(0.0, 0.0)));
        widen(&mut reach, &bounds(9.001, 0.0));
        let same = reach;
        widen(&mut reach, &bounds(9.0, 0.0));
        assert_eq!(reach, same, "nothing was left");
    }

    #[test]
    fn stretches_that_do_not_pay_are_tried_less_often() {
        let mut stretch = Stretch::default();
        let mut tried = 0;
        for _ in 0..100 {
            stretch.begin(1000.0, 48);
            (0..48).for_each(|_| stretch.count(0.0, 1.0));
            if stretch.more(1.0) > 0 {
                tried += 1;
                stretch.count(1e6, 1.0);
            }
        }
        assert!((2..12).contains(&tried), "{tried} of 100");
        // Where nothing is left they go on, but not for ever.
        stretch.restraint = 0;
        stretch.begin(1000.0, 48);
        stretch.restraint = 0;
        let mut age = 48;
        (0..48).for_each(|_| stretch.count(0.0, 1.0));
        while stretch.more(1.0) > 0 {
            (0..STRETCH).for_each(|_| stretch.count(0.0, 1.0));
            age += STRETCH;
        }
        assert!((MOST_FRAMES..MOST_FRAMES + STRETCH).contains(&age), "{age}");
    }
}
