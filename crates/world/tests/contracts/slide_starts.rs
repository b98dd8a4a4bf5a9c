//! Whatever a shape starts in, it gets out of it or says that it is stuck; and whatever moves under it carries it.

use clearance_gjk::{Placed, proximity};
use clearance_math::{Pose, Quat, Real, Vec3};
use clearance_shapes::Shape;
use clearance_world::{
    Body, BodyId, Slide, SlideGround, SlideOptions, Sliding, SlidingBody, Velocity, World,
};

use crate::random::Random;
use crate::slide_levels::{block, fixed, levels_in_space};
use crate::slide_walk::{FALL, HALF_HEIGHT, SKIN, Walker, walkers, world_of};

#[test]
fn starts_inside_of_something_are_left() {
    let floor = || fixed(Shape::half_space(Vec3::Y).unwrap(), Vec3::ZERO);
    let table = || block(Vec3::new(1.0, 0.0, -2.0), Vec3::new(3.0, 2.0, 2.0));
    let world = world_of([floor(), table()]);
    let (mut random, mut stuck) = (Random::new(9), 0);
    for shape in walkers() {
        for _ in 0..100 {
            let place = random.vector::<Vec3>(-0.5, 2.5).with_z(0.1);
            let mut walker = Walker::new(&world, shape.clone(), place);
            if (0..4).all(|_| walker.go(Vec3::ZERO).is_stuck) {
                // The shortest way out of the table leads into the floor.
                stuck += 1;
                continue;
            }
            let gap = |body: BodyId| {
                let body = world.body(body).unwrap();
                let a = Placed::new(&walker.shape, &walker.pose);
                let seen = proximity(a, Placed::new(body.shape(), body.pose()), Real::INFINITY);
                seen.unwrap().near().unwrap().lower
            };
            for body in world.bodies() {
                assert!(gap(body.id()) > 0.9 * SKIN, "{place}: {}", gap(body.id()));
            }
        }
    }
    assert!(stuck < 40, "{stuck}");
}

#[test]
fn who_has_no_room_is_stuck_and_says_so() {
    // Between two walls that are nearer than the shape is wide.
    let wall = |x: Real| block(Vec3::new(x, -9.0, -9.0), Vec3::new(x + 1.0, 9.0, 9.0));
    let world = world_of([wall(-1.3), wall(0.3), {
        fixed(Shape::half_space(Vec3::Y).unwrap(), Vec3::ZERO)
    }]);
    for shape in walkers() {
        let mut walker = Walker::new(&world, shape.clone(), Vec3::Y);
        for _ in 0..20 {
            let slide = walker.go(Vec3::new(0.1, FALL, 0.0));
            assert!(slide.is_stuck);
            assert!(slide.pose.translation().is_finite());
            assert!(slide.pose.translation().x.abs() < 0.4, "{}", slide.pose);
        }
    }
    // Deep inside of a body that contains it, one gets out in some calls.
    let block = world_of([block(Vec3::splat(-5.0), Vec3::splat(5.0))]);
    let mut walker = Walker::new(&block, walkers()[0].clone(), Vec3::new(0.0, 1.0, 0.0));
    let calls = (0..20)
        .take_while(|_| walker.go(Vec3::ZERO).is_stuck)
        .count();
    assert!(calls > 0 && calls < 20, "{calls}");
    // Inside of a mesh there is room.
    let levels = levels_in_space();
    let room = levels.iter().find(|level| level.name == "mesh").unwrap();
    let mut walker = Walker::new(&room.world, walkers()[0].clone(), Vec3::ZERO);
    assert!(!walker.go(Vec3::ZERO).is_stuck);
}

