//! Bodies inserted in another order get other ids and the same contacts and events.

use std::collections::{BTreeMap, BTreeSet};

use clearance_world::{BodyId, Contact, Event, EventKind, Options, World};

use crate::compare::separation_bits;
use crate::crowd::{Dimension, crowd, world_of};
use crate::random::Random;

crate::in_both_dimensions!(shuffled_bodies_make_the_same_contacts);

fn shuffled_bodies_make_the_same_contacts<V: Dimension>() {
    let bodies = crowd::<V>(7, 400);
    let (mut world, ids) = world_of(Options::default(), bodies.clone());
    let mut order: Vec<usize> = (0..bodies.len()).collect();
    Random::new(7).shuffle(&mut order);
    let shuffled = order.iter().map(|&place| bodies[place].clone());
    let (mut other, shuffled_ids) = world_of(Options::default(), shuffled);
    let mut other_ids = shuffled_ids.clone();
    for (&place, id) in order.iter().zip(shuffled_ids) {
        other_ids[place] = id;
    }
    for frame in 0..20 {
        world.step(1.0 / 60.0).unwrap();
        other.step(1.0 / 60.0).unwrap();
        let expected = by_place(world.contacts(), &ids);
        assert!(expected.len() > bodies.len() / 4);
        assert!(
            expected == by_place(other.contacts(), &other_ids),
            "frame {frame}"
        );
        let told = events_by_place(&world, &ids);
        assert!(told == events_by_place(&other, &other_ids), "frame {frame}");
        assert!(!told.is_empty());
    }
}

/// What became of each pair, by the places of its bodies.
fn events_by_place<V: Dimension>(
    world: &World<V>,
    ids: &[BodyId],
) -> BTreeSet<(usize, usize, EventKind)> {
    let place = |id: BodyId| ids.iter().position(|&other| other == id).unwrap();
    let told = |event: Event<'_, V>| {
        let (a, b) = (place(event.contact.a), place(event.contact.b));
        (a.min(b), a.max(b), event.kind)
    };
    world.events().map(told).collect()
}

/// The contacts by the places of their bodies, turned so that the lesser place comes first.
fn by_place<V: Dimension>(
    contacts: &[Contact<V>],
    ids: &[BodyId],
) -> BTreeMap<(usize, usize), Vec<u32>> {
    let places: BTreeMap<_, _> = ids
        .iter()
        .zip(0..)
        .map(|(&id, place)| (id, place))
        .collect();
    let turned = |contact: &Contact<V>| {
        let (a, b) = (places[&contact.a], places[&contact.b]);
        if a < b {
            ((a, b), separation_bits(&contact.separation))
        } else {
            ((b, a), separation_bits(&contact.separation.flipped()))
        }
    };
    contacts.iter().map(turned).collect()
}
