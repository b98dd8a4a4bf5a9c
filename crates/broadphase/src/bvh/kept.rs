//! The pairs of reaches that overlap, kept until a reach changes, and the pairs of boxes among them.
//!
//! In most frames no candidate comes or goes. If no box changed either, the list of last time is the
//! answer. If few candidates are open, these are watched: what begins or ceases to overlap is put
//! into that list or taken out. If many are, the list is made anew.

use clearance_math::{Aabb, Vector};

use super::Bvh;
use super::sort::Sorter;
use crate::table::{Home, Table};
use crate::{Key, Mobility};

/// If the reaches of more than one box in this many change, searching all is cheaper than one by
/// one.
const SEARCH_SHARE: usize = 8;

/// If the reaches of not more than one box in this many change, their pairs are taken out and put in;
/// else the list of pairs is made anew.
const PATCH_SHARE: usize = 64;

/// So many candidates are tested before those that overlap are copied.
const BLOCK: usize = 256;

/// The mark of a pair that has to be tested, in the lowest bit of twice the second key: that leaves
/// the order as it is. Keys have 30 bits.
const OPEN: u32 = 1;

/// The mark of a watched pair whose boxes overlapped last time, in the same place.
const MET: u32 = 1;

/// If not more than one candidate in this many has to be tested, looking which is worth a branch,
/// and watching them pays.
const FEW_OPEN: usize = 8;

/// If more than one pair in this many begins or ceases to overlap, a new list is cheaper.
const CHANGE_SHARE: usize = 32;

