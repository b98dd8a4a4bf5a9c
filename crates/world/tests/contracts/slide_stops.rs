//! A shape that stops at walls goes straight until it meets one, and follows the ground.

use clearance_math::{Pose, Quat, Real, Vec3};
use clearance_shapes::Shape;
use clearance_world::{AtWalls, Body};

use crate::random::Random;
use crate::slide_levels::{block, fixed};
use crate::slide_obstacles::slope;
use crate::slide_walk::{Walker, floor, world_of};

const RADIUS: Real = 0.4;
const SKIN: Real = 0.02 * RADIUS;

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
    let mut stopped = 0;
    for _ in 0..300 {
        let pillar = |_| {
            let at = random.vector::<Vec3>(-6.0, 6.0).with_y(0.0);
            let radius = random.between(0.2, 0.9);
            (at.length() > radius + RADIUS + 0.1).then_some((at, radius))
        };
        let pillars: Vec<_> = (0..8).filter_map(pillar).collect();
        let bodies = pillars.iter().map(|&(at, radius)| {
            let pillar = Shape::cylinder(5.0, radius).unwrap();
            fixed(pillar, at)
        });
        let world = world_of(bodies.chain([floor()]));
        let from = Vec3::Y * (RADIUS + SKIN);
        let way = random.vector::<Vec3>(-8.0, 8.0).with_y(0.0);
        let [slide, along] = [AtWalls::Stop, AtWalls::Slide].map(|at_walls| {
            let mut walker = Walker::new(&world, Shape::ball(RADIUS).unwrap(), from);
            walker.options.at_walls = at_walls;
            walker.walk(way)
        });
        let gone = slide.motion.with_y(0.0);
        let expected = free_way(from, way, &pillars);
        // Off its line by no more than the skin, and short of the place by what rounding may turn aside.
        let aside = gone.cross(way).length() / way.length();
        let short = (gone.length() - expected).abs();
        let case = format!("{gone} for {expected} of {way}");
        assert!(
            aside <= 2.0 * SKIN && short < 3.0 * SKIN && !slide.is_stuck,
            "{case}"
        );
        stopped += usize::from(expected < 0.95 * way.length());
        // One that slides goes on.
        assert!(
            along.motion.length() >= slide.motion.length() - 3.0 * SKIN,
            "{case}"
        );
    }
    assert!(stopped > 100, "{stopped}");
}

#[test]
fn slopes_and_steps_are_followed_straight() {
    let mut random = Random::new(102);
    for _ in 0..60 {
        // A slope that rises along x, a step on it, and a wall across at x = 8.
        let angle = random.between(0.0, 0.7);
        let turn = Quat::from_rotation_z(angle);
        let wall = block(Vec3::new(8.0, -50.0, -50.0), Vec3::new(9.0, 50.0, 50.0));
        let step = Shape::cuboid(Vec3::new(0.5, 0.1, 50.0)).unwrap();
        let step = Body::fixed(step, Pose::new(turn * (Vec3::X * 3.0), turn));
        let world = world_of([slope(angle, Vec3::ZERO), wall, step]);
        let hero = Shape::capsule(0.3, 0.3).unwrap();
        let start = Vec3::Y * ((0.3 + 0.01) / angle.cos() + 0.3);
        let mut walker = Walker::new(&world, hero, start);
        walker.options.at_walls = AtWalls::Stop;
        let way = Vec3::new(0.1, -0.05, random.between(-0.1, 0.1));
        for _ in 0..120 {
            walker.stood_on = walker.walk(way).ground;
            let at = walker.pose.translation();
            assert!((at.z - at.x * way.z / way.x).abs() < 0.05, "{at} {way}");
        }
        let x = walker.pose.translation().x;
        assert!((x - 7.7).abs() < 0.02, "{x}");
    }
}
