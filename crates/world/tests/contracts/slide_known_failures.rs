//! What character controllers are known to fail at where they walk, a test each.

use clearance_math::{Pose, Quat, Real, Vec2, Vec3};
use clearance_shapes::Shape;
use clearance_world::Body;

use crate::random::Random;
use crate::slide_levels::{block, fixed, hills, ramp, stairs};
use crate::slide_walk::{FALL, HALF_HEIGHT, SKIN, Walker, walkers, world_of};

/// How high those who walk are above the ground.
pub(crate) const GROUND: Real = HALF_HEIGHT + SKIN;

pub(crate) fn floor() -> Body<Vec3> {
    fixed(Shape::half_space(Vec3::Y).unwrap(), Vec3::ZERO)
}

/// A half-space that rises along x at an angle, from the origin on.
pub(crate) fn slope(angle: Real) -> Body<Vec3> {
    let normal = Quat::from_rotation_z(angle) * Vec3::Y;
    fixed(Shape::half_space(normal).unwrap(), Vec3::ZERO)
}

#[test]
fn does_not_sink_under_load() {
    let tiles = (0..4000).map(|k| {
        let x = k as Real * 0.25 - 500.0;
        block(Vec3::new(x, -0.5, -8.0), Vec3::new(x + 0.25, 0.0, 8.0))
    });
    for world in [world_of([floor()]), world_of(tiles)] {
        for shape in walkers() {
            let mut walker = Walker::new(&world, shape, Vec3::new(-50.0, 1.2, 0.0)).land();
            let mut random = Random::new(3);
            let mut way = Vec3::ZERO;
            for frame in 0..10_000 {
                if frame % 50 == 0 {
                    way = random.vector::<Vec3>(-0.1, 0.1).with_y(0.0);
                    way.z = way.z.abs() * -walker.pose.translation().z.signum();
                }
                walker.walk(way);
                let error = walker.height() - GROUND;
                assert!(error.abs() < 1e-5, "{frame}: {error} {:?}", walker.shape);
            }
        }
    }
}

#[test]
fn does_not_snag_at_seams() {
    let mut random = Random::new(4);
    let tiles = (0..40 * 40).map(|k| {
        let low = Vec3::new((k % 40) as Real * 0.35, -0.5, (k / 40) as Real * 0.35 - 7.0);
        block(low, low + Vec3::new(0.35, 0.5, 0.35))
    });
    let flat = vec![0.0; 41 * 41];
    let field = Shape::height_field(flat, 41, Vec3::new(14.0, 1.0, 14.0)).unwrap();
    let field = fixed(field, Vec3::new(7.0, 0.0, 0.0));
    for world in [world_of(tiles), world_of([field])] {
        for shape in walkers() {
            for _ in 0..12 {
                let start = Vec3::new(1.0, GROUND, random.between(-1.0, 1.0));
                let mut walker = Walker::new(&world, shape.clone(), start).land();
                let speed = random.between(0.002, 0.3);
                let way = Quat::from_rotation_y(random.between(-0.5, 0.5)) * Vec3::X * speed;
                let frames = ((10.0 / speed) as usize).min(300);
                for frame in 1..=frames {
                    walker.walk(way);
                    let expected = start + way * frame as Real;
                    let error = walker.pose.translation() - expected;
                    assert!(error.length() < 2e-4, "{frame}: {error} by {way}");
                }
            }
        }
    }
}

#[test]
fn climbs_slopes_up_to_the_limit_and_no_steeper() {
    for shape in walkers() {
        for degrees in [10.0, 30.0, 45.0, 49.0, 51.0, 60.0, 80.0] {
            let angle = Real::to_radians(degrees);
            let world = world_of([floor(), slope(angle)]);
            let mut walker =
                Walker::new(&world, shape.clone(), Vec3::new(-2.5, GROUND, 0.0)).land();
            for _ in 0..100 {
                walker.walk(Vec3::X * 0.05);
            }
            let climbed = walker.height() - GROUND;
            if degrees < 50.0 {
                let x = walker.pose.translation().x;
                assert!((x - 2.5).abs() < 0.05, "{degrees}: {x}, {climbed}");
                assert!(climbed > 2.0 * angle.tan(), "{degrees}: {climbed}");
            } else {
                assert!(climbed.abs() < 1e-4, "{degrees}: {climbed}");
            }
        }
    }
}

