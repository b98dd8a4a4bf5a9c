//! The boxes by key, and the lists of boxes with infinite sides; used by all implementations with
//! trees.

use clearance_math::internal::heap_sort;
use clearance_math::{Aabb, Real, Vector};
use clearance_tree::ray_box::{self, RayLine};

use crate::broad_phase::check_bounds;
use crate::groups::Groups;
use crate::key::{BodyKind, Key, Layer, MAX_KEY, PairRules, ordered};
use crate::predicted_bounds::PredictedBounds;

/// The place of an entry that is not in a tree yet.
pub(crate) const NO_PLACE: u32 = u32::MAX;

/// Where the box of an entry is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    /// Nowhere: the key is absent.
    Absent,
    /// In the tree of its layer.
    Tree,
    /// In the list of unbounded boxes of its layer.
    UnboundedList,
}

/// The data of one key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<V> {
    pub(crate) bounds: Aabb<V>,
    /// The index in the list of unbounded boxes, or the node and lane in the tree; [`NO_PLACE`] if
    /// the box is not in its tree yet.
    pub(crate) place: u32,
    pub(crate) storage: Storage,
    pub(crate) kind: BodyKind,
    pub(crate) layer: Layer,
    /// Whether the key is in the list of moved keys already.
    pub(crate) moved: bool,
}

impl<V> Entry<V> {
    /// Whether this is a box in the tree of this layer. Lists of changes may contain keys that were
    /// removed, or changed their storage, in the meantime.
    pub(crate) fn is_of_tree(&self, layer: Layer) -> bool {
        self.storage == Storage::Tree && self.layer == layer
    }

    /// Whether this is a moving box in the tree that has not left its predicted bounds since the
    /// last refresh.
    #[inline]
    pub(crate) fn is_at_rest(&self) -> bool {
        let is_in_tree = (self.storage == Storage::Tree) & (self.place != NO_PLACE);
        is_in_tree & (self.layer == Layer::Moving) & !self.moved
    }
}

/// All entries, indexed by key, and the keys of the unbounded boxes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table<V> {
    pub(crate) entries: Vec<Entry<V>>,
    /// The predicted bounds of each key; empty if the broad phase does not use them.
    pub(crate) predicted_bounds: Vec<PredictedBounds<V>>,
    /// The keys of the unbounded boxes, by layer.
    unbounded: [Vec<Key>; 3],
    /// The groups of each key; empty until some are set.
    groups: Vec<Groups>,
    /// The number of boxes whose groups forbid some pairs, but not all.
    selective: usize,
    len: usize,
}

/// Whether a box has an infinite side, as that of a half-space has. Such a box would overlap most
/// of a tree.
pub(crate) fn is_unbounded<V: Vector>(bounds: &Aabb<V>) -> bool {
    !bounds.is_finite()
}

impl<V: Vector> Table<V> {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn memory(&self) -> usize {
        let lists = self.unbounded.iter().map(Vec::capacity).sum::<usize>();
        self.entries.capacity() * size_of::<Entry<V>>()
            + self.predicted_bounds.capacity() * size_of::<PredictedBounds<V>>()
            + lists * size_of::<Key>()
            + self.groups.capacity() * size_of::<Groups>()
    }

    /// The entry of a key; `None` if the key is absent.
    pub(crate) fn get(&self, key: Key) -> Option<&Entry<V>> {
        self.entries
            .get(key as usize)
            .filter(|entry| entry.storage != Storage::Absent)
    }

    /// The keys of the unbounded boxes of one layer.
    pub(crate) fn unbounded(&self, layer: Layer) -> &[Key] {
        &self.unbounded[layer as usize]
    }

    /// The groups of a key.
    #[inline]
    pub(crate) fn groups(&self, key: Key) -> Groups {
        let groups = self.groups.get(key as usize);
        groups.copied().unwrap_or(Groups::ALL)
    }

    /// Whether some groups forbid a pair of boxes that could make pairs otherwise.
    #[inline]
    pub(crate) fn is_filtered(&self) -> bool {
        self.selective > 0
    }

    /// Whether the groups of two keys may meet.
    #[inline]
    pub(crate) fn allows(&self, a: Key, b: Key) -> bool {
        !self.is_filtered() || self.groups(a).pairs_with(self.groups(b))
    }

