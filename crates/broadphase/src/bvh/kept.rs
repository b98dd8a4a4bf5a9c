//! The pairs of reaches that overlap, kept until a reach changes; for those of boxes see `watch.rs`.

use core::sync::atomic::{AtomicUsize, Ordering};

use clearance_math::{Aabb, Vector};

use super::Bvh;
use super::sort::{Sorter, merge, take_out};
use super::watch::Listed;
use crate::Key;
use crate::capacity::{SpareCapacity, capacity_for};
use crate::key::Layer;
use crate::table::Home;

/// If the reaches of more than one box in this many change, searching all is cheaper than one by
/// one.
const SEARCH_SHARE: usize = 8;

/// If the reaches of not more than one box in this many change, their pairs are taken out and put in;
/// else the list of pairs is made anew.
const PATCH_SHARE: usize = 64;

/// So many pairs are worth a thread.
const MANY_PAIRS: usize = 8192;

/// The mark of a pair that has to be tested, in the lowest bit of twice the second key: that leaves
/// the order as it is. Keys have 30 bits.
pub(super) const OPEN: u32 = 1;

/// The mark of a watched pair whose boxes overlapped last time, in the same place.
pub(super) const MET: u32 = 1;

/// Candidates: all pairs whose boxes overlap are among them, and few others.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    /// Pairs of keys whose outer boxes overlap, sorted, as they were before `changed` changed. The
    /// second key comes with a mark: see [`mark`].
    pub(super) candidates: Vec<(Key, u32)>,
    /// How many candidates are not certain.
    pub(super) open: usize,
    /// The pairs of boxes that overlapped when they were last asked for, sorted.
    pub(super) pairs: Vec<(Key, Key)>,
    /// Whether no box changed since.
    is_current: bool,
    /// The open candidates, sorted, with a mark in the lowest bit of twice the second key: whether
    /// they were among `pairs`.
    pub(super) watched: Vec<(Key, u32)>,
    /// Whether `watched` and `pairs` are right for the boxes of last time.
    pub(super) is_watched: bool,
    /// Watched pairs that began to overlap, and that ceased to.
    pub(super) begun: Vec<(Key, Key)>,
    pub(super) ended: Vec<(Key, Key)>,
    /// What threads list, piece by piece.
    pub(super) listed: Vec<Listed>,
    /// Keys that came, went, or have another reach; may name a key more than once.
    changed: Vec<Key>,
    /// Whether a key is among the changed ones; all false between calls.
    marks: Vec<bool>,
    /// The candidates of the changed keys: those that they had.
    gone: Vec<(Key, u32)>,
    /// And those that they have.
    found: Vec<(Key, Key)>,
    sorter: Sorter,
    is_complete: bool,
    spare: SpareCapacity,
}

impl Kept {
    /// Whether the candidates are good but for the changed keys.
    pub(super) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// How many pairs of boxes overlapped when they were last asked for.
    pub(super) fn met(&self) -> usize {
        self.pairs.len()
    }

    /// How many candidates there are.
    pub(super) fn len(&self) -> usize {
        self.candidates.len()
    }

    /// The candidates without their marks.
    pub(super) fn candidate_pairs(&self) -> impl Iterator<Item = (Key, Key)> {
        self.candidates.iter().map(without_mark)
    }

    /// Whether a pair is a candidate that need not be tested.
    pub(super) fn is_certain(&self, (a, b): (Key, Key)) -> bool {
        self.candidates.binary_search(&(a, b << 1)).is_ok()
    }

    /// Whether the watched pairs are the open candidates, marked as the list of pairs says, and all
    /// else in that list is certain.
    pub(super) fn is_watch_right(&self) -> bool {
        let open = self.candidates.iter().filter(|&pair| is_open(pair));
        let certain = self.candidates.iter().filter(|&pair| !is_open(pair));
        let is_listed = |pair| self.pairs.binary_search(&without_mark(pair)).is_ok();
        let met = self.watched.iter().filter(|(_, marked)| marked & MET != 0);
        !self.is_watched
            || self.pairs.is_sorted()
                && open.clone().count() == self.open
                && open
                    .map(without_mark)
                    .eq(self.watched.iter().map(without_mark))
                && met.clone().chain(certain.clone()).all(is_listed)
                && met.count() + certain.count() == self.pairs.len()
    }

    /// Whether the pairs of a key are out of date.
    pub(super) fn waits(&self, key: Key) -> bool {
        self.changed.contains(&key)
    }

