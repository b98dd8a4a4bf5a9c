//! The part of the fourth stage for pairs of which a body or the world wants the contacts of their parts.
//!
//! The nearest of these is the contact of the pair, so most such pairs are searched once, before all others are measured, and
//! the manifolds of the parts are found on the way. What is left is searched when the contacts are known.

use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use clearance_broadphase::Key;
use clearance_gjk::internal::{
    NearestPart, OfAllParts, each_contact, each_manifold, nearest_of_parts, sort_large,
};
use clearance_gjk::{Completeness, Question};
use clearance_math::Vector;
use clearance_math::internal::MapEach;
use clearance_math::internal::heap_sort;
use clearance_shapes::Shape;

use super::manifolds::are_of_solids;
use super::measure::Measuring;
use super::select::Selection;
use crate::Contact;
use crate::pair_key::PairKey;
use crate::queries::BodyManifold;
use crate::report::changes::{Changes, Found};
use crate::report::manifolds::{Before, Manifolds};
use crate::report::parts::PartContacts;
use crate::report::splice::{Insertion, put_among};
use crate::reserve::{Need, bytes, cut_down};
use crate::threads::OrderedResults;

/// How many contacts a thread takes at a time: each may be a search of two trees.
const IN_CHUNKS_OF: usize = 16;

/// Notes what is known of the contact of a pair whose parts were searched.
type Note<'n> = dyn Fn((Key, Key), OfAllParts) + Sync + 'n;

/// What the search for part contacts needs; kept between steps for its memory.
#[derive(Clone)]
pub(crate) struct PartBuffers<V: Vector> {
    /// The pairs whose parts are searched first.
    pairs: Vec<(Key, Key)>,
    /// Those of them whose contact does not follow from the parts, by their numbers.
    unknown: Vec<u64>,
    /// The contacts of the others.
    contacts: Found<V>,
    /// The part contacts.
    found: Found<V>,
    /// The manifolds of those whose parts are searched first, if any are wanted, each with its contact.
    manifolds: OrderedResults<BodyManifold<V>, Contact<V>>,
    /// The places of the other contacts whose parts are wanted.
    wanted: Vec<usize>,
    /// The part contacts of those, and where they go.
    others: Found<V>,
    insertions: Vec<Insertion>,
    /// For how many of them the search ended at its effort.
    incomplete: usize,
    /// Where the list of part contacts changes.
    changes: Changes,
}

impl<V: Vector> Default for PartBuffers<V> {
    fn default() -> Self {
        Self {
            pairs: Vec::new(),
            unknown: Vec::new(),
            contacts: Found::default(),
            found: Found::in_chunks_of(IN_CHUNKS_OF),
            manifolds: OrderedResults::in_chunks_of(IN_CHUNKS_OF),
            wanted: Vec::new(),
            others: Found::in_chunks_of(IN_CHUNKS_OF),
            insertions: Vec::new(),
            incomplete: 0,
            changes: Changes::default(),
        }
    }
}

impl<V: Vector> PartBuffers<V> {
    /// Finds the part contacts of those among `pairs` whose contact follows from them, in the order of
    /// (a, b, part_a, part_b), and the manifolds of those that want them, too.
    ///
    /// As a contact does, they follow from two shapes, two poses and the range alone.
    pub(super) fn measure_first(
        &mut self,
        measuring: &Measuring<'_, V>,
        last: &Manifolds<V>,
        pairs: &[(Key, Key)],
    ) {
        self.pairs.clear();
        self.contacts.clear();
        self.unknown.clear();
        if !measuring.want_no_parts() {
            let pairs = pairs.iter().copied();
            self.pairs
                .extend(pairs.filter(|&pair| measuring.has_contact_in_parts(pair)));
        }
        if self.pairs.is_empty() {
            self.found.clear();
            self.manifolds.clear();
            return;
        }
        let unknown = Mutex::new(core::mem::take(&mut self.unknown));
        let note = |pair: (Key, Key), of_all: OfAllParts| {
            if of_all.nearest != NearestPart::Known {
                let mut unknown = unknown.lock().unwrap_or_else(PoisonError::into_inner);
                unknown.push(PairKey::number(pair));
            }
        };
        if measuring.want_no_manifolds() {
            self.manifolds.clear();
            self.search_contacts(measuring, &note);
        } else {
            self.search_manifolds(measuring, last, &note);
        }
        self.unknown = (unknown.into_inner()).unwrap_or_else(PoisonError::into_inner);
        self.unknown.sort_unstable();
        self.find_contacts(measuring);
    }

    fn search_contacts(&mut self, measuring: &Measuring<'_, V>, note: &Note<'_>) {
        let Self { pairs, found, .. } = self;
        let work = |chunk: Range<usize>, found: &mut Vec<Contact<V>>| {
            measuring.each_near(&pairs[chunk], &mut |near| {
                for &pair in near {
                    note(pair, append_contacts(measuring, pair, found));
                }
            });
        };
        (measuring.threads).gather(pairs.len(), found, &work, PairKey::of);
    }

