//! The overlapping pairs among the candidates.
//!
//! Candidates are certain or uncertain. The inner predicted bounds of a certain pair overlap, so
//! its boxes overlap without a test as long as they stay within their predicted bounds. Uncertain
//! pairs are tested in each frame. While the candidates stay the same and few are uncertain, the
//! list of overlapping pairs of the last frame is updated with what the tests found; otherwise it
//! is rebuilt.
//!
//! This module does not know where candidates come from: the pair cache owns them and uses it.

use clearance_math::Vector;
use clearance_math::internal::MapEach;
use clearance_tree::Workers;

use super::sort::{insert_sorted, remove_sorted};
use crate::key::Key;
use crate::table::Table;

/// The flag of a candidate that has to be tested in each frame. It is the lowest bit of the second
/// number of the pair; the key is in the bits above, which keeps the order of the pairs. Keys have
/// 30 bits.
pub(super) const UNCERTAIN: u32 = 1;

/// The flag of an uncertain pair whose boxes overlapped in the last frame, in the lowest bit as
/// well.
pub(super) const OVERLAPPED: u32 = 1;

/// The number of candidates that are tested before the overlapping ones are copied.
const BLOCK: usize = 256;

/// If at most one candidate in this many is uncertain, a branch that skips the test of the certain
/// ones pays.
const FEW_UNCERTAIN_DIVISOR: usize = 8;

/// If more than one candidate in this many is uncertain, uncertain pairs are not tracked: boxes
/// move so fast that the candidates seldom stay the same, and the list is rebuilt in each frame.
const TRACKING_DIVISOR: usize = 2;

/// If more than one pair in this many begins or ceases to overlap, rebuilding the list is cheaper.
const REBUILD_DIVISOR: usize = 32;

/// The least number of candidates for which it pays to use another thread.
const MIN_CANDIDATES_PER_THREAD: usize = 4096;

/// The pairs among some candidates, as one thread finds them.
#[derive(Clone, Debug, Default)]
pub(super) struct PairLists {
    /// The pairs of boxes that overlap.
    pairs: Vec<(Key, Key)>,
    /// The uncertain candidates, if these are tracked.
    uncertain: Vec<(Key, u32)>,
}

impl PairLists {
    fn clear(&mut self) {
        self.pairs.clear();
        self.uncertain.clear();
    }

    pub(super) fn capacity(&self) -> usize {
        self.pairs.capacity().max(self.uncertain.capacity())
    }

    pub(super) fn shrink_to(&mut self, capacity: usize) {
        self.clear();
        self.pairs.shrink_to(capacity);
        self.uncertain.shrink_to(capacity);
    }

    pub(super) fn memory(&self) -> usize {
        (self.pairs.capacity() + self.uncertain.capacity()) * size_of::<(Key, Key)>()
    }
}

/// Candidates of which the overlapping pairs are wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidates<'a> {
    /// The pairs of keys, sorted. The second number of a pair carries the flag [`UNCERTAIN`].
    pub(super) pairs: &'a [(Key, u32)],
    /// How many of them have the flag.
    pub(super) uncertain_count: usize,
}

/// The list of overlapping pairs, and what is needed to update it.
#[derive(Clone, Debug, Default)]
pub(super) struct OverlappingPairs {
    /// The pairs of boxes that overlapped in the last frame, sorted.
    pub(super) pairs: Vec<(Key, Key)>,
    /// The uncertain candidates, sorted. The second number of a pair carries the flag
    /// [`OVERLAPPED`].
    pub(super) uncertain: Vec<(Key, u32)>,
    /// Whether `uncertain` and `pairs` match the candidates and the boxes of the last frame, so
    /// that they can be updated and need not be rebuilt.
    pub(super) is_tracking: bool,
    /// Uncertain pairs that began to overlap in this frame, and those that ceased to overlap.
    pub(super) begun: Vec<(Key, Key)>,
    pub(super) ended: Vec<(Key, Key)>,
    /// The lists that other threads make.
    pub(super) piece_lists: Vec<PairLists>,
}

impl OverlappingPairs {
    /// Tests the uncertain pairs and updates the list, if pairs are tracked. Returns false if they
    /// are not, or if so many pairs changed that the list has to be rebuilt.
    #[inline(never)]
    pub(super) fn update<V: Vector>(&mut self, table: &Table<V>) -> bool {
        if !self.is_tracking {
            return false;
        }
        self.begun.clear();
        self.ended.clear();
        for (a, flagged) in &mut self.uncertain {
            let pair = (*a, *flagged >> 1);
            let overlap = do_overlap(table, pair.0, pair.1);
            if overlap != (*flagged & OVERLAPPED != 0) {
                *flagged ^= OVERLAPPED;
                let changes = match overlap {
                    true => &mut self.begun,
                    false => &mut self.ended,
                };
                changes.push(pair);
            }
        }
        let changes = self.begun.len() + self.ended.len();
        if changes > self.pairs.len() / REBUILD_DIVISOR {
            return false;
        }
        remove_sorted(&mut self.pairs, &self.ended, 0);
        insert_sorted(&mut self.pairs, &self.begun);
        true
    }

