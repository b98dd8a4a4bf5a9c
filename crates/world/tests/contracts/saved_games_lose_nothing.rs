//! What a game saves comes back to the bit through every format that keeps whole numbers and single precision.

use clearance_gjk::Placed;
use clearance_math::{Pose, Vec2, Vector};
use clearance_shapes::Shape;
use clearance_world::{
    Body, Contact, Options, Slide, SlideGround, SlideOptions, Sliding, Snapshot, Velocity, World,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::crowd::{Dimension, crowd, edit, world_of};
use crate::random::Random;
use crate::snapshots_bring_everything_back::rich_world;

crate::in_both_dimensions!(
    saved_worlds_go_on_as_they_would_have,
    what_is_kept_beside_a_world_comes_back,
    somebody_who_stands_goes_on_as_they_would_have,
);

/// Moves a number by one unit in its last place of double precision: plain `serde_json` reads one in ten so.
fn blur(number: f64, random: &mut Random) -> f64 {
    match random.below(3) {
        0 => number.next_up(),
        1 => number.next_down(),
        _ => number,
    }
}

fn blur_all(value: &mut Value, random: &mut Random) {
    match value {
        // Zeros are read well everywhere.
        Value::Number(number) if number.is_f64() && number.as_f64() != Some(0.0) => {
            *value = blur(number.as_f64().unwrap(), random).into();
        }
        Value::Array(values) => values.iter_mut().for_each(|value| blur_all(value, random)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|value| blur_all(value, random)),
        _ => {}
    }
}

/// What comes back from text of which numbers are read as inexactly as by plain `serde_json`.
pub(crate) fn reloaded<T: Serialize + DeserializeOwned>(saved: &T, random: &mut Random) -> T {
    let text = serde_json::to_string(saved).unwrap();
    let mut value: Value = serde_json::from_str(&text).unwrap();
    blur_all(&mut value, random);
    let read = serde_json::from_value(value);
    read.unwrap_or_else(|error| panic!("{error}: {text:.2000}"))
}

/// What comes back from such text, from bytes, and from RON.
fn reloads<T: Serialize + DeserializeOwned>(saved: &T, random: &mut Random) -> [T; 3] {
    let bytes = postcard::to_allocvec(saved).unwrap();
    let text = ron::to_string(saved).unwrap();
    let from_text = ron::from_str(&text);
    [
        reloaded(saved, random),
        postcard::from_bytes(&bytes).unwrap(),
        from_text.unwrap_or_else(|error| panic!("{error}: {text:.2000}")),
    ]
}

/// A world that has gone on for a while, so that no place is a number of single precision any more.
fn some_world<V: Dimension>(seed: u64) -> World<V> {
    let mut random = Random::new(seed);
    let count = 20 + random.below(60);
    let (mut world, mut ids) = world_of(Options::default(), crowd::<V>(seed, count));
    for _ in 0..random.below(12) {
        for _ in 0..6 {
            edit(&mut world, &mut ids, (&mut random, count));
        }
        world.step(1.0 / 30.0).unwrap();
    }
    world
}

fn saved_worlds_go_on_as_they_would_have<V: Dimension>() {
    let mut random = Random::new(7);
    for world in (0..12).map(some_world).chain([rich_world()]) {
        for snapshot in [world.snapshot(), world.snapshot().without_contacts()] {
            let loaded: [Snapshot<V>; 3] = reloads(&snapshot, &mut random);
            // The text tells what equality does not: the sign of a zero.
            let shown = format!("{snapshot:?}");
            assert!(loaded.iter().all(|loaded| format!("{loaded:?}") == shown));
            let (mut world, mut late) = (world.clone(), World::new(Options::default()).unwrap());
            late.restore(&loaded[0]);
            assert_eq!(late.state_hash(), world.state_hash());
            for _ in 0..3 {
                world.step(1.0 / 30.0).unwrap();
                late.step(1.0 / 30.0).unwrap();
                assert_eq!(late.state_hash(), world.state_hash());
            }
        }
    }
}

fn what_is_kept_beside_a_world_comes_back<V: Dimension>() {
    let mut random = Random::new(8);
    let world = rich_world::<V>();
    for body in world.bodies() {
        let body = body.to_body();
        if body.shape.to_encoding().is_err() {
            continue;
        }
        let shown = format!("{body:?}");
        let bodies: [Body<V>; 3] = reloads(&body, &mut random);
        assert!(bodies.iter().all(|body| format!("{body:?}") == shown));
        assert_eq!(reloads(&body.pose, &mut random), [body.pose; 3]);
        assert_eq!(reloads(&body.velocity, &mut random), [body.velocity; 3]);
        let shapes: [Shape<V>; 3] = reloads(&body.shape, &mut random);
        assert!(shapes.iter().all(|shape| *shape == body.shape));
    }
    for contact in world.contacts() {
        let contacts: [Contact<V>; 3] = reloads(contact, &mut random);
        assert_eq!(contacts, [*contact; 3]);
    }
}

/// A slab that drifts and turns, and somebody on it.
#[derive(Clone)]
struct Ride<V: Vector> {
    world: World<V>,
    pose: Pose<V>,
    ground: Option<SlideGround<V>>,
}

impl<V: Dimension> Ride<V> {
    fn new(random: &mut Random) -> Self {
        let slab = Shape::cuboid(V::splat(6.0).with_component(1, 0.5)).unwrap();
        let way = V::axis(0) * random.between(-2.0, 2.0) + V::axis(1) * 0.3;
        let velocity = Velocity::new(way, V::angular(random));
        let slab = Body::moving(slab, Pose::IDENTITY).with_velocity(velocity);
        let (world, _) = world_of(Options::default(), [slab]);
        Self {
            world,
            pose: Pose::from_translation(V::axis(1) * 1.02),
            ground: None,
        }
    }

    fn frame(&mut self, motion: V) {
        self.world.step(1.0 / 60.0).unwrap();
        let shape = Shape::ball(0.5).unwrap();
        let sliding = Sliding::new(Placed::new(&shape, &self.pose), motion);
        let slide = self
            .world
            .query()
            .slide(sliding.standing_on(self.ground), SlideOptions::default());
        Slide {
            pose: self.pose,
            ground: self.ground,
            ..
        } = slide.unwrap();
    }

    fn reloaded(&self, random: &mut Random) -> Self {
        let mut world = World::new(Options::default()).unwrap();
        world.restore(&reloaded::<Snapshot<V>>(&self.world.snapshot(), random));
        Self {
            world,
            pose: reloaded(&self.pose, random),
            ground: reloaded(&self.ground, random),
        }
    }
}

fn somebody_who_stands_goes_on_as_they_would_have<V: Dimension>() {
    let (mut random, mut standing) = (Random::new(9), 0);
    for _ in 0..10 {
        let mut ride = Ride::<V>::new(&mut random);
        let mut late = ride.clone();
        for _ in 0..30 {
            let motion = V::axis(0) * random.between(-0.1, 0.1) - V::axis(1) * 0.1;
            ride.frame(motion);
            late.frame(motion);
            assert_eq!((late.pose, late.ground), (ride.pose, ride.ground));
            standing += usize::from(ride.ground.is_some());
            late = late.reloaded(&mut random);
            assert_eq!(reloads(&ride.ground, &mut random), [ride.ground; 3]);
        }
    }
    assert!(standing > 200, "{standing}");
}

/// A ground that was never answered is refused, or leads nobody astray.
#[test]
fn a_ground_that_cannot_be_is_refused_or_harmless() {
    let mut ride = Ride::<Vec2>::new(&mut Random::new(10));
    ride.frame(-Vec2::Y);
    let saved = serde_json::to_value(ride.ground.unwrap()).unwrap();
    for field in ["position", "place", "place_in_body", "normal", "velocity"] {
        for wrong in ["NaN", "inf", "1e39", "much"] {
            let mut value = saved.clone();
            value[field][1] = wrong.into();
            assert!(
                serde_json::from_value::<SlideGround<Vec2>>(value).is_err(),
                "{field} {wrong}"
            );
        }
        for number in [f32::MAX, f32::MIN, 1e-45] {
            let mut value = saved.clone();
            value[field][1] = number.into();
            let mut ride = ride.clone();
            ride.ground = Some(serde_json::from_value(value).unwrap());
            ride.frame(Vec2::X);
            assert!(ride.pose.checked().is_ok());
        }
    }
}