#[test]
fn does_not_flicker_between_ground_and_air() {
    // Over seams, up and down stairs, over a crest, and over hills: it stands in every frame.
    let mut bodies = vec![floor()];
    bodies.extend(stairs(Vec3::new(1.0, 0.0, 0.0), 8, 0.2, 0.3));
    let top = Vec3::new(3.4, 1.6, 0.0);
    bodies.push(block(
        top - Vec3::new(0.0, 2.0, 2.0),
        top + Vec3::new(2.0, 0.0, 2.0),
    ));
    bodies.push(ramp(top + Vec3::X * 2.0, 0.7, 3.0));
    let crest = top + Vec3::X * 2.0 + Quat::from_rotation_z(0.7) * Vec3::X * 3.0;
    bodies.push(ramp(
        crest + Quat::from_rotation_z(-0.8) * Vec3::X * 6.0,
        PI - 0.8,
        6.0,
    ));
    let course = world_of(bodies);
    let rough = world_of([fixed(hills(40, 0.3), Vec3::ZERO)]);
    for shape in walkers() {
        for speed in [0.003, 0.02, 0.05, 0.13, 0.4] {
            let mut walker = Walker::new(&course, shape.clone(), Vec3::Y).land();
            let mut highest: Real = 0.0;
            for _ in 0..((12.0 / speed) as usize) {
                walker.walk(Vec3::X * speed);
                highest = highest.max(walker.height());
            }
            assert!(
                highest > crest.y + 0.8,
                "{highest} {speed} {:?} {}",
                walker.shape,
                walker.pose
            );
            assert!((walker.height() - GROUND).abs() < 1e-3, "{}", walker.pose);
            // And back.
            for _ in 0..((12.0 / speed) as usize) {
                walker.walk(Vec3::X * -speed);
            }
            let x = walker.pose.translation().x;
            assert!(x.abs() < 0.3, "{speed} {:?}: {x}", walker.shape);
            let mut walker = Walker::new(&rough, shape.clone(), Vec3::new(-6.0, 2.0, -6.0)).land();
            for _ in 0..((8.0 / speed) as usize) {
                walker.walk(Vec3::new(speed, 0.0, speed));
            }
            assert!(walker.pose.translation().x > 1.0, "{}", walker.pose);
        }
    }
}

const PI: Real = core::f32::consts::PI;

#[test]
fn does_not_climb_steep_walls_by_repeated_steps() {
    let ledges = (0..40).map(|k| {
        // A wall of 80 degrees, with ledges that are as deep as a hand.
        let (x, y) = (1.0 + 0.035 * k as Real, 0.2 * k as Real);
        block(
            Vec3::new(x, y - 0.1, -3.0),
            Vec3::new(x + 3.0, y + 0.2, 3.0),
        )
    });
    let steep = [0.95, 1.1, 1.3, 1.5].map(|angle| world_of([floor(), slope(angle)]));
    let ladder = world_of(ledges.chain([floor()]));
    for world in steep.iter().chain([&ladder]) {
        for shape in walkers() {
            for speed in [0.002, 0.05, 0.3] {
                let start = Vec3::new(-2.0, 1.0, 0.0);
                let mut walker = Walker::new(world, shape.clone(), start).land();
                for _ in 0..300 {
                    walker.go(Vec3::new(speed, FALL, 0.0));
                }
                let climbed = walker.height() - GROUND;
                assert!(climbed < 0.21, "{climbed} at {speed}: {:?}", walker.shape);
            }
        }
    }
}

