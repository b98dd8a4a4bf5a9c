//! The pairs of predicted_bounds that overlap, cache until a predicted changes; for those of boxes see `watch.rs`.

use core::sync::atomic::{AtomicUsize, Ordering};

use clearance_math::{Aabb, Vector};

use super::Bvh;
use super::sort::{Sorter, insert_sorted, remove_sorted};
use super::uncertain_pairs::PairLists;
use crate::Key;
use crate::capacity::{SpareCapacity, capacity_for};
use crate::key::Layer;
use crate::table::Storage;

/// If the predicted_bounds of more than one box in this many change, searching all is cheaper than one by
/// one.
const SEARCH_DIVISOR: usize = 8;

/// If the predicted_bounds of not more than one box in this many change, their pairs are taken out and put in;
/// else the list of pairs is made anew.
const PATCH_DIVISOR: usize = 64;

/// So many pairs are worth a thread.
const MIN_PAIRS_PER_THREAD: usize = 8192;

/// The mark of a pair that has to be tested, in the lowest bit of twice the second key: that leaves
/// the order as it is. Keys have 30 bits.
pub(super) const UNCERTAIN: u32 = 1;

/// The mark of a uncertain pair whose boxes overlapped last time, in the same place.
pub(super) const OVERLAPPED: u32 = 1;

/// Candidates: all pairs whose boxes overlap are among them, and few others.
#[derive(Clone, Debug, Default)]
pub(super) struct PairCache {
    /// Pairs of keys whose outer boxes overlap, sorted, as they were before `changed` changed. The
    /// second key comes with a mark: see [`mark`].
    pub(super) candidates: Vec<(Key, u32)>,
    /// How many candidates are not certain.
    pub(super) uncertain_count: usize,
    /// The pairs of boxes that overlapped when they were last asked for, sorted.
    pub(super) pairs: Vec<(Key, Key)>,
    /// Whether no box changed since.
    is_current: bool,
    /// The uncertain_count candidates, sorted, with a mark in the lowest bit of twice the second key: whether
    /// they were among `pairs`.
    pub(super) uncertain: Vec<(Key, u32)>,
    /// Whether `uncertain` and `pairs` are right for the boxes of last time.
    pub(super) is_tracking: bool,
    /// Watched pairs that began to overlap, and that ceased to.
    pub(super) begun: Vec<(Key, Key)>,
    pub(super) ended: Vec<(Key, Key)>,
    /// What threads list, piece by piece.
    pub(super) piece_lists: Vec<PairLists>,
    /// Keys that came, went, or have another predicted; may name a key more than once.
    changed: Vec<Key>,
    /// Whether a key is among the changed ones; all false between calls.
    changed_flags: Vec<bool>,
    /// The candidates of the changed keys: those that they had.
    removed: Vec<(Key, u32)>,
    /// And those that they have.
    found: Vec<(Key, Key)>,
    sorter: Sorter,
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
    /// Candidates whose boxes must be tested in each frame.
    pub(super) uncertain: usize,
}

impl PairCache {
    /// Whether the candidates are good but for the changed keys.
    pub(super) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// How many pairs there are of each kind.
    pub(super) fn counts(&self) -> PairCounts {
        PairCounts {
            overlapping: self.pairs.len(),
            candidates: self.candidates.len(),
            uncertain: self.uncertain_count,
        }
    }

    /// How many candidates there are.
    pub(super) fn len(&self) -> usize {
        self.candidates.len()
    }

    /// The candidates without their changed_flags.
    pub(super) fn candidate_pairs(&self) -> impl Iterator<Item = (Key, Key)> {
        self.candidates.iter().map(pair_of)
    }

    /// Whether a pair is a candidate that need not be tested.
    pub(super) fn is_certain(&self, (a, b): (Key, Key)) -> bool {
        self.candidates.binary_search(&(a, b << 1)).is_ok()
    }

    /// Whether the uncertain pairs are the uncertain_count candidates, flagged as the list of pairs says, and all
    /// else in that list is certain.
    pub(super) fn is_consistent(&self) -> bool {
        let uncertain = self.candidates.iter().filter(|&pair| is_uncertain(pair));
        let certain = self.candidates.iter().filter(|&pair| !is_uncertain(pair));
        let is_listed = |pair| self.pairs.binary_search(&pair_of(pair)).is_ok();
        let met = self
            .uncertain
            .iter()
            .filter(|(_, flagged)| flagged & OVERLAPPED != 0);
        !self.is_tracking
            || self.pairs.is_sorted()
                && uncertain.clone().count() == self.uncertain_count
                && uncertain
                    .map(pair_of)
                    .eq(self.uncertain.iter().map(pair_of))
                && met.clone().chain(certain.clone()).all(is_listed)
                && met.count() + certain.count() == self.pairs.len()
    }

