//! The pairs of boxes among the candidates, cache from frame to frame.
//!
//! While no candidate comes or goes, only open ones can begin or cease to overlap: these are
//! uncertain, if they are not most of all, and what changes is put into the list of last time or taken
//! out of it.

use clearance_math::Vector;

use super::Bvh;
use super::pair_cache::{OVERLAPPED, PairCache, UNCERTAIN};
use super::sort::{insert_sorted, remove_sorted};
use crate::Key;

/// So many candidates are tested before those that overlap are copied.
const BLOCK: usize = 256;

/// If not more than one candidate in this many has to be tested, looking which is worth a branch.
const FEW_UNCERTAIN_DIVISOR: usize = 8;

/// If more than one candidate in this many is open, nothing is uncertain: boxes move so far that the
/// candidates seldom stay the same, and the list is made anew in each frame.
const TRACKING_DIVISOR: usize = 2;

/// If more than one pair in this many begins or ceases to overlap, a new list is cheaper.
const REBUILD_DIVISOR: usize = 32;

/// So many candidates are worth a thread.
const MIN_CANDIDATES_PER_THREAD: usize = 8192;

/// What came of listing some candidates.
#[derive(Clone, Debug, Default)]
pub(super) struct PairLists {
    /// The pairs of boxes that overlap.
    pairs: Vec<(Key, Key)>,
    /// The open candidates, if these are uncertain.
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
    /// Looks which of the uncertain pairs began or ceased to overlap, and brings the list up to date;
    /// false if these are so many that it has to be made anew.
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

    /// Makes the list of pairs anew, and that of what is uncertain.
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
        // What is listed first is not copied.
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

    /// Without a branch, which could not be predicted.
    #[inline(never)]
    fn list_all<const TRACK: bool>(&self, candidates: &[(Key, u32)], listed: &mut PairLists) {
        let (mut pairs, mut uncertain) = ([(0, 0); BLOCK], [(0, 0); BLOCK]);
        let mut overlaps = [false; BLOCK];
        for candidates in candidates.chunks(BLOCK) {
            // In a loop of its own: a place to write to that depends on a test holds up the next.
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

    /// The same where few need a test: looking which is worth a branch.
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
