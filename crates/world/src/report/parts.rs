//! The contacts of the parts of bodies, as the last step found them.

use core::ops::Range;
use std::sync::OnceLock;

use clearance_math::Vector;

use super::changes::{Changes, Found};
use super::splice::{put_in, take_out};
use crate::id::WorldTag;
use crate::pair_key::PairKey;
use crate::reserve::{bytes, cut_down, is_far_more};
use crate::slot_set::SlotSet;
use crate::{BodyId, Contact};

/// The part contacts of the last step, in the order of (a, b, part_a, part_b).
///
/// As in the list of contacts, those of a removed body stay until the next step.
#[derive(Debug, Default)]
pub(crate) struct PartContacts<V: Vector> {
    pub(crate) list: Vec<Contact<V>>,
    /// Which of them are of the surface that all parts make together.
    pub(crate) surface: Surface<V>,
    /// The keys of the pairs of bodies; not in copies, where the next step makes them again.
    keys: Vec<PairKey>,
    /// The list without the contacts of removed bodies: made when it is first read after a removal.
    present: OnceLock<Vec<Contact<V>>>,
}

/// A contact with the surface that all parts make together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SurfaceContact<'r, V: Vector> {
    pub(crate) contact: &'r Contact<V>,
    /// Whether it takes the place of a ghost.
    pub(crate) is_instead: bool,
}

/// Which part contacts are of the surface that all parts make together.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Surface<V: Vector> {
    /// For each part contact whether it is a ghost; empty if nobody wants to know.
    pub(crate) ghosts: Vec<bool>,
    /// The contacts that take the places of some of the ghosts: of the same parts along another normal, in the same
    /// order.
    pub(crate) instead: Vec<Contact<V>>,
}

impl<V: Vector> Surface<V> {
    pub(crate) fn clear(&mut self) {
        self.ghosts.clear();
        self.instead.clear();
    }
}

/// Keys and what is present follow from the list.
impl<V: Vector> PartialEq for PartContacts<V> {
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list && self.surface == other.surface
    }
}

impl<V: Vector> PartContacts<V> {
    /// Becomes a copy in the memory that it has.
    pub(super) fn copy_from(&mut self, source: &Self) {
        self.list.clone_from(&source.list);
        self.surface.ghosts.clone_from(&source.surface.ghosts);
        self.surface.instead.clone_from(&source.surface.instead);
        self.keys.clear();
        self.forget_present();
    }

    /// The contacts of bodies that are still there after a removal, as `is_present` tells.
    pub(crate) fn present(&self, is_present: impl Fn(BodyId) -> bool) -> &[Contact<V>] {
        self.present.get_or_init(|| {
            let contacts = self.list.iter().copied();
            let is_present = |contact: &Contact<V>| is_present(contact.a) && is_present(contact.b);
            contacts.filter(is_present).collect()
        })
    }

    /// What is present is another list than before.
    pub(super) fn forget_present(&mut self) {
        self.present.take();
    }

    /// The part contacts of the bodies in two slots, of which `a` is the lesser; also if one of them
    /// was removed since the last step.
    pub(crate) fn of_pair(&self, a: u32, b: u32) -> &[Contact<V>] {
        &self.list[self.places_of_pair(a, b)]
    }

    fn places_of_pair(&self, a: u32, b: u32) -> Range<usize> {
        let slots = |contact: &Contact<V>| (contact.a.index(), contact.b.index());
        let start = self.list.partition_point(|contact| slots(contact) < (a, b));
        let rest = &self.list[start..];
        start..start + rest.partition_point(|contact| slots(contact) == (a, b))
    }

