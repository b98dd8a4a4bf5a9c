//! The pair cache: candidate pairs and overlapping pairs, reused from frame to frame.
//!
//! Candidates are the pairs whose outer predicted bounds overlap. They change only when predicted
//! bounds change. Finding the overlapping boxes among them is the work of `uncertain_pairs.rs`.

use core::sync::atomic::{AtomicUsize, Ordering};

use clearance_math::Vector;

use super::Bvh;
use super::sort::{Sorter, insert_sorted, remove_sorted};
use super::uncertain_pairs::{Candidates, OVERLAPPED, OverlappingPairs, PairLists, UNCERTAIN};
use crate::Key;
use crate::capacity::{SpareCapacity, capacity_for};

/// If the predicted bounds of more than one box in this many changed, one search for all pairs is
/// cheaper than one search for each changed box.
const SEARCH_DIVISOR: usize = 8;

/// If the predicted bounds of at most one box in this many changed, the list of overlapping pairs
/// is patched; else it is rebuilt.
const PATCH_DIVISOR: usize = 64;

/// The least number of pairs for which it pays to use another thread.
const MIN_PAIRS_PER_THREAD: usize = 4096;

/// Candidate pairs and overlapping pairs. Every pair of overlapping boxes is a candidate.
#[derive(Clone, Debug, Default)]
pub(super) struct PairCache {
    /// The pairs of keys whose outer predicted bounds overlap, sorted, without the changes of the
    /// keys in `changed`. The second number of a pair carries the flag [`UNCERTAIN`].
    candidates: Vec<(Key, u32)>,
    /// The number of candidates that have the flag [`UNCERTAIN`].
    uncertain_count: usize,
    /// The list of overlapping pairs.
    overlapping: OverlappingPairs,
    /// Whether no box changed since that list was computed.
    is_current: bool,
    /// Keys that were added, were removed, or have new predicted bounds. A key may occur more than
    /// once.
    changed: Vec<Key>,
    /// For each key whether it is in `changed`; all false between calls.
    changed_flags: Vec<bool>,
    /// The former candidates of the changed keys.
    removed: Vec<(Key, u32)>,
    /// The present candidates of the changed keys.
    found: Vec<(Key, Key)>,
    /// Sorts the pairs that a search finds.
    sorter: Sorter,
    /// Whether `candidates` is valid but for the keys in `changed`.
    is_complete: bool,
    spare: SpareCapacity,
}

/// How many pairs the cache holds of each kind.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PairCounts {
    /// Pairs of boxes that overlapped in the last frame.
    pub(super) overlapping: usize,
    /// Pairs whose outer predicted bounds overlap.
    pub(super) candidates: usize,
}

impl PairCache {
    /// Whether the candidates are valid but for the changed keys.
    pub(super) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// How many pairs there are of each kind.
    pub(super) fn counts(&self) -> PairCounts {
        PairCounts {
            overlapping: self.overlapping.pairs.len(),
            candidates: self.candidates.len(),
        }
    }

    /// How many candidates there are.
    pub(super) fn len(&self) -> usize {
        self.candidates.len()
    }

    /// The candidates without their flags.
    pub(super) fn candidate_pairs(&self) -> impl Iterator<Item = (Key, Key)> {
        self.candidates.iter().map(pair_of)
    }

    /// Whether a pair is a candidate that needs no test.
    pub(super) fn is_certain(&self, (a, b): (Key, Key)) -> bool {
        self.candidates.binary_search(&(a, b << 1)).is_ok()
    }

    /// Whether the uncertain pairs are the flagged candidates, and the list of overlapping pairs
    /// consists of the certain candidates and of the uncertain pairs that overlapped.
    pub(super) fn is_consistent(&self) -> bool {
        let uncertain = self.candidates.iter().filter(|&pair| is_uncertain(pair));
        let certain = self.candidates.iter().filter(|&pair| !is_uncertain(pair));
        let is_listed = |pair| self.overlapping.pairs.binary_search(&pair_of(pair)).is_ok();
        let met = self
            .overlapping
            .uncertain
            .iter()
            .filter(|(_, flagged)| flagged & OVERLAPPED != 0);
        !self.overlapping.is_tracking
            || self.overlapping.pairs.is_sorted()
                && uncertain.clone().count() == self.uncertain_count
                && uncertain
                    .map(pair_of)
                    .eq(self.overlapping.uncertain.iter().map(pair_of))
                && met.clone().chain(certain.clone()).all(is_listed)
                && met.count() + certain.count() == self.overlapping.pairs.len()
    }

    /// Whether the candidates of a key are out of date.
    pub(super) fn is_outdated(&self, key: Key) -> bool {
        self.changed.contains(&key)
    }

    /// Records that some box changed.
    pub(super) fn invalidate(&mut self) {
        self.is_current = false;
    }

