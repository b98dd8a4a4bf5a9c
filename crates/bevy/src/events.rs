//! What began and what ended: messages for systems, and entity events for observers.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use clearance::EventKind;
use clearance::generic::Event as PairEvent;

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
    fn write(&mut self, kind: EventKind, contact: EntityContact<V>) {
        let entity = contact.entity;
        match kind {
            EventKind::Began => _ = self.started.write(CollisionStarted { entity, contact }),
            EventKind::Ended => _ = self.ended.write(CollisionEnded { entity, contact }),
            EventKind::Entered => _ = self.entered.write(RangeEntered { entity, contact }),
            EventKind::Left => _ = self.left.write(RangeLeft { entity, contact }),
            _ => {}
        }
    }

    fn trigger(&mut self, kind: EventKind, contact: EntityContact<V>) {
        let entity = contact.entity;
        match kind {
            EventKind::Began => self.commands.trigger(CollisionStarted { entity, contact }),
            EventKind::Ended => self.commands.trigger(CollisionEnded { entity, contact }),
            EventKind::Entered => self.commands.trigger(RangeEntered { entity, contact }),
            EventKind::Left => self.commands.trigger(RangeLeft { entity, contact }),
            _ => {}
        }
    }
}

/// Sends the events of the last step.
pub(crate) fn report<V: Space>(mut world: ResMut<CollisionWorld<V>>, mut writers: Writers<V>) {
    if !world.has_listeners() {
        return;
    }
    for (number, of_world) in world.worlds().enumerate() {
        for event in of_world
            .events()
            .filter(|event| event.kind != EventKind::Stayed)
        {
            send(&world, &mut writers, InWorld(number as u8), &event);
        }
    }
    world.forget_departed();
}

fn send<V: Space>(
    world: &CollisionWorld<V>,
    writers: &mut Writers<V>,
    number: InWorld,
    event: &PairEvent<'_, V>,
) {
    let wants = |body| {
        world
            .record_of(number, body)
            .is_some_and(|record| record.traits.wants_events)
    };
    let listeners = [event.contact.a, event.contact.b]
        .into_iter()
        .filter(|&body| wants(body));
    for (place, body) in listeners.enumerate() {
        if let Some(view) = event.contact.seen_from(body) {
            let contact = world.seen(number, &view);
            if place == 0 {
                writers.write(event.kind, contact);
            }
            writers.trigger(event.kind, contact);
        }
    }
}
