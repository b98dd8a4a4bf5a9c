//! The overlapping pairs among the candidates.
//!
//! Candidates are certain or uncertain. The inner predicted bounds of a certain pair overlap, so
//! its boxes overlap without a test as long as they stay within their predicted bounds. Uncertain
//! pairs are tested in each frame. While the candidates stay the same and few are uncertain, the
//! list of overlapping pairs of the last frame is updated with what the tests found; otherwise it
//! is rebuilt.

use clearance_math::Vector;

use super::Bvh;
use super::pair_cache::{OVERLAPPED, PairCache, UNCERTAIN};
use super::sort::{insert_sorted, remove_sorted};
use crate::Key;

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
const MIN_CANDIDATES_PER_THREAD: usize = 8192;

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

impl<V: Vector> Bvh<V> {
    /// Tests the uncertain pairs and updates the list of overlapping pairs. Returns false if so
    /// many pairs changed that the list has to be rebuilt.
    #[inline(never)]
    pub(super) fn update_uncertain(&self, cache: &mut PairCache) -> bool {
        cache.begun.clear();
        cache.ended.clear();
        for (a, flagged) in &mut cache.uncertain {
            let pair = (*a, *flagged >> 1);
            let overlap = self.overlap(pair.0, pair.1);
            if overlap != (*flagged & OVERLAPPED != 0) {
                *flagged ^= OVERLAPPED;
                let changes = match overlap {
                    true => &mut cache.begun,
                    false => &mut cache.ended,
                };
                changes.push(pair);
            }
        }
        let changes = cache.begun.len() + cache.ended.len();
        if changes > cache.pairs.len() / REBUILD_DIVISOR {
            return false;
        }
        remove_sorted(&mut cache.pairs, &cache.ended, 0);
        insert_sorted(&mut cache.pairs, &cache.begun);
        true
    }

    /// Rebuilds the list of overlapping pairs, and that of uncertain pairs if these are tracked.
    pub(super) fn rebuild_list(&self, cache: &mut PairCache) {
        let (candidates, uncertain_count) = (&cache.candidates, cache.uncertain_count);
        let is_tracking = uncertain_count <= candidates.len() / TRACKING_DIVISOR;
        let list = |candidates: &[(Key, u32)], listed: &mut PairLists| {
            if uncertain_count <= cache.candidates.len() / FEW_UNCERTAIN_DIVISOR {
                self.list_few_uncertain(candidates, listed);
            } else if is_tracking {
                self.list_all::<true>(candidates, listed);
            } else {
                self.list_all::<false>(candidates, listed);
            }
        };
        // The first piece is written directly into the lists of the cache, and is not copied.
        let mut first = PairLists {
            pairs: core::mem::take(&mut cache.pairs),
            uncertain: core::mem::take(&mut cache.uncertain),
        };
        let mut others = core::mem::take(&mut cache.piece_lists);
        let pieces = self
            .workers
            .pieces(candidates.len(), MIN_CANDIDATES_PER_THREAD);
        let length = candidates.len().div_ceil(pieces).max(1);
        others.resize_with(pieces - 1, PairLists::default);
        first.clear();
        others.iter_mut().for_each(PairLists::clear);
        let places = core::iter::once(&mut first).chain(&mut others);
        let work = candidates.chunks(length).zip(places);
        self.workers
            .for_each(work, |(candidates, listed)| list(candidates, listed));
        for listed in &others {
            first.pairs.extend_from_slice(&listed.pairs);
            first.uncertain.extend_from_slice(&listed.uncertain);
        }
        cache.is_tracking = is_tracking;
        cache.pairs = first.pairs;
        cache.uncertain = first.uncertain;
        cache.piece_lists = others;
    }

    /// Tests every candidate, without branches: their outcome could not be predicted.
    #[inline(never)]
    fn list_all<const TRACK: bool>(&self, candidates: &[(Key, u32)], listed: &mut PairLists) {
        let (mut pairs, mut uncertain) = ([(0, 0); BLOCK], [(0, 0); BLOCK]);
        let mut overlaps = [false; BLOCK];
        for candidates in candidates.chunks(BLOCK) {
            // The tests have a loop of their own: a loop whose write position depends on the result
            // of a test has to wait for that test.
            for (overlap, &(a, flagged)) in overlaps.iter_mut().zip(candidates) {
                *overlap = self.overlap(a, flagged >> 1);
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
    fn list_few_uncertain(&self, candidates: &[(Key, u32)], listed: &mut PairLists) {
        let mut pairs = [(0, 0); BLOCK];
        for candidates in candidates.chunks(BLOCK) {
            let mut met = 0;
            for &(a, flagged) in candidates {
                pairs[met] = (a, flagged >> 1);
                let mut overlap = true;
                if flagged & UNCERTAIN != 0 {
                    overlap = self.overlap(a, flagged >> 1);
                    let uncertain = (a, flagged & !UNCERTAIN | u32::from(overlap));
                    listed.uncertain.push(uncertain);
                }
                met += usize::from(overlap);
            }
            listed.pairs.extend_from_slice(&pairs[..met]);
        }
    }

    #[inline]
    fn overlap(&self, a: Key, b: Key) -> bool {
        let entries = &self.table.entries;
        let [a, b] = [a, b].map(|key| &entries[key as usize].bounds);
        a.overlaps(b)
    }
}
