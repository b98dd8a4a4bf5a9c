//! A thousand frames with moving bodies on one thread allocate nothing, nor do their events and a
//! ring of snapshots.

use clearance_math::{Pose, Real, Vec2, Vec3, Vector};
use clearance_shapes::Shape;
use clearance_world::{Backend, Body, BodyId, Event, EventKind, Options, Velocity, World};

/// Long enough for each of three snapshots to see every frame of a period.
const WARM_UP: usize = 4 * PERIOD;
const FRAMES: usize = 1000;
/// The frames after which everything is where it was.
const PERIOD: usize = 64;

/// A grid of shapes that sway and turn back and forth: every frame is like one of the warm-up.
fn swaying<V: Vector>(
    backend: Backend,
    shapes: &[Shape<V>],
    turns: [V::Angular; 2],
) -> (World<V>, Vec<BodyId>, [Velocity<V>; 2]) {
    let options = Options {
        backend,
        ..Options::default()
    };
    let there = Velocity::new(V::splat(0.5), turns[0]);
    let back = Velocity::new(V::splat(-0.5), turns[1]);
    let mut world = World::new(options).unwrap();
    let mut ids = Vec::new();
    for k in 0..256 {
        let at = V::axis(0) * (k % 16) as Real + V::axis(1) * (k / 16) as Real;
        let shape = shapes[k % shapes.len()].clone();
        let body = Body::moving(shape, Pose::from_translation(at));
        if k % 4 == 0 {
            world.insert(Body::fixed(body.shape, body.pose)).unwrap();
        } else {
            ids.push(world.insert(body).unwrap());
        }
    }
    (world, ids, [there, back])
}

fn allocations<V: Vector>(
    backend: Backend,
    shapes: &[Shape<V>],
    turns: [V::Angular; 2],
) -> (u64, usize) {
    let (mut world, ids, [there, back]) = swaying(backend, shapes, turns);
    let (mut contacts, mut stayed) = (0, 0);
    let mut ring = [world.snapshot(), world.snapshot(), world.snapshot()];
    let mut run = |frames: usize| {
        for frame in 0..frames {
            if frame % (PERIOD / 2) == 0 {
                let velocity = if frame % PERIOD == 0 { there } else { back };
                for &id in &ids {
                    world.set_velocity(id, velocity).unwrap();
                }
            }
            world.step(1.0 / 64.0).unwrap();
            contacts += world.contacts().len();
            let is_stayed = |event: &Event<V>| event.kind == EventKind::Stayed;
            stayed += world.events().filter(is_stayed).count();
            world.snapshot_into(&mut ring[frame % 3]);
            world.restore(&ring[frame % 3]);
        }
    };
    let warm_up = allocation_counter::measure(|| run(WARM_UP));
    assert!(warm_up.count_total > 0, "nothing is being counted");
    let counted = allocation_counter::measure(|| run(FRAMES));
    assert!(stayed > FRAMES, "{stayed} events are too few");
    (counted.count_total, contacts)
}

fn check<V: Vector>(shapes: &[Shape<V>], turns: [V::Angular; 2]) {
    for backend in [Backend::Bvh, Backend::BruteForce] {
        let (count, contacts) = allocations(backend, shapes, turns);
        assert_eq!(count, 0, "{backend:?}");
        let a_frame = contacts / (WARM_UP + FRAMES);
        assert!(a_frame > 50, "{a_frame} contacts a frame are too few");
    }
}

#[test]
fn no_allocation_in_the_plane() {
    let points = [Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y].map(|p| p * 0.5);
    let shapes = [
        Shape::ball(0.5),
        Shape::cuboid(Vec2::new(0.5, 0.4)),
        Shape::capsule(0.3, 0.2),
        Shape::hull(&points),
        Shape::ellipsoid(Vec2::new(0.5, 0.25)),
    ];
    check(&shapes.map(Result::unwrap), [0.25, -0.25]);
}

#[test]
fn no_allocation_in_space() {
    let points = [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z].map(|p| p * 0.5);
    let shapes = [
        Shape::ball(0.5),
        Shape::cuboid(Vec3::new(0.5, 0.4, 0.3)),
        Shape::capsule(0.3, 0.2),
        Shape::hull(&points),
        Shape::cylinder(0.4, 0.4),
        Shape::cone(0.4, 0.4),
        Shape::ellipsoid(Vec3::new(0.5, 0.25, 0.4)),
    ];
    let turn = Vec3::new(0.1, 0.2, 0.3);
    check(&shapes.map(Result::unwrap), [turn, -turn]);
}
