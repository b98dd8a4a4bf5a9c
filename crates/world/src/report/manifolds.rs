//! The contact manifolds of the last step.

use clearance_gjk::{Separation, match_points};
use clearance_math::internal::MapEach;
use clearance_math::{Real, Vector};

use crate::id::WorldTag;
use crate::pair_key::PairKey;
use crate::queries::BodyManifold;
use crate::reserve::{SPARE, bytes, cut_down, is_far_more};
use crate::{BodyId, Contact};

/// For each point of a manifold, which point of the last step's it goes on from: see [`BodyManifold::points_before`].
pub(crate) type PointsBefore = [Option<u8>; 4];

/// What manifolds are sorted by: the slots of the bodies, and the numbers of the parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ManifoldKey {
    pair: u64,
    parts: [u32; 2],
}

impl ManifoldKey {
    #[inline]
    pub(crate) fn of_contact<V: Vector>(contact: &Contact<V>) -> Self {
        Self::new([contact.a, contact.b], &contact.separation)
    }

    /// That of two bodies none of which has parts.
    #[inline]
    pub(crate) fn without_parts(key: &PairKey) -> Self {
        Self {
            pair: key.pair(),
            parts: [0; 2],
        }
    }

    #[inline]
    pub(crate) fn of<V: Vector>(found: &BodyManifold<V>) -> Self {
        Self::new([found.a, found.b], &found.manifold.separation)
    }

    #[inline]
    fn new<V: Vector>(bodies: [BodyId; 2], separation: &Separation<V>) -> Self {
        let [a, b] = bodies.map_each(|id| id.index());
        Self {
            pair: PairKey::number((a, b)),
            parts: [separation.part_a, separation.part_b],
        }
    }

    /// The slots of both bodies.
    pub(crate) fn slots(self) -> (u32, u32) {
        PairKey::slots_of(self.pair)
    }
}

/// An entry of the list of manifolds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) key: ManifoldKey,
    /// Where the manifold is.
    pub(crate) place: u32,
    /// Whether it was measured along the normal of a contact that takes the place of a ghost.
    pub(crate) is_instead: bool,
    /// Whether the last step measured it. Of others every point goes on from itself.
    pub(crate) is_new: bool,
}

impl Entry {
    /// One that the step measured, which is at this place.
    #[inline]
    pub(crate) fn found(key: ManifoldKey, place: u32) -> Self {
        Self {
            key,
            place,
            is_instead: false,
            is_new: true,
        }
    }
}

/// The manifolds of the last step, in the order of (a, b, part_a, part_b).
///
/// What is listed are entries, so that large manifolds stay where they are while others come and go.
#[derive(Debug, Default)]
pub(crate) struct Manifolds<V: Vector> {
    entries: Vec<Entry>,
    places: Vec<BodyManifold<V>>,
    /// Places that no entry has.
    free: Vec<u32>,
    /// Whether any entry is new.
    has_new: bool,
    /// Whether all pairs were to have manifolds in the last step.
    pub(crate) are_all: bool,
    /// In a copy that holds only what changed in the step: the points that those of each manifold go on from.
    points_before: Vec<PointsBefore>,
}

/// Two lists are equal if they show the same.
impl<V: Vector> PartialEq for Manifolds<V> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter()) && self.points_before == other.points_before
    }
}

