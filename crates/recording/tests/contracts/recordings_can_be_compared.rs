//! Two recordings are compared by what was recorded of their contacts.

use clearance_math::{Pose, Vec2, Vec3};
use clearance_recording::{
    AnyPlayer, Encoder, EncoderOptions, FoundIn, PairDifference, PlayerOptions, first_difference,
};
use clearance_shapes::Shape;
use clearance_world::{Body, Velocity, World};

/// Balls in a row that drift apart; from a frame on, one of them is pushed.
fn recording(frames: u64, pushed: Option<u64>) -> AnyPlayer {
    let mut world = World::<Vec2>::default();
    for k in 0..6 {
        let ball = Shape::ball(0.5).unwrap();
        let at = Vec2::new(k as f32, 0.0);
        let velocity = Velocity::from_linear(Vec2::new(0.01 * k as f32, 0.0));
        world
            .insert(Body::moving(ball, Pose::from_translation(at)).with_velocity(velocity))
            .unwrap();
    }
    let last = world.bodies().ids().last().unwrap();
    let mut encoder = Encoder::new(EncoderOptions {
        frames_between_keyframes: 3,
    });
    let mut bytes = Vec::new();
    for frame in 1..=frames {
        if pushed == Some(frame) {
            world
                .body_mut(last)
                .unwrap()
                .set_pose(Pose::from_translation(Vec2::new(5.0, 9.0)))
                .unwrap();
        }
        world.step(1.0 / 60.0).unwrap();
        encoder.frame(&world, &mut bytes).unwrap();
    }
    AnyPlayer::open(bytes, PlayerOptions::default()).unwrap()
}

#[test]
fn the_first_frame_that_differs_is_named_with_its_pairs() {
    let (left, right) = (recording(20, None), recording(15, Some(11)));
    let difference = first_difference(&left, &right).unwrap();
    assert_eq!(difference.frame, 11);
    let ids = [4, 5].map(|slot| clearance_world::BodyId::from_parts(slot, 0));
    let expected = |found_in| {
        vec![PairDifference {
            a: ids[0],
            b: ids[1],
            found_in,
        }]
    };
    assert_eq!(difference.pairs, expected(FoundIn::Left));
    assert_ne!(difference.hashes[0], difference.hashes[1]);
    let mirrored = first_difference(&right, &left).unwrap();
    assert_eq!(
        (mirrored.frame, mirrored.pairs),
        (11, expected(FoundIn::Right))
    );
}

#[test]
fn recordings_that_are_alike_have_none() {
    assert_eq!(
        first_difference(&recording(20, None), &recording(12, None)),
        None
    );
    assert_eq!(
        first_difference(&recording(20, Some(30)), &recording(20, None)),
        None
    );
    let space = AnyPlayer::Space(
        clearance_recording::Player::<Vec3>::live(PlayerOptions::default()).unwrap(),
    );
    assert_eq!(first_difference(&recording(2, None), &space), None);
}