    /// Records that a key was added, was removed, or has new predicted bounds.
    #[inline]
    pub(super) fn add_changed(&mut self, key: Key) {
        // A caller may change one key many times before the next refresh.
        if self.is_complete && self.changed.last() != Some(&key) {
            self.changed.push(key);
        }
    }

    pub(super) fn add_all_changed(&mut self, keys: &[Key]) {
        if self.is_complete {
            self.changed.extend_from_slice(keys);
        }
    }

    /// Discards the candidates if more than one in [`SEARCH_DIVISOR`] of `boxes` changed.
    pub(super) fn clear_if_many_changed(&mut self, boxes: usize) {
        if self.changed.len() > boxes / SEARCH_DIVISOR {
            self.is_complete = false;
            self.changed.clear();
        }
    }

    /// Sets the flags of the changed keys, and removes duplicates from their list.
    fn flag_changed(&mut self, keys: usize) {
        let changed_flags = &mut self.changed_flags;
        changed_flags.resize(keys, false);
        self.changed
            .retain(|&key| !core::mem::replace(&mut changed_flags[key as usize], true));
    }

    /// Removes the candidates of the changed keys; while pairs are tracked, also from the lists of
    /// overlapping and of uncertain pairs.
    fn remove_changed_pairs(&mut self) {
        let changed_flags = &self.changed_flags;
        let is_changed = |&(a, flagged): &(Key, u32)| {
            changed_flags[a as usize] | changed_flags[(flagged >> 1) as usize]
        };
        if !self.overlapping.is_tracking {
            let uncertain_count = &mut self.uncertain_count;
            self.candidates.retain(|pair| {
                let stays = !is_changed(pair);
                *uncertain_count -= usize::from(!stays & is_uncertain(pair));
                stays
            });
            return;
        }
        let removed = self.candidates.iter().copied().filter(is_changed);
        self.removed.clear();
        self.removed.extend(removed);
        remove_sorted(&mut self.candidates, &self.removed, 0);
        self.overlapping.ended.clear();
        self.overlapping
            .ended
            .extend(self.removed.iter().map(pair_of));
        remove_sorted(&mut self.overlapping.pairs, &self.overlapping.ended, 0);
        retain_uncertain(&mut self.removed);
        remove_sorted(&mut self.overlapping.uncertain, &self.removed, OVERLAPPED);
        self.uncertain_count -= self.removed.len();
    }

    /// Ends a frame: releases capacity that has not been needed for some time. Whether it did.
    fn release_excess(&mut self) -> bool {
        let needed = self.candidates.len().max(self.overlapping.pairs.len());
        let lists = [
            &self.candidates,
            &self.overlapping.pairs,
            &self.overlapping.uncertain,
            &self.found,
        ];
        let more = [
            &self.removed,
            &self.overlapping.begun,
            &self.overlapping.ended,
        ];
        let capacities = lists.into_iter().chain(more).map(Vec::capacity);
        let listed = self.overlapping.piece_lists.iter().map(PairLists::capacity);
        let capacities = capacities.chain(listed).chain([self.sorter.capacity()]);
        let greatest = capacities.max().unwrap_or(0);
        if !self.spare.is_excess(needed, greatest) {
            return false;
        }
        let capacity = capacity_for(needed);
        let lists = [
            &mut self.candidates,
            &mut self.overlapping.pairs,
            &mut self.overlapping.uncertain,
        ];
        let more = [
            &mut self.found,
            &mut self.removed,
            &mut self.overlapping.begun,
            &mut self.overlapping.ended,
        ];
        for list in lists.into_iter().chain(more) {
            list.shrink_to(capacity);
        }
        self.overlapping
            .piece_lists
            .iter_mut()
            .for_each(|listed| listed.shrink_to(capacity));
        self.sorter.shrink_to(capacity);
        true
    }

    pub(super) fn memory(&self) -> usize {
        let listed = self
            .overlapping
            .piece_lists
            .iter()
            .map(PairLists::memory)
            .sum::<usize>()
            + self.overlapping.piece_lists.capacity() * size_of::<PairLists>();
        let pairs = [
            &self.candidates,
            &self.removed,
            &self.found,
            &self.overlapping.pairs,
        ];
        let uncertain = [
            &self.overlapping.uncertain,
            &self.overlapping.begun,
            &self.overlapping.ended,
        ];
        let pairs = pairs.into_iter().chain(uncertain).map(Vec::capacity);
        pairs.sum::<usize>() * size_of::<(Key, Key)>()
            + self.changed.capacity() * size_of::<Key>()
            + self.changed_flags.capacity()
            + listed
            + self.sorter.memory()
    }
}

