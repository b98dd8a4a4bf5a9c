//! A shape that stops at walls goes straight until it meets one, and follows the ground.

use clearance_gjk::Placed;
use clearance_math::{Pose, Quat, Real, Vec3};
use clearance_shapes::Shape;
use clearance_world::{AtWalls, Body, Options, SlideOptions, Sliding, World};

use crate::random::Random;

const RADIUS: Real = 0.4;
const SKIN: Real = 0.02 * RADIUS;

fn options() -> SlideOptions<Vec3> {
    SlideOptions {
        at_walls: AtWalls::Stop,
        ..SlideOptions::default()
    }
}

/// How far a ball goes on flat ground among round and upright pillars: until its middle is a radius from one.
fn free_way(from: Vec3, way: Vec3, pillars: &[(Vec3, Real)]) -> Real {
    let length = way.length();
    let mut free = length;
    for &(at, radius) in pillars {
        let (apart, unit) = ((at - from).with_y(0.0), way / length);
        let (along, reach) = (apart.dot(unit), radius + RADIUS + SKIN);
        let beside = (apart - unit * along).length();
        if along > 0.0 && beside < reach {
            free = free.min(along - (reach * reach - beside * beside).sqrt());
        }
    }
    free
}

#[test]
fn a_ball_stops_where_its_way_first_meets_a_pillar() {
    let mut random = Random::new(101);
    let (ball, mut contacts) = (Shape::ball(RADIUS).unwrap(), Vec::new());
    let mut stopped = 0;
    for _ in 0..300 {
        let mut world = World::new(Options::default()).unwrap();
        let floor = Shape::half_space(Vec3::Y).unwrap();
        world.insert(Body::fixed(floor, Pose::IDENTITY)).unwrap();
        let mut pillars = Vec::new();
        for _ in 0..8 {
            let at = random.vector::<Vec3>(-6.0, 6.0).with_y(0.0);
            let radius = random.between(0.2, 0.9);
            if at.length() > radius + RADIUS + 0.1 {
                let pillar = Shape::cylinder(5.0, radius).unwrap();
                world
                    .insert(Body::fixed(pillar, Pose::from_translation(at)))
                    .unwrap();
                pillars.push((at, radius));
            }
        }
        let from = Vec3::Y * (RADIUS + SKIN);
        let way = random.vector::<Vec3>(-8.0, 8.0).with_y(0.0);
        let pose = Pose::from_translation(from);
        let sliding = Sliding::new(Placed::new(&ball, &pose), way - Vec3::Y * 0.05);
        let slide = world.query().slide_into(sliding, options(), &mut contacts);
        let slide = slide.unwrap();
        let gone = slide.motion.with_y(0.0);
        let expected = free_way(from, way, &pillars);
        // Off its line by no more than the skin, and short of the place by what rounding may turn aside.
        assert!(
            gone.cross(way).length() <= 2.0 * SKIN * way.length(),
            "{gone} of {way}"
        );
        assert!(
            (gone.length() - expected).abs() < 3.0 * SKIN,
            "{gone} for {expected} of {way}"
        );
        assert!(slide.ground.is_some() && !slide.is_stuck);
        stopped += usize::from(expected < 0.95 * way.length());
        // One that slides goes on.
        let along = SlideOptions::default();
        let other = world
            .query()
            .slide_into(sliding, along, &mut contacts)
            .unwrap();
        assert!(other.motion.length() >= slide.motion.length() - 3.0 * SKIN);
    }
    assert!(stopped > 100, "{stopped}");
}

#[test]
fn slopes_and_steps_are_followed_straight() {
    let mut random = Random::new(102);
    let (hero, mut contacts) = (Shape::capsule(0.3, 0.3).unwrap(), Vec::new());
    for _ in 0..60 {
        let mut world = World::new(Options::default()).unwrap();
        // A slope that rises along x, a step on it, and a wall across at x = 8.
        let angle = random.between(0.0, 0.7);
        let turn = Quat::from_rotation_z(angle);
        let normal = turn * Vec3::Y;
        let slope = Body::fixed(Shape::half_space(normal).unwrap(), Pose::IDENTITY);
        world.insert(slope).unwrap();
        let wall = Shape::cuboid(Vec3::new(0.5, 50.0, 50.0)).unwrap();
        world
            .insert(Body::fixed(wall, Pose::from_translation(Vec3::X * 8.5)))
            .unwrap();
        let step = Shape::cuboid(Vec3::new(0.5, 0.1, 50.0)).unwrap();
        let on = Pose::new(turn * Vec3::new(3.0, 0.0, 0.0), turn);
        world.insert(Body::fixed(step, on)).unwrap();
        let start = (0.3 + 0.01) / angle.cos() + 0.3;
        let (mut pose, mut ground) = (Pose::from_translation(Vec3::Y * start), None);
        let motion = Vec3::new(0.1, -0.1, random.between(-0.1, 0.1));
        for _ in 0..120 {
            let sliding = Sliding::new(Placed::new(&hero, &pose), motion).standing_on(ground);
            let slide = world.query().slide_into(sliding, options(), &mut contacts);
            let slide = slide.unwrap();
            (pose, ground) = (slide.pose, slide.ground);
            assert!(ground.is_some(), "{pose}");
            let at = pose.translation();
            assert!(
                (at.z - at.x * motion.z / motion.x).abs() < 0.05,
                "{at} {motion}"
            );
        }
        let at = pose.translation();
        assert!((at.x - 7.7).abs() < 0.02, "{at}");
    }
}
