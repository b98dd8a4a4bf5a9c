//! Boxes that hardly move.
//!
//! Bodies that lie in a pile jitter around their places, or creep so slowly that they stay near
//! them for a long time. When such a box leaves its predicted bounds, these are widened and not
//! computed again: after a while they contain every position that the box takes, and only the boxes
//! themselves change from then on.

use clearance_math::{Aabb, Real, Vector};

use crate::predicted_bounds::PredictedBounds;

/// Motion is jitter if boxes are expected to move by at most this multiple of their size within the
/// longest prediction.
pub(super) const JITTER_LIMIT: Real = 0.0625;

/// A box that moves in one frame by at most this multiple of its size still counts as jittering:
/// four times the mean step that reaches [`JITTER_LIMIT`] within the longest prediction of 48
/// frames.
const JITTER_STEP_LIMIT: Real = JITTER_LIMIT / 12.0;

/// Predicted bounds widen by at least this multiple of the distance by which a side left them.
const WIDENING_FACTOR: Real = 4.0;

/// Predicted bounds widen by at most this multiple of the size of the box.
const MAX_WIDENING: Real = 5.0;

/// The length of one extension in frames; extensions follow each other while they pay.
const EXTENSION_FRAMES: u32 = 16;

/// The longest prediction in frames, with all its extensions: widened bounds must not stay wide for
/// ever.
const MAX_FRAMES: u32 = 1024;

/// The most predictions that pass before an extension is tried again.
const MAX_PAUSE: u32 = 63;

/// What a prediction has cost so far, and whether extending it pays.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extension {
    /// The cost of the search with which the prediction began.
    search_cost: Real,
    /// The planned length in frames, and the number of frames so far.
    frames: u32,
    age: u32,
    /// The costs of boxes that left their predicted bounds: since the prediction began, and since
    /// the current extension began.
    escape_cost: Real,
    recent_escape_cost: Real,
    /// The cost of testing uncertain pairs since the prediction began.
    test_cost: Real,
    /// How many predictions must pass before the next extension is tried, and how many after the
    /// next extension that does not pay.
    pause: u32,
    next_pause: u32,
}

impl Extension {
    /// Starts a prediction of so many frames.
    ///
    /// If the last prediction was extended but the extension was soon given up, extensions are
    /// tried less often.
    pub(super) fn begin(&mut self, search_cost: Real, frames: u32) {
        if self.age <= self.frames {
            self.pause = self.pause.saturating_sub(1);
        } else if self.age < 2 * self.frames {
            self.pause = self.next_pause;
            self.next_pause = (2 * self.next_pause + 1).min(MAX_PAUSE);
        } else {
            self.next_pause = 0;
        }
        *self = Self {
            search_cost,
            frames,
            pause: self.pause,
            next_pause: self.next_pause,
            ..Self::default()
        };
    }

    /// Counts a frame, with the cost of the boxes that left their predicted bounds and of the pairs
    /// that were tested.
    pub(super) fn count(&mut self, escape_cost: Real, test_cost: Real) {
        self.age += 1;
        self.escape_cost += escape_cost;
        self.recent_escape_cost += escape_cost;
        self.test_cost += test_cost;
    }

    /// Whether the prediction has lasted longer than planned.
    pub(super) fn has_begun(&self) -> bool {
        self.age > self.frames
    }

    /// By how many frames to extend the prediction when its planned frames, or an extension, are
    /// over; 0 to end it. Testing the uncertain pairs of one frame costs `tests`.
    ///
    /// The mean cost of a frame, search included, is least if the prediction ends as soon as one
    /// more frame costs more than the mean so far (the marginal value theorem; Charnov, "Optimal
    /// Foraging", 1976). Predictions whose bounds are so wide that testing costs more than
    /// searching are not extended.
    pub(super) fn extend_by(&mut self, tests: Real) -> u32 {
        let has_begun = self.has_begun();
        let frames = if has_begun {
            EXTENSION_FRAMES
        } else {
            self.frames
        };
        let recent_mean = self.recent_escape_cost / frames as Real + tests;
        let mean = (self.search_cost + self.escape_cost + self.test_cost) / self.age as Real;
        let is_tried = has_begun || self.pause == 0;
        let is_narrow = tests * self.frames as Real <= self.search_cost;
        if is_tried && is_narrow && recent_mean <= mean && self.age < MAX_FRAMES {
            self.recent_escape_cost = 0.0;
            EXTENSION_FRAMES
        } else {
            0
        }
    }
}

/// Whether a box moved so little in a frame that it counts as jittering.
#[inline(never)]
pub(super) fn is_jitter_step<V: Vector>(before: &Aabb<V>, now: &Aabb<V>) -> bool {
    (0..V::DIM).all(|k| {
        let most = (now.max.component(k) - now.min.component(k)) * JITTER_STEP_LIMIT;
        let by_low = now.min.component(k) - before.min.component(k);
        let by_high = now.max.component(k) - before.max.component(k);
        by_low.abs() <= most && by_high.abs() <= most
    })
}