    fn search_manifolds(
        &mut self,
        measuring: &Measuring<'_, V>,
        last: &Manifolds<V>,
        note: &Note<'_>,
    ) {
        let Self {
            pairs,
            found,
            manifolds,
            ..
        } = self;
        let work = |chunk: Range<usize>, found: &mut Vec<BodyManifold<V>>| {
            let mut before = last.before();
            measuring.each_near(&pairs[chunk], &mut |near| {
                for &pair in near {
                    note(pair, append_manifolds(measuring, pair, &mut before, found));
                }
            });
        };
        let contact = BodyManifold::contact;
        (measuring.threads).gather(pairs.len(), manifolds, &work, contact);
        core::mem::swap(&mut found.items, &mut manifolds.keys);
        found.keys.clear();
        found.keys.extend(found.items.iter().map(PairKey::of));
    }

    /// Finds the contacts of the pairs among the contacts of their parts.
    fn find_contacts(&mut self, measuring: &Measuring<'_, V>) {
        let is_same_pair = |a: &Contact<V>, b: &Contact<V>| (a.a, a.b) == (b.a, b.b);
        for parts in self.found.items.chunk_by(is_same_pair) {
            let first = &parts[0];
            let pair = (first.a.index(), first.b.index());
            let mut separations = parts.iter().map(|part| part.separation);
            if self.is_unknown(pair) {
                continue;
            }
            let near = measuring.question(pair).and_then(|question| {
                let Question { a, b, .. } = question;
                nearest_of_parts(a, b, &mut separations)
            });
            self.contacts.items.extend(near.map(|separation| Contact {
                separation,
                ..*first
            }));
        }
        let contacts = self.contacts.items.iter();
        self.contacts.keys.extend(contacts.map(PairKey::of));
    }

