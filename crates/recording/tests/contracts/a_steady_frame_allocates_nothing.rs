//! The encoder writes frames and keyframes into the memory that it has.

use clearance_math::{Pose, Real, Vec2, Vec3, Vector};
use clearance_recording::{Encoder, EncoderOptions};
use clearance_shapes::Shape;
use clearance_world::{Backend, Body, Options, Velocity, World};

/// The frames after which everything is where it was.
const PERIOD: usize = 64;

fn check<V: Vector>() {
    // Brute force never needs memory anew.
    let options = Options {
        backend: Backend::BruteForce,
        ..Options::default()
    };
    let mut world = World::<V>::new(options).unwrap();
    let shapes = [Shape::ball(0.5), Shape::cuboid(V::splat(0.4))].map(Result::unwrap);
    for k in 0..64 {
        let at = V::axis(0) * (k % 8) as Real + V::axis(1) * (k / 8) as Real;
        let body = Body::moving(shapes[k % 2].clone(), Pose::from_translation(at));
        world.insert(body).unwrap();
    }
    let ids: Vec<_> = world.bodies().ids().collect();
    let mut encoder = Encoder::new(EncoderOptions::default());
    let mut out = Vec::with_capacity(1 << 24);
    let mut contacts = 0;
    let mut run = |frames: usize| {
        for frame in 0..frames {
            let sign = if frame % PERIOD < PERIOD / 2 {
                0.5
            } else {
                -0.5
            };
            for (k, &id) in ids.iter().enumerate() {
                // Some flow by their velocities, others are set.
                let at = world.body(id).unwrap().pose().translation() + V::splat(sign / 64.0);
                if k % 3 == 0 {
                    world
                        .body_mut(id)
                        .unwrap()
                        .set_pose(Pose::from_translation(at))
                        .unwrap();
                } else if frame % (PERIOD / 2) == 0 {
                    let velocity = Velocity::from_linear(V::splat(sign));
                    world.body_mut(id).unwrap().set_velocity(velocity).unwrap();
                }
            }
            world.step(1.0 / 64.0).unwrap();
            contacts += world.contacts().len();
            out.clear();
            encoder.frame(&world, &mut out).unwrap();
        }
    };
    let warm_up = allocation_counter::measure(|| run(10 * PERIOD));
    assert!(warm_up.count_total > 0, "nothing is being counted");
    let counted = allocation_counter::measure(|| run(10 * PERIOD));
    assert_eq!(counted.count_total, 0);
    assert!(contacts > 10_000, "{contacts} contacts are too few");
}

#[test]
fn in_the_plane_and_in_space() {
    check::<Vec2>();
    check::<Vec3>();
}
