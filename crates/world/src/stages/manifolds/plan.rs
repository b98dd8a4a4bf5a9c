//! Which manifolds the list is to have, and where each of them is.

use core::ops::Range;

use clearance_math::Vector;

use super::{ManifoldBuffers, Planned, Source, Wanted};
use crate::report::manifolds::{Entry, ManifoldKey};
use crate::slot_set::SlotSet;

/// Plans a list of manifolds: four lists walked side by side, those of the step before, of convex shapes, of parts, and the
/// contacts.
pub(super) struct Plan<'a, V: Vector> {
    pub(super) buffers: &'a mut ManifoldBuffers<V>,
    /// The slots whose pairs were measured; none if all were.
    pub(super) changed: Option<&'a SlotSet>,
    /// Whether all contacts are added, also those of pairs that were not measured.
    pub(super) are_all_listed: bool,
    pub(super) last: &'a [Entry],
    pub(super) next: usize,
    /// Which of the manifolds that were found with their contacts are still ahead: of convex shapes, and of parts.
    pub(super) runs: [Range<usize>; 2],
}

impl<V: Vector> Plan<'_, V> {
    /// Adds a contact; they come in order.
    pub(super) fn add(&mut self, wanted: Wanted<V>) {
        let key = ManifoldKey::of_contact(&wanted.contact);
        self.pass(|entry| entry.key < key);
        let is_instead = wanted.is_instead;
        let mut planned = Planned {
            entry: Entry {
                is_instead,
                ..Entry::found(key, 0)
            },
            source: Source::Alone,
        };
        if let Some(&entry) = self.last.get(self.next).filter(|entry| entry.key == key) {
            self.next += 1;
            if !(self.has_changed(key) || is_instead || entry.is_instead) {
                let source = Source::Kept;
                return self.buffers.planned.push(Planned { entry, source });
            }
            self.buffers.freed.push(entry.place);
        }
        if let Some(place) = self.place_of(key).filter(|_| !is_instead) {
            planned.entry.place = place as u32;
            planned.source = Source::Convex;
        } else {
            self.buffers.wanted.push(wanted);
        }
        self.buffers.planned.push(planned);
    }

    /// The place of the manifold that was found with its contact.
    fn place_of(&mut self, key: ManifoldKey) -> Option<usize> {
        let keys = &self.buffers.keys;
        self.runs.iter_mut().find_map(|run| {
            while run.start < run.end && keys[run.start] < key {
                run.start += 1;
            }
            (run.start < run.end && keys[run.start] == key).then_some(run.start)
        })
    }

    pub(super) fn finish(&mut self) {
        self.pass(|_| true);
    }

    /// Passes entries of the step before: they ended, unless only contacts that were measured are added.
    fn pass(&mut self, is_before: impl Fn(&Entry) -> bool) {
        while let Some(&entry) = self.last.get(self.next).filter(|entry| is_before(entry)) {
            self.next += 1;
            if self.are_all_listed || self.has_changed(entry.key) {
                self.buffers.freed.push(entry.place);
            } else {
                let source = Source::Kept;
                self.buffers.planned.push(Planned { entry, source });
            }
        }
    }

    fn has_changed(&self, key: ManifoldKey) -> bool {
        (self.changed).is_none_or(|changed| changed.contains_one_of(key.slots()))
    }
}
