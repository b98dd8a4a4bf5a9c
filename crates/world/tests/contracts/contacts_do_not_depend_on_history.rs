//! A world that was stepped and edited has the contacts of one made from its poses.

use clearance_math::Pose;
use clearance_world::{BodyId, Kind, Options, Velocity, World};

use crate::compare::{bits, poses};
use crate::crowd::{Dimension, any_body, any_groups, any_shape, crowd, rebuilt, world_of};
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
            edit(&mut world, &mut ids, &mut random);
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

fn edit<V: Dimension>(world: &mut World<V>, ids: &mut Vec<BodyId>, random: &mut Random) {
    let place = random.below(ids.len());
    let id = ids[place];
    let body = world.get(id).unwrap().to_body();
    let near = |random: &mut Random| body.pose.translation + random.vector::<V>(-0.5, 0.5);
    match random.below(9) {
        0 => {
            world.remove(id).unwrap();
            ids.swap_remove(place);
        }
        1 => ids.push(world.insert(any_body(random, COUNT)).unwrap()),
        2 => {
            let pose = Pose::new(near(random), V::rotation(random));
            world.set_pose(id, pose).unwrap();
        }
        3 => {
            let velocity = Velocity::new(random.vector(-1.0, 1.0), V::angular(random));
            world.set_velocity(id, velocity).unwrap();
        }
        4 => world.set_shape(id, any_shape(random)).unwrap(),
        5 => world.set_groups(id, any_groups(random)).unwrap(),
        6 => {
            let extra = random.between(0.0, 0.3);
            world.set_extra_margin(id, extra).unwrap();
        }
        7 => world.set_kind(id, Kind::Fixed).unwrap(),
        _ => world.set_kind(id, Kind::Moving).unwrap(),
    }
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
    }
    assert!(world.contacts().len() > COUNT / 4);
}
