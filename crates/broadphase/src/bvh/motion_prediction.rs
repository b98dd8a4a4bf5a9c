//! How far ahead the boxes of the moving tree predicted.
//!
//! A box that moves is given a predicted: where it will be within some frames if it goes on as in the
//! last one. As long as it stays within, neither the tree nor the pairs of predicted_bounds change. What is
//! predicted_anew here decides about time only: pairs are tested with the boxes themselves.

use clearance_math::{Aabb, Real, Vector};

use super::jitter::{Extension, JITTER_LIMIT, widen};
use super::pair_cache::PairCounts;
use super::update::PredictionMode;
use crate::Key;
use crate::key::Layer;
use crate::table::{Entry, PredictedBounds, Table};
use crate::workers::Workers;

/// The numbers of frames to choose_frames from; if none of them pays, boxes are their own predicted_bounds.
const FRAME_COUNTS: [Real; 10] = [2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0];

/// The greatest relative_motion of its size by which a box may be expected_motion to move within one prediction.
const MAX_MOTION_LIMIT: Real = 3.0;

/// The least motion_limit: none at all would never grow again.
const MIN_MOTION_LIMIT: Real = 0.05;

/// No side of a predicted is farther out than that of its box by more than this relative_motion of the box: what
/// was put elsewhere does not go on like that.
const MAX_SHIFT: Real = 5.0;

/// What a predicted allows for bends: a relative_motion of the way ahead, and of the way of one frame.
const CURVE_RATIO: Real = 0.05;
const CURVE_FRAMES: Real = 0.1;

/// What it allows for size_change, which shows in boxes that change their size: a relative_motion of that change.
const ROTATION_RATIO: Real = 1.0;

/// The same for calm boxes: they turn by so little that sides go on as they do.
const JITTER_ROTATION_RATIO: Real = 0.1;

/// Nanoseconds, as measured: a search_cost for a box and for a pair that it finds, and the test of a
/// pair that is known.
const SEARCH_COST: Real = 100.0;
const FOUND_PAIR_COST: Real = 20.0;
const TEST_COST: Real = 2.0;

/// What a box costs that leaves its predicted before the time, in the same unit.
const ESCAPE_COST: Real = 600.0;

/// By which factors horizons become shorter and longer where escapes cost more than the search_cost that
/// they put off, or much less.
const SHORTEN_FACTOR: Real = 0.7;
const LENGTHEN_FACTOR: Real = 1.1;

/// If more than one box in this many leaves its predicted in a frame beyond the prediction, or turns out not
/// to be calm, all are predicted_anew anew.
const ESCAPE_DIVISOR: usize = 16;

/// So many boxes are worth a thread.
const MIN_BOXES_PER_THREAD: usize = 4096;

/// When the predicted_bounds of all moving boxes are predicted_anew next.
#[derive(Clone, Debug)]
pub(super) struct MotionPrediction {
    /// Frames until all that moves is given a new predicted.
    frames_left: u32,
    /// By which relative_motion of their size boxes may be expected_motion to move until then.
    motion_limit: Real,
    /// By which relative_motion they were expected_motion to move this time.
    expected_motion: Real,
    /// What boxes have cost that escaped their predicted_bounds since all were predicted_anew.
    escape_cost: Real,
    /// Whether boxes are calm.
    is_jitter: bool,
    /// Where they are, how to go on beyond the prediction.
    extension: Extension,
}

impl Default for MotionPrediction {
    fn default() -> Self {
        Self {
            frames_left: 0,
            motion_limit: MAX_MOTION_LIMIT,
            expected_motion: 0.0,
            escape_cost: 0.0,
            is_jitter: false,
            extension: Extension::default(),
        }
    }
}

impl MotionPrediction {
    /// Whether all that moves in this frame is given a new predicted.
    #[inline]
    pub(super) fn is_expired(&self) -> bool {
        self.frames_left == 0
    }

    /// What it means for a box to be within its predicted.
    #[inline]
    pub(super) fn mode(&self) -> PredictionMode {
        if self.is_expired() {
            PredictionMode::Expired
        } else if self.is_jitter {
            PredictionMode::Jitter
        } else {
            PredictionMode::Active
        }
    }

