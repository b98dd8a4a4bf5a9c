//! How far ahead the boxes of the moving tree reach.
//!
//! A box that moves is given a reach: where it will be within some frames if it goes on as in the
//! last one. As long as it stays within, neither the tree nor the pairs of reaches change. What is
//! guessed here decides about time only: pairs are tested with the boxes themselves.

use clearance_math::{Aabb, Real, Vector};

use super::calm::{CALM, Stretch, widen};
use super::change::Rest;
use crate::Key;
use crate::key::Layer;
use crate::table::{Entry, Reach, Table};
use crate::workers::Workers;

/// The numbers of frames to choose from; if none of them pays, boxes are their own reaches.
const HORIZONS: [Real; 10] = [2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0];

/// The greatest share of its size by which a box may be expected to move within one horizon.
const MOST_PATIENCE: Real = 3.0;

/// The least patience: none at all would never grow again.
const LEAST_PATIENCE: Real = 0.05;

/// No side of a reach is farther out than that of its box by more than this share of the box: what
/// was put elsewhere does not go on like that.
const LARGEST_SHIFT: Real = 5.0;

/// What a reach allows for bends: a share of the way ahead, and of the way of one frame.
const BEND_SHARE: Real = 0.05;
const BEND_FRAMES: Real = 0.1;

/// What it allows for turning, which shows in boxes that change their size: a share of that change.
const TURN_SHARE: Real = 1.0;

/// The same for calm boxes: they turn by so little that sides go on as they do.
const CALM_TURN_SHARE: Real = 0.1;

/// Nanoseconds, as measured: a search for a box and for a pair that it finds, and the test of a
/// pair that is known.
const SEARCH_PRICE: Real = 100.0;
const FOUND_PRICE: Real = 20.0;
const TEST_PRICE: Real = 2.0;

/// What a box costs that leaves its reach before the time, in the same unit.
const ESCAPE_PRICE: Real = 600.0;

/// By which factors horizons become shorter and longer where escapes cost more than the search that
/// they put off, or much less.
const SHORTER: Real = 0.7;
const LONGER: Real = 1.1;

/// If more than one box in this many leaves its reach in a frame beyond the horizon, or turns out not
/// to be calm, all are guessed anew.
const MANY_LEFT: usize = 16;

/// So many boxes are worth a thread.
const MANY_BOXES: usize = 4096;

/// When the reaches of all moving boxes are guessed next.
#[derive(Clone, Debug)]
pub(super) struct Horizon {
    /// Frames until all that moves is given a new reach.
    frames_left: u32,
    /// By which share of their size boxes may be expected to move until then.
    patience: Real,
    /// By which share they were expected to move this time.
    expected: Real,
    /// What boxes have cost that left their reaches since all were guessed.
    spent: Real,
    /// Whether boxes are calm.
    is_calm: bool,
    /// Where they are, how to go on beyond the horizon.
    stretch: Stretch,
}

impl Default for Horizon {
    fn default() -> Self {
        Self {
            frames_left: 0,
            patience: MOST_PATIENCE,
            expected: 0.0,
            spent: 0.0,
            is_calm: false,
            stretch: Stretch::default(),
        }
    }
}

impl Horizon {
    /// Whether all that moves in this frame is given a new reach.
    #[inline]
    pub(super) fn is_reached(&self) -> bool {
        self.frames_left == 0
    }

    /// What it means for a box to be within its reach.
    #[inline]
    pub(super) fn rest(&self) -> Rest {
        if self.is_reached() {
            Rest::Never
        } else if self.is_calm {
            Rest::Calm
        } else {
            Rest::Within
        }
    }

