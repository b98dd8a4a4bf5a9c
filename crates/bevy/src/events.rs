//! What began and what ended: messages for systems, and entity events for observers.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use clearance::generic::{Event as PairEvent, World};
use clearance::{BodyId, EventKind};

use crate::{CollisionWorld, EntityContact, InWorld, Space};

macro_rules! events {
    ($($(#[$doc:meta])* $name:ident)*) => {
        $(
            $(#[$doc])*
            ///
            /// It is sent for pairs of which a body has [`CollisionEvents`](crate::CollisionEvents). As a message, once a
            /// pair, seen from the body that has it, or of two from the one with the smaller id. As an entity event, to each body that has
            /// it, seen from that body. Both come in the order of pairs, which is equal in every run, and after the step in
            /// which it happened; also if a body despawned, of which global observers hear.
            #[derive(Message, EntityEvent, Clone, Debug, PartialEq)]
            pub struct $name<V: Space> {
                /// The body that looks.
                pub entity: Entity,
                /// The contact of the last step, or if there is none any more, that of the step before.
                pub contact: EntityContact<V>,
            }
        )*
    };
}

events! {
    /// Two bodies began to touch.
    CollisionStarted
    /// Two bodies no longer touch. What started also ends, whatever the reason.
    CollisionEnded
    /// Two bodies came within the margin of each other.
    RangeEntered
    /// Two bodies are no longer within the margin of each other.
    RangeLeft
}

/// Where messages go.
#[derive(SystemParam)]
pub(crate) struct Writers<'w, 's, V: Space> {
    started: MessageWriter<'w, CollisionStarted<V>>,
    ended: MessageWriter<'w, CollisionEnded<V>>,
    entered: MessageWriter<'w, RangeEntered<V>>,
    left: MessageWriter<'w, RangeLeft<V>>,
    commands: Commands<'w, 's>,
}

impl<V: Space> Writers<'_, '_, V> {
    /// Triggers the entity event, and writes the message too if this body is the first of the pair to be told.
    fn send(&mut self, kind: EventKind, contact: EntityContact<V>, is_first: bool) {
        let entity = contact.entity;
        macro_rules! send {
            ($event:ident, $messages:ident) => {{
                if is_first {
                    self.$messages.write($event { entity, contact });
                }
                self.commands.trigger($event { entity, contact });
            }};
        }
        match kind {
            EventKind::Began => send!(CollisionStarted, started),
            EventKind::Ended => send!(CollisionEnded, ended),
            EventKind::Entered => send!(RangeEntered, entered),
            EventKind::Left => send!(RangeLeft, left),
            _ => {}
        }
    }
}

/// Sends the events of the last step.
pub(crate) fn report<V: Space>(mut world: ResMut<CollisionWorld<V>>, mut writers: Writers<V>) {
    if world.has_listeners() {
        for &number in &world.stepped {
            let events = world.get(number).into_iter().flat_map(World::events);
            for event in events.filter(|event| event.kind != EventKind::Stayed) {
                send(&world, &mut writers, number, &event);
            }
            for &newcomer in &world.newcomers {
                greet(&world, &mut writers, number, newcomer);
            }
        }
    }
    if !world.stepped.is_empty() {
        world.forget_departed();
    }
}

/// Whether a body hears of the pairs that it is in, and did so before the last step.
fn listens<V: Space>(world: &CollisionWorld<V>, number: InWorld, body: BodyId) -> bool {
    let record = world.record_of(number, body);
    record.is_some_and(|record| {
        record.traits.wants_events && !world.newcomers.contains(&record.entity)
    })
}

fn send<V: Space>(
    world: &CollisionWorld<V>,
    writers: &mut Writers<V>,
    number: InWorld,
    event: &PairEvent<'_, V>,
) {
    let [a, b] = [event.contact.a, event.contact.b];
    // Without a contact in this step, that of the event is of the step before.
    let is_present = world
        .get(number)
        .is_some_and(|of_world| of_world.contact_between(a, b).is_some());
    let listening = [a, b]
        .into_iter()
        .filter(|&body| listens(world, number, body));
    for (place, body) in listening.enumerate() {
        if let Some(view) = event.contact.seen_from(body) {
            let contact = match is_present {
                true => world.seen(number, &view),
                false => world.seen_in_the_past(number, &view),
            };
            writers.send(event.kind, contact, place == 0);
        }
    }
}

/// Tells a body that wants events from now on what it is near already, so that no contact ends for it that did not start.
fn greet<V: Space>(
    world: &CollisionWorld<V>,
    writers: &mut Writers<V>,
    number: InWorld,
    newcomer: Entity,
) {
    let record = world.records.get(newcomer);
    let record = record.filter(|record| record.traits.wants_events && record.world == number);
    let (Some(record), Some(of_world)) = (record, world.get(number)) else {
        return;
    };
    for contact in of_world.contacts_of(record.body) {
        let Some(view) = contact.seen_from(record.body) else {
            continue;
        };
        let other = world.record_of(number, view.other);
        let is_told_before = other.is_some_and(|other| {
            let is_new = world.newcomers.contains(&other.entity);
            other.traits.wants_events && (!is_new || other.body < record.body)
        });
        let contact = world.seen(number, &view);
        writers.send(EventKind::Entered, contact, !is_told_before);
        if contact.is_touching() {
            writers.send(EventKind::Began, contact, !is_told_before);
        }
    }
}
