//! Contacts compared bit by bit.

use std::collections::HashMap;

use clearance_gjk::Separation;
use clearance_math::Vector;
use clearance_world::{BodyId, Contact, Event, EventKind, Impact, World};

/// A contact as plain numbers: the places of its bodies in some list, and every bit of the rest.
pub(crate) type Bits = (usize, usize, Vec<u32>);

pub(crate) fn separation_bits<V: Vector>(separation: &Separation<V>) -> Vec<u32> {
    let s = separation;
    let mut bits = vec![s.distance, s.lower, s.upper];
    for vector in [s.normal, s.point_a(), s.point_b()] {
        bits.extend((0..V::DIM).map(|axis| vector.component(axis)));
    }
    let bits = bits.into_iter().map(f32::to_bits);
    bits.chain([s.part_a, s.part_b, s.status as u32]).collect()
}

/// The kinds of the events, in their order.
pub(crate) fn kinds<V: Vector>(world: &World<V>) -> Vec<EventKind> {
    world.events().map(|event| event.kind).collect()
}

/// The events as plain numbers: kind, ids, and every bit of the rest.
pub(crate) fn event_bits<V: Vector>(
    world: &World<V>,
) -> Vec<(EventKind, BodyId, BodyId, Vec<u32>)> {
    let bits = |event: Event<'_, V>| {
        let contact = event.contact;
        (
            event.kind,
            contact.a,
            contact.b,
            separation_bits(&contact.separation),
        )
    };
    world.events().map(bits).collect()
}

/// All that a step tells of pairs, bit by bit: contacts, those of parts and of surfaces, impacts and events. Ids are told
/// as numbers.
pub(crate) fn told<V: Vector>(world: &World<V>) -> [Vec<Vec<u32>>; 5] {
    let of_ids = |a: BodyId, b: BodyId| vec![a.index(), a.generation(), b.index(), b.generation()];
    let of_contact = |contact: &Contact<V>| {
        let mut bits = of_ids(contact.a, contact.b);
        bits.extend(separation_bits(&contact.separation));
        bits
    };
    let of_impact = |Impact { a, b, hit, .. }: &Impact<V>| {
        let mut bits = of_ids(*a, *b);
        bits.extend([hit.time, hit.time_lower, hit.time_upper].map(f32::to_bits));
        bits.push(hit.status as u32);
        bits.extend(separation_bits(&hit.separation));
        bits
    };
    let of_event = |event: Event<'_, V>| {
        let mut bits = of_contact(event.contact);
        bits.push(event.kind as u32);
        bits
    };
    [
        world.contacts().iter().map(of_contact).collect(),
        world.part_contacts().iter().map(of_contact).collect(),
        world.surface_contacts().map(of_contact).collect(),
        world.impacts().map(of_impact).collect(),
        world.events().map(of_event).collect(),
    ]
}

/// The contacts, in their order, with each body named by its place among `ids`.
pub(crate) fn bits_among<V: Vector>(contacts: &[Contact<V>], ids: &[BodyId]) -> Vec<Bits> {
    let places: HashMap<_, _> = ids
        .iter()
        .zip(0..)
        .map(|(&id, place)| (id, place))
        .collect();
    let bits = |contact: &Contact<V>| {
        let separation = separation_bits(&contact.separation);
        (places[&contact.a], places[&contact.b], separation)
    };
    contacts.iter().map(bits).collect()
}

/// The contacts of a world, with each body named by its place in the order of ids.
pub(crate) fn bits<V: Vector>(world: &World<V>) -> Vec<Bits> {
    bits_among(world.contacts(), &world.bodies().ids().collect::<Vec<_>>())
}

/// The same of surface contacts.
pub(crate) fn surface_bits<V: Vector>(world: &World<V>) -> Vec<Bits> {
    let contacts: Vec<_> = world.surface_contacts().copied().collect();
    bits_among(&contacts, &world.bodies().ids().collect::<Vec<_>>())
}

/// The contacts of parts of a world, with each body named by its place in the order of ids.
pub(crate) fn part_bits<V: Vector>(world: &World<V>) -> Vec<Bits> {
    bits_among(
        world.part_contacts(),
        &world.bodies().ids().collect::<Vec<_>>(),
    )
}

/// The poses of a world, bit by bit (`Debug` tells -0 from 0).
pub(crate) fn poses<V: Vector>(world: &World<V>) -> Vec<String> {
    world
        .bodies()
        .map(|body| format!("{:?}", body.pose()))
        .collect()
}
