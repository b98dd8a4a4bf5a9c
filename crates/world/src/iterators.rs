//! The iterators of [`World::events`] and [`World::contacts_of`]: shells over functions that are compiled here.

use clearance_math::{Vector, compile_once};

use crate::report::{EventCursor, PlacesOfBody};
use crate::{BodyId, Contact, Event, World};

/// The events of the last step.
pub(crate) struct EventIter<'w, V: Vector> {
    world: &'w World<V>,
    cursor: EventCursor,
}

impl<'w, V: Vector> EventIter<'w, V> {
    pub(crate) fn new(world: &'w World<V>) -> Self {
        let cursor = EventCursor::default();
        Self { world, cursor }
    }
}

impl<'w, V: Vector> Iterator for EventIter<'w, V> {
    type Item = Event<'w, V>;

    fn next(&mut self) -> Option<Event<'w, V>> {
        let (cursor, event) = next_event(self.world, self.cursor);
        self.cursor = cursor;
        event
    }
}

compile_once! {
    fn next_event<'w, V>(
        world: &'w World<V>,
        cursor: EventCursor,
    ) -> (EventCursor, Option<Event<'w, V>>) {
        let mut cursor = cursor;
        let user_data = |id| world.user_data(id).unwrap_or(0);
        let event = cursor.next(&world.report).map(|(kind, contact)| Event {
            kind,
            contact,
            user_data_a: user_data(contact.a),
            user_data_b: user_data(contact.b),
        });
        (cursor, event)
    }
}

/// The contacts of a body.
pub(crate) struct ContactIter<'w, V: Vector> {
    world: &'w World<V>,
    places: PlacesOfBody<'w>,
}

impl<'w, V: Vector> ContactIter<'w, V> {
    pub(crate) fn new(world: &'w World<V>, id: BodyId) -> Self {
        let places = places_of(world, id);
        Self { world, places }
    }
}

impl<'w, V: Vector> Iterator for ContactIter<'w, V> {
    type Item = &'w Contact<V>;

    fn next(&mut self) -> Option<&'w Contact<V>> {
        let (places, contact) = next_contact(self.world, core::mem::take(&mut self.places));
        self.places = places;
        contact
    }
}

compile_once! {
    fn places_of<'w, V>(world: &'w World<V>, id: BodyId) -> PlacesOfBody<'w> {
        let slot = world.bodies.slot(id);
        slot.map_or_else(PlacesOfBody::default, |slot| world.report.of_body(slot as u32))
    }
}

compile_once! {
    fn next_contact<'w, V>(
        world: &'w World<V>,
        places: PlacesOfBody<'w>,
    ) -> (PlacesOfBody<'w>, Option<&'w Contact<V>>) {
        let mut places = places;
        let contacts = &world.report.contacts;
        let contact = places.find_map(|place| {
            let contact = contacts.get(place);
            contact.filter(|contact| world.is_present(contact))
        });
        (places, contact)
    }
}
