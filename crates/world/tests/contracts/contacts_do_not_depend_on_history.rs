//! A world that was stepped and edited has the contacts of one made from its poses.

use clearance_world::Options;

use crate::compare::{bits, event_bits, poses};
use crate::crowd::{Dimension, crowd, rebuilt, world_of};

crate::in_both_dimensions!(two_hundred_frames, rebuilt_worlds_go_on_alike,);

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
