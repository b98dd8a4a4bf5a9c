//! Ten thousand frames of coming and going leave no trace, and a crowd that is gone leaves little.

use std::collections::VecDeque;

use clearance_math::Pose;
use clearance_shapes::Shape;
use clearance_world::{Body, BodyId, Options, Snapshot, World};

use crate::crowd::{Dimension, any_body};
use crate::random::Random;

crate::in_both_dimensions!(
    nothing_grows_under_churn,
    memory_of_a_crowd_that_is_gone_is_given_back,
);

fn nothing_grows_under_churn<V: Dimension>() {
    const COUNT: usize = 24;
    let mut random = Random::new(13);
    let mut world = World::<V>::new(Options::default()).unwrap();
    let mut ids = VecDeque::new();
    let (mut most, mut contacts) = (0, 0);
    for frame in 0..10_000 {
        // Between one and two times the count, so that slots stay vacant and are filled again.
        let count = COUNT + random.below(COUNT);
        while ids.len() < count {
            ids.push_back(world.insert(any_body(&mut random, COUNT)).unwrap());
        }
        while ids.len() > count {
            let at = random.below(4);
            world.remove(ids.remove(at).unwrap()).unwrap();
        }
        world.step(1.0 / 60.0).unwrap();
        contacts += world.contacts().len();
        if frame < 1000 {
            most = most.max(world.memory());
        }
    }
    world.validate().unwrap();
    assert_eq!(world.len(), ids.len());
    assert!(
        world
            .bodies()
            .ids()
            .all(|id| (id.index() as usize) < 2 * COUNT)
    );
    assert!(world.bodies().ids().any(|id| id.generation() > 1000));
    assert!(contacts > 10_000);
    // Lists keep the room of their fullest moment, which may come late; they grow by doubling.
    let memory = world.memory();
    assert!(memory <= 2 * most, "{memory} bytes, {most} at first");
}

/// Inserts ball number `k` of a row; its id as numbers, which belong to no world in particular.
fn insert<V: Dimension>(world: &mut World<V>, k: usize) -> BodyId {
    let pose = Pose::from_translation(V::axis(0) * k as f32);
    let body = Body::moving(Shape::ball(0.5).unwrap(), pose).with_user_data(k as u64 + 1);
    let id = world.insert(body).unwrap();
    BodyId::from_parts(id.index(), id.generation())
}

/// What is given back does not show: ids come in the order in which they come to a world that keeps all.
fn memory_of_a_crowd_that_is_gone_is_given_back<V: Dimension>() {
    const CROWD: usize = 5000;
    let mut world = World::<V>::new(Options::default()).unwrap();
    let few: Vec<_> = (0..5).map(|k| insert(&mut world, k)).collect();
    let before = world.snapshot();
    let stale: Vec<BodyId> = (5..CROWD).map(|k| insert(&mut world, k)).collect();
    world.step(0.0).unwrap();
    let (crowded, with_crowd) = (world.memory(), world.snapshot());
    world.remove_many(&stale).unwrap();
    for _ in 0..2 {
        world.step(0.0).unwrap();
    }
    let keeps_all = world.clone();
    for _ in 0..600 {
        world.step(0.0).unwrap();
    }
    world.validate().unwrap();
    // What is left is a generation for each slot, and lists of the broad phase.
    assert!(
        world.memory() < crowded / 2,
        "{} of {crowded}",
        world.memory()
    );
    assert!(world.snapshot() == keeps_all.snapshot());
    let text = |world: &World<V>| serde_json::to_string(&world.snapshot()).unwrap();
    assert_eq!(text(&world), text(&keeps_all));
    let stored: Snapshot<V> = serde_json::from_str(&text(&world)).unwrap();
    assert!(stored == world.snapshot());
    let mut restored = World::<V>::default();
    restored.restore(&stored);
    for world in [&mut world, &mut { keeps_all }, &mut restored] {
        assert!(stale.iter().all(|&id| !world.contains(id)));
        for k in 5..50 {
            let id = insert(world, k);
            assert_eq!((id.index(), id.generation()), (k as u32, 1));
        }
        world.step(0.0).unwrap();
        assert!(stale.iter().all(|&id| !world.contains(id)));
        assert_eq!(world.contacts().len(), 49);
        assert!(few.iter().all(|&id| world.contains(id)));
        world.validate().unwrap();
    }
    // The whole crowd comes back with a snapshot.
    world.restore(&with_crowd);
    world.step(0.0).unwrap();
    assert_eq!((world.len(), world.contacts().len()), (CROWD, CROWD - 1));
    assert!(stale.iter().all(|&id| world.contains(id)));
    world.validate().unwrap();
    world.restore(&before);
    for _ in 0..600 {
        world.step(0.0).unwrap();
    }
    assert!(world.len() == 5 && world.memory() < crowded / 2);
    // In the state before the crowd there is none of it.
    assert!(!stale.iter().any(|&id| world.contains(id)));
}
