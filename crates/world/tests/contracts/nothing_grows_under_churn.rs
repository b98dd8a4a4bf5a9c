//! Ten thousand frames of coming and going leave no trace.

use std::collections::VecDeque;

use clearance_world::{Options, World};

use crate::crowd::{Dimension, any_body};
use crate::random::Random;

crate::in_both_dimensions!(nothing_grows_under_churn);

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
    assert!(world.ids().all(|id| (id.index() as usize) < 2 * COUNT));
    assert!(world.ids().any(|id| id.generation() > 1000));
    assert!(contacts > 10_000);
    // Lists keep the room of their fullest moment, which may come late; they grow by doubling.
    let memory = world.memory();
    assert!(memory <= 2 * most, "{memory} bytes, {most} at first");
}
