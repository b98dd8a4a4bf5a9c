//! Casts whose answers are known, hostile ones, and input that is refused.

use clearance_gjk::{CastHit, CastOptions, Leaving, Motion, QueryError, Status, cast_shapes};
use clearance_math::{Pose, Quat, Real, Rotation2, Vec2, Vec3, Vector};
use clearance_shapes::Shape;

use super::{Mover, resting};
use crate::common::Body;

fn mover<V: Vector>(shape: Shape<V>, at: V, motion: Motion<V>) -> Mover<V> {
    Mover {
        body: Body::new(shape, Pose::from_translation(at)),
        motion,
    }
}

fn meet<V: Vector>(a: &Mover<V>, b: &Mover<V>) -> Option<CastHit<V>> {
    cast_shapes(a.cast(), b.cast(), CastOptions::default()).expect("valid input")
}

fn floor() -> Mover<Vec3> {
    resting(Shape::half_space(Vec3::Y).unwrap(), Pose::IDENTITY)
}

#[test]
fn balls_and_boxes_meet_where_arithmetic_says() {
    let ball = Shape::<Vec3>::ball(0.5).unwrap();
    let fall = mover(
        ball.clone(),
        Vec3::Y * 2.0,
        Motion::from_linear(Vec3::Y * -3.0),
    );
    let hit = meet(&fall, &floor()).unwrap();
    assert_eq!((hit.time, hit.status), (0.5, Status::Converged));
    assert_eq!(hit.separation.normal, Vec3::NEG_Y);
    let towards = mover(ball.clone(), Vec3::ZERO, Motion::from_linear(Vec3::X * 2.0));
    let other = mover(ball, Vec3::X * 4.0, Motion::from_linear(Vec3::X * -2.0));
    let hit = meet(&towards, &other).unwrap();
    assert!((hit.time - 0.75).abs() <= Real::EPSILON, "{hit:?}");
    // A turning box meets the floor with a corner.
    let cube = Shape::cuboid(Vec3::ONE).unwrap();
    let spin = Motion::new(Vec3::ZERO, Vec3::Z * 1.0);
    let cube = mover(cube, Vec3::Y * 1.25, spin);
    let hit = meet(&cube, &floor()).unwrap();
    // cos t + sin t = 1.25
    let angle = f64::from(hit.time);
    assert!((angle.cos() + angle.sin() - 1.25).abs() < 1e-6, "{hit:?}");
}

#[test]
fn parallel_motion_is_proven_to_miss() {
    let cube = Shape::cuboid(Vec3::ONE).unwrap();
    for gap in [1e-7_f32, 1e-6, 1e-3] {
        let slide = Motion::from_linear(Vec3::new(1e6, 0.0, -3e5));
        let cube = mover(cube.clone(), Vec3::Y * (1.0 + 2.0 * gap), slide);
        let slab = Shape::cuboid(Vec3::new(1e6, 1.0, 1e6)).unwrap();
        let slab = resting(slab, Pose::from_translation(Vec3::NEG_Y));
        assert_eq!(meet(&cube, &floor()), None, "{gap}");
        assert_eq!(meet(&cube, &slab), None, "{gap}");
    }
}

#[test]
fn a_wheel_rolls_above_the_floor() {
    let wheel = Shape::cylinder(0.1, 1.0).unwrap();
    let upright = Quat::from_xyzw(
        core::f32::consts::FRAC_1_SQRT_2,
        0.0,
        0.0,
        core::f32::consts::FRAC_1_SQRT_2,
    );
    let wheel = Mover {
        body: Body::new(wheel, Pose::new(Vec3::Y * 1.001, upright)),
        motion: Motion::new(Vec3::X * 300.0, Vec3::Z * -300.0),
    };
    assert_eq!(meet(&wheel, &floor()), None);
}

