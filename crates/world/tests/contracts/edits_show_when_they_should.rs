//! Edits show in `get` at once, in the contacts after the next step; removals in both at once.

use clearance_math::Pose;
use clearance_shapes::Shape;
use clearance_world::{Body, BodyId, Groups, Kind, Options, Velocity, World};

use crate::crowd::{Dimension, world_of};

crate::in_both_dimensions!(
    edits_show_at_once,
    what_is_taken_out_is_what_was_put_in,
    contacts_of_removed_bodies_are_gone,
    a_slot_can_be_reused_before_the_next_step,
    ids_and_bodies_come_in_order,
    clones_go_their_own_way,
);

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
    world.set_shape(id, shape.clone()).unwrap();
    world.set_pose(id, pose).unwrap();
    world.set_velocity(id, velocity).unwrap();
    world.set_groups(id, Groups::NONE).unwrap();
    world.set_kind(id, Kind::Fixed).unwrap();
    world.set_extra_margin(id, 0.5).unwrap();
    let body = world.get(id).unwrap();
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

fn what_is_taken_out_is_what_was_put_in<V: Dimension>() {
    let mut random = crate::random::Random::new(10);
    let mut world = World::<V>::new(Options::default()).unwrap();
    for _ in 0..100 {
        let body = crate::crowd::any_body::<V>(&mut random, 10);
        let id = world.insert(body.clone()).unwrap();
        assert_eq!(world.get(id).unwrap().to_body(), body);
        assert_eq!(world.remove(id).unwrap(), body);
    }
    assert!(world.is_empty());
}

fn contacts_of_removed_bodies_are_gone<V: Dimension>() {
    let (mut world, ids) = row::<V>();
    world.remove(ids[0]).unwrap();
    assert_eq!(pairs(&world), [(ids[1], ids[2])]);
    world.remove(ids[2]).unwrap();
    assert_eq!(pairs(&world), []);
    world.step(0.0).unwrap();
    assert_eq!(pairs(&world), []);
    assert_eq!(world.len(), 1);
}

fn a_slot_can_be_reused_before_the_next_step<V: Dimension>() {
    let (mut world, ids) = row::<V>();
    let body = world.remove(ids[1]).unwrap();
    let kinds = [Kind::Fixed, Kind::Moving];
    for kind in kinds {
        // Inserted, removed and inserted again with no step in between.
        let first = world
            .insert(Body {
                kind,
                ..body.clone()
            })
            .unwrap();
        world.remove(first).unwrap();
        let again = world
            .insert(Body {
                kind,
                ..body.clone()
            })
            .unwrap();
        assert_eq!(again.index(), ids[1].index());
        assert!(again.generation() > first.generation());
        assert_eq!(pairs(&world), []);
        world.step(0.0).unwrap();
        assert_eq!(pairs(&world), [(ids[0], again), (again, ids[2])]);
        world.remove(again).unwrap();
    }
}

fn ids_and_bodies_come_in_order<V: Dimension>() {
    let (mut world, ids) = row::<V>();
    world.remove(ids[1]).unwrap();
    assert_eq!(world.ids().collect::<Vec<_>>(), [ids[0], ids[2]]);
    let body = world.bodies().next().unwrap().to_body();
    let last = world.insert(body.clone()).unwrap();
    assert_eq!(world.ids().collect::<Vec<_>>(), [ids[0], last, ids[2]]);
    let end = world.insert(body).unwrap();
    assert_eq!(world.ids().last(), Some(end));
    assert_eq!(world.len(), 4);
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