    /// Stores the groups of a key. The layer of the key must not change by it.
    pub(crate) fn set_groups(&mut self, key: Key, groups: Groups) {
        let is_selective = |groups: Groups| groups != Groups::ALL && !groups.excludes_all();
        self.selective -= usize::from(is_selective(self.groups(key)));
        self.selective += usize::from(is_selective(groups));
        if groups != Groups::ALL && self.groups.len() < self.entries.len() {
            self.groups.resize(self.entries.len(), Groups::ALL);
        }
        if let Some(place) = self.groups.get_mut(key as usize) {
            *place = groups;
        }
    }

    /// Adds an absent key, and returns where its box is stored. For [`Storage::Tree`] the caller
    /// must add the key to the tree.
    pub(crate) fn add(&mut self, key: Key, bounds: Aabb<V>, rules: PairRules) -> Storage {
        assert!(key <= MAX_KEY, "the key {key} exceeds MAX_KEY");
        check_bounds(&bounds);
        let absent = Entry {
            bounds,
            place: NO_PLACE,
            storage: Storage::Absent,
            kind: rules.kind,
            layer: Layer::of(rules),
            moved: false,
        };
        if key as usize >= self.entries.len() {
            self.entries.resize(key as usize + 1, absent);
        }
        let mut entry = absent;
        entry.storage = Storage::Tree;
        if is_unbounded(&bounds) {
            let list = &mut self.unbounded[entry.layer as usize];
            entry.storage = Storage::UnboundedList;
            entry.place = list.len() as u32;
            list.push(key);
        }
        self.entries[key as usize] = entry;
        self.set_groups(key, rules.groups);
        self.len += 1;
        entry.storage
    }

    /// Removes a present key. The caller must have removed it from its tree.
    pub(crate) fn remove(&mut self, key: Key) {
        let entry = &mut self.entries[key as usize];
        let (storage, place, layer) = (entry.storage, entry.place as usize, entry.layer);
        entry.storage = Storage::Absent;
        entry.moved = false;
        self.len -= 1;
        self.set_groups(key, Groups::ALL);
        if storage == Storage::UnboundedList {
            let list = &mut self.unbounded[layer as usize];
            list.swap_remove(place);
            if let Some(&moved_up) = list.get(place) {
                self.entries[moved_up as usize].place = place as u32;
            }
        }
    }

    /// Sets the predicted bounds of a key to its box.
    pub(crate) fn reset_prediction(&mut self, key: Key) {
        self.predicted_bounds[key as usize] =
            PredictedBounds::exact(self.entries[key as usize].bounds);
    }

    /// Sorts the unbounded boxes by their groups.
    fn sort_unbounded(&mut self) {
        for layer in [Layer::Fixed, Layer::Moving] {
            let mut keys = core::mem::take(&mut self.unbounded[layer as usize]);
            if !keys.is_sorted_by_key(|&key| self.groups(key)) {
                let rank = |key| (self.groups(key), key);
                heap_sort(&mut keys, |&one, &other| rank(one) < rank(other));
                for (place, &key) in (0..).zip(&keys) {
                    self.entries[key as usize].place = place;
                }
            }
            self.unbounded[layer as usize] = keys;
        }
    }

    /// Appends the pairs among the unbounded boxes.
    pub(crate) fn pairs_of_unbounded(&mut self, pairs: &mut Vec<(Key, Key)>) {
        if self.is_filtered() {
            self.sort_unbounded();
        }
        let moving = self.unbounded(Layer::Moving);
        let fixed = self.unbounded(Layer::Fixed);
        if self.is_filtered() {
            self.filtered_pairs_of_unbounded(pairs);
            return;
        }
        for (index, &a) in moving.iter().enumerate() {
            self.pairs_with(a, fixed, pairs);
            self.pairs_with(a, &moving[index + 1..], pairs);
        }
    }