    /// Notes that some box changed.
    pub(super) fn note_change(&mut self) {
        self.is_current = false;
    }

    /// Notes that a key came, went, or has another reach.
    #[inline]
    pub(super) fn note(&mut self, key: Key) {
        // Somebody may set the same box over and over before the next refresh.
        if self.is_complete && self.changed.last() != Some(&key) {
            self.changed.push(key);
        }
    }

    pub(super) fn note_all(&mut self, keys: &[Key]) {
        if self.is_complete {
            self.changed.extend_from_slice(keys);
        }
    }

    /// Gives the candidates up if too many of `boxes` changed.
    pub(super) fn forget_if_many(&mut self, boxes: usize) {
        if self.changed.len() > boxes / SEARCH_SHARE {
            self.is_complete = false;
            self.changed.clear();
        }
    }

    /// Marks the changed keys, and names each only once.
    fn mark_changed(&mut self, keys: usize) {
        let marks = &mut self.marks;
        marks.resize(keys, false);
        self.changed
            .retain(|&key| !core::mem::replace(&mut marks[key as usize], true));
    }

    /// Takes the candidates of the changed keys out, and if the open ones are watched, the pairs.
    fn drop_changed(&mut self) {
        let marks = &self.marks;
        let is_changed =
            |&(a, marked): &(Key, u32)| marks[a as usize] | marks[(marked >> 1) as usize];
        if !self.is_watched {
            let open = &mut self.open;
            self.candidates.retain(|pair| {
                let stays = !is_changed(pair);
                *open -= usize::from(!stays & is_open(pair));
                stays
            });
            return;
        }
        let gone = self.candidates.iter().copied().filter(is_changed);
        self.gone.clear();
        self.gone.extend(gone);
        take_out(&mut self.candidates, &self.gone, 0);
        self.ended.clear();
        self.ended.extend(self.gone.iter().map(without_mark));
        take_out(&mut self.pairs, &self.ended, 0);
        keep_open(&mut self.gone);
        take_out(&mut self.watched, &self.gone, MET);
        self.open -= self.gone.len();
    }

    /// Ends a frame: gives back what a crowd needed that is gone.
    fn give_back(&mut self) -> bool {
        let needed = self.candidates.len().max(self.pairs.len());
        let lists = [&self.candidates, &self.pairs, &self.watched, &self.found];
        let more = [&self.gone, &self.begun, &self.ended];
        let capacities = lists.into_iter().chain(more).map(Vec::capacity);
        let listed = self.listed.iter().map(Listed::capacity);
        let capacities = capacities.chain(listed).chain([self.sorter.capacity()]);
        let greatest = capacities.max().unwrap_or(0);
        if !self.spare.is_excess(needed, greatest) {
            return false;
        }
        let capacity = capacity_for(needed);
        let lists = [&mut self.candidates, &mut self.pairs, &mut self.watched];
        let more = [
            &mut self.found,
            &mut self.gone,
            &mut self.begun,
            &mut self.ended,
        ];
        for list in lists.into_iter().chain(more) {
            list.shrink_to(capacity);
        }
        self.listed
            .iter_mut()
            .for_each(|listed| listed.shrink_to(capacity));
        self.sorter.shrink_to(capacity);
        true
    }

    pub(super) fn memory(&self) -> usize {
        let listed = self.listed.iter().map(Listed::memory).sum::<usize>()
            + self.listed.capacity() * size_of::<Listed>();
        let pairs = [&self.candidates, &self.gone, &self.found, &self.pairs];
        let watched = [&self.watched, &self.begun, &self.ended];
        let pairs = pairs.into_iter().chain(watched).map(Vec::capacity);
        pairs.sum::<usize>() * size_of::<(Key, Key)>()
            + self.changed.capacity() * size_of::<Key>()
            + self.marks.capacity()
            + listed
            + self.sorter.memory()
    }
}

impl<V: Vector> Bvh<V> {
    /// Brings candidates and pairs up to date.
    pub(super) fn kept_pairs(&mut self) -> &[(Key, Key)] {
        if !self.kept.is_current {
            if !self.kept.is_complete {
                self.search_anew();
            } else if !self.kept.changed.is_empty() {
                self.search_for_changed();
            }
            let mut kept = core::mem::take(&mut self.kept);
            if !(kept.is_watched && self.look_again(&mut kept)) {
                self.list_anew(&mut kept);
            }
            kept.is_current = true;
            self.kept = kept;
        }
        if self.kept.give_back() {
            let found = capacity_for(self.kept.len());
            self.pair_scratch.shrink_to(found);
        }
        &self.kept.pairs
    }