#[test]
fn corridors_narrower_than_two_skins_are_walked_through() {
    for room in [0.1, 0.7, 1.3, 1.99, 2.5] {
        let half = 0.4 + 0.5 * room * SKIN;
        let walls = [1.0, -1.0].map(|side| {
            let low = Vec3::new(-20.0, -1.0, side * (half + 0.5) - 0.5);
            block(low, low + Vec3::new(40.0, 4.0, 1.0))
        });
        let floor = fixed(Shape::half_space(Vec3::Y).unwrap(), Vec3::ZERO);
        let world = world_of(walls.into_iter().chain([floor]));
        for shape in walkers() {
            let mut walker = Walker::new(&world, shape, Vec3::Y * 1.0).land();
            for frame in 0..100 {
                let aside = 0.02 * (frame as Real).sin();
                let slide = walker.walk(Vec3::new(0.1, 0.0, aside));
                assert!(!slide.is_stuck);
            }
            let x = walker.pose.translation().x;
            assert!(x > 9.0, "{room}: {x} {:?}", walker.shape);
        }
    }
}

/// A platform that moves by a velocity, with somebody on it.
fn ride(velocity: impl Fn(Real) -> Velocity<Vec3>) {
    const STEP: Real = 1.0 / 60.0;
    for shape in walkers() {
        let plate = Shape::cuboid(Vec3::new(3.0, 0.1, 3.0)).unwrap();
        let mut world = world_of([Body::moving(plate, Pose::from_translation(Vec3::Y * 5.0))]);
        let id = world.bodies().next().unwrap().id();
        let start = Pose::from_translation(Vec3::new(1.0, 6.1, 0.5));
        let (mut pose, mut ground, mut local) = (start, None, None);
        let options = SlideOptions::default();
        let mut contacts = Vec::new();
        for frame in 0..400 {
            let moving = velocity(frame as Real * STEP);
            world.body_mut(id).unwrap().set_velocity(moving).unwrap();
            world.step(STEP).unwrap();
            let sliding = Sliding::new(Placed::new(&shape, &pose), Vec3::Y * FALL);
            let sliding = sliding.standing_on(ground);
            let slide = world.query().slide_into(sliding, options, &mut contacts);
            Slide { pose, ground, .. } = slide.unwrap();
            if frame < 10 {
                continue;
            }
            let body = ground.map(|ground| ground.body);
            assert_eq!(body, Some(id), "{frame} {pose} {shape:?}");
            let place = pose.translation() - world.body(id).unwrap().pose().translation();
            let speed = moving.linear + moving.angular.cross(place);
            let velocity = ground.unwrap().velocity;
            assert!(
                (velocity - speed).length() < 1e-3,
                "{frame}: {velocity} {speed}"
            );
            let below = pose.translation() - Vec3::Y * (HALF_HEIGHT + SKIN);
            let here = world
                .body(id)
                .unwrap()
                .pose()
                .inverse_transform_point(below);
            let before = *local.get_or_insert(here);
            assert!((here - before).length() < 1e-4, "{frame}: {here} {before}");
        }
    }
}

#[test]
fn platforms_carry_who_stands_on_them() {
    let linear = |velocity: Vec3| Velocity::from_linear(velocity);
    // A lift that changes its direction, a train, a merry-go-round, and a lift that only rises.
    ride(|time| linear(Vec3::Y * 3.0 * (2.0 * time).sin()));
    ride(|time| linear(Vec3::new(4.0 * time.cos(), time.sin(), 2.0)));
    ride(|_| Velocity::new(Vec3::X, Vec3::Y * 0.5));
    ride(|_| linear(Vec3::Y * 2.0));
}