    /// Ends a frame: gives reaches to the moved boxes, whose outer box so far tells where they were.
    ///
    /// So many `pairs` of boxes overlapped in the last frame, among so many `candidates`, of which so
    /// many were `open`.
    pub(super) fn guess<V: Vector>(
        &mut self,
        moved: &[Key],
        (pairs, candidates, open): (usize, usize, usize),
        table: &mut Table<V>,
        workers: Workers,
    ) {
        let is_new = self.is_reached();
        if is_new {
            let search = self.learn(moved.len(), candidates);
            self.frames_left = self.choose(moved, pairs, table);
            self.stretch.begin(search, self.frames_left);
        } else {
            self.count(moved.len(), (candidates, open), table.len());
        }
        let forecast = Forecast {
            frames: self.frames_left as Real,
            is_calm: self.is_calm,
        };
        if moved.len() > table.entries.len() / 2 && (is_new || !self.is_calm) {
            guess_all(table, forecast, workers);
            return;
        }
        let mut guessed = 0;
        for &key in moved {
            let entry = &table.entries[key as usize];
            let reach = &mut table.reaches[key as usize];
            if entry.moved && entry.is_calm {
                widen(reach, &entry.bounds);
            } else if entry.moved {
                *reach = forecast.reach(&reach.outer, &entry.bounds);
                guessed += 1;
            }
        }
        if self.is_calm && !is_new && guessed > table.len() / MANY_LEFT {
            self.frames_left = 0;
        }
    }

    /// Counts a frame in which so many boxes left their reach.
    fn count(&mut self, left: usize, (candidates, open): (usize, usize), boxes: usize) {
        self.frames_left -= 1;
        let price = match left {
            0 => 0.0,
            _ => TEST_PRICE * candidates as Real + ESCAPE_PRICE * left as Real,
        };
        self.spent += price;
        if !self.is_calm {
            return;
        }
        let tests = TEST_PRICE * open as Real;
        self.stretch.count(price, tests);
        if self.stretch.has_begun() && left > boxes / MANY_LEFT {
            self.frames_left = 0;
        } else if self.frames_left == 0 {
            self.frames_left = self.stretch.more(tests);
        }
    }

    /// Shortens or lengthens what comes by what escapes have cost.
    ///
    /// The longer the horizon the fewer searches and the more escapes; their sum is near its least
    /// where both cost the same. Gives back what a search costs.
    fn learn(&mut self, boxes: usize, candidates: usize) -> Real {
        let search = SEARCH_PRICE * boxes as Real + FOUND_PRICE * candidates as Real;
        // Where boxes are calm reaches widen: that says nothing of others.
        if self.spent > search && !self.is_calm {
            self.patience = (self.expected * SHORTER).max(LEAST_PATIENCE);
        } else if self.spent < 0.5 * search {
            self.patience = (self.patience * LONGER).min(MOST_PATIENCE);
        }
        self.spent = 0.0;
        search
    }

