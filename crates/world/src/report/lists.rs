//! The lists of the report.

use std::sync::OnceLock;

use clearance_math::Vector;

use super::by_body::{ContactIndex, PlacesOfBody};
use super::manifolds::Manifolds;
use super::parts::PartContacts;
use crate::event::Nearness;
use crate::id::WorldTag;
use crate::pair_filter::PairFilter;
use crate::pair_key::PairKey;
use crate::reserve::{Need, bytes, cut_down};
use crate::slot_set::SlotSet;
use crate::{BodyId, BodyPair, Contact, Impact};

/// A contact whose bodies were not as near to each other in the step before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transition {
    /// The place of the contact in the list.
    pub(crate) place: usize,
    /// How near the bodies were in the step before.
    pub(crate) before: Nearness,
}

/// The contacts of the last step, and what changed since the step before.
///
/// Every list is in the order of (a, b). Between steps nothing changes: the removal of a body is
/// only noted, and its contacts stay in the lists until the next step reports that they ended.
#[derive(Default)]
pub(crate) struct Report<V: Vector> {
    /// The contacts that the last step found.
    pub(crate) contacts: Vec<Contact<V>>,
    /// The contacts whose bodies were not as near in the step before; usually few.
    pub(crate) transitions: Vec<Transition>,
    /// The contacts of the step before whose bodies are no longer in range of each other.
    pub(crate) departures: Vec<Contact<V>>,
    /// The keys of the contacts; not in copies, where the next step makes them again.
    pub(super) keys: Vec<PairKey>,
    /// Where swept bodies met others on their ways.
    pub(crate) impacts: Vec<Impact<V>>,
    /// Where the world or a body wants them, the contacts of the parts of each pair.
    pub(crate) parts: PartContacts<V>,
    /// Where the world or a body wants them, the contact manifolds.
    pub(crate) manifolds: Manifolds<V>,
    /// Whether a body was removed since the last step.
    pub(crate) has_removals: bool,
    /// The contacts without those of removed bodies: made when they are first read after a removal.
    pub(super) present: OnceLock<Vec<Contact<V>>>,
    pub(super) index: ContactIndex,
}

/// Two reports are equal if they show the same; everything else follows from what they show.
impl<V: Vector> PartialEq for Report<V> {
    fn eq(&self, other: &Self) -> bool {
        self.contacts == other.contacts
            && self.transitions == other.transitions
            && self.departures == other.departures
            && self.impacts == other.impacts
            && self.parts == other.parts
            && self.manifolds == other.manifolds
    }
}

/// Shows what equality compares.
impl<V: Vector> core::fmt::Debug for Report<V> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Report")
            .field("contacts", &self.contacts)
            .field("transitions", &self.transitions)
            .field("departures", &self.departures)
            .field("impacts", &self.impacts)
            .field("parts", &self.parts.list)
            .finish_non_exhaustive()
    }
}

/// Copies reuse the memory of what they replace.
impl<V: Vector> Clone for Report<V> {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, source: &Self) {
        self.contacts.clone_from(&source.contacts);
        self.transitions.clone_from(&source.transitions);
        self.departures.clone_from(&source.departures);
        self.keys.clear();
        self.impacts.clone_from(&source.impacts);
        self.parts.copy_from(&source.parts);
        self.manifolds.copy_from(&source.manifolds);
        self.has_removals = source.has_removals;
        self.present.take();
        self.index.clear();
    }
}

impl<V: Vector> Report<V> {
    /// Becomes a copy of what a report knows beyond what follows from the poses of bodies, if nothing changed since its
    /// step: what changed in the step.
    pub(crate) fn copy_changes_of(&mut self, source: &Self) {
        self.clone_from(&Self::default());
        self.take_changes_of(source);
        self.manifolds.copy_points_before(&source.manifolds);
    }

    /// Whether the contacts are those of the bodies, of which these slots changed since the step.
    pub(crate) fn follows(&self, changed: &[u32], filter: &PairFilter<V>) -> bool {
        changed.is_empty() && self.impacts.is_empty() && !self.has_removals && !filter.is_set()
    }

    /// Takes what changed in the step from such a copy of a report that had the same contacts.
    pub(crate) fn restore_changes_of(&mut self, source: &Self) {
        self.take_changes_of(source);
        self.manifolds.restore_points_before(&source.manifolds);
    }

