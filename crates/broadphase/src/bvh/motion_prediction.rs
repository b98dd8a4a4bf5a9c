//! Predicted bounds for the boxes of the moving tree.
//!
//! When a box moves, it gets predicted bounds: the space that it covers within the next few frames
//! if it continues to move as it did in the last frame. While the box stays inside them, neither
//! the tree nor the list of candidate pairs has to change. A wrong prediction costs time but never
//! changes a result, because candidate pairs are always tested with the actual boxes.

use clearance_math::{Aabb, Real, Vector};

use super::pair_cache::PairCounts;
use super::update::PredictionMode;
use crate::key::{Key, Layer};
use crate::predicted_bounds::PredictedBounds;
use crate::table::{Entry, Table};
use clearance_tree::Workers;

/// The prediction lengths to choose from, in frames. If none of them pays, the predicted bounds of
/// a box are the box itself.
const FRAME_COUNTS: [Real; 10] = [2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0];

/// The upper limit of [`MotionPrediction::motion_limit`], as a multiple of the size of a box.
const MAX_MOTION_LIMIT: Real = 3.0;

/// The lower limit of [`MotionPrediction::motion_limit`]. It is above zero because the limit grows
/// by a factor.
const MIN_MOTION_LIMIT: Real = 0.05;

/// No side of the predicted bounds is farther from the side of the box than this multiple of the
/// size of the box: a box that was teleported does not continue at that speed.
const MAX_SHIFT: Real = 5.0;

/// The margin for curved paths: this fraction of the predicted motion, plus this fraction of the
/// motion of one frame.
const CURVE_RATIO: Real = 0.05;
const CURVE_FRAMES: Real = 0.1;

/// The margin for rotation, which shows as a change of the size of the box: this fraction of that
/// change, for each frame.
const ROTATION_RATIO: Real = 1.0;

/// Measured costs in nanoseconds: searching the tree for the pairs of one box, adding one pair that
/// was found, and testing one candidate pair.
const SEARCH_COST: Real = 100.0;
const FOUND_PAIR_COST: Real = 20.0;
const TEST_COST: Real = 2.0;

/// The cost in nanoseconds of a box that leaves its predicted bounds before the prediction ends.
const ESCAPE_COST: Real = 600.0;

/// How the motion limit changes: it shrinks when escapes cost more than the search that they saved,
/// and grows when they cost much less.
const SHORTEN_FACTOR: Real = 0.7;
const LENGTHEN_FACTOR: Real = 1.1;

/// The least number of boxes for which it pays to use another thread.
const MIN_BOXES_PER_THREAD: usize = 2048;

/// Decides how long predictions last, and computes the predicted bounds of the moving boxes.
#[derive(Clone, Debug)]
pub(super) struct MotionPrediction {
    /// The number of frames until all moving boxes get new predicted bounds.
    frames_left: u32,
    /// How far boxes may be expected to move during one prediction, as a multiple of their size.
    motion_limit: Real,
    /// How far they were expected to move during this prediction, as a multiple of their size.
    expected_motion: Real,
    /// The cost so far of the boxes that left their predicted bounds during this prediction.
    escape_cost: Real,
}

impl Default for MotionPrediction {
    fn default() -> Self {
        Self {
            frames_left: 0,
            motion_limit: MAX_MOTION_LIMIT,
            expected_motion: 0.0,
            escape_cost: 0.0,
        }
    }
}

impl MotionPrediction {
    /// Whether every box that moves in this frame gets new predicted bounds.
    #[inline]
    pub(super) fn is_expired(&self) -> bool {
        self.frames_left == 0
    }

    /// How updates of boxes treat the predicted bounds in this frame.
    #[inline]
    pub(super) fn mode(&self) -> PredictionMode {
        if self.is_expired() {
            PredictionMode::Expired
        } else {
            PredictionMode::Active
        }
    }

    /// Ends a frame: computes the predicted bounds of the moved boxes. Until then `outer` of a
    /// moved box is its box of the last frame.
    pub(super) fn predict<V: Vector>(
        &mut self,
        moved: &[Key],
        counts: PairCounts,
        table: &mut Table<V>,
        workers: &Workers,
    ) {
        if self.is_expired() {
            self.adapt(moved.len(), counts.candidates);
            self.frames_left = self.choose_frames(moved, counts.overlapping, table);
        } else {
            self.count_frame(moved.len(), counts);
        }
        let extrapolation = Extrapolation {
            frames: self.frames_left as Real,
        };
        if moved.len() > table.entries.len() / 2 {
            predict_all(table, extrapolation, workers);
            return;
        }
        for &key in moved {
            let entry = &table.entries[key as usize];
            let predicted = &mut table.predicted_bounds[key as usize];
            if entry.moved {
                *predicted = extrapolation.predict(&predicted.outer, &entry.bounds);
            }
        }
    }

