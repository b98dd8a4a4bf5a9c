//! Stored snapshots come back whole, or are refused whole.

use clearance_math::{Pose, Vec2, Vec3};
use clearance_shapes::Shape;
use clearance_world::{Body, Options, Snapshot, Velocity, World};

use crate::crowd::{Dimension, crowd, edit, world_of};
use crate::random::Random;

crate::in_both_dimensions!(
    zeros_keep_their_signs,
    damaged_ones_are_refused_whole,
    foreign_ones_are_refused_by_name,
    the_same_shape_is_stored_once,
    those_without_contacts_are_stored_without_them,
);

/// A world with vacant slots, used generations, events, and edits that no step has seen.
fn some_world<V: Dimension>(count: usize) -> World<V> {
    let mut random = Random::new(40);
    let (mut world, mut ids) = world_of(Options::default(), crowd::<V>(40, count));
    for _ in 0..10 {
        for _ in 0..6 {
            edit(&mut world, &mut ids, (&mut random, count));
        }
        world.step(1.0 / 30.0).unwrap();
    }
    world.remove(world.contacts()[1].b).unwrap();
    world
}

fn those_without_contacts_are_stored_without_them<V: Dimension>() {
    let mut world = some_world::<V>(120);
    world.step(1.0 / 30.0).unwrap();
    let (whole, lean) = (world.snapshot(), world.snapshot().without_contacts());
    let [bytes, fewer] = [&whole, &lean].map(|snapshot| postcard::to_allocvec(snapshot).unwrap());
    assert!(fewer.len() + 40 * world.contacts().len() < bytes.len());
}

/// A velocity of minus zero is no velocity of zero: it decides the sign of later zeros.
fn zeros_keep_their_signs<V: Dimension>() {
    let ball = Shape::ball(0.5).unwrap();
    let pose = Pose::from_translation(V::axis(0) * -0.0);
    let resting = [V::axis(0) * -0.0, V::ZERO].map(Velocity::from_linear);
    let bodies = resting.map(|velocity| Body::moving(ball.clone(), pose).with_velocity(velocity));
    let (world, ids) = world_of(Options::default(), bodies);
    let text = serde_json::to_string(&world.snapshot()).unwrap();
    let mut late = World::new(Options::default()).unwrap();
    late.restore(&serde_json::from_str::<Snapshot<V>>(&text).unwrap());
    // The text tells what equality does not: the sign of a zero.
    let shown = |world: &World<V>, id| format!("{:?}", world.body(id).unwrap().to_body());
    assert_ne!(shown(&world, ids[0]), shown(&world, ids[1]));
    for (here, there) in ids.into_iter().zip(late.bodies().ids()) {
        assert_eq!(shown(&late, there), shown(&world, here));
    }
}

fn damaged_ones_are_refused_whole<V: Dimension>() {
    let snapshot = some_world::<V>(12).snapshot();
    let bytes = postcard::to_allocvec(&snapshot).unwrap();
    let mut refused = 0;
    for place in 0..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << bit;
            match postcard::from_bytes::<Snapshot<V>>(&damaged) {
                // Another way to write the same.
                Ok(stored) => assert!(format!("{stored:?}") == format!("{snapshot:?}")),
                Err(_) => refused += 1,
            }
        }
        assert!(postcard::from_bytes::<Snapshot<V>>(&bytes[..place]).is_err());
    }
    assert!(
        refused > 7 * bytes.len(),
        "{refused} of {}",
        8 * bytes.len()
    );
}

fn foreign_ones_are_refused_by_name<V: Dimension>() {
    let text = serde_json::to_string(&some_world::<V>(12).snapshot()).unwrap();
    let dimension = format!("\"dimension\":{}", V::DIM);
    let cases = [
        (
            "\"clearance snapshot\"",
            "\"rapier\"",
            "format is \"rapier\"",
        ),
        (
            "\"version\":10",
            "\"version\":9",
            "version is 9, must be 10",
        ),
        (&dimension, "\"dimension\":5", "dimension is 5, must be"),
        ("\"margin\":", "\"margin\":1", "the snapshot is damaged"),
        ("\"margin\":", "\"weight\":", "unknown field `weight`"),
    ];
    for (part, other, reason) in cases {
        let changed = text.replacen(part, other, 1);
        assert_ne!(changed, text, "{part}");
        let error = serde_json::from_str::<Snapshot<V>>(&changed).unwrap_err();
        assert!(error.to_string().contains(reason), "{error}");
    }
    // What is of the other dimension is foreign, too.
    let [plane, space] = [
        serde_json::from_str::<Snapshot<Vec2>>(&text).is_ok(),
        serde_json::from_str::<Snapshot<Vec3>>(&text).is_ok(),
    ];
    assert_eq!((plane, space), (V::DIM == 2, V::DIM == 3));
}

fn the_same_shape_is_stored_once<V: Dimension>() {
    let mut random = Random::new(41);
    let points: Vec<V> = (0..64).map(|_| random.vector(-1.0, 1.0)).collect();
    let hull = Shape::hull(&points).unwrap();
    let size_of = |count: usize| {
        let bodies = (0..count).map(|_| Body::fixed(hull.clone(), Pose::IDENTITY));
        let (world, _) = world_of(Options::default(), bodies);
        postcard::to_allocvec(&world.snapshot()).unwrap().len()
    };
    let a_body = (size_of(101) - size_of(1)) / 100;
    assert!(a_body < 50, "{a_body} bytes a body");
    // A level that very many bodies share is encoded once, not once for each of them.
    let line: Vec<V> = (0..20_000).map(|_| random.vector(-1.0, 1.0)).collect();
    let line = Shape::polyline(&line).unwrap();
    let bodies = (0..10_000).map(|_| Body::fixed(line.clone(), Pose::IDENTITY));
    let (world, _) = world_of(Options::default(), bodies);
    let stored = postcard::to_allocvec(&world.snapshot()).unwrap();
    assert!(stored.len() < 20_000 * (5 * V::DIM + 10) + 50 * 10_000);
}