    /// Whether no pair is searched first.
    pub(super) fn have_none(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Puts the contacts of the pairs whose parts were searched first among the others.
    pub(super) fn put_contacts(&mut self, among: &mut Found<V>) {
        put_among(among, &self.contacts, &mut self.insertions);
    }

    /// Whether the contact of a pair, if it has one, is of those whose parts were searched first.
    pub(super) fn have_contact_of(&self, measuring: &Measuring<'_, V>, pair: (Key, Key)) -> bool {
        !self.have_none() && measuring.has_contact_in_parts(pair) && !self.is_unknown(pair)
    }

    fn is_unknown(&self, pair: (Key, Key)) -> bool {
        self.unknown.binary_search(&PairKey::number(pair)).is_ok()
    }

    /// Finds the part contacts of those among `contacts` of which a body or the world wants them, and which are not found
    /// yet.
    pub(super) fn measure_others(&mut self, measuring: &Measuring<'_, V>, contacts: &[Contact<V>]) {
        self.wanted.clear();
        self.incomplete = 0;
        if measuring.want_no_parts() {
            return;
        }
        let mut known = self.found.keys.iter().map(|key| key.pair()).peekable();
        for (place, contact) in contacts.iter().enumerate() {
            let pair = PairKey::of(contact);
            while known.next_if(|&known| known < pair.pair()).is_some() {}
            if measuring.wants_parts_of(pair.slots()) && known.peek() != Some(&pair.pair()) {
                self.wanted.push(place);
            }
        }
        let incomplete = AtomicUsize::new(0);
        let Self { wanted, others, .. } = self;
        let work = |chunk: Range<usize>, found: &mut Vec<Contact<V>>| {
            for &place in &wanted[chunk] {
                let completeness = append_parts(measuring, &contacts[place], found);
                if completeness != Completeness::Complete {
                    incomplete.fetch_add(1, Ordering::Relaxed);
                }
            }
        };
        (measuring.threads).gather(wanted.len(), others, &work, PairKey::of);
        self.incomplete = incomplete.into_inner();
        if self.found.items.is_empty() {
            core::mem::swap(&mut self.found, others);
        } else {
            put_among(&mut self.found, others, &mut self.insertions);
        }
    }

    /// The manifolds of parts that were found.
    pub(super) fn manifolds(&self) -> &[BodyManifold<V>] {
        &self.manifolds.items
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
        cut_down(&mut self.pairs, need.pairs);
        cut_down(&mut self.unknown, need.pairs);
        self.contacts.cut_down(need.contacts);
        cut_down(&mut self.wanted, need.contacts);
        self.found.cut_down(need.part_contacts);
        self.manifolds.cut_down(need.part_contacts);
        self.others.cut_down(need.part_contacts);
        cut_down(&mut self.insertions, need.part_contacts);
        self.changes.cut_down(need.part_contacts);
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> usize {
        bytes(&self.pairs)
            + bytes(&self.unknown)
            + self.contacts.memory()
            + bytes(&self.wanted)
            + self.found.memory()
            + self.manifolds.memory()
            + self.others.memory()
            + bytes(&self.insertions)
            + self.changes.memory()
    }
}

impl<V: Vector> Measuring<'_, V> {
    /// Whether no pair is to have part contacts.
    fn want_no_parts(&self) -> bool {
        !self.wants_parts && self.bodies.columns.part_contacts.are_none()
    }

    /// Whether the pair of the bodies in two slots is to have part contacts.
    fn wants_parts_of(&self, (a, b): (Key, Key)) -> bool {
        let wishes = &self.bodies.columns.part_contacts;
        self.wants_parts || wishes[a as usize] || wishes[b as usize]
    }

    /// Whether the parts of a pair are searched first: its contact is the nearest of them. Not of solids, which overlap as a
    /// whole, nor where only others are to have manifolds.
    fn has_contact_in_parts(&self, pair: (Key, Key)) -> bool {
        let wants_manifold = || self.want_no_manifolds() || self.wants_manifold([pair.0, pair.1]);
        // Most pairs are of convex shapes, which is seen without a question.
        let is_composite = |slot: Key| {
            let shape = &self.bodies.columns.shapes[slot as usize];
            matches!(shape, Some(Shape::Composite(_)))
        };
        self.wants_parts_of(pair)
            && (is_composite(pair.0) || is_composite(pair.1))
            && (self.question(pair)).is_some_and(|question| !are_of_solids(&question))
            && wants_manifold()
    }
}

/// Appends the part contacts of a pair of bodies; none where nothing is known of the nearest.
fn append_contacts<V: Vector>(
    measuring: &Measuring<'_, V>,
    pair: (Key, Key),
    found: &mut Vec<Contact<V>>,
) -> OfAllParts {
    let Some(Question { a, b, within }) = measuring.question(pair) else {
        return OfAllParts::UNKNOWN;
    };
    let first = found.len();
    let of_all = each_contact(a, b, within, &mut |separation| {
        found.push(measuring.contact(pair, &separation));
    });
    if of_all.nearest == NearestPart::Unknown {
        found.truncate(first);
    }
    sort_parts(&mut found[first..]);
    of_all
}

/// [`append_contacts`] for manifolds.
fn append_manifolds<V: Vector>(
    measuring: &Measuring<'_, V>,
    pair: (Key, Key),
    before: &mut Before<'_, V>,
    found: &mut Vec<BodyManifold<V>>,
) -> OfAllParts {
    let Some(Question { a, b, within }) = measuring.question(pair) else {
        return OfAllParts::UNKNOWN;
    };
    let first = found.len();
    let bodies = [pair.0, pair.1].map_each(|slot| measuring.bodies.id(slot as usize));
    let of_all = each_manifold(a, b, within, &mut |manifold| {
        found.push(BodyManifold::new(bodies, manifold, [a.pose, b.pose]));
    });
    if of_all.nearest == NearestPart::Unknown {
        found.truncate(first);
    }
    let found = &mut found[first..];
    sort_large(found, BodyManifold::key);
    // What is out of order would be found all the same, but measured twice.
    debug_assert!(found.is_sorted_by_key(|manifold| manifold.key()));
    for manifold in found {
        before.fill(manifold, measuring.go_on_within(pair));
    }
    of_all
}

fn sort_parts<V: Vector>(found: &mut [Contact<V>]) {
    let parts = |contact: &Contact<V>| (contact.separation.part_a, contact.separation.part_b);
    heap_sort(found, |a, b| parts(a) < parts(b));
}

fn is_of_composites<V: Vector>(question: &Question<'_, V>) -> bool {
    let sides = [question.a.shape, question.b.shape];
    sides
        .iter()
        .any(|shape| matches!(shape, Shape::Composite(_)))
}

/// Appends the part contacts of a pair of bodies. Where neither is a composite, each is its own part 0,
/// and what was measured of the pair is all there is.
fn append_parts<V: Vector>(
    measuring: &Measuring<'_, V>,
    contact: &Contact<V>,
    found: &mut Vec<Contact<V>>,
) -> Completeness {
    let Some(question) = measuring.question((contact.a.index(), contact.b.index())) else {
        return Completeness::Complete;
    };
    if !is_of_composites(&question) {
        found.push(*contact);
        return Completeness::Complete;
    }
    let Question { a, b, within } = question;
    let first = found.len();
    let of_all = each_contact(a, b, within, &mut |separation| {
        found.push(Contact {
            separation,
            ..*contact
        });
    });
    if found.len() == first {
        // The bodies met on their ways and are out of range now.
        found.push(*contact);
    }
    sort_parts(&mut found[first..]);
    of_all.completeness
}