    /// [`Self::pairs_of_unbounded`] with groups: boxes with equal groups are accepted or skipped
    /// together.
    fn filtered_pairs_of_unbounded(&self, pairs: &mut Vec<(Key, Key)>) {
        let (moving, fixed) = (self.unbounded(Layer::Moving), self.unbounded(Layer::Fixed));
        let has_same_groups = |&a: &Key, &b: &Key| self.groups(a) == self.groups(b);
        let mut later = moving;
        for keys in moving.chunk_by(has_same_groups) {
            let groups = self.groups(keys[0]);
            later = &later[keys.len()..];
            let others = fixed.chunk_by(has_same_groups);
            let others = others.chain(later.chunk_by(has_same_groups));
            for others in others.filter(|others| groups.pairs_with(self.groups(others[0]))) {
                keys.iter().for_each(|&a| self.pairs_with(a, others, pairs));
            }
            if groups.pairs_with(groups) {
                for (index, &a) in keys.iter().enumerate() {
                    self.pairs_with(a, &keys[index + 1..], pairs);
                }
            }
        }
    }

    /// Appends the pairs of an unbounded box with those of `others` that overlap it.
    fn pairs_with(&self, a: Key, others: &[Key], pairs: &mut Vec<(Key, Key)>) {
        let bounds = self.entries[a as usize].bounds;
        let meets = |&b: &Key| bounds.overlaps(&self.entries[b as usize].bounds);
        let met = others.iter().copied().filter(meets);
        pairs.extend(met.map(|b| ordered(a, b)));
    }

    /// Visits the unbounded boxes that overlap `bounds`.
    pub(crate) fn query_box(&self, bounds: &Aabb<V>, visit: &mut dyn FnMut(Key)) {
        for &key in self.unbounded.iter().flatten() {
            if self.entries[key as usize].bounds.overlaps(bounds) {
                visit(key);
            }
        }
    }

    /// Visits the unbounded boxes that the ray hits; returns the new `max`.
    pub(crate) fn query_ray(
        &self,
        line: &RayLine<V>,
        mut max: Real,
        visit: &mut dyn FnMut(Key, Real) -> Real,
    ) -> Real {
        for &key in self.unbounded.iter().flatten() {
            if let Some(entry) = ray_box::entry(line, &self.entries[key as usize].bounds, max) {
                max = max.min(visit(key, entry));
            }
        }
        max
    }

    /// Visits the unbounded boxes within the squared `radius`; returns the new squared radius.
    pub(crate) fn query_nearest(
        &self,
        point: V,
        mut radius: Real,
        visit: &mut dyn FnMut(Key, Real) -> Real,
    ) -> Real {
        for &key in self.unbounded.iter().flatten() {
            let distance = self.entries[key as usize].bounds.squared_distance(point);
            if distance <= radius {
                radius = radius.min(visit(key, distance));
            }
        }
        radius
    }

    /// Checks lengths, counts, and the links between lists and entries.
    pub(crate) fn validate(&self) -> Result<(), String> {
        let mut present = 0;
        let mut listed = 0;
        for (key, entry) in self.entries.iter().enumerate() {
            present += usize::from(entry.storage != Storage::Absent);
            if entry.storage == Storage::Absent {
                continue;
            }
            if (entry.storage == Storage::UnboundedList) != is_unbounded(&entry.bounds) {
                return Err(format!("key {key} is in the wrong storage"));
            }
            let rules = PairRules {
                kind: entry.kind,
                groups: self.groups(key as Key),
            };
            if entry.layer != Layer::of(rules) {
                return Err(format!("key {key} is in the wrong layer"));
            }
            if entry.storage == Storage::UnboundedList {
                listed += 1;
                if self.unbounded(entry.layer).get(entry.place as usize) != Some(&(key as Key)) {
                    return Err(format!("key {key} is not in its list"));
                }
            }
        }
        if present != self.len {
            return Err(format!("{present} entries, but a length of {}", self.len));
        }
        let is_selective = |groups: &&Groups| **groups != Groups::ALL && !groups.excludes_all();
        let selective = self.groups.iter().filter(is_selective).count();
        if selective != self.selective {
            return Err(format!(
                "{selective} boxes whose groups forbid some pairs, {} counted",
                self.selective
            ));
        }
        let lists = self.unbounded.iter().map(Vec::len).sum::<usize>();
        if lists != listed {
            return Err(format!("lists of {lists} for {listed} unbounded boxes"));
        }
        Ok(())
    }
}