#[test]
fn climbs_steps_as_high_as_asked_and_no_higher() {
    for (height, is_climbed) in [
        (0.05, true),
        (0.2, true),
        (0.29, true),
        (0.31, false),
        (0.5, false),
    ] {
        let step = block(Vec3::new(1.0, -1.0, -3.0), Vec3::new(9.0, height, 3.0));
        let world = world_of([floor(), step]);
        for shape in walkers() {
            for speed in [0.002, 0.05, 0.3, 2.0] {
                let mut walker = Walker::new(&world, shape.clone(), Vec3::Y).land();
                for _ in 0..((3.0 / speed) as usize) {
                    walker.walk(Vec3::X * speed);
                }
                let climbed = walker.height() - GROUND;
                let expected = if is_climbed { height } else { 0.0 };
                let shape = &walker.shape;
                assert!(
                    (climbed - expected).abs() < 1e-4,
                    "{height} {speed}: {climbed} {shape:?}"
                );
            }
        }
    }
}

#[test]
fn does_not_drift_while_standing_whatever_is_up() {
    let mut random = Random::new(12);
    for round in 0..24 {
        let turn = Quat::from_rotation_x(random.between(-3.0, 3.0))
            * Quat::from_rotation_z(random.between(-3.0, 3.0));
        // Up to the steepest that is ground.
        let lean = [random.between(0.0, 0.8), Real::to_radians(49.0)][round % 2];
        let slope = Shape::half_space(turn * Quat::from_rotation_z(lean) * Vec3::Y).unwrap();
        let rough = Body::fixed(hills(30, 2.0), Pose::new(-(turn * Vec3::Y), turn));
        let world = world_of([[fixed(slope, Vec3::ZERO), rough][round / 2 % 2].clone()]);
        for shape in walkers() {
            let mut walker = Walker::new(&world, shape, turn * Vec3::new(0.3, 3.0, 0.2));
            walker.pose.rotation = turn;
            walker.options.up = Some(turn * Vec3::Y);
            for _ in 0..300 {
                walker.go(turn * Vec3::Y * FALL);
            }
            let rest = walker.pose.translation();
            for frame in 0..500 {
                let slide = walker.go(turn * Vec3::Y * FALL);
                assert!(slide.ground.is_some());
                assert_eq!(walker.pose.translation(), rest, "{frame}");
            }
        }
    }
}

#[test]
fn does_not_snap_to_ground_that_is_far_below() {
    // A ledge is left by walking over its edge, and by falling from there on.
    let ledge = block(Vec3::new(-5.0, -1.0, -3.0), Vec3::new(0.0, 0.0, 3.0));
    let world = world_of([ledge]);
    for shape in walkers() {
        let mut walker = Walker::new(&world, shape, Vec3::new(-1.0, 1.0, 0.0)).land();
        let mut stood = Vec::new();
        for _ in 0..100 {
            stood.push(walker.go(Vec3::new(0.03, FALL, 0.0)).ground.is_some());
        }
        let changes = stood.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert_eq!((stood[0], changes), (true, 1), "{:?}", walker.shape);
        assert!(walker.height() < -1.0, "{}", walker.pose);
    }
}

#[test]
fn walks_over_ups_and_downs_in_the_plane() {
    // Ups and downs of a polyline, with steps.
    let mut points = vec![Vec2::new(-2.0, 0.0)];
    for k in 0..60 {
        let x = 0.5 * k as Real;
        points.push(Vec2::new(x, [0.0, 0.25, 0.1, 0.35][k % 4]));
    }
    points.push(Vec2::new(29.6, 0.5));
    points.push(Vec2::new(33.0, 0.5));
    let world = world_of([fixed(Shape::polyline(points).unwrap(), Vec2::ZERO)]);
    for shape in [
        Shape::capsule(0.5, 0.4).unwrap(),
        Shape::cuboid(Vec2::new(0.4, 0.9)).unwrap(),
    ] {
        for speed in [0.01, 0.08, 0.5] {
            let mut walker = Walker::new(&world, shape.clone(), Vec2::new(-1.0, 1.0)).land();
            for _ in 0..((33.0 / speed) as usize) {
                walker.walk(Vec2::X * speed);
            }
            assert!(walker.pose.translation().x > 31.0, "{}", walker.pose);
            for _ in 0..((32.0 / speed) as usize) {
                walker.walk(Vec2::X * -speed);
            }
            assert!(walker.pose.translation().x < 1.0, "{}", walker.pose);
        }
    }
}
