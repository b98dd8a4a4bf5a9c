//! A pair exists if each body is a member of a group that the other lets through.

use clearance_math::Pose;
use clearance_shapes::Shape;
use clearance_world::{Body, Groups, Options};

use crate::crowd::{Dimension, world_of};

crate::in_both_dimensions!(groups_decide_which_pairs_exist);

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
