//! Which manifolds the list is to have, and where each of them is.

use clearance_math::Vector;

use super::{ManifoldBuffers, Planned, Source, Wanted};
use crate::report::manifolds::{Entry, ManifoldKey};
use crate::slot_set::SlotSet;

/// Plans a list of manifolds: three lists walked side by side, those of the step before, of convex shapes, and the contacts.
pub(super) struct Plan<'a, V: Vector> {
    pub(super) buffers: &'a mut ManifoldBuffers<V>,
    /// The slots whose pairs were measured; none if all were.
    pub(super) changed: Option<&'a SlotSet>,
    /// Whether all contacts are added, also those of pairs that were not measured.
    pub(super) are_all_listed: bool,
    pub(super) last: &'a [Entry],
    pub(super) next: usize,
    pub(super) next_convex: usize,
}

impl<V: Vector> Plan<'_, V> {
    /// Adds a contact; they come in order.
    pub(super) fn add(&mut self, wanted: Wanted<V>) {
        let key = ManifoldKey::of_contact(&wanted.contact);
        self.pass(|entry| entry.key < key);
        let is_instead = wanted.is_instead;
        let mut planned = Planned {
            entry: Entry {
                key,
                place: 0,
                is_instead,
                is_new: true,
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
        if let Some(place) = self.convex(key).filter(|_| !is_instead) {
            planned.entry.place = place as u32;
            planned.source = Source::Convex;
        } else {
            self.buffers.wanted.push(wanted);
        }
        self.buffers.planned.push(planned);
    }

    /// The place of the manifold of two convex shapes that was found with its contact.
    fn convex(&mut self, key: ManifoldKey) -> Option<usize> {
        let convex = &self.buffers.convex_keys;
        let key_at = |place: usize| convex.get(place).map(|pair| ManifoldKey::of_pair(*pair));
        while key_at(self.next_convex).is_some_and(|convex| convex < key) {
            self.next_convex += 1;
        }
        (key_at(self.next_convex) == Some(key)).then_some(self.next_convex)
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