    /// The part contacts that are no ghosts, and what is in the places of ghosts, of all bodies; none if nobody wants to
    /// know.
    pub(crate) fn surface(&self) -> impl Iterator<Item = SurfaceContact<'_, V>> {
        self.surface_at(0..self.list.len())
    }

    /// Those among [`PartContacts::surface`] that are [`PartContacts::of_pair`].
    pub(crate) fn surface_of_pair(
        &self,
        a: u32,
        b: u32,
    ) -> impl Iterator<Item = SurfaceContact<'_, V>> {
        self.surface_at(self.places_of_pair(a, b))
    }

    fn surface_at(&self, places: Range<usize>) -> impl Iterator<Item = SurfaceContact<'_, V>> {
        let ghosts = self.surface.ghosts.get(places.clone()).unwrap_or_default();
        let instead = &self.surface.instead;
        let mut next = self.list.get(places.start).map_or(instead.len(), |first| {
            instead.partition_point(|contact| contact.key_of_parts() < first.key_of_parts())
        });
        let marked = self.list[places].iter().zip(ghosts);
        marked.filter_map(move |(contact, is_ghost)| {
            let is_instead = *is_ghost;
            if !is_instead {
                return Some(SurfaceContact {
                    contact,
                    is_instead,
                });
            }
            let other = instead.get(next)?;
            let is_there = other.key_of_parts() == contact.key_of_parts();
            next += usize::from(is_there);
            is_there.then_some(SurfaceContact {
                contact: other,
                is_instead,
            })
        })
    }

    /// Whether the contact takes the place of a ghost.
    pub(crate) fn is_instead(&self, contact: &Contact<V>) -> bool {
        let instead = &self.surface.instead;
        let key = contact.key_of_parts();
        let place = instead.binary_search_by_key(&key, Contact::key_of_parts);
        place.is_ok_and(|place| instead[place].separation == contact.separation)
    }

    /// Replaces all part contacts by `found`, after a step in which all pairs were measured.
    ///
    /// Afterwards `found` holds those of the step before, whose memory the next step uses again.
    pub(crate) fn replace_all(&mut self, found: &mut Found<V>) {
        self.surface.clear();
        core::mem::swap(&mut found.items, &mut self.list);
        core::mem::swap(&mut found.keys, &mut self.keys);
        self.forget_present();
    }

    /// Replaces the part contacts of the slots in `changed` by `found`, after a step in which only their pairs were
    /// measured. All others stay.
    pub(crate) fn replace_some(
        &mut self,
        found: &Found<V>,
        changed: &SlotSet,
        changes: &mut Changes,
    ) {
        if self.list.is_empty() && found.items.is_empty() {
            return;
        }
        self.surface.clear();
        if self.keys.is_empty() {
            self.keys.extend(self.list.iter().map(PairKey::of));
        }
        changes.clear();
        self.match_changed(found, changed, changes);
        take_out(&mut self.list, &changes.ended);
        take_out(&mut self.keys, &changes.ended);
        put_in(&mut self.list, &found.items, &changes.began);
        put_in(&mut self.keys, &found.keys, &changes.began);
        self.forget_present();
    }

    /// Writes those found over what the same pair of bodies had, and collects what is too much of the
    /// one and the other.
    fn match_changed(&mut self, found: &Found<V>, changed: &SlotSet, changes: &mut Changes) {
        let mut next = 0;
        for place in 0..self.keys.len() {
            let key = self.keys[place];
            if !changed.contains_one_of(key.slots()) {
                continue;
            }
            let is_before = |new: &PairKey| new.pair() < key.pair();
            while found.keys.get(next).is_some_and(is_before) {
                changes.begin(&self.keys, found, next);
                next += 1;
            }
            match found.keys.get(next) {
                Some(new) if new.pair() == key.pair() => {
                    (self.list[place], self.keys[place]) = (found.items[next], *new);
                    next += 1;
                }
                _ => changes.ended.push(place),
            }
        }
        for place in next..found.keys.len() {
            changes.begin(&self.keys, found, place);
        }
    }

    /// Makes all ids those of the world with this tag.
    pub(super) fn set_tag(&mut self, tag: WorldTag) {
        for contact in self.list.iter_mut().chain(&mut self.surface.instead) {
            (contact.a, contact.b) = (contact.a.with_tag(tag), contact.b.with_tag(tag));
        }
        self.forget_present();
    }

    /// Gives memory back that is not needed for so many.
    pub(super) fn cut_down(&mut self, need: usize) {
        cut_down(&mut self.list, need);
        cut_down(&mut self.surface.ghosts, need);
        cut_down(&mut self.surface.instead, need);
        cut_down(&mut self.keys, need);
        let is_large = |list: &Vec<Contact<V>>| is_far_more(list.capacity(), need);
        if self.present.get().is_some_and(is_large) {
            self.forget_present();
        }
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> usize {
        bytes(&self.list)
            + bytes(&self.surface.ghosts)
            + bytes(&self.surface.instead)
            + bytes(&self.keys)
            + self.present.get().map_or(0, bytes)
    }

    /// Checks that the list is in order, and that each of its pairs of bodies is one of `contacts`.
    pub(super) fn validate(&self, contacts: &[Contact<V>]) -> Result<(), String> {
        let keys = self.list.iter().map(PairKey::of);
        if !self.keys.is_empty() && !keys.eq(self.keys.iter().copied()) {
            return Err("the part contacts and their keys differ".to_owned());
        }
        let Surface { ghosts, instead } = &self.surface;
        if !ghosts.is_empty() && ghosts.len() != self.list.len() {
            let (ghosts, parts) = (ghosts.len(), self.list.len());
            return Err(format!("{parts} part contacts, {ghosts} marks of ghosts"));
        }
        let parts = Contact::key_of_parts;
        for (place, contact) in instead.iter().enumerate() {
            let of = self.list.binary_search_by_key(&parts(contact), parts);
            let is_ghost = of.is_ok_and(|of| ghosts.get(of) == Some(&true));
            if !is_ghost || place > 0 && parts(&instead[place - 1]) >= parts(contact) {
                let (a, b) = (contact.a, contact.b);
                return Err(format!(
                    "surface contact {a} {b} is of no ghost, or out of order"
                ));
            }
        }
        for (place, contact) in self.list.iter().enumerate() {
            let (a, b) = (contact.a, contact.b);
            if place > 0 && parts(&self.list[place - 1]) >= parts(contact) {
                return Err(format!("part contact {a} {b} is out of order"));
            }
            if contacts
                .binary_search_by_key(&contact.pair(), Contact::pair)
                .is_err()
            {
                return Err(format!("part contact {a} {b} is of no contact"));
            }
        }
        Ok(())
    }
}
