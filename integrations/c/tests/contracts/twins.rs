//! The same games as the C programs beside this folder play.

use clearance::dim2::{Body, Options, Pose, Shape, Vec2, Velocity, World};

/// What `rollback.c` expects, too.
const AFTER_SIXTY_FRAMES: u64 = 0x3f22_d0a3_344d_7bfe;

#[test]
fn rollback_comes_to_the_hash_of_the_program_in_c() {
    let mut world = World::new(Options::default()).unwrap();
    let mut ids = Vec::new();
    for k in 0..40 {
        let at = Pose::from_translation(Vec2::new(k as f32 * 0.9, (k % 3) as f32));
        let shape = Shape::cuboid(Vec2::new(0.5, 0.25)).unwrap();
        ids.push(
            world
                .insert(Body::moving(shape, at).with_user_data(k))
                .unwrap(),
        );
    }
    for number in 0..60 {
        let stick = Velocity::new(Vec2::X * (number / 20) as f32, 0.25);
        world.body_mut(ids[0]).unwrap().set_velocity(stick).unwrap();
        world.step(1.0 / 60.0).unwrap();
    }
    assert_eq!(world.state_hash(), AFTER_SIXTY_FRAMES);
}