/// Candidates: all pairs whose boxes overlap are among them, and few others.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    /// Pairs of keys whose outer boxes overlap, sorted, as they were before `changed` changed. The
    /// second key comes with a mark: see [`mark`].
    candidates: Vec<(Key, u32)>,
    /// How many candidates are not certain.
    open: usize,
    /// The pairs of boxes that overlapped when they were last asked for, sorted.
    pairs: Vec<(Key, Key)>,
    /// Whether no box changed since.
    is_current: bool,
    /// The open candidates, sorted, with a mark in the lowest bit of twice the second key: whether
    /// they were among `pairs`.
    watched: Vec<(Key, u32)>,
    /// Whether `watched` is complete, and all else in `pairs` as it should be.
    is_watched: bool,
    /// Watched pairs that began to overlap, and that ceased to.
    begun: Vec<(Key, Key)>,
    ended: Vec<(Key, Key)>,
    /// Keys that came, went, or have another reach; may name a key more than once.
    changed: Vec<Key>,
    /// Whether a key is among the changed ones; all false between calls.
    marks: Vec<bool>,
    /// The candidates of the changed keys: those that they had, and those that they have.
    gone: Vec<(Key, u32)>,
    found: Vec<(Key, Key)>,
    sorter: Sorter,
    is_complete: bool,
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
    pub(super) fn pairs(&self) -> impl Iterator<Item = (Key, Key)> {
        self.candidates.iter().map(|&(a, marked)| (a, marked >> 1))
    }

    /// Whether a pair is a candidate that need not be tested.
    pub(super) fn is_certain(&self, (a, b): (Key, Key)) -> bool {
        self.candidates.binary_search(&(a, b << 1)).is_ok()
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

    pub(super) fn memory(&self) -> usize {
        let pairs = [&self.candidates, &self.gone, &self.found, &self.pairs];
        let watched = [&self.watched, &self.begun, &self.ended];
        let pairs = pairs.into_iter().chain(watched).map(Vec::capacity);
        pairs.sum::<usize>() * size_of::<(Key, Key)>()
            + self.changed.capacity() * size_of::<Key>()
            + self.marks.capacity()
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
        &self.kept.pairs
    }

    /// Looks which of the watched pairs began or ceased to overlap, and brings the list up to date;
    /// false if these are so many that it has to be made anew.
    #[inline(never)]
    fn look_again(&self, kept: &mut Kept) -> bool {
        kept.begun.clear();
        kept.ended.clear();
        for (a, marked) in &mut kept.watched {
            let pair = (*a, *marked >> 1);
            let (before, now) = (*marked & MET, u32::from(self.overlap(pair.0, pair.1)));
            if before != now {
                *marked ^= MET;
                let changes = if now == 0 {
                    &mut kept.ended
                } else {
                    &mut kept.begun
                };
                changes.push(pair);
            }
        }
        let changes = kept.begun.len() + kept.ended.len();
        if changes > kept.pairs.len() / CHANGE_SHARE {
            return false;
        }
        take_out(&mut kept.pairs, &kept.ended, 0);
        merge(&mut kept.pairs, &kept.begun);
        true
    }

    fn list_anew(&self, kept: &mut Kept) {
        kept.pairs.clear();
        kept.watched.clear();
        kept.is_watched = true;
        if kept.open <= kept.candidates.len() / FEW_OPEN {
            self.list_few(kept);
        } else {
            self.list(kept);
        }
    }

    /// Lists the candidates whose boxes overlap: without a branch, which could not be predicted.
    #[inline(never)]
    fn list(&self, kept: &mut Kept) {
        let (mut pairs, mut watched) = ([(0, 0); BLOCK], [(0, 0); BLOCK]);
        let mut overlaps = [false; BLOCK];
        for candidates in kept.candidates.chunks(BLOCK) {
            for (overlap, &(a, marked)) in overlaps.iter_mut().zip(candidates) {
                *overlap = self.overlap(a, marked >> 1);
            }
            let (mut met, mut open) = (0, 0);
            for (&overlap, &(a, marked)) in overlaps.iter().zip(candidates) {
                pairs[met] = (a, marked >> 1);
                watched[open] = (a, marked & !OPEN | u32::from(overlap));
                met += usize::from(overlap);
                open += (marked & OPEN) as usize;
            }
            kept.pairs.extend_from_slice(&pairs[..met]);
            kept.watched.extend_from_slice(&watched[..open]);
        }
    }

    /// The same where few need a test: these will be watched.
    #[inline(never)]
    fn list_few(&self, kept: &mut Kept) {
        let watched = &mut kept.watched;
        append_where(&kept.candidates, &mut kept.pairs, |a, marked| {
            if marked & OPEN == 0 {
                return true;
            }
            let overlap = self.overlap(a, marked >> 1);
            watched.push((a, marked & !OPEN | u32::from(overlap)));
            overlap
        });
    }

    #[inline]
    fn overlap(&self, a: Key, b: Key) -> bool {
        let entries = &self.table.entries;
        let [a, b] = [a, b].map(|key| &entries[key as usize].bounds);
        a.overlaps(b)
    }

    fn search_anew(&mut self) {
        let mut candidates = core::mem::take(&mut self.kept.candidates);
        candidates.clear();
        self.collect_pairs(&mut candidates);
        let greatest = self.table.entries.len().saturating_sub(1);
        self.kept.sorter.sort(&mut candidates, greatest);
        self.kept.open = mark(&self.table, &mut candidates);
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
        kept.open += mark(&self.table, &mut kept.found);
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

    /// Visits the keys that may make a pair with a key, itself perhaps among them; none if it is
    /// absent.
    fn partners(&self, key: Key, visit: &mut dyn FnMut(Key)) {
        let Some(entry) = self.table.get(key) else {
            return;
        };
        let reach = match entry.home {
            Home::Tree => self.table.reaches[key as usize].outer,
            Home::List | Home::Nowhere => entry.bounds,
        };
        self.partners_of_mobility(&reach, Mobility::Moving, visit);
        if entry.mobility == Mobility::Moving {
            self.partners_of_mobility(&reach, Mobility::Fixed, visit);
        }
    }

    fn partners_of_mobility(
        &self,
        reach: &Aabb<V>,
        mobility: Mobility,
        visit: &mut dyn FnMut(Key),
    ) {
        for &other in self.table.unbounded(mobility) {
            if self.table.entries[other as usize].bounds.overlaps(reach) {
                visit(other);
            }
        }
        match mobility {
            Mobility::Fixed => self.fixed.query_box(reach, visit),
            Mobility::Moving => self.moving.query_box(reach, visit),
        }
    }
}

/// Appends the candidates of which `is_pair` says so.
#[inline]
fn append_where(
    candidates: &[(Key, u32)],
    pairs: &mut Vec<(Key, Key)>,
    mut is_pair: impl FnMut(Key, u32) -> bool,
) {
    let mut block = [(0, 0); BLOCK];
    for candidates in candidates.chunks(BLOCK) {
        let mut count = 0;
        for &(a, marked) in candidates {
            block[count] = (a, marked >> 1);
            count += usize::from(is_pair(a, marked));
        }
        pairs.extend_from_slice(&block[..count]);
    }
}

/// Marks pairs: those whose inner boxes overlap are certain, the others open. Says how many are.
fn mark<V: Vector>(table: &Table<V>, pairs: &mut [(Key, u32)]) -> usize {
    let mut open = 0;
    for (a, b) in pairs {
        let inner = |key: Key| &table.reaches[key as usize].inner;
        let is_open = u32::from(!inner(*a).overlaps(inner(*b)));
        *b = *b << 1 | is_open;
        open += is_open as usize;
    }
    open
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

/// Takes sorted pairs out of other sorted pairs, where they are there, whatever the `mark` there.
fn take_out(pairs: &mut Vec<(Key, u32)>, others: &[(Key, u32)], mark: u32) {
    let Some(first) = others.first() else {
        return;
    };
    // Where the first pair is that is not less than the one to be taken out, and where it goes.
    let mut from = pairs.partition_point(|pair| pair < first);
    let mut to = from;
    for (index, &other) in others.iter().enumerate() {
        let found = pairs.get(from).map(|&(a, b)| (a, b & !mark));
        let start = from + usize::from(found == Some(other));
        from = others.get(index + 1).map_or(pairs.len(), |next| {
            start + pairs[start..].partition_point(|pair| pair < next)
        });
        pairs.copy_within(start..from, to);
        to += from - start;
    }
    pairs.truncate(to);
}

/// Puts sorted pairs among other sorted pairs.
fn merge(pairs: &mut Vec<(Key, Key)>, others: &[(Key, Key)]) {
    let mut left = pairs.len();
    pairs.extend_from_slice(others);
    let mut place = pairs.len();
    for &other in others.iter().rev() {
        let before = pairs[..left].partition_point(|&pair| pair < other);
        let after = left - before;
        pairs.copy_within(before..left, place - after);
        place -= after + 1;
        pairs[place] = other;
        left = before;
    }
}
