//! What character controllers are known to fail at, a test each.

use clearance_math::{Pose, Quat, Real, Vec2, Vec3};
use clearance_shapes::Shape;
use clearance_world::{Body, World};

use crate::random::Random;
use crate::slide_levels::{block, fixed, hills, ramp, stairs};
use crate::slide_obstacles::slope;
use crate::slide_walk::{FALL, GROUND, Walker, Walks, floor, level, walkers, world_of};

/// Walks along x for so far and back again: stands in every frame. The greatest and the last height of each way are checked.
fn goes_there_and_back<V: Walks>(
    world: &World<V>,
    from: V,
    distance: Real,
    speed: Real,
    check: impl Fn(Real, Real),
) {
    for shape in V::walkers() {
        let mut walker = Walker::new(world, shape, from).land();
        for speed in [speed, -speed] {
            let mut highest: Real = 0.0;
            for _ in 0..(distance / speed.abs()) as usize {
                walker.walk(V::axis(0) * speed);
                highest = highest.max(walker.height());
            }
            let x = walker.pose.translation().component(0);
            let end = from.component(0) + if speed > 0.0 { distance } else { 0.0 };
            assert!(
                (x - end).abs() < 0.5,
                "{x} for {end} at {speed}: {}",
                walker.pose
            );
            check(highest, walker.height());
        }
    }
}

#[test]
fn does_not_flicker_between_ground_and_air() {
    // Over seams, up and down stairs, over a crest, and over hills.
    let mut bodies = vec![floor()];
    bodies.extend(stairs(Vec3::X, 8, 0.2, 0.3));
    let top = Vec3::new(3.4, 1.6, 0.0);
    let plateau = Vec3::new(0.0, 2.0, 2.0);
    bodies.push(block(top - plateau, top + Vec3::new(2.0, 0.0, 2.0)));
    bodies.push(ramp(top + Vec3::X * 2.0, 0.7, 3.0));
    let crest = top + Vec3::X * 2.0 + Quat::from_rotation_z(0.7) * Vec3::X * 3.0;
    let foot = crest + Quat::from_rotation_z(-0.8) * Vec3::X * 6.0;
    bodies.push(ramp(foot, core::f32::consts::PI - 0.8, 6.0));
    let course = world_of(bodies);
    let rough = world_of([fixed(hills(40, 0.3), Vec3::ZERO)]);
    // Ups and downs of a polyline, with steps.
    let mut points = vec![Vec2::new(-2.0, 0.0)];
    points.extend((0..60).map(|k| Vec2::new(0.5 * k as Real, [0.0, 0.25, 0.1, 0.35][k % 4])));
    points.extend([29.6, 33.0].map(|x| Vec2::new(x, 0.5)));
    let flat = world_of([fixed(Shape::polyline(points).unwrap(), Vec2::ZERO)]);
    for speed in [0.003, 0.02, 0.05, 0.13, 0.4] {
        goes_there_and_back(&course, Vec3::Y, 12.0, speed, |highest, last| {
            let off = (last - GROUND).abs();
            assert!(
                highest > crest.y + 0.8 && off < 1e-3,
                "{highest} {last} {speed}"
            );
        });
        goes_there_and_back(&rough, Vec3::new(-6.0, 2.0, -6.0), 8.0, speed, |_, _| ());
        goes_there_and_back(
            &flat,
            Vec2::new(-1.0, 1.0),
            32.5,
            speed.max(0.01),
            |_, _| (),
        );
    }
}

#[test]
fn does_not_sink_under_load() {
    let tiles = (0..160).map(|k| {
        let low = Vec3::new(0.25 * k as Real - 20.0, -0.5, -20.0);
        block(low, low + Vec3::new(0.25, 0.5, 40.0))
    });
    let (world, mut random) = (world_of(tiles), Random::new(3));
    for shape in walkers() {
        let mut walker = Walker::new(&world, shape, Vec3::Y).land();
        let mut way = Vec3::ZERO;
        for frame in 0..10_000 {
            if frame % 50 == 0 {
                let back = -walker.pose.translation().signum();
                way = random.vector::<Vec3>(0.0, 0.1).with_y(0.0) * back;
            }
            walker.walk(way);
            let off = (walker.height() - GROUND).abs();
            assert!(off < 1e-5, "{frame}: {off} {:?}", walker.shape);
        }
    }
}