    fn search_anew(&mut self) {
        let mut candidates = core::mem::take(&mut self.kept.candidates);
        candidates.clear();
        self.collect_pairs(&mut candidates);
        let greatest = self.table.entries.len().saturating_sub(1);
        self.kept.sorter.sort(&mut candidates, greatest);
        self.kept.open = self.mark(&mut candidates);
        self.kept.candidates = candidates;
        self.kept.is_complete = true;
        self.kept.is_watched = false;
    }

    /// Takes the pairs of the changed keys out, and puts in those that they have now.
    fn search_for_changed(&mut self) {
        let mut kept = core::mem::take(&mut self.kept);
        kept.mark_changed(self.table.entries.len());
        kept.is_watched &= kept.changed.len() <= self.moving.leaves / PATCH_SHARE;
        kept.drop_changed();
        self.find_changed(&mut kept);
        for key in kept.changed.drain(..) {
            kept.marks[key as usize] = false;
        }
        self.kept = kept;
    }

    /// Puts in the pairs of the changed keys.
    fn find_changed(&self, kept: &mut Kept) {
        let is_changed = |key: Key| kept.marks[key as usize];
        kept.found.clear();
        for &key in &kept.changed {
            self.partners(key, &mut |other| {
                // Two changed keys find each other; the lesser one says so.
                if other != key && !(is_changed(other) && other < key) {
                    kept.found.push(crate::key::ordered(key, other));
                }
            });
        }
        let greatest = self.table.entries.len().saturating_sub(1);
        kept.sorter.sort(&mut kept.found, greatest);
        kept.open += self.mark(&mut kept.found);
        merge(&mut kept.candidates, &kept.found);
        if kept.is_watched {
            let certain = kept.found.iter().filter(|&pair| !is_open(pair));
            kept.begun.clear();
            kept.begun.extend(certain.map(without_mark));
            merge(&mut kept.pairs, &kept.begun);
            // The others are watched as if they had not met so far.
            keep_open(&mut kept.found);
            merge(&mut kept.watched, &kept.found);
        }
    }

    /// Marks pairs: those whose inner boxes overlap are certain, the others open. Says how many are.
    fn mark(&self, pairs: &mut [(Key, u32)]) -> usize {
        let inner = |key: Key| &self.table.reaches[key as usize].inner;
        let pieces = self.workers.pieces(pairs.len(), MANY_PAIRS);
        let length = pairs.len().div_ceil(pieces).max(1);
        let open = AtomicUsize::new(0);
        self.workers
            .for_each(pairs.chunks_mut(length), |pairs: &mut [(Key, u32)]| {
                let mut open_here = 0;
                for (a, b) in pairs {
                    let is_open = u32::from(!inner(*a).overlaps(inner(*b)));
                    *b = *b << 1 | is_open;
                    open_here += is_open as usize;
                }
                open.fetch_add(open_here, Ordering::Relaxed);
            });
        open.into_inner()
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
        let reach = match entry.home {
            Home::Tree => self.table.reaches[key as usize].outer,
            Home::List | Home::Nowhere => entry.bounds,
        };
        self.partners_of_layer(key, &reach, Layer::Moving, visit);
        if entry.layer == Layer::Moving {
            self.partners_of_layer(key, &reach, Layer::Fixed, visit);
        }
    }

    fn partners_of_layer(
        &self,
        key: Key,
        reach: &Aabb<V>,
        layer: Layer,
        visit: &mut dyn FnMut(Key),
    ) {
        for &other in self.table.unbounded(layer) {
            let bounds = &self.table.entries[other as usize].bounds;
            if bounds.overlaps(reach) && self.table.allows(key, other) {
                visit(other);
            }
        }
        let tree = self.tree(layer);
        tree.query_allowed(reach, self.table.filter(key), visit);
    }
}

/// Whether a candidate is open.
#[inline]
fn is_open(&(_, marked): &(Key, u32)) -> bool {
    marked & OPEN != 0
}

/// The pair of a candidate.
#[inline]
fn without_mark(&(a, marked): &(Key, u32)) -> (Key, Key) {
    (a, marked >> 1)
}

/// Leaves the open ones of some candidates, and those unmarked.
fn keep_open(candidates: &mut Vec<(Key, u32)>) {
    candidates.retain(is_open);
    for (_, marked) in candidates {
        *marked &= !OPEN;
    }
}
