//! The events of the last step, one after the other.

use clearance_math::Vector;

use super::lists::Report;
use crate::event::Nearness;
use crate::{Contact, EventKind};

/// How far the events of a step have been read.
///
/// Plain numbers, so that the next event is found by a function that is compiled in this crate.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EventCursor {
    contact: usize,
    transition: usize,
    departure: usize,
    /// The second event of a pair that has two.
    pending: Option<(EventKind, EventSource)>,
}

/// In which list the contact of an event is, and at which place.
#[derive(Clone, Copy, Debug)]
enum EventSource {
    Contact(usize),
    Departure(usize),
}

/// What became of a pair.
struct Change {
    source: EventSource,
    before: Nearness,
    now: Nearness,
}

impl EventCursor {
    /// The next event, in the order of pairs.
    pub(crate) fn next<'r, V: Vector>(
        &mut self,
        report: &'r Report<V>,
    ) -> Option<(EventKind, &'r Contact<V>)> {
        let contact_at = |source| match source {
            EventSource::Contact(place) => report.contacts.get(place),
            EventSource::Departure(place) => report.departures.get(place),
        };
        if let Some((kind, source)) = self.pending.take() {
            return Some((kind, contact_at(source)?));
        }
        loop {
            let change = self.next_change(report)?;
            let mut kinds = change.before.events_to(change.now);
            if let Some(kind) = kinds.next() {
                self.pending = kinds.next().map(|kind| (kind, change.source));
                return Some((kind, contact_at(change.source)?));
            }
        }
    }

    /// Two sorted lists walked side by side: the contacts of the step, and those that ended with it.
    fn next_change<V: Vector>(&mut self, report: &Report<V>) -> Option<Change> {
        let contact = report.contacts.get(self.contact);
        if let Some(gone) = report.departures.get(self.departure)
            && contact.is_none_or(|contact| gone.pair() < contact.pair())
        {
            let source = EventSource::Departure(self.departure);
            self.departure += 1;
            return Some(Change {
                source,
                before: Nearness::of(gone),
                now: Nearness::OutOfRange,
            });
        }
        let place = self.contact;
        let now = Nearness::of(contact?);
        self.contact += 1;
        let transition = report.transitions.get(self.transition);
        let transition = transition.filter(|transition| transition.place == place);
        self.transition += usize::from(transition.is_some());
        Some(Change {
            source: EventSource::Contact(place),
            before: transition.map_or(now, |transition| transition.before),
            now,
        })
    }
}
