//! A pair exists if each body is a member of a group that the other lets through, and one of them can move.

use clearance_math::Pose;
use clearance_shapes::Shape;
use clearance_world::{Body, Groups, Options};

use crate::crowd::{Dimension, Sure, world_of};

crate::in_both_dimensions!(
    groups_decide_which_pairs_exist,
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
    let is_fixed = |k: usize| k.is_multiple_of(3);
    let bodies = groups.iter().enumerate().map(|(k, &groups)| {
        let make = if is_fixed(k) {
            Body::fixed
        } else {
            Body::moving
        };
        make(ball.clone(), Pose::IDENTITY).with_groups(groups)
    });
    let (mut world, ids) = world_of(Options::default(), bodies);
    world.step(0.0).unwrap();
    let mut expected = Vec::new();
    for (j, a) in groups.iter().enumerate() {
        for (k, b) in groups.iter().enumerate().skip(j + 1) {
            let are_friends = a.memberships & b.filter != 0 && b.memberships & a.filter != 0;
            if are_friends && !(is_fixed(j) && is_fixed(k)) {
                expected.push((ids[j], ids[k]));
            }
        }
    }
    let found: Vec<_> = world.contacts().iter().map(|c| (c.a, c.b)).collect();
    assert_eq!(found, expected);
    assert!((10..100).contains(&found.len()));
    assert_eq!(world.profile().candidates, found.len());
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
        world.at(ids[7]).set_groups(Groups::ALL);
        world.step(0.5).unwrap();
        assert_eq!(world.profile().candidates, 3);
    }
}
