//! The pairs of reaches that overlap, kept until a reach changes.

use clearance_math::{Aabb, Vector};

use super::Bvh;
use super::sort::Sorter;
use crate::table::{Home, Table};
use crate::{Key, Mobility};

/// If the reaches of more than one box in this many change, searching all is cheaper than one by
/// one.
const SEARCH_SHARE: usize = 8;

/// So many candidates are tested before those that overlap are copied.
const BLOCK: usize = 256;

/// The mark of a pair that has to be tested, in the lowest bit of twice the second key: that leaves
/// the order as it is. Keys have 30 bits.
const OPEN: u32 = 1;

/// If not more than one candidate in this many has to be tested, looking which is worth a branch.
const FEW_OPEN: usize = 8;

/// Candidates: all pairs whose boxes overlap are among them, and few others.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    /// Pairs of keys whose outer boxes overlap, sorted, as they were before `changed` changed. The
    /// second key comes with a mark: see [`mark`].
    candidates: Vec<(Key, u32)>,
    /// How many candidates are not certain.
    open: usize,
    /// Keys that came, went, or have another reach; may name a key more than once.
    changed: Vec<Key>,
    /// Whether a key is among the changed ones; all false between calls.
    marks: Vec<bool>,
    /// The pairs of the changed keys.
    found: Vec<(Key, Key)>,
    sorter: Sorter,
    is_complete: bool,
    /// How many of the candidates overlapped when they were last asked for.
    met: usize,
}

impl Kept {
    /// Whether the candidates are good but for the changed keys.
    pub(super) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// How many pairs of boxes overlapped when they were last asked for.
    pub(super) fn met(&self) -> usize {
        self.met
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

    pub(super) fn memory(&self) -> usize {
        let pairs = self.candidates.capacity() + self.found.capacity();
        pairs * size_of::<(Key, Key)>()
            + self.changed.capacity() * size_of::<Key>()
            + self.marks.capacity()
            + self.sorter.memory()
    }
}

impl<V: Vector> Bvh<V> {
    /// Brings the candidates up to date, and appends those whose boxes overlap.
    pub(super) fn kept_pairs(&mut self, pairs: &mut Vec<(Key, Key)>) {
        if !self.kept.is_complete {
            self.search_anew();
        } else if !self.kept.changed.is_empty() {
            self.search_for_changed();
        }
        let before = pairs.len();
        if self.kept.open > self.kept.candidates.len() / FEW_OPEN {
            self.test_all(pairs);
        } else {
            self.test_open(pairs);
        }
        self.kept.met = pairs.len() - before;
    }

    /// Appends the candidates whose boxes overlap: without a branch, which could not be predicted.
    fn test_all(&self, pairs: &mut Vec<(Key, Key)>) {
        self.append_where(pairs, |a, marked| self.overlap(a, marked >> 1));
    }

    /// The same where few need a test.
    fn test_open(&self, pairs: &mut Vec<(Key, Key)>) {
        self.append_where(pairs, |a, marked| {
            marked & OPEN == 0 || self.overlap(a, marked >> 1)
        });
    }

    #[inline]
    fn overlap(&self, a: Key, b: Key) -> bool {
        let entries = &self.table.entries;
        let [a, b] = [a, b].map(|key| &entries[key as usize].bounds);
        a.overlaps(b)
    }

    #[inline]
    fn append_where(&self, pairs: &mut Vec<(Key, Key)>, is_pair: impl Fn(Key, Key) -> bool) {
        let mut block = [(0, 0); BLOCK];
        for candidates in self.kept.candidates.chunks(BLOCK) {
            let mut count = 0;
            for &(a, marked) in candidates {
                block[count] = (a, marked >> 1);
                count += usize::from(is_pair(a, marked));
            }
            pairs.extend_from_slice(&block[..count]);
        }
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
    }

    /// Takes the pairs of the changed keys out, and puts in those that they have now.
    fn search_for_changed(&mut self) {
        let mut kept = core::mem::take(&mut self.kept);
        kept.marks.resize(self.table.entries.len(), false);
        let marks = &mut kept.marks;
        kept.changed
            .retain(|&key| !core::mem::replace(&mut marks[key as usize], true));
        let is_changed = |key: Key| marks[key as usize];
        let open = &mut kept.open;
        kept.candidates.retain(|&(a, marked)| {
            let stays = !(is_changed(a) | is_changed(marked >> 1));
            *open -= usize::from(!stays & (marked & OPEN != 0));
            stays
        });
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
        for key in kept.changed.drain(..) {
            kept.marks[key as usize] = false;
        }
        self.kept = kept;
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
