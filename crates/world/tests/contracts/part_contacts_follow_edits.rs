//! Which pairs have part contacts, and when: after the next step, but for removals, which show at once.

use clearance_math::{Pose, Real};
use clearance_shapes::{CompoundPart, Shape};
use clearance_world::{Body, BodyId, Options, World};

use crate::compare::{bits, part_bits};
use crate::crowd::{Dimension, Sure, world_of};

crate::in_both_dimensions!(
    either_body_or_the_world_asks_for_part_contacts,
    part_contacts_of_removed_bodies_are_gone_at_once,
    the_hash_covers_part_contacts,
);

/// A terrain, a bar above it that is near several parts, and a ball.
fn bar_on_terrain<V: Dimension>() -> (World<V>, [BodyId; 3]) {
    let above = |height: Real| Pose::from_translation(V::axis(1) * height);
    let bodies = [
        Body::fixed(V::terrain(8.0), above(-2.0)),
        Body::moving(Shape::cuboid(V::splat(1.5)).unwrap(), above(0.5)),
        Body::moving(Shape::ball(0.5).unwrap(), above(2.5)),
    ];
    let (mut world, ids) = world_of(Options::default(), bodies);
    world.step(0.0).unwrap();
    (world, ids.try_into().unwrap())
}

fn either_body_or_the_world_asks_for_part_contacts<V: Dimension>() {
    let (mut world, [terrain, bar, ball]) = bar_on_terrain::<V>();
    let counts = |world: &World<V>| {
        [(bar, terrain), (ball, bar)].map(|(a, b)| world.part_contacts_between(a, b).len())
    };
    assert_eq!(world.contacts().len(), 2);
    assert!(world.part_contacts().is_empty());
    let least = bits(&world);
    let mut several = 0;
    let mut ask = |world: &mut World<V>, asking: &[BodyId]| {
        let before = part_bits(world);
        for id in [terrain, bar, ball] {
            world.at(id).set_part_contacts(asking.contains(&id));
            let body = world.body(id).unwrap();
            assert_eq!(body.wants_part_contacts(), asking.contains(&id));
        }
        // The change shows after the next step, and contacts stay as they are.
        assert!(part_bits(world) == before);
        world.step(0.0).unwrap();
        assert!(bits(world) == least);
        several = several.max(counts(world)[0]);
        counts(world).map(|count| count.min(2))
    };
    assert_eq!(ask(&mut world, &[terrain]), [2, 0]);
    assert_eq!(ask(&mut world, &[bar]), [2, 1]);
    assert_eq!(ask(&mut world, &[ball]), [0, 1]);
    assert_eq!(ask(&mut world, &[terrain, ball]), [2, 1]);
    assert_eq!(ask(&mut world, &[]), [0, 0]);
    world.change(|options| options.part_contacts = true);
    assert_eq!(ask(&mut world, &[]), [2, 1]);
    world.change(|options| options.part_contacts = false);
    assert_eq!(ask(&mut world, &[ball]), [0, 1]);
    assert!(several > 8, "{several}");
    // What is as it was costs nothing.
    world.at(ball).set_part_contacts(true);
    world.change(|options| options.part_contacts = false);
    world.step(0.0).unwrap();
    assert_eq!(world.profile().boxes_updated, 0);
}

fn part_contacts_of_removed_bodies_are_gone_at_once<V: Dimension>() {
    let (mut world, [terrain, bar, ball]) = bar_on_terrain::<V>();
    world.change(|options| options.part_contacts = true);
    world.step(0.0).unwrap();
    let all = world.part_contacts().len();
    assert_eq!(world.part_contacts_between(bar, ball).len(), 1);
    let body = world.remove(ball).unwrap();
    assert_eq!(world.part_contacts().len(), all - 1);
    assert!(world.part_contacts_between(bar, ball).is_empty());
    // Its successor in the slot has none before the next step.
    let next = world.insert(body).unwrap();
    assert_eq!(next.index(), ball.index());
    assert!(world.part_contacts_between(bar, next).is_empty());
    assert_eq!(world.part_contacts().len(), all - 1);
    world.validate().unwrap();
    world.step(0.0).unwrap();
    assert_eq!(world.part_contacts_between(bar, next).len(), 1);
    assert!(world.part_contacts_between(bar, bar).is_empty());
    world.at(terrain).set_shape(Shape::ball(0.1).unwrap());
    world.step(0.0).unwrap();
    assert_eq!(world.part_contacts().len(), 1);
    world.clear();
    assert!(world.part_contacts().is_empty());
    world.step(0.0).unwrap();
    world.validate().unwrap();
    assert!(world.part_contacts().is_empty());
}

fn the_hash_covers_part_contacts<V: Dimension>() {
    // Two balls beside a third one; where the farther one is shows in the part contacts alone.
    let hashes = |height: Real| {
        let ball = Shape::<V>::ball(0.5).unwrap();
        let part = |pose| CompoundPart::new(ball.clone(), pose);
        let at = |x: Real, y: Real| Pose::from_translation(V::axis(0) * x + V::axis(1) * y);
        let two = Shape::compound(vec![part(at(1.0, 0.0)), part(at(0.3, height))]).unwrap();
        let bodies = [
            Body::fixed(two, Pose::IDENTITY),
            Body::moving(ball.clone(), Pose::IDENTITY),
        ];
        let (mut world, _) = world_of(Options::default(), bodies);
        [false, true].map(|are_wanted| {
            world.change(|options| options.part_contacts = are_wanted);
            world.step(0.0).unwrap();
            assert_eq!(world.part_contacts().len(), 2 * usize::from(are_wanted));
            world.contacts_hash()
        })
    };
    let (one, other) = (hashes(0.98), hashes(0.99));
    assert_eq!(one[0], other[0]);
    assert_ne!(one[1], other[1]);
}
