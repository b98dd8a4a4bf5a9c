//! What character controllers are known to fail at where there are walls, a test each.

use clearance_math::{Real, Vec3};
use clearance_shapes::Shape;

use crate::slide_known_failures::{GROUND, floor, slope};
use crate::slide_levels::{block, fixed};
use crate::slide_walk::{Walker, walkers, world_of};

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
            for _ in 0..150 {
                walker.walk(Vec3::new(
                    0.1 / half.sin().max(0.2),
                    0.0,
                    0.005 * half.cos(),
                ));
            }
            let rest = walker.pose.translation();
            for frame in 0..100 {
                let way = Vec3::new(0.1, 0.0, 0.03 * (frame as Real).sin() * half.cos());
                walker.walk(way);
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
            assert!(walker.pose.translation().x < 0.95, "{}", walker.pose);
        }
    }
}

#[test]
fn does_not_slide_up_a_steep_slope() {
    // A jump and a run against a slope that is too steep lead no higher than the jump alone.
    for degrees in [55.0, 70.0, 85.0] {
        let world = world_of([floor(), slope(Real::to_radians(degrees))]);
        for shape in walkers() {
            let mut walker = Walker::new(&world, shape, Vec3::new(-1.5, 1.0, 0.0)).land();
            for _ in 0..60 {
                walker.walk(Vec3::X * 0.1);
            }
            let (start, mut speed, mut jumped) = (walker.height(), 0.1, 0.0);
            for _ in 0..65 {
                jumped += Real::max(speed, 0.0);
                walker.go(Vec3::new(0.2, speed, 0.0));
                assert!(walker.height() <= start + jumped + 1e-4, "{}", walker.pose);
                speed -= 0.005;
            }
            assert!(
                (walker.height() - start).abs() < 1e-3,
                "{degrees} {} {:?}",
                walker.pose,
                walker.shape
            );
        }
    }
}

#[test]
fn does_not_stick_to_walls_while_falling() {
    let bricks = (0..100).map(|k| {
        let low = Vec3::new(0.0, 0.3 * k as Real, -4.0);
        block(low, low + Vec3::new(1.0, 0.3, 8.0))
    });
    let wall = fixed(Shape::half_space(-Vec3::X).unwrap(), Vec3::ZERO);
    for world in [world_of([wall]), world_of(bricks)] {
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
