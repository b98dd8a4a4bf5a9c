//! User data stays with its body: in look-ups, events, snapshots, and after a removal for as long as events name the
//! body. The fuzz target `world` follows it through random histories.

use clearance_math::{Pose, Real, Vector};
use clearance_shapes::Shape;
use clearance_world::{Body, BodyId, EventKind, Options, World};

use crate::crowd::{Dimension, Sure, crowd, world_of};

crate::in_both_dimensions!(
    it_can_be_given_read_and_changed,
    events_give_it_also_of_removed_bodies,
    answers_do_not_depend_on_it,
);

fn ball<V: Vector>(x: Real, user_data: u64) -> Body<V> {
    let pose = Pose::from_translation(V::axis(0) * x);
    Body::moving(Shape::ball(0.5).unwrap(), pose).with_user_data(user_data)
}

fn it_can_be_given_read_and_changed<V: Dimension>() {
    let mut world = World::<V>::new(Options::default()).unwrap();
    let plain = world.insert(ball(0.0, 0)).unwrap();
    let named = world.insert(ball(5.0, u64::MAX)).unwrap();
    assert_eq!(
        [plain, named].map(|id| world.user_data(id)),
        [Some(0), Some(u64::MAX)]
    );
    let before = world.snapshot();
    world.at(plain).set_user_data(7);
    assert_ne!(world.snapshot(), before);
    assert_eq!(world.body(plain).unwrap().user_data(), 7);
    let body = world.remove(named).unwrap();
    assert_eq!(body, ball(5.0, u64::MAX));
    // The next body of the slot has its own.
    let next = world.insert(ball(5.0, 0)).unwrap();
    assert_eq!(next.index(), named.index());
    assert_eq!(
        [next, named].map(|id| world.user_data(id)),
        [Some(0), Some(u64::MAX)]
    );
    assert!(
        world
            .body_mut(named)
            .map(|mut body| body.set_user_data(1))
            .is_err()
    );
    assert_eq!(world.user_data(BodyId::from_parts(9, 9)), None);
}

/// Kind and user data of all events.
fn told<V: Dimension>(world: &World<V>) -> Vec<(EventKind, u64, u64)> {
    let events = world.events();
    events
        .map(|event| (event.kind, event.user_data_a, event.user_data_b))
        .collect()
}

fn events_give_it_also_of_removed_bodies<V: Dimension>() {
    use EventKind::{Began, Ended, Entered, Left};
    let mut world = World::<V>::new(Options::default()).unwrap();
    let one = world.insert(ball(0.0, 11)).unwrap();
    world.insert(ball(0.9, 22)).unwrap();
    world.step(0.0).unwrap();
    assert_eq!(told(&world), [(Entered, 11, 22), (Began, 11, 22)]);
    world.at(one).set_user_data(12);
    world.remove(one).unwrap();
    // The slot is used again and removed again before the step that reports the removals.
    let again = world.insert(ball(0.1, 33)).unwrap();
    world.remove(again).unwrap();
    assert_eq!(told(&world), [(Entered, 12, 22), (Began, 12, 22)]);
    assert_eq!(
        [one, again].map(|id| world.user_data(id)),
        [Some(12), Some(33)]
    );
    world.step(0.0).unwrap();
    assert_eq!(told(&world), [(Ended, 12, 22), (Left, 12, 22)]);
    // A refused step changes nothing.
    assert!(world.step(Real::NAN).is_err());
    assert_eq!(told(&world), [(Ended, 12, 22), (Left, 12, 22)]);
    world.step(0.0).unwrap();
    assert_eq!(told(&world), []);
    assert_eq!([one, again].map(|id| world.user_data(id)), [None, None]);
}

fn answers_do_not_depend_on_it<V: Dimension>() {
    let hashes = [false, true].map(|has_data| {
        let (mut world, ids) = world_of(Options::default(), crowd::<V>(53, 60));
        let mut hashes = Vec::new();
        for frame in 0..5 {
            for &id in ids.iter().filter(|_| has_data) {
                world.at(id).set_user_data(frame);
            }
            world.step(0.1).unwrap();
            hashes.push(world.contacts_hash());
        }
        hashes
    });
    assert_eq!(hashes[0], hashes[1]);
}
