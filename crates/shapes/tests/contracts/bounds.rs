//! Boxes hold their shapes, and no more than that.

use clearance_math::{Matrix, Pose, PreciseVector, Rotation, Rotation2, Vec2, Vec3, Vector};
use clearance_shapes::{Shape, Support};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::any_shapes::{shapes, shapes_of_space, turn, vector};

/// The box of `shape` at `pose`, grown by `distance`, against its support along every axis.
fn check<V: Vector>(shape: &Shape<V>, pose: &Pose<V>, distance: f64) {
    let Shape::Convex(convex) = shape else {
        panic!("a convex shape was made");
    };
    let matrix = pose.rotation.matrix();
    let bounds = shape.bounds_within(pose, distance);
    for axis in 0..V::DIM {
        for sign in [1.0, -1.0] {
            let row = matrix.row(axis) * sign;
            let core = row.dot(convex.core().support(row)) + convex.radius() + distance;
            let reach = core + sign * pose.position().component(axis);
            let side = if sign > 0.0 { bounds.max } else { bounds.min };
            let side = sign * side.to_precise().component(axis);
            assert!(
                side >= reach,
                "{shape:?} {pose:?} ends outside: {side} {reach}"
            );
            let loose = side - reach;
            if reach > f64::from(f32::MAX) {
                assert_eq!(side, f64::INFINITY, "{shape:?} {pose:?}");
                continue;
            }
            let at = pose.position().component(axis);
            let size = convex.core_bounding_radius() + convex.radius() + distance;
            assert!(
                loose <= 1.3e-7 * (at.abs() + size) + 3e-45,
                "{shape:?} {pose:?} is loose by {loose}"
            );
        }
    }
}

#[test]
fn boxes_hold_their_shapes_and_are_tight() {
    let random = &mut Pcg64::seed_from_u64(7);
    for round in 0..200 {
        let distance = f64::from(round % 3) * 0.013;
        for shape in shapes_of_space(random) {
            let pose = Pose::new(vector::<Vec3>(random, -9.0..9.0), turn(random));
            check(&shape, &pose, distance);
        }
        for shape in shapes(random) {
            let turn = Rotation2::from_angle(random.random_range(-4.0..4.0));
            let pose = Pose::<Vec2>::new(vector::<Vec2>(random, -9.0..9.0), turn);
            check(&shape, &pose, distance);
        }
    }
}

#[test]
fn boxes_hold_the_tiny_the_huge_and_the_far() {
    let random = &mut Pcg64::seed_from_u64(8);
    for size in [1e-45, 1e-41, 1e-38, 1e-20, 1.0, 1e20, 1e38] {
        for far in [0.0, 1e-44, 1e-39, 1e-20, 1.0, 1e20, 3e38] {
            for shape in [
                Shape::ball(size).unwrap(),
                Shape::cuboid(Vec3::new(size, 2.0 * size, size)).unwrap(),
                Shape::hull([Vec3::ZERO, Vec3::X * size, Vec3::Y * size, Vec3::Z * size]).unwrap(),
            ] {
                let at = vector::<Vec3>(random, -1.0..1.0) * far;
                check(&shape, &Pose::new(at, turn(random)), 0.0);
            }
        }
    }
}

#[test]
fn a_box_beyond_all_numbers_still_holds_its_shape() {
    let far = Vec3::new(3e38, -3e38, 0.0);
    let shape = Shape::hull([far, far * 0.9, far * 0.8 + Vec3::Z, Vec3::X * 3e38]).unwrap();
    let bounds = shape.bounds(&Pose::from_translation(far));
    assert_eq!((bounds.min.x, bounds.max.x), (f32::MAX, f32::INFINITY));
    assert_eq!(bounds.min.y, f32::NEG_INFINITY);
    assert!((-3e38..-2.9999e38).contains(&bounds.max.y));
}

#[test]
fn the_box_of_a_half_space_is_closed_only_across_its_normal() {
    let ground = Shape::half_space(Vec3::Y).unwrap().rounded(0.5).unwrap();
    let bounds = ground.bounds(&Pose::from_translation(Vec3::new(0.0, 2.0, 0.0)));
    assert!(bounds.max.y >= 2.5 && bounds.max.y < 2.50001);
    assert_eq!(bounds.min, Vec3::NEG_INFINITY);
    assert_eq!(bounds.max.x, f32::INFINITY);
    let tilted = Shape::half_space(Vec3::new(0.6, 0.8, 0.0)).unwrap();
    assert_eq!(tilted.bounds(&Pose::IDENTITY).max, Vec3::INFINITY);
}

/// Far from the origin a sum of two numbers rounds the lesser one away: only the slack holds the shape.
#[test]
fn boxes_hold_small_shapes_very_far_away() {
    for exponent in [54, 60, 90, 120] {
        let far = 2.0_f32.powi(exponent);
        let pose = Pose::<Vec3>::from_translation(Vec3::new(far, -far, 0.0));
        let ball = Shape::ball(1.0).unwrap().bounds(&pose);
        assert!(
            ball.max.x > far && ball.min.x < far,
            "2^{exponent}: {ball:?}"
        );
        assert!(
            ball.max.y > -far && ball.min.y < -far,
            "2^{exponent}: {ball:?}"
        );
        let above = Pose::from_translation(Vec3::new(0.0, far, 0.0));
        let ground = Shape::half_space(Vec3::Y).unwrap().rounded(1.0).unwrap();
        assert!(ground.bounds(&above).max.y > far, "2^{exponent}");
        let ceiling = Shape::half_space(-Vec3::Y).unwrap().rounded(1.0).unwrap();
        assert!(ceiling.bounds(&above).min.y < far, "2^{exponent}");
    }
}

/// Shapes so small beside their distance from the origin that the sum in double precision is the position itself.
#[test]
fn boxes_hold_what_double_precision_loses() {
    let tiny = f32::EPSILON.powi(2) * f32::EPSILON;
    let pose = Pose::<Vec3>::from_translation(Vec3::ONE);
    for shape in [Shape::cuboid(Vec3::splat(tiny)), Shape::capsule(tiny, tiny)] {
        let bounds = shape.unwrap().bounds(&pose);
        for axis in 0..3 {
            assert!(bounds.min[axis] < 1.0 && 1.0 < bounds.max[axis]);
        }
    }
}
