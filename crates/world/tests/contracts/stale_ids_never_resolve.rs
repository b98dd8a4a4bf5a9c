//! The id of a removed body finds nothing, however often its slot is used again.

use std::collections::HashSet;

use clearance_math::Pose;
use clearance_shapes::Shape;
use clearance_world::{Body, Options, World};

use crate::crowd::Dimension;
use crate::random::Random;

crate::in_both_dimensions!(stale_ids_never_resolve);

fn stale_ids_never_resolve<V: Dimension>() {
    let mut random = Random::new(15);
    let mut world = World::<V>::new(Options::default()).unwrap();
    let ball = Shape::<V>::ball(0.5).unwrap();
    let (mut live, mut stale) = (Vec::new(), HashSet::new());
    for _ in 0..4000 {
        if live.len() < 5 || random.once_in(2) {
            let id = world
                .insert(Body::moving(ball.clone(), Pose::IDENTITY))
                .unwrap();
            assert!(!stale.contains(&id) && !live.contains(&id));
            live.push(id);
        } else {
            let id = live.swap_remove(random.below(live.len()));
            world.remove(id).unwrap();
            assert!(stale.insert(id));
        }
    }
    assert!(stale.len() > 1000);
    assert!(
        live.iter()
            .all(|&id| world.contains(id) && world.get(id).is_some())
    );
    assert!(
        stale
            .iter()
            .all(|&id| !world.contains(id) && world.get(id).is_none())
    );
    assert_eq!(world.len(), live.len());
    live.sort_unstable();
    assert!(world.ids().eq(live));
}