impl<V: Vector> Manifolds<V> {
    /// A list of these, which are sorted, or of what only the points before are known of.
    #[cfg(feature = "serde")]
    pub(crate) fn of(list: Vec<BodyManifold<V>>, points_before: Vec<PointsBefore>) -> Self {
        let keys = list.iter().map(ManifoldKey::of);
        Self {
            entries: keys
                .zip(0..)
                .map(|(key, place)| Entry::found(key, place))
                .collect(),
            places: list,
            has_new: true,
            points_before,
            ..Self::default()
        }
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &BodyManifold<V>> {
        let entries = self.entries.iter();
        entries.map(|entry| &self.places[entry.place as usize])
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// A search for what manifolds go on from.
    pub(crate) fn before(&self) -> Before<'_, V> {
        Before {
            manifolds: self,
            next: None,
        }
    }

    /// Keeps all, after a step in which nothing was measured.
    pub(crate) fn keep_all(&mut self) {
        if core::mem::take(&mut self.has_new) {
            for place in 0..self.entries.len() {
                self.entries[place] = self.kept(self.entries[place]);
            }
        }
    }

    /// The entry after a step in which its manifold was not measured.
    pub(crate) fn kept(&mut self, entry: Entry) -> Entry {
        if entry.is_new {
            let found = &mut self.places[entry.place as usize];
            let points = found.manifold.points().len();
            for (from, before) in (0..).zip(&mut found.points_before) {
                *before = (usize::from(from) < points).then_some(from);
            }
        }
        Entry {
            is_new: false,
            ..entry
        }
    }

    /// Replaces the entries by others and leaves the old ones in `entries`.
    pub(crate) fn replace_entries(&mut self, entries: &mut Vec<Entry>) {
        core::mem::swap(&mut self.entries, entries);
        self.has_new = true;
    }

    /// Replaces all manifolds by others, for which there are no entries yet.
    pub(crate) fn replace_places(&mut self, places: &mut Vec<BodyManifold<V>>) {
        core::mem::swap(&mut self.places, places);
        self.free.clear();
    }

    /// Notes places that no entry has any more.
    pub(crate) fn free(&mut self, places: &[u32]) {
        self.free.extend_from_slice(places);
    }

    /// Puts a manifold into a place that no entry has.
    pub(crate) fn put(&mut self, found: &BodyManifold<V>) -> u32 {
        if let Some(place) = self.free.pop() {
            self.places[place as usize].clone_from(found);
            return place;
        }
        self.places.push(found.clone());
        (self.places.len() - 1) as u32
    }

    /// Becomes a copy in the memory that it has.
    pub(super) fn copy_from(&mut self, source: &Self) {
        self.entries.clone_from(&source.entries);
        self.places.clone_from(&source.places);
        self.free.clone_from(&source.free);
        self.points_before.clone_from(&source.points_before);
        (self.has_new, self.are_all) = (source.has_new, source.are_all);
    }

    /// For a list of which only this is known: the points that those of each manifold go on from.
    #[cfg(feature = "serde")]
    pub(crate) fn points_before(&self) -> &[PointsBefore] {
        &self.points_before
    }

    /// Takes from a whole list which points those of each manifold go on from, and nothing else.
    pub(super) fn copy_points_before(&mut self, source: &Self) {
        let points = source.iter().map(|found| found.points_before);
        self.points_before.clear();
        self.points_before.extend(points);
    }

    /// Takes the same from what [`Manifolds::copy_points_before`] left, if there are as many.
    pub(super) fn restore_points_before(&mut self, source: &Self) {
        if source.points_before.len() == self.entries.len() {
            for (entry, &before) in self.entries.iter().zip(&source.points_before) {
                self.places[entry.place as usize].points_before = before;
            }
        }
    }

    /// Makes all ids those of the world with this tag.
    pub(super) fn set_tag(&mut self, tag: WorldTag) {
        for found in &mut self.places {
            (found.a, found.b) = (found.a.with_tag(tag), found.b.with_tag(tag));
        }
    }

    /// Gives memory back that is not needed for so many.
    pub(super) fn cut_down(&mut self, need: usize) {
        cut_down(&mut self.entries, need);
        if is_far_more(self.places.capacity(), need) {
            let mut places = Vec::with_capacity(SPARE * need);
            places.extend(self.iter().cloned());
            for (place, entry) in (0..).zip(&mut self.entries) {
                entry.place = place;
            }
            (self.places, self.free) = (places, Vec::new());
        }
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> usize {
        bytes(&self.entries) + bytes(&self.places) + bytes(&self.free) + bytes(&self.points_before)
    }

    /// Checks that the list is in order, that no two entries have one place, and that each pair of bodies is one of `contacts`.
    pub(super) fn validate(&self, contacts: &[Contact<V>]) -> Result<(), String> {
        let mut is_taken = vec![false; self.places.len()];
        for &place in &self.free {
            is_taken[place as usize] = true;
        }
        for (place, entry) in self.entries.iter().enumerate() {
            let found = &self.places[entry.place as usize];
            let (a, b) = (found.a, found.b);
            if core::mem::replace(&mut is_taken[entry.place as usize], true) {
                return Err(format!("manifold {a} {b} is where another one is"));
            }
            let is_after = place == 0 || self.entries[place - 1].key < entry.key;
            if !is_after || entry.key != ManifoldKey::of(found) {
                return Err(format!("manifold {a} {b} is out of order"));
            }
            let pair = found.contact().pair();
            let place = contacts.binary_search_by_key(&pair, Contact::pair);
            if place.is_err() {
                return Err(format!("manifold {a} {b} is of no contact"));
            }
            let points = found.manifold.points().len();
            let mut ends = found.points_before.iter().skip(points);
            if ends.any(Option::is_some) || found.points_before.iter().flatten().any(|&k| k > 3) {
                return Err(format!(
                    "manifold {a} {b} goes on from {:?}",
                    found.points_before
                ));
            }
        }
        Ok(())
    }
}

/// Finds the manifolds of the step before, for keys in ascending order.
pub(crate) struct Before<'a, V: Vector> {
    manifolds: &'a Manifolds<V>,
    /// The place of the first entry that was not passed; none before the first search.
    next: Option<usize>,
}

impl<V: Vector> Before<'_, V> {
    /// Fills in which points those of a manifold go on from: see [`BodyManifold::points_before`].
    pub(crate) fn fill(&mut self, now: &mut BodyManifold<V>, within: Real) {
        let (key, entries) = (ManifoldKey::of(now), self.manifolds.entries());
        let mut next =
            (self.next).unwrap_or_else(|| entries.partition_point(|entry| entry.key < key));
        while entries.get(next).is_some_and(|entry| entry.key < key) {
            next += 1;
        }
        self.next = Some(next);
        if let Some(entry) = entries.get(next).filter(|entry| entry.key == key) {
            let before = &self.manifolds.places[entry.place as usize];
            // Another body may be in the slot of one that was removed.
            if (before.a, before.b) == (now.a, now.b) {
                let points = match_points(before.placed(), now.placed(), within);
                now.points_before = points.map_each(|point| point.map(|place| place as u8));
            }
        }
    }
}
