//! What follows from the frame before takes no bytes.

use clearance_math::{Pose, Quat, Real, Rotation2, Vec2, Vec3, Vector};
use clearance_recording::{Encoder, EncoderOptions};
use clearance_shapes::Shape;
use clearance_world::{Body, BodyId, Velocity, World};

const BODIES: usize = 400;

fn far_apart<V: Vector>(velocity: Velocity<V>) -> (World<V>, Vec<BodyId>) {
    let mut world = World::default();
    let ball = Shape::ball(0.5).unwrap();
    for k in 0..BODIES {
        let at = V::axis(0) * (3 * (k % 20)) as Real + V::axis(1) * (3 * (k / 20)) as Real;
        let body = Body::moving(ball.clone(), Pose::from_translation(at)).with_velocity(velocity);
        world.insert(body).unwrap();
    }
    let ids = world.bodies().ids().collect();
    (world, ids)
}

/// Bytes of a frame in the middle of many.
fn bytes_a_frame<V: Vector>(
    world: &mut World<V>,
    mut act: impl FnMut(&mut World<V>, Real),
) -> usize {
    let mut encoder = Encoder::new(EncoderOptions::default());
    let mut bytes = 0;
    for frame in 0..40 {
        act(world, frame as Real / 60.0);
        world.step(1.0 / 60.0).unwrap();
        let mut out = Vec::new();
        encoder.frame(world, &mut out).unwrap();
        if frame >= 20 {
            bytes += out.len();
        }
    }
    bytes / 20
}

#[test]
fn bodies_that_rest_or_flow_take_none() {
    for velocity in [Vec3::ZERO, Vec3::new(0.3, -0.2, 0.1)] {
        let velocity = Velocity::new(velocity, 2.0 * velocity);
        let (mut world, _) = far_apart(velocity);
        let bytes = bytes_a_frame(&mut world, |_, _| {});
        assert!(bytes <= 16, "{bytes}");
    }
}

/// Bytes of a body and a frame where a game sets all poses.
fn bytes_of_poses<V: Vector>(pose: impl Fn(V, Real, Real) -> Pose<V>) -> usize {
    let (mut world, ids) = far_apart(Velocity::default());
    let starts: Vec<_> = ids
        .iter()
        .map(|&id| world.body(id).unwrap().pose().translation())
        .collect();
    let bytes = bytes_a_frame(&mut world, |world, time| {
        for (k, (&id, start)) in ids.iter().zip(&starts).enumerate() {
            world
                .body_mut(id)
                .unwrap()
                .set_pose(pose(*start, time, k as Real))
                .unwrap();
        }
    });
    bytes / BODIES
}

#[test]
fn poses_that_a_game_sets_take_half_of_what_they_are() {
    let in_space = bytes_of_poses(|start: Vec3, time, k| {
        let sway = Vec3::new((time + k).sin(), (2.0 * time).cos(), time * time);
        let rotation = Quat::from_rotation_y(time * (1.0 + k / 100.0));
        Pose::new(start + sway, rotation)
    });
    let in_the_plane = bytes_of_poses(|start: Vec2, time, k| {
        let sway = Vec2::new((time + k).sin(), (2.0 * time).cos());
        let rotation = Rotation2::from_angle(time * (1.0 + k / 100.0));
        Pose::new(start + sway, rotation)
    });
    assert!(
        in_space < 14 && in_the_plane < 15,
        "{in_space} {in_the_plane}"
    );
}
