//! A pair exists if each body is a member of a group that the other lets through.

use clearance_math::Pose;
use clearance_shapes::Shape;
use clearance_world::{Backend, Body, Groups, Options, World};

use crate::crowd::{Dimension, world_of};
use crate::random::Random;

crate::in_both_dimensions!(
    groups_decide_which_pairs_exist,
    groups_that_change_decide_from_the_next_step_on,
    parked_bodies_make_no_pairs_and_hold_little_memory,
);

fn groups_decide_which_pairs_exist<V: Dimension>() {
    let all = [0, 1, 2, 3].map(|bits| [0, 1, 2, 3].map(|filter| (bits, filter)));
    let groups: Vec<_> = all
        .as_flattened()
        .iter()
        .map(|&(memberships, filter)| Groups {
            memberships,
            filter,
        })
        .collect();
    let ball = Shape::<V>::ball(1.0).unwrap();
    let bodies = groups
        .iter()
        .map(|&groups| Body::moving(ball.clone(), Pose::IDENTITY).with_groups(groups));
    let (mut world, ids) = world_of(Options::default(), bodies);
    world.step(0.0).unwrap();
    let mut expected = Vec::new();
    for (j, a) in groups.iter().enumerate() {
        for (k, b) in groups.iter().enumerate().skip(j + 1) {
            if a.memberships & b.filter != 0 && b.memberships & a.filter != 0 {
                expected.push((ids[j], ids[k]));
            }
        }
    }
    let found: Vec<_> = world.contacts().iter().map(|c| (c.a, c.b)).collect();
    assert_eq!(found, expected);
    assert!((10..100).contains(&found.len()));
    assert_eq!(world.profile().candidates, found.len());
}

/// Steps, and compares the contacts with those of a world made anew from the same bodies.
fn step_and_compare<V: Dimension>(world: &mut World<V>) -> usize {
    world.step(0.0).unwrap();
    world.validate().unwrap();
    let bodies = world.bodies().map(|body| body.to_body());
    let (mut fresh, _) = world_of(Options::default(), bodies);
    fresh.step(0.0).unwrap();
    assert_eq!(world.contacts(), fresh.contacts());
    world.contacts().len()
}

fn groups_that_change_decide_from_the_next_step_on<V: Dimension>() {
    let ball = Shape::<V>::ball(1.0).unwrap();
    let at = |k: usize| Pose::from_translation(V::axis(0) * (k as f32 * 0.3));
    let bodies = (0..40).map(|k| match k % 4 {
        0 => Body::fixed(ball.clone(), at(k)),
        _ => Body::moving(ball.clone(), at(k)),
    });
    for backend in [Backend::Bvh, Backend::BruteForce] {
        let options = Options {
            backend,
            ..Options::default()
        };
        let (mut world, ids) = world_of(options, bodies.clone());
        let mut random = Random::new(3);
        let all = step_and_compare(&mut world);
        let snapshot = world.snapshot();
        let mut counts = Vec::new();
        for _ in 0..60 {
            for _ in 0..8 {
                let groups = match random.below(4) {
                    0 => Groups::NONE,
                    1 => Groups::ALL,
                    _ => Groups {
                        memberships: 1 << random.below(3),
                        filter: random.below(8) as u32,
                    },
                };
                world.set_groups(ids[random.below(40)], groups).unwrap();
            }
            counts.push(step_and_compare(&mut world));
        }
        assert!(counts.iter().all(|&count| count < all), "{counts:?}");
        counts.dedup();
        assert!(counts.len() > 20, "{counts:?}");
        // The groups of the snapshot are known to the broad phase, too.
        world.restore(&snapshot);
        assert_eq!(step_and_compare(&mut world), all);
    }
}

fn parked_bodies_make_no_pairs_and_hold_little_memory<V: Dimension>() {
    const COUNT: usize = 20_000;
    let ball = Shape::<V>::ball(1.0).unwrap();
    let below = Shape::<V>::half_space(V::axis(1)).unwrap();
    for shape in [ball.clone(), below] {
        let parked = Body::moving(shape, Pose::IDENTITY).with_groups(Groups::NONE);
        let pickup = Body::fixed(ball.clone(), Pose::IDENTITY);
        let player = Body::moving(ball.clone(), Pose::IDENTITY);
        let bodies = vec![parked; COUNT].into_iter().chain([pickup, player]);
        let (mut world, ids) = world_of(Options::default(), bodies);
        for _ in 0..4 {
            world.step(0.5).unwrap();
            assert_eq!(world.profile().candidates, 1);
        }
        let a_body = world.memory() / COUNT;
        assert!(a_body < 1000, "{a_body} bytes a body");
        // One of them comes back.
        world.set_groups(ids[7], Groups::ALL).unwrap();
        world.step(0.5).unwrap();
        assert_eq!(world.profile().candidates, 3);
    }
}
