//! What is kept for a point of a manifold finds its point again, also where features change.

use clearance_math::{Pose, Quat, Rotation2, Vec2, Vec3};
use clearance_shapes::Shape;
use clearance_world::{Body, BodyManifold, Options, Velocity, World};

use crate::crowd::Dimension;
use crate::random::Random;

/// Two cubes on each other, nearly in line, that fly along and turn by up to a milliradian.
fn frame<V: Dimension>(
    random: &mut Random,
    turn: fn(f32) -> V::Rotation,
    k: usize,
) -> BodyManifold<V> {
    let mut world = World::new(Options::default()).unwrap();
    let cube = Shape::cuboid(V::splat(0.5)).unwrap();
    let carried = V::axis(0) * (0.3 * k as f32);
    for height in [0.0, 0.99] {
        let aside = random.vector::<V>(-5e-4, 5e-4).with_component(1, height);
        let pose = Pose::new(carried + aside, turn(random.between(-1e-3, 1e-3)));
        let speed = Velocity::from_linear(V::axis(0) * 18.0);
        world
            .insert(Body::moving(cube.clone(), pose).with_velocity(speed))
            .unwrap();
    }
    world.step(0.0).unwrap();
    let mut found = Vec::new();
    world.query().manifolds_into(&mut found);
    found.remove(0)
}

/// Where the points are beside body a, whose turning is negligible here.
fn places<V: Dimension>(found: &BodyManifold<V>) -> Vec<V> {
    let points = found.manifold.points().iter();
    points
        .map(|point| point.point_a() - found.pose_a.translation())
        .collect()
}

fn check<V: Dimension>(turn: fn(f32) -> V::Rotation) {
    let mut random = Random::new(381);
    let (mut before, mut changed, mut points) = (frame::<V>(&mut random, turn, 0), 0, 0);
    for k in 1..400 {
        let now = frame::<V>(&mut random, turn, k);
        let from = now.points_before(&before, 0.01);
        let [old, new] = [&before, &now].map(places);
        for (to, place) in new.iter().enumerate() {
            let is_near = |a: &V, b: &V| (*a - *b).dot(*a - *b).sqrt() < 0.009;
            let near: Vec<usize> = (0..old.len())
                .filter(|&at| is_near(place, &old[at]))
                .collect();
            // Brute force: where one point of the frame before is here, and no other of this frame, it is that one.
            let [only] = near[..] else { continue };
            if new
                .iter()
                .filter(|other| is_near(other, &old[only]))
                .count()
                > 1
            {
                continue;
            }
            assert_eq!(from[to], Some(only), "frame {k}, point {to}");
            let (one, two) = (&before.manifold.points()[only], &now.manifold.points()[to]);
            let is_same = one.feature_a == two.feature_a && one.feature_b == two.feature_b;
            changed += usize::from(!is_same);
            points += 1;
        }
        assert_eq!(from[new.len()..].iter().flatten().count(), 0);
        before = now;
    }
    // Features alone would lose many of them.
    assert!(
        points > 350 * V::DIM && 4 * changed > points,
        "{changed} of {points}"
    );
}

#[test]
fn in_the_plane() {
    check::<Vec2>(Rotation2::from_angle);
}

#[test]
fn in_space() {
    check::<Vec3>(Quat::from_rotation_y);
}

#[test]
fn points_of_a_body_in_the_slot_of_one_that_was_removed_go_on_from_none() {
    let mut world = World::<Vec2>::new(Options {
        manifolds: true,
        ..Options::default()
    })
    .unwrap();
    let floor = Shape::half_space(Vec2::Y).unwrap();
    world.insert(Body::fixed(floor, Pose::IDENTITY)).unwrap();
    let pose = Pose::from_translation(Vec2::new(0.0, 0.5));
    let load = Body::moving(Shape::cuboid(Vec2::splat(0.5)).unwrap(), pose);
    let first = world.insert(load.clone()).unwrap();
    world.step(0.0).unwrap();
    world.remove(first).unwrap();
    let second = world.insert(load).unwrap();
    assert_eq!(second.index(), first.index());
    world.step(0.0).unwrap();
    let found = world.manifolds().next().unwrap();
    assert_eq!(found.manifold.points().len(), 2);
    assert_eq!(found.points_before, [None; 4]);
}
