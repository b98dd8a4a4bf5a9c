//! Edits show in `get` at once, in the contacts after the next step; removals in both at once, as the fuzz target `world`
//! sees after every edit.

use clearance_math::Pose;
use clearance_shapes::Shape;
use clearance_world::{Body, BodyId, BodyKind, Groups, Options, Velocity, World};

use crate::crowd::{Dimension, Sure, world_of};

crate::in_both_dimensions!(edits_show_at_once, clones_go_their_own_way,);

/// Three balls in a row, each touching the next.
fn row<V: Dimension>() -> (World<V>, Vec<BodyId>) {
    let bodies = (0..3).map(|k| {
        let at = Pose::from_translation(V::axis(0) * k as f32);
        Body::moving(Shape::<V>::ball(0.5).unwrap(), at)
    });
    let (mut world, ids) = world_of(Options::default(), bodies);
    world.step(0.0).unwrap();
    assert_eq!(pairs(&world), [(ids[0], ids[1]), (ids[1], ids[2])]);
    (world, ids)
}

fn pairs<V: Dimension>(world: &World<V>) -> Vec<(BodyId, BodyId)> {
    world.validate().unwrap();
    world.contacts().iter().map(|c| (c.a, c.b)).collect()
}

fn edits_show_at_once<V: Dimension>() {
    let (mut world, ids) = row::<V>();
    let id = ids[2];
    let shape = Shape::<V>::cuboid(V::splat(0.25)).unwrap();
    let pose = Pose::from_translation(V::axis(1) * 9.0);
    let velocity = Velocity::from_linear(V::axis(1));
    world.at(id).set_shape(shape.clone());
    world.at(id).set_pose(pose).unwrap();
    world.at(id).set_velocity(velocity).unwrap();
    world.at(id).set_groups(Groups::NONE);
    world.at(id).set_kind(BodyKind::Fixed);
    world.at(id).set_extra_margin(0.5).unwrap();
    let body = world.body(id).unwrap();
    assert_eq!(body.id(), id);
    assert_eq!(body.bounds(), shape.bounds(&pose));
    let expected = Body::fixed(shape, pose)
        .with_velocity(velocity)
        .with_groups(Groups::NONE)
        .with_extra_margin(0.5);
    assert_eq!(body.to_body(), expected);
    // The contacts are those of the last step until the next.
    assert_eq!(world.contacts().len(), 2);
    world.step(0.0).unwrap();
    assert_eq!(pairs(&world), [(ids[0], ids[1])]);
}

fn clones_go_their_own_way<V: Dimension>() {
    let (mut world, ids) = row::<V>();
    let mut other = world.clone();
    other.remove(ids[1]).unwrap();
    other.step(0.0).unwrap();
    assert_eq!(pairs(&other), []);
    world.step(0.0).unwrap();
    assert_eq!(pairs(&world).len(), 2);
}

#[test]
fn worlds_can_be_sent_and_shared() {
    fn assert_is_send_and_sync<T: Send + Sync>() {}
    assert_is_send_and_sync::<World<clearance_math::Vec2>>();
    assert_is_send_and_sync::<World<clearance_math::Vec3>>();
}