/// Somebody on a platform that turns stays at the same place of it: (radius, speed in radians a second).
#[test]
fn turning_ground_keeps_who_stands_on_it() {
    let disc = Shape::cylinder(0.1, 6.0).unwrap();
    for (radius, speed) in [(2.0, 3.0), (4.0, 3.0), (5.0, -0.7)] {
        for shape in walkers() {
            let turning = Velocity::new(Vec3::ZERO, Vec3::Y * speed);
            let disc = Body::moving(disc.clone(), Pose::IDENTITY).with_velocity(turning);
            let mut world = world_of([disc]);
            let start = Vec3::new(radius, 0.1 + HALF_HEIGHT + SKIN, 0.0);
            let (mut pose, mut ground) = (Pose::from_translation(start), None);
            let options = SlideOptions::default();
            let (mut contacts, mut angle) = (Vec::new(), 0.0_f64);
            for frame in 0..10_000 {
                let sliding = Sliding::new(Placed::new(&shape, &pose), Vec3::Y * FALL);
                let slide =
                    world
                        .query()
                        .slide_into(sliding.standing_on(ground), options, &mut contacts);
                Slide { pose, ground, .. } = slide.unwrap();
                let place = pose.translation().with_y(0.0);
                let error = (place.length() - radius).abs();
                assert!(error < 1e-5, "{frame}: {error} {shape:?}");
                let (sin, cos) = angle.sin_cos();
                let expected = Vec3::new(cos as Real, 0.0, -sin as Real) * radius;
                assert!((place - expected).length() < 1e-3, "{frame}: {place}");
                angle += f64::from(speed) * f64::from(1.0_f32 / 60.0);
                world.step(1.0 / 60.0).unwrap();
            }
        }
    }
}

/// A lift that tilts carries by the place under the feet, not by that under the middle.
#[test]
fn tilting_ground_carries_by_the_place_under_the_feet() {
    for shape in [walkers()[0].clone(), Shape::ball(0.5).unwrap()] {
        let plate = Shape::cuboid(Vec3::new(4.0, 0.1, 4.0)).unwrap();
        let mut world = world_of([Body::moving(plate, Pose::IDENTITY)]);
        let id = world.bodies().next().unwrap().id();
        let mut walker = Walker::new(&world, shape.clone(), Vec3::new(2.0, 2.0, 1.0)).land();
        let (mut pose, mut ground) = (walker.pose, walker.go(Vec3::Y * FALL).ground);
        let options = SlideOptions::default();
        let (mut contacts, start) = (Vec::new(), pose.translation());
        // Up and down again, by half a radian: it ends where it began.
        for frame in 0..=1200 {
            let angle = 0.5 * (core::f32::consts::TAU * frame as Real / 300.0).sin();
            let turn = Quat::from_rotation_z(angle) * Quat::from_rotation_y(2.0 * angle);
            let lift = Vec3::new(angle, 3.0 * angle, 0.0);
            world
                .body_mut(id)
                .unwrap()
                .set_pose(Pose::new(lift, turn))
                .unwrap();
            let sliding = Sliding::new(Placed::new(&shape, &pose), Vec3::Y * FALL);
            let sliding = sliding.standing_on(ground);
            let slide = world.query().slide_into(sliding, options, &mut contacts);
            Slide { pose, ground, .. } = slide.unwrap();
            assert_eq!(ground.map(|ground| ground.body), Some(id), "{frame}");
        }
        let moved = (pose.translation() - start).length();
        assert!(moved < 3.0 * SKIN, "{moved} {shape:?}");
    }
}

/// Who is on a plate that goes and turns by its pose; the time of a frame is told, or is that of a step.
struct Ride {
    world: World<Vec3>,
    plate: BodyId,
    walker: BodyId,
    ground: Option<SlideGround<Vec3>>,
}

impl Ride {
    fn new(is_fixed: bool) -> Self {
        let plate = Shape::cuboid(Vec3::new(6.0, 0.1, 6.0)).unwrap();
        let mut plate = Body::moving(plate, Pose::IDENTITY);
        if is_fixed {
            plate = Body::fixed(plate.shape, plate.pose);
        }
        let start = Pose::from_translation(Vec3::Y * 1.2);
        let world = world_of([plate, Body::moving(walkers()[0].clone(), start)]);
        let ids: Vec<_> = world.bodies().map(|body| body.id()).collect();
        let (plate, walker, ground) = (ids[0], ids[1], None);
        Self {
            world,
            plate,
            walker,
            ground,
        }
    }

