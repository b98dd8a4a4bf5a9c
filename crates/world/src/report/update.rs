//! How a step changes the report.

use clearance_math::Vector;

use super::changes::{Changes, Found};
use super::lists::{Report, Transition};
use super::splice::{put_in, take_out};
use crate::Contact;
use crate::event::Nearness;
use crate::pair_key::PairKey;
use crate::slot_set::SlotSet;

impl<V: Vector> Report<V> {
    /// Keeps all contacts, after a step in which nothing changed, and clears what the step before changed.
    pub(crate) fn keep_all(&mut self) {
        self.transitions.clear();
        self.departures.clear();
    }

    /// Replaces all contacts by `found`, after a step in which all pairs were measured, and notes what changed.
    ///
    /// Afterwards `found` holds the contacts of the step before, whose memory the next step uses again.
    pub(crate) fn replace_all(&mut self, found: &mut Found<V>) {
        self.make_keys();
        core::mem::swap(&mut found.items, &mut self.contacts);
        core::mem::swap(&mut found.keys, &mut self.keys);
        self.transitions.clear();
        self.departures.clear();
        self.compare_with(found);
        self.finish();
    }

    /// Replaces the contacts of the slots in `changed` by `found`, after a step in which only their pairs were
    /// measured, and notes what changed. All other contacts stay.
    pub(crate) fn replace_some(
        &mut self,
        found: &Found<V>,
        changed: &SlotSet,
        changes: &mut Changes,
    ) {
        self.make_keys();
        self.transitions.clear();
        self.departures.clear();
        changes.clear();
        self.match_changed(found, changed, changes);
        take_out(&mut self.contacts, &changes.ended);
        take_out(&mut self.keys, &changes.ended);
        put_in(&mut self.contacts, &found.items, &changes.began);
        put_in(&mut self.keys, &found.keys, &changes.began);
        self.finish();
    }

    /// Copies have no keys: see [`Report::clone_from`].
    fn make_keys(&mut self) {
        if self.keys.is_empty() {
            self.keys.extend(self.contacts.iter().map(PairKey::of));
        }
    }

    /// Forgets what belongs to the contacts of the last step.
    fn finish(&mut self) {
        self.has_removals = false;
        self.present.take();
        let entered = |transition: &Transition| transition.before == Nearness::OutOfRange;
        if !self.departures.is_empty() || self.transitions.iter().any(entered) {
            self.index.update(&self.contacts);
        }
    }

    /// Finds the transitions and departures since the step that found `last`: two sorted lists
    /// walked side by side.
    fn compare_with(&mut self, last: &Found<V>) {
        let (mut now, mut then) = (0, 0);
        loop {
            let same = self.count_same(now, last, then);
            (now, then) = (now + same, then + same);
            match (self.keys.get(now), last.keys.get(then)) {
                (Some(new), Some(old)) if new.pair() == old.pair() => {
                    // The same slots, but one of them has another body.
                    self.depart(&last.items[then]);
                    self.enter(now);
                    (now, then) = (now + 1, then + 1);
                }
                (Some(new), old) if old.is_none_or(|old| new.pair() < old.pair()) => {
                    self.enter(now);
                    now += 1;
                }
                (_, Some(_)) => {
                    self.depart(&last.items[then]);
                    then += 1;
                }
                (_, None) => return,
            }
        }
    }

    /// How many pairs are the same from these places on, usually all of them; notes their
    /// transitions.
    fn count_same(&mut self, now: usize, last: &Found<V>, then: usize) -> usize {
        let keys = self.keys[now..].iter().zip(&last.keys[then..]);
        for (count, (new, old)) in keys.enumerate() {
            if new == old && !self.has_removals {
                continue;
            }
            if new.pair() != old.pair() {
                return count;
            }
            let (contact, before) = (&self.contacts[now + count], &last.items[then + count]);
            if self.has_removals && contact.pair() != before.pair() {
                return count;
            }
            if new != old {
                self.transitions.push(Transition {
                    place: now + count,
                    before: old.nearness(),
                });
            }
        }
        self.keys[now..].len().min(last.keys[then..].len())
    }

    fn depart(&mut self, contact: &Contact<V>) {
        self.departures.push(*contact);
    }

    fn enter(&mut self, place: usize) {
        self.transitions.push(Transition {
            place,
            before: Nearness::OutOfRange,
        });
    }

    /// Writes those found over the contacts of their pairs, and collects what ended and began.
    fn match_changed(&mut self, found: &Found<V>, changed: &SlotSet, changes: &mut Changes) {
        let mut next = 0;
        for place in 0..self.keys.len() {
            let key = self.keys[place];
            if !changed.contains_one_of(key.slots()) {
                continue;
            }
            while found
                .keys
                .get(next)
                .is_some_and(|new| new.pair() < key.pair())
            {
                self.begin(found, next, changes);
                next += 1;
            }
            match found.keys.get(next) {
                Some(new) if new.pair() == key.pair() => {
                    self.overwrite(place, found, next, changes);
                    next += 1;
                }
                _ => {
                    changes.ended.push(place);
                    self.departures.push(self.contacts[place]);
                }
            }
        }
        for place in next..found.keys.len() {
            self.begin(found, place, changes);
        }
    }

    /// A pair that was no contact: what comes before it in the list has been looked at.
    fn begin(&mut self, found: &Found<V>, from: usize, changes: &mut Changes) {
        let place = changes.begin(&self.keys, found, from);
        self.enter(place);
    }

    /// A pair that was a contact and still is one, or whose slots have other bodies.
    fn overwrite(&mut self, place: usize, found: &Found<V>, from: usize, changes: &Changes) {
        let (old, new) = (self.contacts[place], found.items[from]);
        let mut before = self.keys[place].nearness();
        if old.pair() != new.pair() {
            self.departures.push(old);
            before = Nearness::OutOfRange;
        }
        (self.contacts[place], self.keys[place]) = (new, found.keys[from]);
        if before != self.keys[place].nearness() {
            self.transitions.push(Transition {
                place: place + changes.began.len() - changes.ended.len(),
                before,
            });
        }
    }
}