    /// Whether the pairs of a key are out of date.
    pub(super) fn is_outdated(&self, key: Key) -> bool {
        self.changed.contains(&key)
    }

    /// Notes that some box changed.
    pub(super) fn invalidate(&mut self) {
        self.is_current = false;
    }

    /// Notes that a key came, went, or has another predicted.
    #[inline]
    pub(super) fn add_changed(&mut self, key: Key) {
        // Somebody may set the same box over and over before the next refresh.
        if self.is_complete && self.changed.last() != Some(&key) {
            self.changed.push(key);
        }
    }

    pub(super) fn add_all_changed(&mut self, keys: &[Key]) {
        if self.is_complete {
            self.changed.extend_from_slice(keys);
        }
    }

    /// Gives the candidates up if too many of `boxes` changed.
    pub(super) fn clear_if_many_changed(&mut self, boxes: usize) {
        if self.changed.len() > boxes / SEARCH_DIVISOR {
            self.is_complete = false;
            self.changed.clear();
        }
    }

    /// Marks the changed keys, and names each only once.
    fn flag_changed(&mut self, keys: usize) {
        let changed_flags = &mut self.changed_flags;
        changed_flags.resize(keys, false);
        self.changed
            .retain(|&key| !core::mem::replace(&mut changed_flags[key as usize], true));
    }

    /// Takes the candidates of the changed keys out, and if the uncertain_count ones are uncertain, the pairs.
    fn remove_changed_pairs(&mut self) {
        let changed_flags = &self.changed_flags;
        let is_changed = |&(a, flagged): &(Key, u32)| {
            changed_flags[a as usize] | changed_flags[(flagged >> 1) as usize]
        };
        if !self.is_tracking {
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
        self.ended.clear();
        self.ended.extend(self.removed.iter().map(pair_of));
        remove_sorted(&mut self.pairs, &self.ended, 0);
        retain_uncertain(&mut self.removed);
        remove_sorted(&mut self.uncertain, &self.removed, OVERLAPPED);
        self.uncertain_count -= self.removed.len();
    }

    /// Ends a frame: gives back what a crowd needed that is removed.
    fn release_excess(&mut self) -> bool {
        let needed = self.candidates.len().max(self.pairs.len());
        let lists = [&self.candidates, &self.pairs, &self.uncertain, &self.found];
        let more = [&self.removed, &self.begun, &self.ended];
        let capacities = lists.into_iter().chain(more).map(Vec::capacity);
        let listed = self.piece_lists.iter().map(PairLists::capacity);
        let capacities = capacities.chain(listed).chain([self.sorter.capacity()]);
        let greatest = capacities.max().unwrap_or(0);
        if !self.spare.is_excess(needed, greatest) {
            return false;
        }
        let capacity = capacity_for(needed);
        let lists = [&mut self.candidates, &mut self.pairs, &mut self.uncertain];
        let more = [
            &mut self.found,
            &mut self.removed,
            &mut self.begun,
            &mut self.ended,
        ];
        for list in lists.into_iter().chain(more) {
            list.shrink_to(capacity);
        }
        self.piece_lists
            .iter_mut()
            .for_each(|listed| listed.shrink_to(capacity));
        self.sorter.shrink_to(capacity);
        true
    }

    pub(super) fn memory(&self) -> usize {
        let listed = self
            .piece_lists
            .iter()
            .map(PairLists::memory)
            .sum::<usize>()
            + self.piece_lists.capacity() * size_of::<PairLists>();
        let pairs = [&self.candidates, &self.removed, &self.found, &self.pairs];
        let uncertain = [&self.uncertain, &self.begun, &self.ended];
        let pairs = pairs.into_iter().chain(uncertain).map(Vec::capacity);
        pairs.sum::<usize>() * size_of::<(Key, Key)>()
            + self.changed.capacity() * size_of::<Key>()
            + self.changed_flags.capacity()
            + listed
            + self.sorter.memory()
    }
}

impl<V: Vector> Bvh<V> {
    /// Brings candidates and pairs up to date.
    pub(super) fn cached_pairs(&mut self) -> &[(Key, Key)] {
        if !self.pair_cache.is_current {
            if !self.pair_cache.is_complete {
                self.search_all();
            } else if !self.pair_cache.changed.is_empty() {
                self.search_for_changed();
            }
            let mut cache = core::mem::take(&mut self.pair_cache);
            if !(cache.is_tracking && self.update_uncertain(&mut cache)) {
                self.rebuild_list(&mut cache);
            }
            cache.is_current = true;
            self.pair_cache = cache;
        }
        if self.pair_cache.release_excess() {
            let found = capacity_for(self.pair_cache.len());
            self.pair_scratch.shrink_to(found);
        }
        &self.pair_cache.pairs
    }

