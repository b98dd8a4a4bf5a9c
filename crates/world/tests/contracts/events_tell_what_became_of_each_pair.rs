//! Events are the difference of the contacts of two steps: what that means for bodies that go and come. That it is so in
//! any history is seen where pairs rest.

use EventKind::{Began, Ended, Entered, Left, Stayed};
use clearance_math::{Pose, Real};
use clearance_shapes::Shape;
use clearance_world::{Body, BodyId, BodyKind, EventKind, Options, World};

use crate::crowd::{Dimension, Sure, world_of};

crate::in_both_dimensions!(
    a_removal_is_told_by_the_next_step_and_unsays_nothing,
    a_teleport_there_and_back_within_a_step_is_no_event,
    a_body_in_a_reused_slot_is_another_body,
);

/// Two balls in touch, and one in range of the second.
fn row<V: Dimension>() -> (World<V>, Vec<BodyId>) {
    let bodies = [0.0, 0.9, 1.93].map(|at: Real| {
        let pose = Pose::from_translation(V::axis(0) * at);
        Body::moving(Shape::<V>::ball(0.5).unwrap(), pose)
    });
    let (mut world, ids) = world_of(Options::default(), bodies);
    world.step(0.0).unwrap();
    (world, ids)
}

fn told<V: Dimension>(world: &World<V>) -> Vec<(EventKind, BodyId, BodyId)> {
    let events = world.events();
    events.map(|e| (e.kind, e.contact.a, e.contact.b)).collect()
}

fn a_removal_is_told_by_the_next_step_and_unsays_nothing<V: Dimension>() {
    let (mut world, ids) = row::<V>();
    let [a, b, c] = ids[..] else { unreachable!() };
    let first = [(Entered, a, b), (Began, a, b), (Entered, b, c)];
    assert_eq!(told(&world), first);
    let before = world.contacts().to_vec();
    world.remove(b).unwrap();
    assert_eq!(told(&world), first);
    assert!(world.contacts().is_empty());
    world.remove(c).unwrap();
    world.step(0.0).unwrap();
    assert_eq!(told(&world), [(Ended, a, b), (Left, a, b), (Left, b, c)]);
    // They carry the last contact.
    assert!(world.events().all(|event| before.contains(event.contact)));
    world.step(0.0).unwrap();
    assert_eq!(told(&world), []);
}

fn a_teleport_there_and_back_within_a_step_is_no_event<V: Dimension>() {
    let (mut world, ids) = row::<V>();
    let [a, b, _] = ids[..] else { unreachable!() };
    let pose = *world.body(a).unwrap().pose();
    let far = Pose::from_translation(V::axis(1) * 100.0);
    world.at(a).set_pose(far).unwrap();
    world.at(a).set_pose(pose).unwrap();
    world.step(0.0).unwrap();
    assert_eq!(told(&world), [(Stayed, a, b)]);
    world.at(a).set_pose(far).unwrap();
    world.step(0.0).unwrap();
    assert_eq!(told(&world), [(Ended, a, b), (Left, a, b)]);
    world.at(a).set_pose(pose).unwrap();
    world.step(0.0).unwrap();
    assert_eq!(told(&world), [(Entered, a, b), (Began, a, b)]);
    // A pair of fixed bodies is none.
    world.at(a).set_kind(BodyKind::Fixed);
    world.at(b).set_kind(BodyKind::Fixed);
    world.step(0.0).unwrap();
    assert_eq!(told(&world), [(Ended, a, b), (Left, a, b)]);
}

fn a_body_in_a_reused_slot_is_another_body<V: Dimension>() {
    let (mut world, ids) = row::<V>();
    let [a, b, c] = ids[..] else { unreachable!() };
    let body = world.remove(a).unwrap();
    let again = world.insert(body).unwrap();
    assert_eq!(again.index(), a.index());
    world.step(0.0).unwrap();
    let expected = [
        (Ended, a, b),
        (Left, a, b),
        (Entered, again, b),
        (Began, again, b),
    ];
    assert_eq!(told(&world), expected);
    world.remove(c).unwrap();
    world.step(0.0).unwrap();
    assert_eq!(told(&world), [(Stayed, again, b), (Left, b, c)]);
}