/// Widens the predicted bounds of a box that left them, so that they contain it again.
pub(super) fn widen<V: Vector>(predicted: &mut PredictedBounds<V>, now: &Aabb<V>) {
    let PredictedBounds { outer, inner } = predicted;
    for k in 0..V::DIM {
        let (low, high) = (now.min.component(k), now.max.component(k));
        let lows = Interval {
            least: outer.min.component(k),
            greatest: inner.min.component(k),
        };
        let lows = lows.widened(low, high - low);
        let highs = Interval {
            least: inner.max.component(k),
            greatest: outer.max.component(k),
        };
        let highs = highs.widened(high, high - low);
        outer.min = outer.min.with_component(k, lows.least.max(Real::MIN));
        inner.min = inner.min.with_component(k, lows.greatest);
        inner.max = inner.max.with_component(k, highs.least);
        outer.max = outer.max.with_component(k, highs.greatest.min(Real::MAX));
    }
}

/// The range of coordinates that one side of a box may take.
#[derive(Clone, Copy, Debug)]
struct Interval {
    least: Real,
    greatest: Real,
}

impl Interval {
    /// The range that contains `at`, where the side is now. If the side left the range, the range
    /// grows on that side by its own length, or by [`WIDENING_FACTOR`] times the distance by which
    /// it was left if that is more. `size` is the size of the box along the axis.
    fn widened(self, at: Real, size: Real) -> Self {
        let Self { least, greatest } = self;
        let too_far = (least - at).max(at - greatest);
        if too_far <= 0.0 {
            return self;
        }
        let more = (greatest - least).max(too_far * WIDENING_FACTOR);
        let more = more.min(size * MAX_WIDENING);
        let wider = if at < least {
            Self {
                least: at - more,
                greatest,
            }
        } else {
            Self {
                least,
                greatest: at + more,
            }
        };
        if wider.greatest - wider.least <= size * JITTER_LIMIT {
            wider
        } else {
            // The box moves away steadily and will not return, so the space behind it is given up.
            Self {
                least: wider.least.max(at - more),
                greatest: wider.greatest.min(at + more),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::{Vec2, Vec3};

    use super::*;
    use crate::bvh::Bvh;
    use crate::{BroadPhase, Mobility};

    /// The box of a key, displaced by `by` from its place in a grid.
    fn place(key: u32, by: Vec3) -> Aabb<Vec3> {
        let rest_place = [key % 8, key / 8 % 8, key / 64].map(|k| k as Real * 0.98);
        let center = Vec3::from_array(rest_place) + by;
        Aabb::new(center - Vec3::splat(0.5), center + Vec3::splat(0.5))
    }

    /// In how many of the last frames some box left its predicted bounds, or all were computed
    /// again.
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
    fn jittering_boxes_settle_in_wide_bounds() {
        let swing = |key: u32, frame: usize| {
            let turns = [0.5, 0.7, 0.9].map(|rate| rate * frame as Real + key as Real);
            Vec3::from_array(turns.map(Real::sin)) * 2e-4
        };
        let busy = busy_frames(600, 400, swing);
        assert!(busy <= 4, "{busy} frames in which a predicted changed");
    }

    #[test]
    fn steady_motion_is_predicted_as_seldom_as_without_extensions() {
        let way = |key: u32, frame: usize| {
            let directions = [key % 3, key % 5, key % 7].map(|k| k as Real - 2.0);
            Vec3::from_array(directions) * frame as Real * 1e-4
        };
        let busy = busy_frames(480, 480, way);
        assert!(
            (1..40).contains(&busy),
            "{busy} frames in which a predicted changed"
        );
    }

    #[test]
    fn bounds_widen_where_the_box_left_them() {
        let bounds = |x: Real, y: Real| Aabb::new(Vec2::new(x, y), Vec2::new(x + 1.0, y + 1.0));
        let mut predicted = PredictedBounds::exact(bounds(0.0, 0.0));
        for (x, y) in [(0.001, 0.0), (-0.002, 0.0), (0.003, 1e-6), (9.0, 0.0)] {
            let before = predicted;
            widen(&mut predicted, &bounds(x, y));
            assert!(predicted.contains(&bounds(x, y)), "{predicted:?}");
            assert!(before.contains(&bounds(x, y)) || before != predicted);
        }
        // The bounds of a box that moves away steadily do not keep the space behind it.
        assert!(predicted.contains(&bounds(9.1, 0.0)) && !predicted.contains(&bounds(0.0, 0.0)));
        widen(&mut predicted, &bounds(9.001, 0.0));
        let same = predicted;
        widen(&mut predicted, &bounds(9.0, 0.0));
        assert_eq!(predicted, same, "nothing was escape_cost");
    }

    #[test]
    fn extensions_that_do_not_pay_are_tried_less_often() {
        let mut extension = Extension::default();
        let mut tried = 0;
        for _ in 0..100 {
            extension.begin(1000.0, 48);
            (0..48).for_each(|_| extension.count(0.0, 1.0));
            if extension.extend_by(1.0) > 0 {
                tried += 1;
                extension.count(1e6, 1.0);
            }
        }
        assert!((2..12).contains(&tried), "{tried} of 100");
        // While no box leaves its bounds, extensions continue, but not for ever.
        extension.pause = 0;
        extension.begin(1000.0, 48);
        extension.pause = 0;
        let mut age = 48;
        (0..48).for_each(|_| extension.count(0.0, 1.0));
        while extension.extend_by(1.0) > 0 {
            (0..EXTENSION_FRAMES).for_each(|_| extension.count(0.0, 1.0));
            age += EXTENSION_FRAMES;
        }
        assert!(
            (MAX_FRAMES..MAX_FRAMES + EXTENSION_FRAMES).contains(&age),
            "{age}"
        );
    }
}