impl<V: Vector> Bvh<V> {
    /// Brings candidates and overlapping pairs up to date, and returns the latter.
    pub(super) fn cached_pairs(&mut self) -> &[(Key, Key)] {
        if !self.pair_cache.is_current {
            if !self.pair_cache.is_complete {
                self.search_all();
            } else if !self.pair_cache.changed.is_empty() {
                self.search_for_changed();
            }
            let mut cache = core::mem::take(&mut self.pair_cache);
            if !cache.overlapping.update(&self.table) {
                let candidates = Candidates {
                    pairs: &cache.candidates,
                    uncertain_count: cache.uncertain_count,
                };
                cache
                    .overlapping
                    .rebuild(candidates, &self.table, &self.workers);
            }
            cache.is_current = true;
            self.pair_cache = cache;
        }
        if self.pair_cache.release_excess() {
            let found = capacity_for(self.pair_cache.len());
            self.pair_scratch.shrink_to(found);
        }
        &self.pair_cache.overlapping.pairs
    }

    /// Searches the trees for all candidates.
    fn search_all(&mut self) {
        let mut candidates = core::mem::take(&mut self.pair_cache.candidates);
        candidates.clear();
        self.collect_pairs(&mut candidates);
        let greatest = self.table.entries.len().saturating_sub(1);
        self.pair_cache.sorter.sort(&mut candidates, greatest);
        self.pair_cache.uncertain_count = self.classify(&mut candidates);
        self.pair_cache.candidates = candidates;
        self.pair_cache.is_complete = true;
        self.pair_cache.overlapping.is_tracking = false;
    }

    /// Replaces the candidates of the changed keys by those that they have now.
    fn search_for_changed(&mut self) {
        let mut cache = core::mem::take(&mut self.pair_cache);
        cache.flag_changed(self.table.entries.len());
        cache.overlapping.is_tracking &=
            cache.changed.len() <= self.moving.tree.leaves / PATCH_DIVISOR;
        cache.remove_changed_pairs();
        self.insert_changed_pairs(&mut cache);
        for key in cache.changed.drain(..) {
            cache.changed_flags[key as usize] = false;
        }
        self.pair_cache = cache;
    }

    /// Searches for the candidates of the changed keys, and inserts them.
    fn insert_changed_pairs(&self, cache: &mut PairCache) {
        let is_changed = |key: Key| cache.changed_flags[key as usize];
        cache.found.clear();
        for &key in &cache.changed {
            self.partners(key, &mut |other| {
                // A pair of two changed keys is found twice; the search for the smaller key adds
                // it.
                if other != key && !(is_changed(other) && other < key) {
                    cache.found.push(crate::key::ordered(key, other));
                }
            });
        }
        let greatest = self.table.entries.len().saturating_sub(1);
        cache.sorter.sort(&mut cache.found, greatest);
        cache.uncertain_count += self.classify(&mut cache.found);
        insert_sorted(&mut cache.candidates, &cache.found);
        if cache.overlapping.is_tracking {
            let certain = cache.found.iter().filter(|&pair| !is_uncertain(pair));
            cache.overlapping.begun.clear();
            cache.overlapping.begun.extend(certain.map(pair_of));
            insert_sorted(&mut cache.overlapping.pairs, &cache.overlapping.begun);
            // Uncertain pairs are inserted as not overlapping; the next test corrects that.
            retain_uncertain(&mut cache.found);
            insert_sorted(&mut cache.overlapping.uncertain, &cache.found);
        }
    }

    /// Sets the flags of pairs: those whose inner bounds overlap are certain, all others are
    /// uncertain. Returns the number of uncertain ones.
    fn classify(&self, pairs: &mut [(Key, u32)]) -> usize {
        let inner = |key: Key| &self.table.predicted_bounds[key as usize].inner;
        let pieces = self.workers.pieces(pairs.len(), MIN_PAIRS_PER_THREAD);
        let length = pairs.len().div_ceil(pieces).max(1);
        let uncertain = AtomicUsize::new(0);
        self.workers
            .for_each(pairs.chunks_mut(length), |pairs: &mut [(Key, u32)]| {
                let mut found_here = 0;
                for (a, b) in pairs {
                    let uncertain_bit = u32::from(!inner(*a).overlaps(inner(*b)));
                    *b = *b << 1 | uncertain_bit;
                    found_here += uncertain_bit as usize;
                }
                uncertain.fetch_add(found_here, Ordering::Relaxed);
            });
        uncertain.into_inner()
    }
}

/// Whether a candidate has to be tested.
#[inline]
fn is_uncertain(&(_, flagged): &(Key, u32)) -> bool {
    flagged & UNCERTAIN != 0
}

/// The pair of keys, without the flag.
#[inline]
fn pair_of(&(a, flagged): &(Key, u32)) -> (Key, Key) {
    (a, flagged >> 1)
}

/// Removes the certain ones of some candidates, and clears the flags of the others.
fn retain_uncertain(candidates: &mut Vec<(Key, u32)>) {
    candidates.retain(is_uncertain);
    for (_, flagged) in candidates {
        *flagged &= !UNCERTAIN;
    }
}