    /// Counts a frame in which `escaped` boxes left their predicted bounds.
    fn count_frame(&mut self, escaped: usize, counts: PairCounts) {
        self.frames_left -= 1;
        if escaped > 0 {
            self.escape_cost +=
                TEST_COST * counts.candidates as Real + ESCAPE_COST * escaped as Real;
        }
    }

    /// Adjusts the motion limit by what escapes have cost during the last prediction.
    ///
    /// Longer predictions mean fewer searches but more escapes. The sum of both costs is near its
    /// minimum where they are equal.
    fn adapt(&mut self, boxes: usize, candidates: usize) {
        let search_cost = SEARCH_COST * boxes as Real + FOUND_PAIR_COST * candidates as Real;
        if self.escape_cost > search_cost {
            self.motion_limit = (self.expected_motion * SHORTEN_FACTOR).max(MIN_MOTION_LIMIT);
        } else if self.escape_cost < 0.5 * search_cost {
            self.motion_limit = (self.motion_limit * LENGTHEN_FACTOR).min(MAX_MOTION_LIMIT);
        }
        self.escape_cost = 0.0;
    }

    /// Chooses how many frames the next prediction lasts, and returns their number. More frames
    /// mean fewer searches, but more candidate pairs to test in each frame.
    fn choose_frames<V: Vector>(&mut self, moved: &[Key], pairs: usize, table: &Table<V>) -> u32 {
        let step = moved.len() / 256 + 1;
        // In double precision no difference of two coordinates overflows.
        let (mut size, mut motion) = (0.0, 0.0);
        for &key in moved.iter().step_by(step) {
            let (entry, before) = (
                &table.entries[key as usize],
                &table.predicted_bounds[key as usize].outer,
            );
            if !entry.moved {
                continue;
            }
            let (mut longest, mut total_width) = (0.0_f64, 0.0);
            for k in 0..V::DIM {
                let low = f64::from(entry.bounds.min.component(k));
                let shift = (low - f64::from(before.min.component(k))).abs();
                longest = shift.max(longest);
                total_width += f64::from(entry.bounds.max.component(k)) - low;
            }
            // A teleported box counts as one that moves by its own size.
            size += total_width / V::DIM as f64;
            motion += longest.min(total_width);
        }
        if size <= 0.0 {
            // All boxes that moved are points, or none of them is in the tree: there is no size to
            // compare with.
            self.expected_motion = 0.0;
            return 0;
        }
        let relative_motion = (motion / size) as Real;
        let max_frames = self.motion_limit / (relative_motion + Real::MIN_POSITIVE);
        let pairs = pairs as Real / moved.len() as Real;
        let frame_counts = FRAME_COUNTS.iter().filter(|&&frames| frames <= max_frames);
        let best = frame_counts.fold((cost(pairs, relative_motion, 1.0), 0.0), |best, &frames| {
            let cost = cost(pairs, relative_motion, frames);
            if cost < best.0 { (cost, frames) } else { best }
        });
        self.expected_motion = relative_motion * best.1;
        best.1 as u32
    }
}

/// Computes the predicted bounds of all moving boxes that moved, in the order of their keys.
fn predict_all<V: Vector>(table: &mut Table<V>, extrapolation: Extrapolation, workers: &Workers) {
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

/// The cost of a frame for one box if pairs are searched for once in so many frames. When boxes
/// move by `relative_motion` times their size in each frame, the number of candidate pairs grows
/// with the volume of the longer boxes.
fn cost(pairs: Real, relative_motion: Real, frames: Real) -> Real {
    let longer = 1.0 + relative_motion * frames;
    let pairs = pairs * longer * longer * longer;
    (SEARCH_COST + FOUND_PAIR_COST * pairs) / frames + TEST_COST * pairs
}

/// For how many frames boxes are expected to move on.
#[derive(Clone, Copy, Debug)]
struct Extrapolation {
    frames: Real,
}

impl Extrapolation {
    /// The predicted bounds of a box that was at `before` in the last frame and is at `now`.
    fn predict<V: Vector>(self, before: &Aabb<V>, now: &Aabb<V>) -> PredictedBounds<V> {
        let Self { frames } = self;
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
        let slack = size_change * ROTATION_RATIO;
        for k in 0..V::DIM {
            let (low, high) = (now.min.component(k), now.max.component(k));
            let max_shift = (high - low) * MAX_SHIFT;
            let by_low = low - before.min.component(k);
            let by_high = high - before.max.component(k);
            let motion = by_low.abs().max(by_high.abs());
            let curve_margin = motion * (CURVE_RATIO * frames + CURVE_FRAMES) + slack * frames;
            let curve_margin = curve_margin.min(max_shift);
            let by_low = (by_low * frames).clamp(-max_shift, max_shift);
            let by_high = (by_high * frames).clamp(-max_shift, max_shift);
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
        let table = Table::<Vec3>::default();
        assert_eq!(
            MotionPrediction::default().choose_frames(&[], 100, &table),
            0
        );
    }
}