    /// The number of frames for which a search is made: the longer the fewer searches, but the more
    /// pairs to be tested in each frame.
    fn choose<V: Vector>(&mut self, moved: &[Key], pairs: usize, table: &Table<V>) -> u32 {
        let step = moved.len() / 256 + 1;
        // In double precision: no difference of two coordinates overflows.
        let (mut size, mut way) = (0.0, 0.0);
        for &key in moved.iter().step_by(step) {
            let (entry, before) = (
                &table.entries[key as usize],
                &table.reaches[key as usize].outer,
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
            // A box that was put elsewhere counts for no more than one that is beyond any guess.
            size += widest / V::DIM as f64;
            way += longest.min(widest);
        }
        if size <= 0.0 {
            // Points, or nothing that moved within the tree: no telling how far boxes reach.
            self.expected = 0.0;
            self.is_calm = false;
            return 0;
        }
        let share = (way / size) as Real;
        let most = self.patience / (share + Real::MIN_POSITIVE);
        let pairs = pairs as Real / moved.len() as Real;
        let horizons = HORIZONS.iter().filter(|&&frames| frames <= most);
        let best = horizons.fold((cost(pairs, share, 1.0), 0.0), |best, &frames| {
            let cost = cost(pairs, share, frames);
            if cost < best.0 { (cost, frames) } else { best }
        });
        self.expected = share * best.1;
        self.is_calm = best.1 > 0.0 && share * HORIZONS[HORIZONS.len() - 1] <= CALM;
        best.1 as u32
    }
}

/// Gives reaches to all moving boxes that moved, in the order of keys.
fn guess_all<V: Vector>(table: &mut Table<V>, forecast: Forecast, workers: Workers) {
    let pieces = workers.pieces(table.entries.len(), MANY_BOXES);
    let length = table.entries.len().div_ceil(pieces).max(1);
    let Table {
        entries, reaches, ..
    } = table;
    let pieces = entries.chunks(length).zip(reaches.chunks_mut(length));
    workers.for_each(
        pieces,
        |(entries, reaches): (&[Entry<V>], &mut [Reach<V>])| {
            for (entry, reach) in entries.iter().zip(reaches) {
                if entry.moved && entry.layer == Layer::Moving {
                    *reach = forecast.reach(&reach.outer, &entry.bounds);
                }
            }
        },
    );
}

/// What a frame costs for a box, if one search is made for so many frames: with boxes that move by
/// a share of their size in each frame, pairs grow as the volume of boxes so much longer.
fn cost(pairs: Real, share: Real, frames: Real) -> Real {
    let longer = 1.0 + share * frames;
    let pairs = pairs * longer * longer * longer;
    (SEARCH_PRICE + FOUND_PRICE * pairs) / frames + TEST_PRICE * pairs
}

/// For how long boxes are expected to go on as they do, and whether they are calm.
#[derive(Clone, Copy, Debug)]
struct Forecast {
    frames: Real,
    is_calm: bool,
}

impl Forecast {
    /// The reach of a box that was at `before` a frame ago.
    fn reach<V: Vector>(self, before: &Aabb<V>, now: &Aabb<V>) -> Reach<V> {
        let Self { frames, is_calm } = self;
        let mut reach = Reach::exact(*now);
        if frames == 0.0 {
            return reach;
        }
        let (size, size_before) = (now.max - now.min, before.max - before.min);
        let turning = (0..V::DIM).fold(0.0, |most, k| {
            (size.component(k) - size_before.component(k))
                .abs()
                .max(most)
        });
        let slack = if is_calm {
            // A way is known to the last digit of where it ends.
            let farthest = (0..V::DIM).fold(0.0, |most, k| {
                now.max.component(k).max(-now.min.component(k)).max(most)
            });
            turning * CALM_TURN_SHARE + farthest * Real::EPSILON
        } else {
            turning * TURN_SHARE
        };
        for k in 0..V::DIM {
            let (low, high) = (now.min.component(k), now.max.component(k));
            let most = (high - low) * LARGEST_SHIFT;
            let by_low = low - before.min.component(k);
            let by_high = high - before.max.component(k);
            let way = by_low.abs().max(by_high.abs());
            let bend = way * (BEND_SHARE * frames + BEND_FRAMES) + slack * frames;
            let bend = bend.min(most);
            let by_low = (by_low * frames).clamp(-most, most);
            let by_high = (by_high * frames).clamp(-most, most);
            let least = (low + by_low.min(0.0) - bend).max(Real::MIN);
            let greatest = (high + by_high.max(0.0) + bend).min(Real::MAX);
            reach.outer.min = reach.outer.min.with_component(k, least);
            reach.outer.max = reach.outer.max.with_component(k, greatest);
            let (low, high) = (low + by_low.max(0.0) + bend, high + by_high.min(0.0) - bend);
            reach.inner.min = reach.inner.min.with_component(k, low);
            reach.inner.max = reach.inner.max.with_component(k, high);
        }
        reach
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::Vec3;

    use super::*;

    #[test]
    fn patience_comes_back_after_escapes_that_nothing_foretold() {
        let mut horizon = Horizon {
            spent: 1e9,
            ..Horizon::default()
        };
        horizon.learn(1000, 1000);
        assert!(horizon.patience > 0.0);
        for _ in 0..100 {
            horizon.learn(1000, 1000);
        }
        assert_eq!(horizon.patience, MOST_PATIENCE);
    }

    #[test]
    fn nothing_that_moved_gives_no_horizon() {
        let table = Table::<Vec3>::new();
        assert_eq!(Horizon::default().choose(&[], 100, &table), 0);
    }
}