/// Neither by repeated steps nor by a jump and a run against it.
#[test]
fn does_not_climb_what_is_too_steep() {
    let ledges = (0..40).map(|k| {
        // A wall of 80 degrees, with ledges that are as deep as a hand.
        let low = Vec3::new(1.0 + 0.035 * k as Real, 0.2 * k as Real - 0.1, -3.0);
        block(low, low + Vec3::new(3.0, 0.3, 6.0))
    });
    let steep = [0.95, 1.1, 1.3, 1.5].map(|angle| world_of([floor(), slope(angle, Vec3::ZERO)]));
    let ladder = world_of(ledges.chain([floor()]));
    for (place, world) in steep.iter().chain([&ladder]).enumerate() {
        for (k, speed) in (0..12).zip([0.002, 0.05, 0.3].into_iter().cycle()) {
            let start = Vec3::new(-2.0, 1.0, 0.0);
            let mut walker = Walker::new(world, walkers()[k % 4].clone(), start).land();
            for _ in 0..300 {
                walker.go(Vec3::new(speed, FALL, 0.0));
            }
            let climbed = walker.height() - GROUND;
            assert!(climbed < 0.21, "{climbed} at {speed}: {}", walker.pose);
            if place == steep.len() {
                continue;
            }
            let (start, mut jump, mut jumped) = (walker.height(), 0.1, 0.0);
            for _ in 0..65 {
                let is_first = jumped == 0.0;
                jumped += Real::max(jump, 0.0);
                walker.go(Vec3::new(0.2, jump, 0.0));
                let missing = start + jumped - walker.height();
                assert!(missing > -1e-4, "{missing} {}", walker.pose);
                assert!(!is_first || missing < 1e-3, "{missing} {}", walker.pose);
                jump -= 0.005;
            }
            let landed = walker.height() - start;
            assert!(landed.abs() < 1e-3, "{landed} {}", walker.pose);
        }
    }
}

#[test]
fn does_not_drift_while_standing_whatever_is_up() {
    let mut random = Random::new(12);
    for round in 0..24 {
        let turn = Quat::from_rotation_x(random.between(-3.0, 3.0))
            * Quat::from_rotation_z(random.between(-3.0, 3.0));
        // Up to the steepest that is ground; and between two that are too steep.
        let lean = [random.between(0.0, 0.8), Real::to_radians(49.0)][round % 2];
        let slope = |lean| {
            let normal = turn * Quat::from_rotation_z(lean) * Vec3::Y;
            fixed(Shape::half_space(normal).unwrap(), Vec3::ZERO)
        };
        let world = world_of(match round % 3 {
            0 => vec![slope(lean)],
            1 => vec![Body::fixed(
                hills(30, 2.0),
                Pose::new(-(turn * Vec3::Y), turn),
            )],
            _ => vec![slope(1.0), slope(-1.1)],
        });
        for shape in walkers() {
            let mut walker = Walker::new(&world, shape, turn * Vec3::new(0.3, 3.0, 0.2));
            walker.pose.rotation = turn;
            walker.options.up = Some(turn * Vec3::Y);
            let mut rest = walker.pose;
            for frame in 0..600 {
                let slide = walker.go(turn * Vec3::Y * FALL);
                if frame < 300 {
                    rest = walker.pose;
                    continue;
                }
                assert!(slide.ground.is_some());
                assert_eq!(walker.pose, rest, "{frame}");
            }
        }
    }
}

