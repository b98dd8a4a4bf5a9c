//! What the last step found, beside what the step before had found.

use clearance_math::Vector;

use crate::columns::bytes;
use crate::event::Nearness;
use crate::mark::Mark;
use crate::threads::Gathered;
use crate::{BodyId, Contact, Event};

/// A pair that was in range and is no longer, or whose body was removed since the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Departure<V> {
    /// The last contact of the pair.
    pub(crate) contact: Contact<V>,
    /// How near the bodies were in the step before the last.
    pub(crate) before: Nearness,
    /// How near they were in the last step: out of range, unless a body was removed after it.
    pub(crate) now: Nearness,
}

/// What the last step found, and what had become of what the step before had found.
///
/// Everything is in the order of (a, b).
#[derive(Debug)]
pub(crate) struct Report<V> {
    pub(crate) contacts: Vec<Contact<V>>,
    /// For each contact how near its bodies were in the step before.
    pub(crate) before: Vec<Nearness>,
    pub(crate) departures: Vec<Departure<V>>,
    /// Those of the contacts; none in copies and after a removal: the next step makes them anew.
    marks: Vec<Mark>,
}

/// Marks follow from the contacts.
impl<V: PartialEq> PartialEq for Report<V> {
    fn eq(&self, other: &Self) -> bool {
        self.contacts == other.contacts
            && self.before == other.before
            && self.departures == other.departures
    }
}

/// Copies into the room that is there.
impl<V: Vector> Clone for Report<V> {
    fn clone(&self) -> Self {
        let mut copy = Self::new();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, source: &Self) {
        self.contacts.clone_from(&source.contacts);
        self.before.clone_from(&source.before);
        self.departures.clone_from(&source.departures);
        self.marks.clear();
    }
}

impl<V: Vector> Report<V> {
    pub(crate) const fn new() -> Self {
        Self {
            contacts: Vec::new(),
            before: Vec::new(),
            departures: Vec::new(),
            marks: Vec::new(),
        }
    }

    /// The events of the last step.
    pub(crate) fn events(&self) -> impl Iterator<Item = Event<'_, V>> {
        let mut departed = self.departures.iter().peekable();
        let mut present = self.contacts.iter().zip(&self.before).peekable();
        let pairs = core::iter::from_fn(move || {
            let is_next = |gone: &&Departure<V>| {
                let next = present.peek();
                next.is_none_or(|(contact, _)| gone.contact.pair() < contact.pair())
            };
            match departed.next_if(is_next) {
                Some(gone) => Some((&gone.contact, gone.before, gone.now)),
                None => present
                    .next()
                    .map(|(contact, &before)| (contact, before, Nearness::of(contact))),
            }
        });
        pairs.flat_map(|(contact, before, now)| {
            let kinds = before.events_to(now);
            kinds.map(move |kind| Event { kind, contact })
        })
    }

    /// Takes the contacts of a removed body out; the next step tells that they ended.
    pub(crate) fn depart(&mut self, id: BodyId) {
        let Self {
            contacts,
            before,
            departures,
            marks,
        } = self;
        marks.clear();
        let is_gone = |contact: &Contact<V>| contact.other(id).is_some();
        let pairs = contacts.iter().zip(before.iter());
        let gone = pairs.filter(|(contact, _)| is_gone(contact));
        departures.extend(gone.map(|(&contact, &before)| Departure {
            now: Nearness::of(&contact),
            before,
            contact,
        }));
        let mut kept = contacts.iter().map(|contact| !is_gone(contact));
        before.retain(|_| kept.next() != Some(false));
        contacts.retain(|contact| !is_gone(contact));
        departures.sort_unstable_by_key(|gone| gone.contact.pair());
    }

    /// Makes the contacts those that were found in this step, and notes what became of the pairs of
    /// the last one, whose contacts change places with them.
    pub(crate) fn turn_to(&mut self, found: &mut Gathered<Contact<V>, Mark>) {
        if self.marks.is_empty() {
            self.marks.extend(self.contacts.iter().map(Mark::of));
        }
        core::mem::swap(&mut found.all, &mut self.contacts);
        core::mem::swap(&mut found.marks, &mut self.marks);
        // What was told of the last step is forgotten; bodies removed since then have left.
        self.departures
            .retain(|gone| gone.now != Nearness::OutOfRange);
        for gone in &mut self.departures {
            (gone.before, gone.now) = (gone.now, Nearness::OutOfRange);
        }
        self.compare_with(&found.all, &found.marks);
        self.departures
            .sort_unstable_by_key(|gone| gone.contact.pair());
    }

    /// Two sorted lists walked side by side.
    fn compare_with(&mut self, last: &[Contact<V>], last_marks: &[Mark]) {
        self.before.clear();
        self.before.resize(self.marks.len(), Nearness::OutOfRange);
        let (mut now, mut then) = (0, 0);
        loop {
            let same = tell_same(
                &mut self.before[now..],
                &self.marks[now..],
                &last_marks[then..],
            );
            (now, then) = (now + same, then + same);
            match (self.marks.get(now), last_marks.get(then)) {
                (Some(new), Some(old)) if new.pair() < old.pair() => now += 1,
                (_, Some(old)) => {
                    self.departures.push(Departure {
                        before: old.nearness(),
                        now: Nearness::OutOfRange,
                        contact: last[then],
                    });
                    then += 1;
                }
                (_, None) => break,
            }
        }
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        bytes(&self.contacts) + bytes(&self.before) + bytes(&self.departures) + bytes(&self.marks)
    }

    /// Checks that the lists are in order and agree.
    pub(crate) fn validate(&self) -> Result<(), String> {
        if self.contacts.len() != self.before.len() {
            return Err("the contacts and what they were before differ in number".to_owned());
        }
        let marks = self.contacts.iter().map(Mark::of);
        if !self.marks.is_empty() && !marks.eq(self.marks.iter().copied()) {
            return Err("the contacts and their marks differ".to_owned());
        }
        let present = self.contacts.iter().map(Contact::pair);
        if let Some((a, b)) = first_out_of_order(present) {
            return Err(format!("contact {a} {b} is out of order"));
        }
        let departed = self.departures.iter().map(|gone| gone.contact.pair());
        if let Some((a, b)) = first_out_of_order(departed) {
            return Err(format!("departure {a} {b} is out of order"));
        }
        let is_listed = |gone: &&Departure<V>| {
            let pair = gone.contact.pair();
            let place = self.contacts.binary_search_by_key(&pair, Contact::pair);
            place.is_ok()
        };
        match self.departures.iter().find(is_listed) {
            Some(gone) => {
                let (a, b) = gone.contact.pair();
                Err(format!("{a} {b} is a contact and a departure"))
            }
            None => Ok(()),
        }
    }
}

/// How many pairs are the same at the beginning of both lists; for these notes how near they were.
///
/// Usually all of them.
fn tell_same(before: &mut [Nearness], marks: &[Mark], last: &[Mark]) -> usize {
    let mut same = 0;
    for ((before, mark), last) in before.iter_mut().zip(marks).zip(last) {
        if mark.pair() != last.pair() {
            break;
        }
        *before = last.nearness();
        same += 1;
    }
    same
}

/// The first pair that is not in the order of ids, or does not come after the one before it.
pub(crate) fn first_out_of_order(
    pairs: impl Iterator<Item = (BodyId, BodyId)>,
) -> Option<(BodyId, BodyId)> {
    let mut last = None;
    for pair in pairs {
        if pair.0 >= pair.1 || last.is_some_and(|last| last >= pair) {
            return Some(pair);
        }
        last = Some(pair);
    }
    None
}
