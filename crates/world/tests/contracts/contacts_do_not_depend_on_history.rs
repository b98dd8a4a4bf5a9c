//! A world that was stepped and edited has the contacts of one made from its poses.

use clearance_world::Options;

use crate::compare::{bits, event_bits, poses};
use crate::crowd::{Dimension, any_body, crowd, edit, rebuilt, world_of};
use crate::random::Random;

crate::in_both_dimensions!(
    two_hundred_frames,
    removals_and_insertions,
    every_kind_of_edit,
    rebuilt_worlds_go_on_alike,
);

const COUNT: usize = 250;

fn two_hundred_frames<V: Dimension>() {
    let (mut world, _) = world_of(Options::default(), crowd::<V>(1, COUNT));
    let mut contacts = 0;
    for frame in 0..200 {
        world.step(1.0 / 60.0).unwrap();
        if frame % 20 == 19 {
            let fresh = rebuilt(&world, Options::default());
            assert!(bits(&world) == bits(&fresh), "frame {frame}");
            contacts += world.contacts().len();
        }
    }
    assert!(contacts > 10 * COUNT / 4, "{contacts} contacts are too few");
}

fn removals_and_insertions<V: Dimension>() {
    let mut random = Random::new(2);
    let (mut world, mut ids) = world_of(Options::default(), crowd::<V>(2, COUNT));
    for frame in 0..60 {
        for _ in 0..10 {
            let id = ids.swap_remove(random.below(ids.len()));
            let body = world.remove(id).unwrap();
            // Some come back where they were, others are new.
            let next = if random.once_in(2) {
                body
            } else {
                any_body(&mut random, COUNT)
            };
            ids.push(world.insert(next).unwrap());
        }
        world.step(1.0 / 60.0).unwrap();
        world.validate().unwrap();
        let fresh = rebuilt(&world, Options::default());
        assert!(bits(&world) == bits(&fresh), "frame {frame}");
    }
    assert!(world.ids().any(|id| id.generation() > 1));
    assert!(world.contacts().len() > COUNT / 4);
}

fn every_kind_of_edit<V: Dimension>() {
    let mut random = Random::new(3);
    let (mut world, mut ids) = world_of(Options::default(), crowd::<V>(3, COUNT));
    for frame in 0..60 {
        for _ in 0..20 {
            edit(&mut world, &mut ids, (&mut random, COUNT));
        }
        if random.once_in(8) {
            world.set_margin(random.between(0.0, 0.2)).unwrap();
        }
        let dt = if random.once_in(3) { 0.0 } else { 1.0 / 60.0 };
        world.step(dt).unwrap();
        world.validate().unwrap();
        let options = Options {
            margin: world.margin(),
            ..Options::default()
        };
        assert!(
            bits(&world) == bits(&rebuilt(&world, options)),
            "frame {frame}"
        );
    }
    assert!(world.contacts().len() > COUNT / 4);
}

fn rebuilt_worlds_go_on_alike<V: Dimension>() {
    let (mut world, _) = world_of(Options::default(), crowd::<V>(4, COUNT));
    for _ in 0..20 {
        world.step(1.0 / 60.0).unwrap();
    }
    let mut fresh = rebuilt(&world, Options::default());
    for frame in 0..20 {
        world.step(1.0 / 30.0).unwrap();
        fresh.step(1.0 / 30.0).unwrap();
        assert_eq!(poses(&world), poses(&fresh), "frame {frame}");
        assert!(bits(&world) == bits(&fresh), "frame {frame}");
        assert!(event_bits(&world) == event_bits(&fresh), "frame {frame}");
    }
    assert!(world.contacts().len() > COUNT / 4);
}