#[test]
fn does_not_snap_to_ground_that_is_far_below() {
    // A ledge is left by walking over its edge, and by falling from there on.
    let ledge = block(Vec3::new(-5.0, -1.0, -3.0), Vec3::new(0.0, 0.0, 3.0));
    let below = block(Vec3::new(-5.0, -2.0, -3.0), Vec3::new(9.0, -1.0, 3.0));
    let world = world_of([ledge, below]);
    for shape in walkers() {
        let mut walker = Walker::new(&world, shape, Vec3::new(-1.0, 1.0, 0.0)).land();
        let mut walk = || {
            let before = walker.height();
            let stands = walker.go(Vec3::new(0.03, FALL, 0.0)).ground.is_some();
            assert!(before - walker.height() < 0.4, "{}", walker.pose);
            stands
        };
        let stood: Vec<_> = (0..100).map(|_| walk()).collect();
        let changes = stood.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert_eq!((stood[0], changes), (true, 2), "{:?}", walker.shape);
        let off = (walker.height() - (GROUND - 1.0)).abs();
        assert!(off < 1e-3, "{}", walker.pose);
    }
}

#[test]
fn does_not_jitter_in_corners() {
    for degrees in [5.0, 20.0, 45.0, 60.0, 90.0, 120.0, 160.0, 175.0] {
        let half = 0.5 * Real::to_radians(degrees);
        // Two walls that meet at the origin, open to the left.
        let wall = |side: Real| {
            let out = Vec3::new(half.sin(), 0.0, side * half.cos());
            fixed(Shape::half_space(-out).unwrap(), Vec3::ZERO)
        };
        let world = world_of([floor(), wall(1.0), wall(-1.0)]);
        for shape in walkers() {
            let start = Vec3::new(-2.0 - 0.7 / half.sin(), 1.0, 0.1);
            let mut walker = Walker::new(&world, shape, start).land();
            let speed = 0.1 / half.sin().max(0.2);
            for _ in 0..150 {
                walker.walk(Vec3::new(speed, 0.0, 0.005 * half.cos()));
            }
            let rest = walker.pose.translation();
            for frame in 0..100 {
                let aside = 0.03 * (frame as Real).sin() * half.cos();
                walker.walk(Vec3::new(0.1, 0.0, aside));
                let moved = (walker.pose.translation() - rest).length();
                assert!(moved < 1e-5, "{degrees}: {moved} {:?}", walker.shape);
            }
        }
    }
}

#[test]
fn does_not_step_up_through_a_low_ceiling() {
    let step = block(Vec3::new(1.0, -1.0, -3.0), Vec3::new(9.0, 0.25, 3.0));
    // One over the step, and a thin one over the place from which it is climbed.
    let over_step = block(Vec3::new(0.5, 1.9, -3.0), Vec3::new(9.0, 2.5, 3.0));
    let before_step = block(Vec3::new(-3.0, 1.9, -3.0), Vec3::new(0.9, 1.91, 3.0));
    for ceiling in [over_step, before_step] {
        let world = world_of([floor(), step.clone(), ceiling]);
        for shape in walkers() {
            let mut walker = Walker::new(&world, shape, Vec3::Y * GROUND).land();
            for _ in 0..100 {
                walker.walk(Vec3::X * 0.1);
            }
            assert!((walker.height() - GROUND).abs() < 1e-4, "{}", walker.pose);
            assert!(level(walker.pose.translation()).x < 0.95, "{}", walker.pose);
        }
    }
}

#[test]
fn does_not_stick_to_walls_while_falling() {
    let bricks = (0..100).map(|k| {
        let low = Vec3::new(0.0, 0.3 * k as Real, -4.0);
        block(low, low + Vec3::new(1.0, 0.3, 8.0))
    });
    // Upright, and leaning over who falls: to be pushed along it would be a faster fall.
    let walls = [0.0, -0.4].map(|height| {
        let normal = Vec3::new(-1.0, height, 0.0).normalize();
        world_of([fixed(Shape::half_space(normal).unwrap(), Vec3::Y * 20.0)])
    });
    for world in walls.into_iter().chain([world_of(bricks)]) {
        for shape in walkers() {
            for push in [0.001, 0.03, 0.5] {
                let start = Vec3::new(-1.0, 20.0, 0.0);
                let mut walker = Walker::new(&world, shape.clone(), start);
                for _ in 0..100 {
                    walker.go(Vec3::new(push, -0.1, 0.0));
                }
                let fallen = start.y - walker.height();
                assert!((fallen - 10.0).abs() < 1e-3, "{fallen}: {:?}", walker.shape);
            }
        }
    }
}