#[test]
fn nothing_passes_through_what_is_thin() {
    let sliver = Shape::triangle(
        Vec3::ZERO,
        Vec3::new(0.0, 1e-6, 0.0),
        Vec3::new(0.0, 0.0, 1e3),
    )
    .unwrap();
    let sliver = resting(sliver, Pose::IDENTITY);
    for speed in [1.0_f32, 1e3, 1e6] {
        let needle = Shape::segment(Vec3::NEG_Y * 0.5, Vec3::Y * 0.5).unwrap();
        let start = Vec3::new(-0.5 * speed, 0.0, 20.0);
        let turns = Vec3::new(0.0, 0.0, 0.0);
        let needle = mover(needle, start, Motion::new(Vec3::X * speed, turns));
        let hit = meet(&needle, &sliver).unwrap();
        assert!((hit.time - 0.5).abs() < 1e-6, "{speed}: {hit:?}");
    }
    // A long blade that turns fifty times meets a thin post somewhere in its first half turn.
    let blade = Shape::cuboid(Vec3::new(10.0, 1e-4, 0.1)).unwrap();
    let post = Shape::segment(Vec3::NEG_Z, Vec3::Z).unwrap();
    let post = resting(post, Pose::from_translation(Vec3::new(0.0, 9.0, 0.0)));
    let turns = 100.0 * core::f32::consts::PI;
    let blade = mover(blade, Vec3::ZERO, Motion::new(Vec3::ZERO, Vec3::Z * turns));
    let hit = meet(&blade, &post).unwrap();
    assert!(
        (hit.time * turns - core::f32::consts::FRAC_PI_2).abs() < 1e-4,
        "{hit:?}"
    );
}

