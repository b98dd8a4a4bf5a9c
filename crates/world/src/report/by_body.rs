//! Where the contacts of each body are in the list.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use clearance_math::Vector;

use crate::Contact;
use crate::reserve::{bytes, is_far_more};

/// The places of the contacts of a body, in the order of the other bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlacesOfBody<'r> {
    second: core::slice::Iter<'r, u32>,
    first: core::ops::Range<usize>,
}

impl Iterator for PlacesOfBody<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let as_second = self.second.next().map(|&place| place as usize);
        as_second.or_else(|| self.first.next())
    }
}

/// An index of the contacts by body.
///
/// Made when it is first used after a step in which pairs came or went; from then on the steps keep it up
/// to date in the memory that it has, until it has not been used between two steps.
#[derive(Debug, Default)]
pub(super) struct ContactIndex {
    places: OnceLock<Places>,
    was_used: AtomicBool,
}

impl ContactIndex {
    /// The places of the contacts of the body in `slot`, in the order of the other bodies.
    pub(super) fn of_body<V: Vector>(
        &self,
        contacts: &[Contact<V>],
        slot: u32,
    ) -> PlacesOfBody<'_> {
        self.was_used.store(true, Ordering::Relaxed);
        let places = self.places.get_or_init(|| {
            let mut places = Places::default();
            places.fill(contacts);
            places
        });
        PlacesOfBody {
            second: places.second(slot).iter(),
            first: places.first(slot),
        }
    }

    /// Brings the index up to date with other contacts if it was used since the last time.
    pub(super) fn update<V: Vector>(&mut self, contacts: &[Contact<V>]) {
        let was_used = core::mem::take(self.was_used.get_mut());
        let Some(mut places) = self.places.take() else {
            return;
        };
        if was_used {
            places.fill(contacts);
            self.places = OnceLock::from(places);
        }
    }

    /// Gives memory back that so many contacts do not need; the index is made anew when it is next used.
    pub(super) fn cut_down(&mut self, contacts: usize) {
        let is_large = |places: &Places| is_far_more(places.order.capacity(), contacts);
        if self.places.get().is_some_and(is_large) {
            self.clear();
        }
    }

    /// Forgets everything: the contacts are others.
    pub(super) fn clear(&mut self) {
        self.places.take();
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> usize {
        let places = self.places.get();
        places.map_or(0, |places| {
            bytes(&places.first) + bytes(&places.second) + bytes(&places.order)
        })
    }
}

/// For each slot, which contacts it is the first body of, and which the second.
#[derive(Debug, Default)]
struct Places {
    /// By slot, the first contact of which it or a later slot is the first body.
    first: Vec<u32>,
    /// By slot, the first place in `order` of a contact of which it or a later slot is the second body.
    second: Vec<u32>,
    /// The places of the contacts, in the order of their second bodies, then of their first.
    order: Vec<u32>,
}

impl Places {
    /// A counting sort by the second body, which leaves those of one body in order.
    fn fill<V: Vector>(&mut self, contacts: &[Contact<V>]) {
        let greatest = contacts.iter().map(|contact| contact.b.index()).max();
        let slots = greatest.map_or(0, |slot| slot as usize + 1);
        let Self {
            first,
            second,
            order,
        } = self;
        count(
            first,
            slots,
            contacts.iter().map(|contact| contact.a.index()),
        );
        count(
            second,
            slots,
            contacts.iter().map(|contact| contact.b.index()),
        );
        order.clear();
        order.resize(contacts.len(), 0);
        // From the last to the first: the count of each slot goes down to its first place.
        for (place, contact) in contacts.iter().enumerate().rev() {
            let next = &mut second[contact.b.index() as usize];
            *next -= 1;
            order[*next as usize] = place as u32;
        }
        for contact in contacts {
            first[contact.a.index() as usize] -= 1;
        }
    }

    fn first(&self, slot: u32) -> core::ops::Range<usize> {
        let [start, end] = bounds(&self.first, slot);
        start..end
    }

    fn second(&self, slot: u32) -> &[u32] {
        let [start, end] = bounds(&self.second, slot);
        &self.order[start..end]
    }
}

/// For each slot how many of `slots_of` are not greater.
fn count(counts: &mut Vec<u32>, slots: usize, slots_of: impl Iterator<Item = u32>) {
    counts.clear();
    counts.resize(slots + 1, 0);
    for slot in slots_of {
        counts[slot as usize] += 1;
    }
    let mut sum = 0;
    for count in counts {
        sum += *count;
        *count = sum;
    }
}

/// From where to where the entries of `slot` go; nothing for a slot beyond all contacts.
fn bounds(starts: &[u32], slot: u32) -> [usize; 2] {
    let slot = slot as usize;
    match (starts.get(slot), starts.get(slot + 1)) {
        (Some(&start), Some(&end)) => [start as usize, end as usize],
        _ => [0, 0],
    }
}
