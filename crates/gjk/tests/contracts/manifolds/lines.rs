//! Points of lines that run beside each other, and the names of many points.

use clearance_gjk::Feature;
use clearance_math::{DVec3, Pose, Quat, Real, Vec3};
use clearance_shapes::Shape;
use std::collections::BTreeSet;

use super::{SMOOTH_SLACK, ask, check};
use crate::common::{Body, Pcg, iterations};

/// A shape with a straight line on its side, and how much that leans to its axis: the radius grows by its tangent.
fn slanted(random: &mut Pcg) -> (Shape<Vec3>, f64) {
    let mut size = || (0.2 + 0.8 * random.unit()) as Real;
    let [half, small, more] = [size(), size(), size()];
    let tangent = f64::from(more) / (2.0 * f64::from(half));
    match random.pick(&[0, 1, 2]) {
        0 => (Shape::cone(half, more).expect("a cone"), tangent.atan()),
        1 => {
            let shape = Shape::tapered_cylinder(half, small, small + more);
            (shape.expect("a tapered cylinder"), tangent.atan())
        }
        // The line touches both balls.
        _ => {
            let more = more.min(1.8 * half);
            let shape = Shape::tapered_capsule(half, small, small + more);
            let sine = f64::from(more) / (2.0 * f64::from(half));
            (shape.expect("a tapered capsule"), sine.asin())
        }
    }
}

/// A point of these was 0.016 below the base of the cone, since points between two lines were kept from going beyond the end of
/// the one line only.
#[test]
fn points_between_lines_are_not_beyond_the_ends_of_either() {
    let mut random = Pcg::new(580);
    let cone = Shape::cone(0.666_411, 0.623_456_54).expect("a cone");
    let capsule = Shape::tapered_capsule(0.586_680_05, 1.046_775_1, 0.889_727_9);
    let capsule = capsule.expect("a tapered capsule");
    let place = Vec3::new(1.091_459_8, -0.397_566_75, -1.295_769_1);
    let turn = Quat::from_xyzw(0.566_874_8, 0.236_128_99, -0.085_273_035, 0.784_617_4);
    let mut several = 0;
    for _ in 0..iterations(400) {
        let a = Body::new(cone.clone(), Pose::IDENTITY);
        let beside = random.point::<Vec3>(0.03);
        let b = Body::new(capsule.clone(), Pose::new(place + beside, turn.normalize()));
        // How much the surface drops beside a line of a cone is not known better.
        check(&a, &b, 0.1, 5.0 * SMOOTH_SLACK);
        several += usize::from(ask(&a, &b, 0.1).is_some_and(|found| found.points().len() > 1));
    }
    assert!(several > 50, "{several}");
}

#[test]
fn sides_beside_each_other_keep_their_points_on_both() {
    let mut random = Pcg::new(581);
    let mut several = 0;
    for _ in 0..iterations(3_000) {
        let ((a, lean_a), (b, lean_b)) = (slanted(&mut random), slanted(&mut random));
        // The lines that face along z lie in the plane of x and y, nearly parallel.
        let level = |lean: f64| Quat::from_rotation_x(lean as Real);
        let small = random.pick(&[0.0, 0.01, 0.06]) * (random.unit() - 0.5) as Real;
        let below = Body::new(a, Pose::new(Vec3::ZERO, level(lean_a)));
        let over = Quat::from_rotation_z(small) * Quat::from_rotation_y(core::f32::consts::PI);
        let turned = Body::new(b, Pose::new(Vec3::ZERO, over * level(lean_b)));
        let gap = random.pick(&[-0.02, 0.0, 0.01]);
        let up = below.support(DVec3::Z) - turned.support(-DVec3::Z);
        let along = DVec3::new(
            0.05 * (random.unit() - 0.5),
            1.5 * (random.unit() - 0.5),
            0.0,
        );
        let above = turned.moved_to(DVec3::Z * (up.z + gap) + along);
        check(&below, &above, 0.05, 2.0 * SMOOTH_SLACK);
        let found = ask(&below, &above, 0.05);
        several += usize::from(found.is_some_and(|found| found.points().len() > 1));
    }
    assert!(several > 300, "{several}");
}

/// Sides that skip corners had the number of their lesser corner, which two sides of a face share.
#[test]
fn points_on_faces_of_many_corners_have_names_of_their_own() {
    let mut random = Pcg::new(582);
    for sides in [17_u16, 31, 32, 33] {
        let ring = |y: Real| {
            (0..sides).map(move |k| {
                let angle = core::f32::consts::TAU * f32::from(k) / f32::from(sides);
                Vec3::new(angle.cos(), y, angle.sin())
            })
        };
        let disc = Shape::hull(ring(-0.5).chain(ring(0.5)).collect::<Vec<_>>()).expect("a disc");
        let below = Body::new(disc.clone(), Pose::IDENTITY);
        for _ in 0..iterations(200) {
            let aside = Vec3::new(random.unit() as Real, 0.99, random.unit() as Real - 0.5);
            let turn = Quat::from_rotation_y(random.unit() as Real);
            let above = Body::new(disc.clone(), Pose::new(aside, turn));
            let found = ask(&below, &above, 0.05).expect("they touch");
            let names: BTreeSet<(Feature, Feature)> = found
                .points()
                .iter()
                .map(|point| (point.feature_a, point.feature_b))
                .collect();
            assert_eq!(names.len(), found.points().len(), "{sides} {found:?}");
        }
    }
}