    /// Rebuilds the list, and that of uncertain pairs if these are tracked.
    pub(super) fn rebuild<V: Vector>(
        &mut self,
        candidates: Candidates<'_>,
        table: &Table<V>,
        workers: &Workers,
    ) {
        let Candidates {
            pairs: all,
            uncertain_count,
        } = candidates;
        let is_tracking = uncertain_count <= all.len() / TRACKING_DIVISOR;
        let list = |candidates: &[(Key, u32)], listed: &mut PairLists| {
            if uncertain_count <= all.len() / FEW_UNCERTAIN_DIVISOR {
                list_few_uncertain(table, candidates, listed);
            } else if is_tracking {
                list_all::<V, true>(table, candidates, listed);
            } else {
                list_all::<V, false>(table, candidates, listed);
            }
        };
        // The first piece is written directly into the lists, and is not copied.
        let mut first = PairLists {
            pairs: core::mem::take(&mut self.pairs),
            uncertain: core::mem::take(&mut self.uncertain),
        };
        let pieces = workers.pieces(all.len(), MIN_CANDIDATES_PER_THREAD);
        let length = all.len().div_ceil(pieces).max(1);
        let others = &mut self.piece_lists;
        others.resize_with(pieces - 1, PairLists::default);
        first.clear();
        others.iter_mut().for_each(PairLists::clear);
        let places = core::iter::once(&mut first).chain(others.iter_mut());
        let work = all.chunks(length).zip(places);
        workers.for_each(work, |(candidates, listed)| list(candidates, listed));
        for listed in &*others {
            first.pairs.extend_from_slice(&listed.pairs);
            first.uncertain.extend_from_slice(&listed.uncertain);
        }
        self.is_tracking = is_tracking;
        self.pairs = first.pairs;
        self.uncertain = first.uncertain;
    }
}

/// Tests every candidate, without branches: their outcome could not be predicted.
#[inline(never)]
fn list_all<V: Vector, const TRACK: bool>(
    table: &Table<V>,
    candidates: &[(Key, u32)],
    listed: &mut PairLists,
) {
    let (mut pairs, mut uncertain) = ([(0, 0); BLOCK], [(0, 0); BLOCK]);
    let mut overlaps = [false; BLOCK];
    for candidates in candidates.chunks(BLOCK) {
        // The tests have a loop of their own: a loop whose write position depends on the result
        // of a test has to wait for that test.
        for (overlap, &(a, flagged)) in overlaps.iter_mut().zip(candidates) {
            *overlap = do_overlap(table, a, flagged >> 1);
        }
        let (mut met, mut uncertain_count) = (0, 0);
        for (&overlap, &(a, flagged)) in overlaps.iter().zip(candidates) {
            pairs[met] = (a, flagged >> 1);
            if TRACK {
                uncertain[uncertain_count] = (a, flagged & !UNCERTAIN | u32::from(overlap));
                uncertain_count += (flagged & UNCERTAIN) as usize;
            }
            met += usize::from(overlap);
        }
        listed.pairs.extend_from_slice(&pairs[..met]);
        listed
            .uncertain
            .extend_from_slice(&uncertain[..uncertain_count]);
    }
}

/// Tests only the uncertain candidates, with a branch for each candidate.
#[inline(never)]
fn list_few_uncertain<V: Vector>(
    table: &Table<V>,
    candidates: &[(Key, u32)],
    listed: &mut PairLists,
) {
    let mut pairs = [(0, 0); BLOCK];
    for candidates in candidates.chunks(BLOCK) {
        let mut met = 0;
        for &(a, flagged) in candidates {
            pairs[met] = (a, flagged >> 1);
            let mut overlap = true;
            if flagged & UNCERTAIN != 0 {
                overlap = do_overlap(table, a, flagged >> 1);
                let uncertain = (a, flagged & !UNCERTAIN | u32::from(overlap));
                listed.uncertain.push(uncertain);
            }
            met += usize::from(overlap);
        }
        listed.pairs.extend_from_slice(&pairs[..met]);
    }
}

/// Whether the boxes of two keys overlap.
#[inline]
fn do_overlap<V: Vector>(table: &Table<V>, a: Key, b: Key) -> bool {
    let [a, b] = [a, b].map_each(|key| &table.entries[key as usize].bounds);
    a.overlaps(b)
}
