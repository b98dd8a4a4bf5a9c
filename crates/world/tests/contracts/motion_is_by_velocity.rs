//! A step moves what moves, by its velocity, and leaves all else alone to the bit.

use clearance_math::{Matrix, Pose, PoseResidual, PreciseVector, Real, Rotation, Vec3};
use clearance_shapes::Shape;
use clearance_world::{Body, BodyKind, Options, Velocity, World};

use crate::compare::poses;
use crate::crowd::{Dimension, Sure, crowd, rebuilt, world_of};

crate::in_both_dimensions!(
    bodies_go_on_by_their_velocities,
    what_does_not_move_keeps_its_bits,
    slow_motion_is_not_rounded_away,
    what_rounding_left_over_belongs_to_the_state,
    poses_that_are_given_have_nothing_left_over,
);

fn bodies_go_on_by_their_velocities<V: Dimension>() {
    let (mut world, ids) = world_of(Options::default(), crowd::<V>(11, 100));
    let before: Vec<_> = world.bodies().map(|body| body.to_body()).collect();
    world.step(0.25).unwrap();
    let mut moved = 0;
    for (id, old) in ids.iter().zip(before) {
        let pose = *world.body(*id).unwrap().pose();
        if old.kind == BodyKind::Fixed {
            assert_eq!(pose, old.pose);
            continue;
        }
        let expected = old.pose.translation() + old.velocity.linear * 0.25;
        let error = pose.translation() - expected;
        assert!(error.dot(error) < 1e-10);
        let turned = old.pose.rotation.integrated(old.velocity.angular, 0.25);
        assert_eq!(pose.rotation, turned);
        moved += 1;
    }
    assert!(moved > 50);
}

fn what_does_not_move_keeps_its_bits<V: Dimension>() {
    let mut bodies = crowd::<V>(12, 100);
    for body in &mut bodies {
        body.velocity = Velocity::default();
        let position = body.pose.position().with_component(0, -0.0);
        body.pose = Pose::new(position, body.pose.rotation);
    }
    let (mut world, ids) = world_of(Options::default(), bodies);
    let before = poses(&world);
    for _ in 0..10 {
        world.step(0.3).unwrap();
    }
    assert_eq!(poses(&world), before);
    // Nor does anything else move in a step of no time.
    for id in ids {
        let velocity = Velocity::from_linear(V::splat(1.0));
        let set = world.at(id).set_velocity(velocity);
        let is_fixed = world.body(id).unwrap().kind() == BodyKind::Fixed;
        assert_eq!(set.is_err(), is_fixed);
    }
    world.step(0.0).unwrap();
    assert_eq!(poses(&world), before);
}

/// A body that turns by 1e-4 radians a second and drifts at 1e-2 units a second, 1000 units away.
fn slow<V: Dimension>() -> Body<V> {
    let angular = V::Rotation::angular_from_space(Vec3::Z * 1e-4);
    let at = Pose::from_translation(V::axis(1) * 1000.0);
    let body = Body::moving(Shape::ball(0.5).unwrap(), at);
    body.with_velocity(Velocity::new(V::axis(1) * 1e-2, angular))
}

const SLOW_STEP: Real = 1e-3;

fn slow_motion_is_not_rounded_away<V: Dimension>() {
    let (mut world, ids) = world_of(Options::default(), [slow::<V>()]);
    for _ in 0..100_000 {
        world.step(SLOW_STEP).unwrap();
    }
    let pose = world.body(ids[0]).unwrap().pose();
    let axis = pose.rotation.matrix().apply(V::axis(0).to_precise());
    let angle = axis.component(1).atan2(axis.component(0));
    assert!((angle - 0.01).abs() < 1e-3 * 0.01, "{angle}");
    let way = pose.translation().component(1) - 1000.0;
    assert!((way - 1.0).abs() < 1e-3, "{way}");
}

/// A world restored, or made again from its bodies, goes on with the same bits.
fn what_rounding_left_over_belongs_to_the_state<V: Dimension>() {
    let (mut world, _) = world_of(Options::default(), [slow::<V>()]);
    for _ in 0..1000 {
        world.step(SLOW_STEP).unwrap();
    }
    let text = serde_json::to_string(&world.snapshot()).unwrap();
    let [mut restored, mut stored] = [(); 2].map(|()| World::new(Options::default()).unwrap());
    restored.restore(&world.snapshot());
    stored.restore(&serde_json::from_str(&text).unwrap());
    let mut others = [
        restored,
        stored,
        rebuilt(&world, Options::default()),
        world.clone(),
    ];
    for _ in 0..1000 {
        world.step(SLOW_STEP).unwrap();
        for other in &mut others {
            other.step(SLOW_STEP).unwrap();
        }
    }
    for other in others {
        assert_eq!(poses(&other), poses(&world));
        let residual = |world: &World<V>| world.bodies().next().unwrap().to_body().residual;
        assert_eq!(residual(&other), residual(&world));
        // Rotations of the plane are in double precision.
        assert_eq!(residual(&world) == PoseResidual::none(), V::DIM == 2);
    }
}

fn poses_that_are_given_have_nothing_left_over<V: Dimension>() {
    let (mut world, ids) = world_of(Options::default(), [slow::<V>()]);
    let fresh = world.clone();
    for _ in 0..10 {
        world.step(SLOW_STEP).unwrap();
    }
    let moved = world.body(ids[0]).unwrap().to_body();
    world.at(ids[0]).set_pose(slow::<V>().pose).unwrap();
    assert_eq!(
        world.body(ids[0]).unwrap().to_body(),
        fresh.body(ids[0]).unwrap().to_body()
    );
    // Nor does a body take along what was left over of another pose.
    let far = Body {
        pose: Pose::from_translation(V::axis(0) * 1e-6),
        ..moved
    };
    let id = world.insert(far).unwrap();
    assert_eq!(
        world.body(id).unwrap().to_body().residual,
        PoseResidual::none()
    );
}

#[test]
fn a_quarter_turn_takes_a_quarter_of_the_time() {
    let rod = Shape::cuboid(Vec3::new(1.0, 0.1, 0.1)).unwrap();
    let spin = Velocity::new(Vec3::ZERO, Vec3::Z * core::f32::consts::FRAC_PI_2);
    let rod = Body::moving(rod, Pose::IDENTITY).with_velocity(spin);
    let (mut world, ids) = world_of(Options::default(), [rod]);
    for _ in 0..64 {
        world.step(1.0 / 64.0).unwrap();
    }
    let top = world.body(ids[0]).unwrap().bounds().max;
    assert!((top - Vec3::new(0.1, 1.0, 0.1)).length() < 1e-5, "{top}");
}
