//! Whatever moves under a body carries it, and its ground has the velocity at which it goes.

use clearance_math::{Pose, Quat, Real, Vec3};
use clearance_shapes::Shape;
use clearance_world::{
    Body, BodyId, Slide, SlideGround, SlideOptions, SlidingBody, Velocity, World,
};

use crate::crowd::Sure;
use crate::random::Random;
use crate::slide_levels::fixed;
use crate::slide_walk::{FALL, HALF_HEIGHT, SKIN, walkers, world_of};

/// How long a step takes.
const STEP: Real = 1.0 / 60.0;

/// Somebody on something that goes.
struct Ride {
    world: World<Vec3>,
    ground: BodyId,
    rider: BodyId,
    stood_on: Option<SlideGround<Vec3>>,
}

impl Ride {
    fn new(ground: Body<Vec3>, rider: &Shape<Vec3>, start: Vec3) -> Self {
        let rider = Body::moving(rider.clone(), Pose::from_translation(start));
        let world = world_of([ground, rider]);
        let ids: Vec<_> = world.bodies().map(|body| body.id()).collect();
        Self {
            world,
            ground: ids[0],
            rider: ids[1],
            stood_on: None,
        }
    }

    /// Where the rider would be; the time of a frame is told, or is that of a step.
    fn slide(&self, seconds: Option<Real>) -> Slide<Vec3> {
        let walk = SlidingBody::new(self.rider, Vec3::Y * FALL).standing_on(self.stood_on);
        let walk = SlidingBody { seconds, ..walk };
        let slide = (self.world.query()).slide_body(walk, SlideOptions::default());
        slide.unwrap()
    }

    /// Goes there, and tells the ground of it.
    fn go(&mut self, seconds: Option<Real>) -> Option<SlideGround<Vec3>> {
        let slide = self.slide(seconds);
        self.put_rider(&slide);
        slide.ground
    }

    fn put_rider(&mut self, slide: &Slide<Vec3>) {
        let mut rider = self.world.at(self.rider);
        rider.set_pose(slide.pose).unwrap();
        self.stood_on = slide.ground;
    }

    fn pose_of(&self, body: BodyId) -> Pose<Vec3> {
        *self.world.body(body).unwrap().pose()
    }

    fn put_ground(&mut self, pose: Pose<Vec3>) {
        let mut ground = self.world.at(self.ground);
        ground.set_pose(pose).unwrap();
    }
}

fn plate(half_width: Real) -> Body<Vec3> {
    let shape = Shape::cuboid(Vec3::new(half_width, 0.1, half_width)).unwrap();
    Body::moving(shape, Pose::IDENTITY)
}

/// Rides for some frames on a plate whose velocity is a function of the time, and stays at its place of it.
fn stays_on(frames: usize, start: Vec3, velocity: impl Fn(Real) -> Velocity<Vec3>) {
    for shape in walkers() {
        let mut ride = Ride::new(plate(6.0), &shape, start + Vec3::Y * (HALF_HEIGHT + 0.2));
        let mut first = None;
        for frame in 0..frames {
            let moving = velocity(frame as Real * STEP);
            let mut plate = ride.world.at(ride.ground);
            plate.set_velocity(moving).unwrap();
            ride.world.step(STEP).unwrap();
            let ground = ride.go(None);
            if frame < 10 {
                continue;
            }
            let case = format!("{frame} of {frames} at {start}, {shape:?}: {ground:?}");
            let ground = ground.filter(|ground| ground.body == ride.ground);
            let ground = ground.unwrap_or_else(|| panic!("{case}"));
            let (plate, rider) = (ride.pose_of(ride.ground), ride.pose_of(ride.rider));
            let place = rider.translation() - plate.translation();
            let speed = moving.linear + moving.angular.cross(place);
            assert!((ground.velocity - speed).length() < 1e-3, "{case}");
            let below = rider.translation() - Vec3::Y * (HALF_HEIGHT + SKIN);
            let here = plate.inverse_transform_point(below);
            let first = *first.get_or_insert(here);
            let drift = (here - first).length();
            let outwards = (here.with_y(0.0).length() - first.with_y(0.0).length()).abs();
            assert!(
                drift < 1e-4 && outwards < 1e-5,
                "{drift} {outwards}: {case}"
            );
        }
    }
}

#[test]
fn ground_that_steps_move_carries_who_stands_on_it() {
    let linear = |velocity: Vec3| Velocity::from_linear(velocity);
    let beside = Vec3::new(1.0, 0.0, 0.5);
    // A lift that changes its direction, a train, a merry-go-round that moves, and a lift that only rises.
    stays_on(400, beside, |time| {
        linear(Vec3::Y * 3.0 * (2.0 * time).sin())
    });
    stays_on(400, beside, |time| {
        linear(Vec3::new(4.0 * time.cos(), time.sin(), 2.0))
    });
    stays_on(400, beside, |_| Velocity::new(Vec3::X, Vec3::Y * 0.5));
    stays_on(400, beside, |_| linear(Vec3::Y * 2.0));
    // Where rounding adds up.
    for (radius, speed) in [(4.0, 3.0), (5.0, -0.7)] {
        stays_on(10_000, Vec3::X * radius, |_| {
            Velocity::new(Vec3::ZERO, Vec3::Y * speed)
        });
    }
}