    fn search_all(&mut self) {
        let mut candidates = core::mem::take(&mut self.pair_cache.candidates);
        candidates.clear();
        self.collect_pairs(&mut candidates);
        let greatest = self.table.entries.len().saturating_sub(1);
        self.pair_cache.sorter.sort(&mut candidates, greatest);
        self.pair_cache.uncertain_count = self.classify(&mut candidates);
        self.pair_cache.candidates = candidates;
        self.pair_cache.is_complete = true;
        self.pair_cache.is_tracking = false;
    }

    /// Takes the pairs of the changed keys out, and puts in those that they have now.
    fn search_for_changed(&mut self) {
        let mut cache = core::mem::take(&mut self.pair_cache);
        cache.flag_changed(self.table.entries.len());
        cache.is_tracking &= cache.changed.len() <= self.moving.leaves / PATCH_DIVISOR;
        cache.remove_changed_pairs();
        self.insert_changed_pairs(&mut cache);
        for key in cache.changed.drain(..) {
            cache.changed_flags[key as usize] = false;
        }
        self.pair_cache = cache;
    }

    /// Puts in the pairs of the changed keys.
    fn insert_changed_pairs(&self, cache: &mut PairCache) {
        let is_changed = |key: Key| cache.changed_flags[key as usize];
        cache.found.clear();
        for &key in &cache.changed {
            self.partners(key, &mut |other| {
                // Two changed keys find each other; the lesser one says so.
                if other != key && !(is_changed(other) && other < key) {
                    cache.found.push(crate::key::ordered(key, other));
                }
            });
        }
        let greatest = self.table.entries.len().saturating_sub(1);
        cache.sorter.sort(&mut cache.found, greatest);
        cache.uncertain_count += self.classify(&mut cache.found);
        insert_sorted(&mut cache.candidates, &cache.found);
        if cache.is_tracking {
            let certain = cache.found.iter().filter(|&pair| !is_uncertain(pair));
            cache.begun.clear();
            cache.begun.extend(certain.map(pair_of));
            insert_sorted(&mut cache.pairs, &cache.begun);
            // The others are uncertain as if they had not met so far.
            retain_uncertain(&mut cache.found);
            insert_sorted(&mut cache.uncertain, &cache.found);
        }
    }

    /// Marks pairs: those whose inner boxes overlap are certain, the others uncertain_count. Says how many are.
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

    /// Visits the keys that may make a pair with a key, itself perhaps among them; none if it is
    /// absent.
    fn partners(&self, key: Key, visit: &mut dyn FnMut(Key)) {
        let Some(entry) = self
            .table
            .get(key)
            .filter(|entry| entry.layer != Layer::Lone)
        else {
            return;
        };
        let outer = match entry.storage {
            Storage::Tree => self.table.predicted_bounds[key as usize].outer,
            Storage::UnboundedList | Storage::Absent => entry.bounds,
        };
        self.partners_of_layer(key, &outer, Layer::Moving, visit);
        if entry.layer == Layer::Moving {
            self.partners_of_layer(key, &outer, Layer::Fixed, visit);
        }
    }

    fn partners_of_layer(
        &self,
        key: Key,
        outer: &Aabb<V>,
        layer: Layer,
        visit: &mut dyn FnMut(Key),
    ) {
        for &other in self.table.unbounded(layer) {
            let bounds = &self.table.entries[other as usize].bounds;
            if bounds.overlaps(outer) && self.table.allows(key, other) {
                visit(other);
            }
        }
        let tree = self.tree(layer);
        tree.query_allowed(outer, self.table.filter(key), visit);
    }
}

/// Whether a candidate is uncertain_count.
#[inline]
fn is_uncertain(&(_, flagged): &(Key, u32)) -> bool {
    flagged & UNCERTAIN != 0
}

/// The pair of a candidate.
#[inline]
fn pair_of(&(a, flagged): &(Key, u32)) -> (Key, Key) {
    (a, flagged >> 1)
}

/// Leaves the uncertain_count ones of some candidates, and those unmarked.
fn retain_uncertain(candidates: &mut Vec<(Key, u32)>) {
    candidates.retain(is_uncertain);
    for (_, flagged) in candidates {
        *flagged &= !UNCERTAIN;
    }
}
