//! A step moves what moves, by its velocity, and leaves all else alone to the bit.

use clearance_math::{Pose, Rotation, Vec3};
use clearance_shapes::Shape;
use clearance_world::{Body, Kind, Options, Velocity};

use crate::compare::poses;
use crate::crowd::{Dimension, crowd, world_of};

crate::in_both_dimensions!(
    bodies_go_on_by_their_velocities,
    what_does_not_move_keeps_its_bits,
);

fn bodies_go_on_by_their_velocities<V: Dimension>() {
    let (mut world, ids) = world_of(Options::default(), crowd::<V>(11, 100));
    let before: Vec<_> = world.bodies().map(|body| body.to_body()).collect();
    world.step(0.25).unwrap();
    let mut moved = 0;
    for (id, old) in ids.iter().zip(before) {
        let pose = *world.get(*id).unwrap().pose();
        if old.kind == Kind::Fixed {
            assert_eq!(pose, old.pose);
            continue;
        }
        let expected = old.pose.translation + old.velocity.linear * 0.25;
        let error = pose.translation - expected;
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
        body.pose.translation = body.pose.translation.with_component(0, -0.0);
    }
    let (mut world, ids) = world_of(Options::default(), bodies);
    let before = poses(&world);
    for _ in 0..10 {
        world.step(0.3).unwrap();
    }
    assert_eq!(poses(&world), before);
    // Nor does anything else move in a step of no time.
    for id in ids {
        let velocity = Velocity::new(V::splat(1.0), V::Angular::default());
        world.set_velocity(id, velocity).unwrap();
    }
    world.step(0.0).unwrap();
    assert_eq!(poses(&world), before);
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
    let top = world.get(ids[0]).unwrap().bounds().max;
    assert!((top - Vec3::new(0.1, 1.0, 0.1)).length() < 1e-5, "{top}");
}
