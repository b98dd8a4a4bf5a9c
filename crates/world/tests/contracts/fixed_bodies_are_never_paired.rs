//! Two fixed bodies are never measured, however they overlap.

use clearance_math::Pose;
use clearance_shapes::Shape;
use clearance_world::{Body, Kind, Options};

use crate::crowd::{Dimension, world_of};

crate::in_both_dimensions!(fixed_bodies_are_never_paired);

fn fixed_bodies_are_never_paired<V: Dimension>() {
    let cuboid = Shape::<V>::cuboid(V::splat(1.0)).unwrap();
    let bodies = (0..50).map(|_| Body::fixed(cuboid.clone(), Pose::IDENTITY));
    let (mut world, ids) = world_of(Options::default(), bodies);
    world.step(0.0).unwrap();
    assert_eq!((world.profile().candidates, world.contacts().len()), (0, 0));

    // The one that may move meets all others, and no others meet.
    world.set_kind(ids[20], Kind::Moving).unwrap();
    world.step(0.0).unwrap();
    assert_eq!(world.contacts().len(), 49);
    assert!(world.contacts().iter().all(|c| c.other(ids[20]).is_some()));
    let partners: Vec<_> = world.contacts().iter().map(|c| c.other(ids[20])).collect();
    assert!(!partners.contains(&Some(ids[20])) && partners.is_sorted());

    world.set_kind(ids[20], Kind::Fixed).unwrap();
    world.step(0.0).unwrap();
    assert_eq!((world.profile().candidates, world.contacts().len()), (0, 0));
    world.validate().unwrap();
}
