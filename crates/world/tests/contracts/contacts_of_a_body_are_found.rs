//! The contacts of one body and of one pair are those of the list, and each body sees its own side.

use clearance_math::{Pose, Vec2};
use clearance_shapes::Shape;
use clearance_world::{Body, BodyId, BodyPair, Contact, Options, World};

use crate::crowd::{Dimension, crowd, edit, world_of};
use crate::random::Random;

crate::in_both_dimensions!(
    they_are_those_of_the_list,
    stale_and_foreign_ids_have_none,
    each_body_sees_its_own_side,
);

/// Compares the look-ups for all bodies with the list of contacts.
fn compare<V: Dimension>(world: &World<V>) {
    let ids: Vec<_> = world.bodies().ids().collect();
    for &id in &ids {
        let of_body = |contact: &&Contact<V>| contact.a == id || contact.b == id;
        let mut expected: Vec<_> = world.contacts().iter().filter(of_body).collect();
        expected.sort_by_key(|contact| contact.other(id));
        let found: Vec<_> = world.contacts_of(id).collect();
        assert_eq!(found, expected, "{id}");
        for &other in &ids {
            let in_list = expected
                .iter()
                .find(|contact| contact.other(id) == Some(other));
            assert_eq!(
                world.contact_between(id, other),
                in_list.copied(),
                "{id} {other}"
            );
        }
    }
}

fn they_are_those_of_the_list<V: Dimension>() {
    let mut random = Random::new(60);
    let (mut world, mut ids) = world_of(Options::default(), crowd::<V>(60, 70));
    compare(&world);
    for _ in 0..8 {
        for _ in 0..10 {
            edit(&mut world, &mut ids, (&mut random, 70));
        }
        compare(&world);
        world.step(1.0 / 30.0).unwrap();
        assert!(world.contacts().len() > 20);
        compare(&world);
    }
    let snapshot = world.snapshot();
    let mut other = World::new(Options::default()).unwrap();
    other.restore(&snapshot);
    compare(&other);
}

fn stale_and_foreign_ids_have_none<V: Dimension>() {
    let (mut world, ids) = world_of(Options::default(), crowd::<V>(61, 70));
    let (mut other, strangers) = world_of(Options::default(), crowd::<V>(61, 70));
    world.step(0.0).unwrap();
    other.step(0.0).unwrap();
    let BodyPair { a, b } = world.contacts()[4].pair();
    let stranger = strangers[ids.iter().position(|&id| id == a).unwrap()];
    let of_none = |world: &World<V>, id: BodyId| {
        assert_eq!(world.contacts_of(id).count(), 0, "{id}");
        assert!(world.contact_between(id, b).is_none() && world.contact_between(b, id).is_none());
    };
    of_none(&world, stranger);
    of_none(&world, BodyId::from_parts(5000, 0));
    world.remove(a).unwrap();
    of_none(&world, a);
    let again = world.insert(Body::moving(Shape::ball(0.5).unwrap(), Pose::IDENTITY));
    let again = again.unwrap();
    assert_eq!(again.index(), a.index());
    of_none(&world, again);
    world.step(0.0).unwrap();
    of_none(&world, a);
    compare(&world);
}

fn each_body_sees_its_own_side<V: Dimension>() {
    let (mut world, _) = world_of(Options::default(), crowd::<V>(62, 70));
    world.step(0.0).unwrap();
    for contact in world.contacts() {
        let s = contact.separation;
        let a = contact.seen_from(contact.a).unwrap();
        assert_eq!(
            (a.body, a.other, a.distance),
            (contact.a, contact.b, s.distance)
        );
        assert_eq!(
            (a.normal, a.point(), a.other_point()),
            (s.normal, s.point_a(), s.point_b())
        );
        let b = contact.seen_from(contact.b).unwrap();
        assert_eq!(
            (b.body, b.other, b.distance),
            (contact.b, contact.a, s.distance)
        );
        assert_eq!(
            (b.normal, b.point(), b.other_point()),
            (-s.normal, s.point_b(), s.point_a())
        );
        assert!(contact.seen_from(BodyId::from_parts(5000, 0)).is_none());
    }
}

/// Its cost is that of its contacts: the look-up for all of many bodies takes no longer than a few
/// passes over the contacts.
#[test]
fn looking_up_every_body_is_linear() {
    // Rows of balls: 20,000 bodies with two contacts each. A pass over all contacts for each body
    // would be 400,000,000 steps, which takes seconds in a test build.
    let bodies = (0..20_000).map(|k| {
        let place = Vec2::new(0.9 * (k % 200) as f32, 2.0 * (k / 200) as f32);
        Body::moving(
            Shape::ball(0.5).unwrap(),
            Pose::<Vec2>::from_translation(place),
        )
    });
    let (mut world, ids) = world_of(Options::default(), bodies);
    world.step(0.0).unwrap();
    let started = std::time::Instant::now();
    for _ in 0..20 {
        let found: usize = ids.iter().map(|&id| world.contacts_of(id).count()).sum();
        assert_eq!(found, 2 * world.contacts().len());
    }
    assert!(
        started.elapsed().as_secs_f64() < 5.0,
        "{:?}",
        started.elapsed()
    );
}
