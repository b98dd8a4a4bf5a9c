//! Functions of the recorded program are not recorded: filters of pairs are replaced by their decisions, shapes by their
//! boxes.

use clearance_math::{DVec3, Pose, Vec2, Vec3};
use clearance_recording::{Encoder, EncoderOptions, Player};
use clearance_shapes::{CustomShape, Shape, Support};
use clearance_world::{Body, BodyId, Velocity, World};

#[derive(Debug)]
struct Egg;

impl Support<DVec3> for Egg {
    fn support(&self, direction: DVec3) -> DVec3 {
        direction * 0.5
    }

    fn center(&self) -> DVec3 {
        DVec3::ZERO
    }

    fn bounding_radius(&self) -> f64 {
        0.5
    }
}

impl CustomShape<DVec3> for Egg {
    fn key(&self) -> [u32; 8] {
        [1; 8]
    }
}

#[test]
fn a_shape_of_the_program_becomes_its_box() {
    let mut world = World::<Vec3>::default();
    let at = |x: f32| Pose::from_translation(Vec3::X * x);
    let drift = Velocity::from_linear(Vec3::Y);
    let egg = Shape::custom(Egg).unwrap();
    let egg = world
        .insert(Body::moving(egg, at(0.0)).with_velocity(drift))
        .unwrap();
    let balls = [1.0, 1.9].map(|x| {
        let ball = Body::moving(Shape::ball(0.5).unwrap(), at(x));
        world.insert(ball.with_velocity(drift)).unwrap()
    });
    let mut encoder = Encoder::new(EncoderOptions::default());
    let mut bytes = Vec::new();
    for _ in 0..3 {
        world.step(0.125).unwrap();
        encoder.frame(&world, &mut bytes).unwrap();
    }
    let mut player = Player::<Vec3>::open(bytes).unwrap();
    player.seek(3).unwrap();
    let played = player.world();
    // Ids that no world in particular gave out.
    let stored = |id: BodyId| BodyId::from_parts(id.index(), id.generation());
    let (egg, balls) = (stored(egg), balls.map(stored));
    assert_eq!(
        *played.body(egg).unwrap().pose(),
        *world.body(egg).unwrap().pose()
    );
    let bounds = played.body(egg).unwrap().shape().bounds(&Pose::IDENTITY);
    assert!(
        (bounds.max - Vec3::splat(0.5)).length() < 1e-5,
        "{bounds:?}"
    );
    assert!(player.is_stand_in(egg) && !player.is_stand_in(balls[0]));
    assert_eq!(player.recorded_hash(), None);
    assert_eq!(player.difference(), None);
    assert_ne!(played.contacts_hash(), world.contacts_hash());
    let same = |world: &World<Vec3>| {
        world
            .contact_between(balls[0], balls[1])
            .map(|c| c.separation)
    };
    assert_eq!(same(played), same(&world));
}

#[test]
fn a_filter_of_pairs_is_played_as_it_decided() {
    let mut world = World::<Vec2>::default();
    world.set_pair_filter(|a, b| a.user_data() != b.user_data());
    for k in 0..12 {
        let at = Vec2::new(0.3 * k as f32, 0.0);
        let ball = Body::moving(Shape::ball(0.5).unwrap(), Pose::from_translation(at));
        let velocity = Velocity::from_linear(Vec2::new(0.1 * (k % 3) as f32, 0.0));
        let ball = ball.with_velocity(velocity).with_user_data(k % 2);
        world.insert(ball).unwrap();
    }
    let mut encoder = Encoder::new(EncoderOptions {
        frames_between_keyframes: 2,
    });
    let mut bytes = Vec::new();
    let mut hashes = Vec::new();
    for frame in 0..9 {
        if frame == 6 {
            world.clear_pair_filter();
        }
        world.step(0.125).unwrap();
        encoder.frame(&world, &mut bytes).unwrap();
        hashes.push((world.contacts().len(), world.contacts_hash()));
    }
    assert!(hashes[6].0 > hashes[5].0);
    let mut player = Player::<Vec2>::open(bytes).unwrap();
    for frame in [1, 2, 3, 4, 5, 6, 7, 8, 9, 5, 8, 3] {
        player.seek(frame).unwrap();
        let world = player.world();
        let found = (world.contacts().len(), world.contacts_hash());
        assert_eq!(found, hashes[frame as usize - 1], "frame {frame}");
        assert_eq!(player.has_pair_filter(), frame <= 6);
        assert_eq!(player.difference(), None);
    }
}