    /// Ends a frame: gives predicted_bounds to the moved boxes, whose outer box so far tells where they were.
    ///
    /// So many `pairs` of boxes overlapped in the last frame, among so many `candidates`, of which so
    /// many were `open`.
    pub(super) fn predict<V: Vector>(
        &mut self,
        moved: &[Key],
        counts: PairCounts,
        table: &mut Table<V>,
        workers: Workers,
    ) {
        let is_new = self.is_expired();
        if is_new {
            let search_cost = self.adapt(moved.len(), counts.candidates);
            self.frames_left = self.choose_frames(moved, counts.overlapping, table);
            self.extension.begin(search_cost, self.frames_left);
        } else {
            self.count_frame(moved.len(), counts, table.len());
        }
        let extrapolation = Extrapolation {
            frames: self.frames_left as Real,
            is_jitter: self.is_jitter,
        };
        if moved.len() > table.entries.len() / 2 && (is_new || !self.is_jitter) {
            predict_all(table, extrapolation, workers);
            return;
        }
        let mut predicted_count = 0;
        for &key in moved {
            let entry = &table.entries[key as usize];
            let predicted = &mut table.predicted_bounds[key as usize];
            if entry.moved && entry.is_jitter {
                widen(predicted, &entry.bounds);
            } else if entry.moved {
                *predicted = extrapolation.predict(&predicted.outer, &entry.bounds);
                predicted_count += 1;
            }
        }
        if self.is_jitter && !is_new && predicted_count > table.len() / ESCAPE_DIVISOR {
            self.frames_left = 0;
        }
    }

    /// Counts a frame in which so many boxes escaped their predicted.
    fn count_frame(&mut self, escaped: usize, counts: PairCounts, boxes: usize) {
        self.frames_left -= 1;
        let cost = match escaped {
            0 => 0.0,
            _ => TEST_COST * counts.candidates as Real + ESCAPE_COST * escaped as Real,
        };
        self.escape_cost += cost;
        if !self.is_jitter {
            return;
        }
        let tests = TEST_COST * counts.uncertain as Real;
        self.extension.count(cost, tests);
        if self.extension.has_begun() && escaped > boxes / ESCAPE_DIVISOR {
            self.frames_left = 0;
        } else if self.frames_left == 0 {
            self.frames_left = self.extension.extend_by(tests);
        }
    }

    /// Shortens or lengthens what comes by what escapes have cost.
    ///
    /// The longer the prediction the fewer searches and the more escapes; their sum is near its least
    /// where both cost the same. Gives back what a search_cost costs.
    fn adapt(&mut self, boxes: usize, candidates: usize) -> Real {
        let search_cost = SEARCH_COST * boxes as Real + FOUND_PAIR_COST * candidates as Real;
        // Where boxes are calm predicted_bounds widen: that says nothing of others.
        if self.escape_cost > search_cost && !self.is_jitter {
            self.motion_limit = (self.expected_motion * SHORTEN_FACTOR).max(MIN_MOTION_LIMIT);
        } else if self.escape_cost < 0.5 * search_cost {
            self.motion_limit = (self.motion_limit * LENGTHEN_FACTOR).min(MAX_MOTION_LIMIT);
        }
        self.escape_cost = 0.0;
        search_cost
    }

    /// The number of frames for which a search_cost is made: the longer the fewer searches, but the more
    /// pairs to be tested in each frame.
    fn choose_frames<V: Vector>(&mut self, moved: &[Key], pairs: usize, table: &Table<V>) -> u32 {
        let step = moved.len() / 256 + 1;
        // In double precision: no difference of two coordinates overflows.
        let (mut size, mut motion) = (0.0, 0.0);
        for &key in moved.iter().step_by(step) {
            let (entry, before) = (
                &table.entries[key as usize],
                &table.predicted_bounds[key as usize].outer,
            );
            if !entry.moved {
                continue;
            }
            let (mut longest, mut widest) = (0.0_f64, 0.0);
            for k in 0..V::DIM {
                let low = f64::from(entry.bounds.min.component(k));
                let shift = (low - f64::from(before.min.component(k))).abs();
                longest = shift.max(longest);
                widest += f64::from(entry.bounds.max.component(k)) - low;
            }
            // A box that was put elsewhere counts for no more than one that is beyond any predict.
            size += widest / V::DIM as f64;
            motion += longest.min(widest);
        }
        if size <= 0.0 {
            // Points, or nothing that moved within the tree: no telling how far boxes predicted.
            self.expected_motion = 0.0;
            self.is_jitter = false;
            return 0;
        }
        let relative_motion = (motion / size) as Real;
        let most = self.motion_limit / (relative_motion + Real::MIN_POSITIVE);
        let pairs = pairs as Real / moved.len() as Real;
        let frame_counts = FRAME_COUNTS.iter().filter(|&&frames| frames <= most);
        let best = frame_counts.fold((cost(pairs, relative_motion, 1.0), 0.0), |best, &frames| {
            let cost = cost(pairs, relative_motion, frames);
            if cost < best.0 { (cost, frames) } else { best }
        });
        self.expected_motion = relative_motion * best.1;
        self.is_jitter =
            best.1 > 0.0 && relative_motion * FRAME_COUNTS[FRAME_COUNTS.len() - 1] <= JITTER_LIMIT;
        best.1 as u32
    }
}