    fn slide(&self, seconds: Option<Real>) -> Slide<Vec3> {
        let walk = SlidingBody::new(self.walker, Vec3::Y * FALL).standing_on(self.ground);
        let walk = SlidingBody { seconds, ..walk };
        let options = SlideOptions::default();
        let slide = (self.world).query().slide_body(walk, options);
        slide.unwrap()
    }
}

/// Ground that `set_pose` moves has the velocity at which it goes, also after a return to a snapshot.
#[test]
fn ground_that_is_moved_by_its_pose_has_a_velocity() {
    let (mut random, seconds, mut answers) = (Random::new(56), 1.0 / 60.0, 0);
    for round in 0..40 {
        let mut ride = Ride::new(round % 2 == 1);
        let is_told = round % 4 < 2;
        let (linear, turning) = (random.vector::<Vec3>(-4.0, 4.0), random.between(-1.0, 1.0));
        for frame in 0..60 {
            let before = *ride.world.body(ride.plate).unwrap().pose();
            let time = frame as Real * seconds;
            let lifted = Pose::new(linear * time, Quat::from_rotation_y(turning * time));
            ride.world
                .body_mut(ride.plate)
                .unwrap()
                .set_pose(lifted)
                .unwrap();
            let told = is_told.then_some(seconds);
            let slide = ride.slide(told);
            if !is_told && frame > 2 {
                let snapshot = ride.world.snapshot();
                ride.world.restore(&snapshot);
                assert_eq!(ride.slide(told), slide, "{round} {frame}");
            }
            ride.world
                .body_mut(ride.walker)
                .unwrap()
                .set_pose(slide.pose)
                .unwrap();
            let stood = core::mem::replace(&mut ride.ground, slide.ground);
            if let (Some(_), Some(ground)) = (stood, ride.ground) {
                answers += 1;
                let place = lifted.inverse_transform_point(ground.point());
                let way = ground.point() - before.transform_point(place);
                let away = ground.velocity - way / seconds;
                assert!(away.length() < 1e-2, "{round} {frame}: {ground:?}");
            }
            ride.world
                .step(if is_told { 0.0 } else { seconds })
                .unwrap();
        }
        // Nobody moves it any more.
        let velocity = ride
            .slide(Some(seconds))
            .ground
            .map(|ground| ground.velocity);
        assert!(velocity.unwrap_or_default().length() < 1e-3, "{velocity:?}");
    }
    assert!(answers > 1500, "{answers}");
}

#[test]
fn a_body_may_set_out_from_another_pose_than_it_has() {
    let mut random = Random::new(57);
    let options = SlideOptions::default();
    let wall = fixed(Shape::half_space(-Vec3::X).unwrap(), Vec3::X * 9.0);
    let hero = Body::moving(walkers()[0].clone(), Pose::IDENTITY);
    let mut world = world_of([wall, hero]);
    let hero = world.bodies().nth(1).unwrap().id();
    for _ in 0..50 {
        let start = Pose::from_translation(random.vector::<Vec3>(-8.0, 8.0));
        let walk = SlidingBody::new(hero, random.vector::<Vec3>(-5.0, 5.0));
        let slide = |walk| world.query().slide_body(walk, options);
        let elsewhere = slide(walk.starting_at(start));
        world.body_mut(hero).unwrap().set_pose(start).unwrap();
        let here = world.query().slide_body(walk, options);
        assert_eq!(elsewhere, here);
    }
    let nowhere = Pose::from_translation(Vec3::NAN);
    for walk in [
        SlidingBody::new(hero, Vec3::X).starting_at(nowhere),
        SlidingBody::new(hero, Vec3::X).taking(-1.0),
        SlidingBody::new(hero, Vec3::X).taking(Real::NAN),
    ] {
        let refused = world.query().slide_body(walk, options);
        assert!(refused.is_err(), "{walk:?}");
    }
}