    fn take_changes_of(&mut self, source: &Self) {
        self.transitions.clone_from(&source.transitions);
        self.departures.clone_from(&source.departures);
    }

    /// Forgets what changed in the last step if it cannot be what led to these contacts.
    pub(crate) fn forget_false_changes(&mut self) {
        if self.validate().is_err() {
            self.transitions.clear();
            self.departures.clear();
        }
    }

    /// The contacts of bodies that are still there, as `is_present` tells.
    pub(crate) fn present(&self, is_present: impl Fn(BodyId) -> bool) -> &[Contact<V>] {
        if !self.has_removals {
            return &self.contacts;
        }
        self.present.get_or_init(|| {
            let contacts = self.contacts.iter().copied();
            contacts
                .filter(|contact| is_present(contact.a) && is_present(contact.b))
                .collect()
        })
    }

    /// The places of the contacts of the body in `slot`, in the order of the other bodies; those of bodies
    /// removed since the last step among them.
    ///
    /// The cost is that of its contacts, after one pass over all contacts at the first call since pairs
    /// came or went.
    pub(crate) fn of_body(&self, slot: u32) -> PlacesOfBody<'_> {
        self.index.of_body(&self.contacts, slot)
    }

    /// The contact of the bodies in two slots, of which `a` is the lesser; also if one of them was
    /// removed since the last step.
    pub(crate) fn contact(&self, a: u32, b: u32) -> Option<&Contact<V>> {
        let slots = |contact: &Contact<V>| (contact.a.index(), contact.b.index());
        let place = self.contacts.binary_search_by_key(&(a, b), slots).ok()?;
        self.contacts.get(place)
    }

    /// The part contacts of bodies that are still there, as `is_present` tells.
    pub(crate) fn present_parts(&self, is_present: impl Fn(BodyId) -> bool) -> &[Contact<V>] {
        if self.has_removals {
            self.parts.present(is_present)
        } else {
            &self.parts.list
        }
    }

    /// Visits the contacts whose manifolds count, of slots in `changed` or of all: those of the parts of each pair that has
    /// any, and else that of the pair.
    pub(crate) fn each_contact_of(
        &self,
        changed: Option<&SlotSet>,
        visit: &mut dyn FnMut(&Contact<V>),
    ) {
        let mut parts = self.parts.list.as_slice();
        for (contact, key) in self.contacts.iter().zip(&self.keys) {
            let pair = key.pair();
            let number = |part: &Contact<V>| PairKey::of(part).pair();
            let before = parts.iter().take_while(|part| number(part) < pair);
            parts = &parts[before.count()..];
            if changed.is_some_and(|changed| !changed.contains_one_of(key.slots())) {
                continue;
            }
            let of_pair = parts.iter().take_while(|part| number(part) == pair);
            match of_pair.count() {
                0 => visit(contact),
                count => parts[..count].iter().for_each(&mut *visit),
            }
        }
    }

    /// Notes that a body was removed. The cost does not depend on its contacts.
    pub(crate) fn note_removal(&mut self) {
        self.has_removals = true;
        self.present.take();
        self.parts.forget_present();
    }

    /// Makes all ids those of the world with this tag.
    pub(crate) fn set_tag(&mut self, tag: WorldTag) {
        for contact in self.contacts.iter_mut().chain(&mut self.departures) {
            (contact.a, contact.b) = (contact.a.with_tag(tag), contact.b.with_tag(tag));
        }
        for impact in &mut self.impacts {
            (impact.a, impact.b) = (impact.a.with_tag(tag), impact.b.with_tag(tag));
        }
        self.parts.set_tag(tag);
        self.manifolds.set_tag(tag);
        self.present.take();
    }

    /// How many contacts changed in the last step.
    pub(crate) fn changes(&self) -> usize {
        self.transitions.len() + self.departures.len()
    }

    /// Gives memory back that the last frames did not need.
    pub(crate) fn cut_down(&mut self, need: &Need) {
        cut_down(&mut self.contacts, need.contacts);
        cut_down(&mut self.keys, need.contacts);
        cut_down(&mut self.transitions, need.changes);
        cut_down(&mut self.departures, need.changes);
        self.index.cut_down(need.contacts);
        cut_down(&mut self.impacts, need.contacts);
        self.parts.cut_down(need.part_contacts);
        self.manifolds.cut_down(need.manifolds);
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        bytes(&self.contacts)
            + bytes(&self.transitions)
            + bytes(&self.departures)
            + bytes(&self.keys)
            + self.present.get().map_or(0, bytes)
            + self.index.memory()
            + bytes(&self.impacts)
            + self.parts.memory()
            + self.manifolds.memory()
    }

    /// Checks that the lists are in order and agree.
    pub(crate) fn validate(&self) -> Result<(), String> {
        let keys = self.contacts.iter().map(PairKey::of);
        if !self.keys.is_empty() && !keys.eq(self.keys.iter().copied()) {
            return Err("the contacts and their keys differ".to_owned());
        }
        for (name, list) in [("contact", &self.contacts), ("departure", &self.departures)] {
            if let Some(BodyPair { a, b }) = first_out_of_order(list) {
                return Err(format!("{name} {a} {b} is out of order"));
            }
        }
        let is_listed = |gone: &&Contact<V>| {
            let place = self
                .contacts
                .binary_search_by_key(&gone.pair(), Contact::pair);
            place.is_ok()
        };
        if let Some(gone) = self.departures.iter().find(is_listed) {
            let BodyPair { a, b } = gone.pair();
            return Err(format!("{a} {b} is a contact and a departure"));
        }
        self.validate_impacts()?;
        self.parts.validate(&self.contacts)?;
        self.manifolds.validate(&self.contacts)?;
        self.validate_transitions()
    }

    /// Checks that every contact is found by its bodies. The cost is that of all contacts of the bodies of
    /// each contact: not for reading files.
    pub(crate) fn validate_index(&self) -> Result<(), String> {
        for contact in &self.contacts {
            let (a, b) = (contact.a.index(), contact.b.index());
            let is_it = |other: &Contact<V>| core::ptr::eq(other, contact);
            if !self.contact(a, b).is_some_and(is_it)
                || [a, b].iter().any(|&slot| {
                    let mut places = self.of_body(slot);
                    !places.any(|place| is_it(&self.contacts[place]))
                })
            {
                return Err(format!("contact {a} {b} is not found by its bodies"));
            }
        }
        Ok(())
    }

    /// Checks that the impacts are in order, that each has a contact, and that their times are in order.
    fn validate_impacts(&self) -> Result<(), String> {
        let mut last = None;
        for Impact { a, b, hit } in &self.impacts {
            let (pair, times) = (
                (a.index(), b.index()),
                [hit.time_lower, hit.time, hit.time_upper],
            );
            if last.is_some_and(|last| last >= pair) {
                return Err(format!("impact {a} {b} is out of order"));
            }
            if !(times.is_sorted() && times[0] >= 0.0 && times[2] <= 1.0) {
                return Err(format!("impact {a} {b} is at {times:?}"));
            }
            let contact = self.contact(pair.0, pair.1);
            if contact.is_none_or(|contact| contact.a != *a || contact.b != *b) {
                return Err(format!("impact {a} {b} is of no contact"));
            }
            last = Some(pair);
        }
        Ok(())
    }

    fn validate_transitions(&self) -> Result<(), String> {
        let places = self.transitions.iter().map(|transition| transition.place);
        if !places.is_sorted_by(|a, b| a < b) {
            return Err("the transitions are out of order".to_owned());
        }
        for &Transition { place, before } in &self.transitions {
            let contact = self.contacts.get(place);
            let contact = contact.ok_or_else(|| format!("there is no contact {place}"))?;
            if before == Nearness::of(contact) {
                return Err(format!("contact {place} was as near before"));
            }
        }
        Ok(())
    }
}

/// The first contact that is not in the order of ids, or whose pair of slots does not come after that
/// of the one before it: of two bodies in one slot, a step meets only one.
fn first_out_of_order<V: Vector>(contacts: &[Contact<V>]) -> Option<BodyPair> {
    let mut last = None;
    for contact in contacts {
        let key = PairKey::of(contact).pair();
        if contact.a >= contact.b || last.is_some_and(|last| last >= key) {
            return Some(contact.pair());
        }
        last = Some(key);
    }
    None
}
