//! The second half of the fourth stage, for pairs of which a body or the world wants it: the contacts
//! of their parts.

use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};

use clearance_gjk::{Completeness, Question, each_contact};
use clearance_math::{MapEach, Vector, heap_sort};
use clearance_shapes::Shape;

use super::measure::Measuring;
use super::select::Selection;
use crate::Contact;
use crate::pair_key::PairKey;
use crate::report::changes::{Changes, Found};
use crate::report::parts::PartContacts;
use crate::reserve::{Need, bytes, cut_down};

/// How many contacts a thread takes at a time: each may be a search of two trees.
const IN_CHUNKS_OF: usize = 16;

/// What the search for part contacts needs; kept between steps for its memory.
#[derive(Clone)]
pub(crate) struct PartBuffers<V: Vector> {
    /// The places of the contacts whose parts are wanted, among those that were found.
    wanted: Vec<usize>,
    /// The part contacts of those.
    found: Found<V>,
    /// For how many of them the search ended at its effort.
    incomplete: usize,
    /// Where the list of part contacts changes.
    changes: Changes,
}

impl<V: Vector> Default for PartBuffers<V> {
    fn default() -> Self {
        Self {
            wanted: Vec::new(),
            found: Found::in_chunks_of(IN_CHUNKS_OF),
            incomplete: 0,
            changes: Changes::default(),
        }
    }
}

impl<V: Vector> PartBuffers<V> {
    /// Finds the part contacts of those among `contacts` of which a body or the world wants them, in
    /// the order of (a, b, part_a, part_b).
    ///
    /// As a contact does, they follow from two shapes, two poses and the range alone.
    pub(crate) fn measure(&mut self, measuring: &Measuring<'_, V>, contacts: &[Contact<V>]) {
        self.wanted.clear();
        self.found.clear();
        self.incomplete = 0;
        let wishes = &measuring.bodies.columns.part_contacts;
        if wishes.are_none() && !measuring.wants_parts {
            return;
        }
        let is_wanted = |contact: &Contact<V>| {
            let [a, b] = [contact.a, contact.b].map_each(|id| wishes[id.index() as usize]);
            measuring.wants_parts || a || b
        };
        let places = contacts.iter().enumerate();
        let wanted = places.filter(|(_, contact)| is_wanted(contact));
        self.wanted.extend(wanted.map(|(place, _)| place));
        let incomplete = AtomicUsize::new(0);
        let Self { wanted, found, .. } = self;
        let work = |chunk: Range<usize>, found: &mut Vec<Contact<V>>| {
            for &place in &wanted[chunk] {
                let completeness = append_parts(measuring, &contacts[place], found);
                if completeness != Completeness::Complete {
                    incomplete.fetch_add(1, Ordering::Relaxed);
                }
            }
        };
        (measuring.threads).gather(wanted.len(), found, &work, PairKey::of);
        self.incomplete = incomplete.into_inner();
    }

    /// For how many pairs the part contacts of the last step are not complete.
    pub(super) fn incomplete(&self) -> usize {
        self.incomplete
    }

    /// Puts the part contacts that were found into `parts`. Those of pairs that were not selected stay.
    pub(crate) fn report(&mut self, selection: Selection<'_>, parts: &mut PartContacts<V>) {
        match selection {
            Selection::None => {}
            Selection::Some { changed, .. } => {
                parts.replace_some(&self.found, changed, &mut self.changes);
            }
            Selection::All(_) => parts.replace_all(&mut self.found),
        }
    }

    /// Gives memory back that the last frames did not need.
    pub(super) fn cut_down(&mut self, need: &Need) {
        cut_down(&mut self.wanted, need.contacts);
        self.found.cut_down(need.part_contacts);
        self.changes.cut_down(need.part_contacts);
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> usize {
        bytes(&self.wanted) + self.found.memory() + self.changes.memory()
    }
}

/// Appends the part contacts of a pair of bodies. Where neither is a composite, each is its own part 0,
/// and what was measured of the pair is all there is.
fn append_parts<V: Vector>(
    measuring: &Measuring<'_, V>,
    contact: &Contact<V>,
    found: &mut Vec<Contact<V>>,
) -> Completeness {
    let Some(Question { a, b, within }) =
        measuring.question((contact.a.index(), contact.b.index()))
    else {
        return Completeness::Complete;
    };
    let is_composite = |shape: &Shape<V>| matches!(shape, Shape::Composite(_));
    if !is_composite(a.shape) && !is_composite(b.shape) {
        found.push(*contact);
        return Completeness::Complete;
    }
    let first = found.len();
    let completeness = each_contact(a, b, within, &mut |separation| {
        found.push(Contact {
            separation,
            ..*contact
        });
    });
    if found.len() == first {
        // The bodies met on their ways and are out of range now.
        found.push(*contact);
    }
    let parts = |contact: &Contact<V>| (contact.separation.part_a, contact.separation.part_b);
    heap_sort(&mut found[first..], |a, b| parts(a) < parts(b));
    completeness
}
