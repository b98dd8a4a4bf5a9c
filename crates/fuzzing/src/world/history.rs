//! The events that worlds report, and the states to which they can return.

use std::collections::BTreeMap;

use clearance_math::Vector;
use clearance_world::{BodyId, Contact, EventKind, Snapshot, World};

use super::measured::bits;
use super::model::Model;
use crate::dimension::Dimension;

/// An event as plain numbers.
pub(super) type Reported = (EventKind, BodyId, BodyId, Vec<u64>);

/// The contacts of the last step, those of removed bodies included, and the events of it.
#[derive(Clone, Debug)]
pub(super) struct History<V: Vector> {
    last: Vec<Contact<V>>,
    reported: Vec<Reported>,
}

impl<V: Vector> History<V> {
    pub(super) fn new() -> Self {
        Self {
            last: Vec::new(),
            reported: Vec::new(),
        }
    }

    /// What the events must be now.
    pub(super) fn reported(&self) -> &[Reported] {
        &self.reported
    }

    /// A step found these contacts.
    pub(super) fn step(&mut self, contacts: &[Contact<V>]) {
        self.reported = difference(&self.last, contacts);
        self.last = contacts.to_vec();
    }
}

/// The events of a world.
pub(super) fn events<V: Vector>(world: &World<V>) -> Vec<Reported> {
    let events = world.events();
    events
        .map(|event| reported(event.kind, event.contact))
        .collect()
}

fn reported<V: Vector>(kind: EventKind, contact: &Contact<V>) -> Reported {
    (kind, contact.a, contact.b, bits(&contact.separation))
}

/// What became of each pair between two steps, from the contacts of both.
fn difference<V: Vector>(last: &[Contact<V>], now: &[Contact<V>]) -> Vec<Reported> {
    let mut pairs = BTreeMap::<_, [Option<&Contact<V>>; 2]>::new();
    for (step, contacts) in [last, now].into_iter().enumerate() {
        for contact in contacts {
            pairs.entry((contact.a, contact.b)).or_default()[step] = Some(contact);
        }
    }
    let mut events = Vec::new();
    for [before, after] in pairs.into_values() {
        let touched = before.is_some_and(|contact| contact.distance() <= 0.0);
        let touches = after.is_some_and(|contact| contact.distance() <= 0.0);
        let happened = [
            (EventKind::Entered, before.is_none()),
            (EventKind::Began, !touched && touches),
            (EventKind::Stayed, touched && touches),
            (EventKind::Ended, touched && !touches),
            (EventKind::Left, after.is_none()),
        ];
        let Some(contact) = after.or(before) else {
            continue;
        };
        let happened = happened
            .into_iter()
            .filter(|(_, has_happened)| *has_happened);
        events.extend(happened.map(|(kind, _)| reported(kind, contact)));
    }
    events
}

/// A state that the worlds were in.
#[derive(Clone, Debug)]
pub(super) struct Saved<V: Dimension> {
    pub(super) snapshot: Snapshot<V>,
    pub(super) model: Model<V>,
    pub(super) history: History<V>,
}

/// The snapshot after it was stored and read again, one bit of it changed if `damage` says where.
///
/// `None` if it was refused.
pub(super) fn stored<V: Dimension>(
    snapshot: &Snapshot<V>,
    damage: Option<usize>,
) -> Option<Snapshot<V>> {
    let mut bytes = postcard::to_allocvec(snapshot).ok()?;
    if let Some(bit) = damage {
        let place = (bit / 8) % bytes.len();
        bytes[place] ^= 1 << (bit % 8);
    }
    postcard::from_bytes(&bytes).ok()
}