/// A lift that tilts carries by the place under the feet, not by that under the middle.
#[test]
fn tilting_ground_carries_by_the_place_under_the_feet() {
    for shape in [walkers()[0].clone(), Shape::ball(0.5).unwrap()] {
        let mut ride = Ride::new(plate(4.0), &shape, Vec3::new(2.0, 2.0, 1.0));
        assert!((0..200).any(|_| ride.go(None).is_some()), "{shape:?}");
        let start = ride.pose_of(ride.rider).translation();
        // Up and down again, by half a radian: it ends where it began.
        for frame in 0..=1200 {
            let angle = 0.5 * (core::f32::consts::TAU * frame as Real / 300.0).sin();
            let turn = Quat::from_rotation_z(angle) * Quat::from_rotation_y(2.0 * angle);
            ride.put_ground(Pose::new(Vec3::new(angle, 3.0 * angle, 0.0), turn));
            let ground = ride.go(None).map(|ground| ground.body);
            assert_eq!(ground, Some(ride.ground), "{frame}");
        }
        let moved = (ride.pose_of(ride.rider).translation() - start).length();
        assert!(moved < 3.0 * SKIN, "{moved} {shape:?}");
    }
}

/// Ground that `set_pose` moves has the velocity at which it goes, also after a return to a snapshot.
#[test]
fn ground_that_is_moved_by_its_pose_has_a_velocity() {
    let (mut random, mut answers) = (Random::new(56), 0);
    for round in 0..40 {
        let mut plate = plate(6.0);
        if round % 2 == 1 {
            plate = Body::fixed(plate.shape, plate.pose);
        }
        let mut ride = Ride::new(plate, &walkers()[0], Vec3::Y * 1.2);
        let told = (round % 4 < 2).then_some(STEP);
        let (linear, turning) = (random.vector::<Vec3>(-4.0, 4.0), random.between(-1.0, 1.0));
        for frame in 0..60 {
            let (before, stood) = (ride.pose_of(ride.ground), ride.stood_on);
            let time = frame as Real * STEP;
            let lifted = Pose::new(linear * time, Quat::from_rotation_y(turning * time));
            ride.put_ground(lifted);
            let slide = ride.slide(told);
            if told.is_none() && frame > 2 {
                let snapshot = ride.world.snapshot();
                ride.world.restore(&snapshot);
                assert_eq!(ride.slide(told), slide, "{round} {frame}");
            }
            ride.put_rider(&slide);
            if let (Some(ground), Some(_)) = (slide.ground, stood) {
                answers += 1;
                let place = lifted.inverse_transform_point(ground.point());
                let way = ground.point() - before.transform_point(place);
                let away = ground.velocity - way / STEP;
                assert!(away.length() < 1e-2, "{round} {frame}: {ground:?}");
            }
            let step = if told.is_some() { 0.0 } else { STEP };
            ride.world.step(step).unwrap();
        }
        // Nobody moves it any more.
        let ground = ride.slide(Some(STEP)).ground;
        let velocity = ground.map(|ground| ground.velocity).unwrap_or_default();
        assert!(velocity.length() < 1e-3, "{velocity:?}");
    }
    assert!(answers > 1500, "{answers}");
    // Where nothing tells how long that took, nothing is known of it.
    let mut ride = Ride::new(plate(6.0), &walkers()[0], Vec3::Y * 1.2);
    for frame in 0..20 {
        ride.put_ground(Pose::from_translation(Vec3::splat(0.01 * frame as Real)));
        let velocity = ride.go(None).map_or(Vec3::ZERO, |ground| ground.velocity);
        assert_eq!(velocity, Vec3::ZERO, "{frame}");
    }
}

#[test]
fn a_body_may_set_out_from_another_pose_than_it_has() {
    let mut random = Random::new(57);
    let wall = fixed(Shape::half_space(-Vec3::X).unwrap(), Vec3::X * 9.0);
    let mut ride = Ride::new(wall, &walkers()[0], Vec3::ZERO);
    let slide = |world: &World<Vec3>, walk| world.query().slide_body(walk, SlideOptions::default());
    for _ in 0..50 {
        let start = Pose::from_translation(random.vector::<Vec3>(-8.0, 8.0));
        let walk = SlidingBody::new(ride.rider, random.vector::<Vec3>(-5.0, 5.0));
        let elsewhere = slide(&ride.world, walk.starting_at(start));
        let mut rider = ride.world.at(ride.rider);
        rider.set_pose(start).unwrap();
        assert_eq!(slide(&ride.world, walk), elsewhere);
    }
    let walk = SlidingBody::new(ride.rider, Vec3::X);
    let nowhere = Pose::from_translation(Vec3::NAN);
    let wrong = [-1.0, Real::NAN].map(|seconds| walk.taking(seconds));
    for walk in [walk.starting_at(nowhere)].into_iter().chain(wrong) {
        assert!(slide(&ride.world, walk).is_err(), "{walk:?}");
    }
}
