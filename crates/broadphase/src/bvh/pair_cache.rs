//! The pair cache: candidate pairs and overlapping pairs, reused from frame to frame.
//!
//! Candidates are the pairs whose outer predicted bounds overlap. They change only when predicted
//! bounds change. Finding the overlapping boxes among them is the work of `uncertain_pairs.rs`.

use clearance_tree::JoinStacks;

use super::sort::{Sorter, remove_sorted};
use super::uncertain_pairs::{OVERLAPPED, OverlappingPairs, PairLists, UNCERTAIN};
use crate::capacity::{SpareCapacity, capacity_for};
use crate::key::Key;

/// If the predicted bounds of more than one box in this many changed, one search for all pairs is
/// cheaper than one search for each changed box.
const SEARCH_DIVISOR: usize = 8;

/// Candidate pairs and overlapping pairs. Every pair of overlapping boxes is a candidate.
#[derive(Clone, Debug, Default)]
pub(super) struct PairCache {
    /// The pairs of keys whose outer predicted bounds overlap, sorted, without the changes of the
    /// keys in `changed`. The second number of a pair carries the flag [`UNCERTAIN`].
    pub(super) candidates: Vec<(Key, u32)>,
    /// The number of candidates that have the flag [`UNCERTAIN`].
    pub(super) uncertain_count: usize,
    /// The list of overlapping pairs.
    pub(super) overlapping: OverlappingPairs,
    /// Whether no box changed since that list was computed.
    pub(super) is_current: bool,
    /// Keys that were added, were removed, or have new predicted bounds. A key may occur more than
    /// once.
    pub(super) changed: Vec<Key>,
    /// For each key whether it is in `changed`; all false between calls.
    pub(super) changed_flags: Vec<bool>,
    /// The former candidates of the changed keys.
    pub(super) removed: Vec<(Key, u32)>,
    /// The present candidates of the changed keys.
    pub(super) found: Vec<(Key, Key)>,
    /// Sorts the pairs that a search finds.
    pub(super) sorter: Sorter,
    /// Whether `candidates` is valid but for the keys in `changed`.
    pub(super) is_complete: bool,
    pub(super) spare: SpareCapacity,
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
    pub(super) fn flag_changed(&mut self, keys: usize) {
        let changed_flags = &mut self.changed_flags;
        changed_flags.resize(keys, false);
        self.changed
            .retain(|&key| !core::mem::replace(&mut changed_flags[key as usize], true));
    }

    /// Removes the candidates of the changed keys; while pairs are tracked, also from the lists of
    /// overlapping and of uncertain pairs.
    pub(super) fn remove_changed_pairs(&mut self) {
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
    pub(super) fn release_excess(&mut self) -> bool {
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

/// Memory that the search reuses from frame to frame, so that a steady frame allocates nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct PairScratch {
    pub(super) on_this_thread: JoinStacks,
    /// The stacks of the other threads, and the pairs that they found.
    pub(super) on_others: Vec<(JoinStacks, Vec<(Key, Key)>)>,
}

impl PairScratch {
    pub(super) fn memory(&self) -> usize {
        let others = self.on_others.iter();
        let others = others
            .map(|(stacks, found)| stacks.memory() + found.capacity() * size_of::<(Key, Key)>());
        self.on_this_thread.memory()
            + others.sum::<usize>()
            + self.on_others.capacity() * size_of::<(JoinStacks, Vec<(Key, Key)>)>()
    }

    /// Releases capacity beyond this number of pairs.
    pub(super) fn shrink_to(&mut self, pairs: usize) {
        self.on_this_thread.shrink_to(pairs);
        for (stacks, found) in &mut self.on_others {
            stacks.shrink_to(pairs);
            found.shrink_to(pairs);
        }
    }
}

/// Whether a candidate has to be tested.
#[inline]
pub(super) fn is_uncertain(&(_, flagged): &(Key, u32)) -> bool {
    flagged & UNCERTAIN != 0
}

/// The pair of keys, without the flag.
#[inline]
pub(super) fn pair_of(&(a, flagged): &(Key, u32)) -> (Key, Key) {
    (a, flagged >> 1)
}

/// Removes the certain ones of some candidates, and clears the flags of the others.
pub(super) fn retain_uncertain(candidates: &mut Vec<(Key, u32)>) {
    candidates.retain(is_uncertain);
    for (_, flagged) in candidates {
        *flagged &= !UNCERTAIN;
    }
}