/// Gives predicted_bounds to all moving boxes that moved, in the order of keys.
fn predict_all<V: Vector>(table: &mut Table<V>, extrapolation: Extrapolation, workers: Workers) {
    let pieces = workers.pieces(table.entries.len(), MIN_BOXES_PER_THREAD);
    let length = table.entries.len().div_ceil(pieces).max(1);
    let Table {
        entries,
        predicted_bounds,
        ..
    } = table;
    let pieces = entries
        .chunks(length)
        .zip(predicted_bounds.chunks_mut(length));
    workers.for_each(
        pieces,
        |(entries, predicted_bounds): (&[Entry<V>], &mut [PredictedBounds<V>])| {
            for (entry, predicted) in entries.iter().zip(predicted_bounds) {
                if entry.moved && entry.layer == Layer::Moving {
                    *predicted = extrapolation.predict(&predicted.outer, &entry.bounds);
                }
            }
        },
    );
}

/// What a frame costs for a box, if one search_cost is made for so many frames: with boxes that move by
/// a relative_motion of their size in each frame, pairs grow as the volume of boxes so much longer.
fn cost(pairs: Real, relative_motion: Real, frames: Real) -> Real {
    let longer = 1.0 + relative_motion * frames;
    let pairs = pairs * longer * longer * longer;
    (SEARCH_COST + FOUND_PAIR_COST * pairs) / frames + TEST_COST * pairs
}

/// For how long boxes are expected_motion to go on as they do, and whether they are calm.
#[derive(Clone, Copy, Debug)]
struct Extrapolation {
    frames: Real,
    is_jitter: bool,
}

impl Extrapolation {
    /// The predicted of a box that was at `before` a frame ago.
    fn predict<V: Vector>(self, before: &Aabb<V>, now: &Aabb<V>) -> PredictedBounds<V> {
        let Self { frames, is_jitter } = self;
        let mut predicted = PredictedBounds::exact(*now);
        if frames == 0.0 {
            return predicted;
        }
        let (size, size_before) = (now.max - now.min, before.max - before.min);
        let size_change = (0..V::DIM).fold(0.0, |most, k| {
            (size.component(k) - size_before.component(k))
                .abs()
                .max(most)
        });
        let slack = if is_jitter {
            // A way is known to the last digit of where it ends.
            let farthest = (0..V::DIM).fold(0.0, |most, k| {
                now.max.component(k).max(-now.min.component(k)).max(most)
            });
            size_change * JITTER_ROTATION_RATIO + farthest * Real::EPSILON
        } else {
            size_change * ROTATION_RATIO
        };
        for k in 0..V::DIM {
            let (low, high) = (now.min.component(k), now.max.component(k));
            let most = (high - low) * MAX_SHIFT;
            let by_low = low - before.min.component(k);
            let by_high = high - before.max.component(k);
            let motion = by_low.abs().max(by_high.abs());
            let curve_margin = motion * (CURVE_RATIO * frames + CURVE_FRAMES) + slack * frames;
            let curve_margin = curve_margin.min(most);
            let by_low = (by_low * frames).clamp(-most, most);
            let by_high = (by_high * frames).clamp(-most, most);
            let least = (low + by_low.min(0.0) - curve_margin).max(Real::MIN);
            let greatest = (high + by_high.max(0.0) + curve_margin).min(Real::MAX);
            predicted.outer.min = predicted.outer.min.with_component(k, least);
            predicted.outer.max = predicted.outer.max.with_component(k, greatest);
            let (low, high) = (
                low + by_low.max(0.0) + curve_margin,
                high + by_high.min(0.0) - curve_margin,
            );
            predicted.inner.min = predicted.inner.min.with_component(k, low);
            predicted.inner.max = predicted.inner.max.with_component(k, high);
        }
        predicted
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::Vec3;

    use super::*;

    #[test]
    fn the_motion_limit_recovers_after_escapes_that_were_not_predictable() {
        let mut prediction = MotionPrediction {
            escape_cost: 1e9,
            ..MotionPrediction::default()
        };
        prediction.adapt(1000, 1000);
        assert!(prediction.motion_limit > 0.0);
        for _ in 0..100 {
            prediction.adapt(1000, 1000);
        }
        assert_eq!(prediction.motion_limit, MAX_MOTION_LIMIT);
    }

    #[test]
    fn without_moved_boxes_nothing_is_predicted() {
        let table = Table::<Vec3>::new();
        assert_eq!(
            MotionPrediction::default().choose_frames(&[], 100, &table),
            0
        );
    }
}