#[test]
fn the_largest_and_the_smallest_numbers_are_answered() {
    let sizes = [1e-30_f32, 1e-6, 1.0, 1e6, 1e30];
    let speeds = [0.0_f32, 1e-38, 1.0, 1e20, Real::MAX];
    for size in sizes {
        for speed in speeds {
            for turn in speeds {
                for place in [0.0, 1.0, 1e30, Real::MAX] {
                    let cube = Shape::cuboid(Vec3::splat(size)).unwrap();
                    let cone = Shape::cone(size, 1.0).unwrap();
                    let turns = Vec3::new(turn, -turn, 0.5 * turn);
                    let a = mover(cube, Vec3::X * place, Motion::new(Vec3::X * -speed, turns));
                    for b in [resting(cone, Pose::IDENTITY), floor()] {
                        if let Some(hit) = meet(&a, &b) {
                            let ordered = hit.time_lower <= hit.time && hit.time <= hit.time_upper;
                            assert!(ordered && !hit.separation.distance.is_nan(), "{hit:?}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn shapes_that_are_left_are_passed_over() {
    let pass = CastOptions {
        leaving: Leaving::Pass,
        ..CastOptions::default()
    };
    let ball = Shape::<Vec2>::ball(1.0).unwrap();
    let wall = resting(Shape::cuboid(Vec2::new(1.0, 8.0)).unwrap(), Pose::IDENTITY);
    for (speed, expected) in [(1.0, None), (0.0, None), (-1.0, Some(0.0))] {
        let ball = mover(
            ball.clone(),
            Vec2::X * 1.5,
            Motion::from_linear(Vec2::X * speed),
        );
        let hit = cast_shapes(ball.cast(), wall.cast(), pass).unwrap();
        assert_eq!(hit.map(|hit| hit.time), expected, "{speed}");
        assert_eq!(meet(&ball, &wall).unwrap().time, 0.0);
    }
    // A bar that lies on the floor gets up, and comes down on the other side.
    let bar = Shape::cuboid(Vec2::new(2.0, 0.5)).unwrap();
    let floor = resting(
        Shape::half_space(Vec2::Y).unwrap(),
        Pose::from_translation(Vec2::Y * -0.5),
    );
    let swing = mover(
        bar,
        Vec2::ZERO,
        Motion::new(Vec2::Y * 3.0, core::f32::consts::PI),
    );
    let hit = cast_shapes(swing.cast(), floor.cast(), pass).unwrap();
    assert!(hit.is_none_or(|hit| hit.time < 0.1), "{hit:?}");
}

/// A bar that lies in the floor turns: the corner that is deepest gets up, and at the very end the other one goes down.
#[test]
fn who_approaches_again_at_the_very_end_is_hit() {
    let pass = CastOptions {
        leaving: Leaving::Pass,
        ..CastOptions::default()
    };
    let floor = resting(Shape::half_space(Vec2::Y).unwrap(), Pose::IDENTITY);
    for (turn, is_hit) in [(0.095, false), (0.103, true)] {
        let bar = Shape::cuboid(Vec2::new(2.0, 0.5)).unwrap();
        let pose = Pose::new(Vec2::Y * 0.4, Rotation2::from_angle(-0.1));
        let swing = Mover {
            body: Body::new(bar, pose),
            motion: Motion::new(Vec2::ZERO, turn),
        };
        let hit = cast_shapes(swing.cast(), floor.cast(), pass).unwrap();
        assert_eq!(hit.is_some(), is_hit, "{turn}");
        let is_level_at = 0.1 / turn;
        let is_then =
            |hit: CastHit<Vec2>| hit.time_lower <= is_level_at && is_level_at <= hit.time_upper;
        assert!(hit.is_none_or(is_then), "{hit:?}");
    }
}

#[test]
fn half_spaces_meet_along_their_normals() {
    let up = Shape::<Vec3>::half_space(Vec3::Y).unwrap();
    let down = Shape::<Vec3>::half_space(Vec3::NEG_Y).unwrap();
    let floor = resting(up, Pose::IDENTITY);
    let press = mover(
        down,
        Vec3::Y * 2.0,
        Motion::from_linear(Vec3::new(5.0, -4.0, 0.0)),
    );
    let hit = meet(&floor, &press).unwrap();
    assert_eq!((hit.time, hit.separation.distance), (0.5, 0.0));
    let mut tilted = press;
    tilted.motion = Motion::new(Vec3::ZERO, Vec3::X * 0.1);
    let hit = meet(&floor, &tilted).unwrap();
    assert_eq!(
        (hit.time, hit.separation.distance),
        (0.0, Real::NEG_INFINITY)
    );
    tilted.motion = Motion::new(Vec3::ZERO, Vec3::Y * 0.1);
    assert_eq!(meet(&floor, &tilted), None);
}

#[test]
fn bad_input_is_refused_by_the_name_of_its_field() {
    let ball = Shape::<Vec3>::ball(1.0).unwrap();
    let (good, mut bad) = (
        resting(ball.clone(), Pose::IDENTITY),
        resting(ball, Pose::IDENTITY),
    );
    for within in [-1.0, Real::NAN, Real::INFINITY] {
        let options = CastOptions {
            within,
            ..CastOptions::default()
        };
        let error = cast_shapes(good.cast(), bad.cast(), options).unwrap_err();
        assert!(error.to_string().starts_with("within is "), "{error}");
    }
    bad.motion = Motion::from_linear(Vec3::new(0.0, Real::NAN, 0.0));
    let error = cast_shapes(good.cast(), bad.cast(), CastOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "motion_b.linear[1] is NaN, must be finite"
    );
    bad.motion = Motion::new(Vec3::ZERO, Vec3::X * Real::INFINITY);
    let error = cast_shapes(bad.cast(), good.cast(), CastOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "motion_a.angular[0] is inf, must be finite"
    );
    bad.motion = Motion::rest();
    bad.body.pose = bad.body.pose.moved_by(Vec3::new(0.0, 0.0, Real::NAN));
    let error = cast_shapes(good.cast(), bad.cast(), CastOptions::default());
    assert!(matches!(error, Err(QueryError::Pose { .. })));
}

/// In every turn the corners of the one come near the other, for more than a thousand turns. The search gave up, and
/// called that a hit.
#[test]
fn a_cuboid_that_turns_a_thousand_times_passes_another() {
    let cuboid = Shape::<Vec3>::cuboid(Vec3::ONE).unwrap();
    let other = resting(
        cuboid.clone(),
        Pose::from_translation(Vec3::new(4.0, 0.0, 0.0)),
    );
    let mut spinning = resting(cuboid, Pose::IDENTITY);
    for angle in [2000.0, 5000.0, 9000.0] {
        spinning.motion = Motion::new(Vec3::X, Vec3::splat(angle));
        let hit = cast_shapes(spinning.cast(), other.cast(), CastOptions::default()).unwrap();
        assert_eq!(hit, None, "{angle}");
    }
}

/// At such speeds a place is rounded by more than the shapes are large. A hit was called converged. Where the shape flies as
/// fast as it turns, only the beginning of its motion matters, and that is known well.
#[test]
fn motion_that_rounds_to_more_than_the_shapes_does_not_converge() {
    let ball = resting(Shape::ball(1.0).unwrap(), Pose::IDENTITY);
    let cuboid = Shape::<Vec3>::cuboid(Vec3::new(1.0, 0.5, 0.5)).unwrap();
    let at = Pose::from_translation(Vec3::new(-3.0, 0.0, 0.0));
    let mut hits = 0;
    for turn in [1e13, 1e15, 1e20] {
        for linear in [Vec3::ZERO, Vec3::X * 6.0] {
            let mut spinning = resting(cuboid.clone(), at);
            spinning.motion = Motion::new(linear, Vec3::Y * turn);
            let hit = cast_shapes(spinning.cast(), ball.cast(), CastOptions::default()).unwrap();
            if let Some(hit) = hit {
                assert_eq!(
                    hit.status,
                    Status::IterationLimit,
                    "{turn} {linear}: {hit:?}"
                );
                hits += 1;
            }
        }
        let mut flying = resting(cuboid.clone(), at);
        flying.motion = Motion::new(Vec3::X * turn, Vec3::ZERO);
        let hit = cast_shapes(flying.cast(), ball.cast(), CastOptions::default()).unwrap();
        let hit = hit.expect("it flies through the ball");
        assert_eq!(hit.status, Status::Converged, "{hit:?}");
        assert!((hit.time * turn - 1.0).abs() <= 1e-6, "{hit:?}");
        flying.motion = Motion::new(Vec3::X * turn, Vec3::Y * turn);
        let hit = cast_shapes(flying.cast(), ball.cast(), CastOptions::default()).unwrap();
        let hit = hit.expect("it flies through the ball, turning");
        assert_eq!(hit.status, Status::Converged, "{hit:?}");
        assert!(hit.time * turn > 0.9 && hit.time * turn < 1.6, "{hit:?}");
        // Nothing says that what turns faster than numbers tell misses the ball, whatever is passed over.
        flying.motion = Motion::new(Vec3::X * 25.0, Vec3::Z * 7.5e37);
        for leaving in [Leaving::Hit, Leaving::Pass, Leaving::Ignore] {
            let options = CastOptions {
                leaving,
                ..CastOptions::default()
            };
            let hit = cast_shapes(flying.cast(), ball.cast(), options).unwrap();
            assert!(hit.is_some(), "{leaving:?}");
        }
        flying.motion = Motion::new(Vec3::X * turn, Vec3::Y * turn);
        // What overlaps at the start does so exactly.
        flying.body.pose = Pose::IDENTITY;
        let hit = cast_shapes(flying.cast(), ball.cast(), CastOptions::default()).unwrap();
        assert!(hit.is_some_and(|hit| hit.time == 0.0 && hit.status == Status::Converged));
        // What leaves at the start may come back.
        flying.body.pose = Pose::from_translation(Vec3::new(-1.99, 0.0, 0.0));
        flying.motion = Motion::new(Vec3::X * -0.1, Vec3::Y * turn);
        let options = CastOptions {
            leaving: Leaving::Pass,
            ..CastOptions::default()
        };
        let hit = cast_shapes(flying.cast(), ball.cast(), options).unwrap();
        assert!(
            hit.is_none_or(|hit| hit.status == Status::IterationLimit),
            "{hit:?}"
        );
    }
    assert!(hits > 0);
}

/// Neither a point nor a plane has a size to compare rounding with.
#[test]
fn points_converge_on_planes() {
    let plane = resting(Shape::half_space(Vec3::Y).unwrap(), Pose::IDENTITY);
    let at = Pose::from_translation(Vec3::new(0.5, 3.0, 0.25));
    let mut point = resting(Shape::hull([Vec3::ZERO]).unwrap(), at);
    point.motion = Motion::new(Vec3::Y * -6.0, Vec3::ZERO);
    let hit = cast_shapes(point.cast(), plane.cast(), CastOptions::default()).unwrap();
    let hit = hit.expect("it falls onto the plane");
    assert_eq!((hit.time, hit.status), (0.5, Status::Converged));
}
