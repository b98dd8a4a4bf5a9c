//! The depth of curved shapes against directions sampled all around and refined.
//!
//! Along every direction the overlap bounds the depth from above, so the least of many is what the
//! depth must come near to and must never exceed.

use clearance_gjk::{Separation, measure};
use clearance_math::{Pose, PreciseVector, Real, RelativePose, Vec3, Vector};
use clearance_shapes::Shape;

use crate::common::{
    Body, Kind, Pcg, Placement, Space, beside, body, deepest, height, in_both_dimensions,
    iterations, size_of,
};

in_both_dimensions!(
    curved_shapes_are_as_deep_as_brute_force_says,
    identical_shapes_are_as_deep_as_brute_force_says,
);

/// How far the reported depth may be from the least overlap found, relative to the size.
const ACCURACY: f64 = 1e-4;

/// How many directions are sampled before the best are refined.
const DIRECTIONS: usize = 800;

/// Compares the answer for two bounded shapes with brute force; returns how far the reported depth
/// exceeds the least overlap found, relative to the size.
fn check<V: Vector>(a: &Body<V>, b: &Body<V>) -> f64 {
    let answer = measure(a.placed(), b.placed(), Real::INFINITY)
        .near()
        .expect("bounded");
    let size = size_of(a, b);
    let normal = answer.normal.to_precise();
    let turned = |k: usize, body: &Body<V>| {
        RelativePose::from_pose(&body.pose).transform_direction(V::Precise::axis(k))
    };
    let mut also: Vec<V::Precise> = vec![normal / normal.length()];
    for body in [a, b] {
        also.extend((0..V::DIM).flat_map(|k| [turned(k, body), -turned(k, body)]));
    }
    let found = deepest(a, b, DIRECTIONS, &also);
    let context = format!("{found:?} {answer:?} {a:?} {b:?}");
    let slack = 1e-12 * size;
    assert!(
        f64::from(answer.lower) <= f64::from(answer.upper),
        "{context}"
    );
    // The true depth is not above the least found, so the lower bound of the depth is not either.
    assert!(-f64::from(answer.upper) <= found.depth + slack, "{context}");
    let excess = (-f64::from(answer.distance) - found.depth) / size;
    assert!(excess <= ACCURACY, "{excess:e} {context}");
    // No direction may be better than the answer, so that the sampling must come as near.
    assert!(excess >= -ACCURACY, "{excess:e} {context}");
    check_way_out(a, b, &answer, size, &context);
    excess
}

/// Moving b along the normal by the depth separates the two, and the witness points are as far
/// apart along it, up to the accuracy.
fn check_way_out<V: Vector>(
    a: &Body<V>,
    b: &Body<V>,
    answer: &Separation<V>,
    size: f64,
    context: &str,
) {
    let normal = answer.normal.to_precise();
    let left = height(a, b, normal / normal.length()) - f64::from(answer.distance);
    assert!(left.abs() <= ACCURACY * size, "{left:e} {context}");
    let [on_a, on_b] = [answer.point_a, answer.point_b].map(V::to_precise);
    let off = (on_b - on_a).dot(normal) - f64::from(answer.distance);
    let rounding = 4.0 * f64::from(Real::EPSILON) * on_a.length().max(on_b.length());
    assert!(off.abs() <= ACCURACY * size + rounding, "{off:e} {context}");
}

/// The kinds with a curved core.
fn curved<V: Vector>() -> Vec<Kind> {
    Kind::all::<V>().filter(|kind| kind.is_smooth()).collect()
}

fn curved_shapes_are_as_deep_as_brute_force_says<V: Space>() {
    let mut random = Pcg::new(71);
    let others: Vec<Kind> = Kind::all::<V>()
        .filter(|kind| *kind != Kind::HalfSpace)
        .collect();
    for _ in 0..iterations(600) {
        let (kind_a, kind_b) = (random.pick(&curved::<V>()), random.pick(&others));
        let size = random.log_between(0.3, 3.0);
        let a = body::<V>(kind_a, &mut random, size);
        let b = body::<V>(kind_b, &mut random, 1.0);
        let placement = random.pick(&[
            Placement::Touching,
            Placement::Shallow,
            Placement::Deep,
            Placement::Concentric,
        ]);
        check(&a, &beside(&mut random, &a, &b, placement));
    }
}

fn identical_shapes_are_as_deep_as_brute_force_says<V: Space>() {
    let mut random = Pcg::new(72);
    for kind in Kind::all::<V>().filter(|kind| *kind != Kind::HalfSpace) {
        for _ in 0..iterations(12) {
            let a = body::<V>(kind, &mut random, 1.0);
            check(&a, &a.clone());
        }
    }
}

/// Depths from a ten-thousandth to one half.
fn depth(random: &mut Pcg) -> f64 {
    random.log_between(1e-4, 0.5)
}

/// b on top of a along a's axis, which is turned in the world, overlapping by `depth`.
fn stacked(random: &mut Pcg, a: Shape<Vec3>, b: Shape<Vec3>, depth: f64) -> [Body<Vec3>; 2] {
    let turn = crate::common::turned::<Vec3>(random);
    let a = Body::new(a, Pose::new(random.point(3.0), turn));
    let axis = RelativePose::from_pose(&a.pose).transform_direction(clearance_math::DVec3::Y);
    let b = Body::new(b, Pose::new(a.pose.translation, turn));
    let top =
        a.pose.translation.to_precise() + axis * (a.support(axis) - b.support(-axis)).dot(axis);
    let b = b.moved_to(top - axis * depth);
    [a, b]
}

#[test]
fn coaxial_cylinders_and_cones_are_as_deep_as_brute_force_says() {
    let mut random = Pcg::new(73);
    let kinds = [Kind::Cylinder, Kind::Cone];
    for _ in 0..iterations(400) {
        let sizes = [0, 1].map(|_| random.log_between(0.3, 3.0));
        let a = Vec3::shape(random.pick(&kinds), &mut random, sizes[0]);
        let b = Vec3::shape(random.pick(&kinds), &mut random, sizes[1]);
        let depth = depth(&mut random);
        let [a, b] = stacked(&mut random, a, b, depth);
        check(&a, &b);
        check(&b, &a);
    }
}

#[test]
fn wide_coaxial_cylinders_overlap_by_their_heights() {
    let mut random = Pcg::new(74);
    for _ in 0..iterations(1000) {
        // Radii that make every way out sideways longer than the one along the axis.
        let cylinder = |random: &mut Pcg| {
            let half_height = random.between(0.3, 2.0) as Real;
            Shape::cylinder(half_height, random.between(0.6, 2.0) as Real).unwrap()
        };
        let (a, b) = (cylinder(&mut random), cylinder(&mut random));
        let depth = depth(&mut random);
        let [a, b] = stacked(&mut random, a, b, depth);
        let answer = measure(a.placed(), b.placed(), Real::INFINITY)
            .near()
            .unwrap();
        let axis = RelativePose::from_pose(&a.pose).transform_direction(clearance_math::DVec3::Y);
        let expected = height(&a, &b, axis);
        let error = (f64::from(answer.distance) - expected).abs() / size_of(&a, &b);
        assert!(error <= 1e-5, "{error:e} {depth} {answer:?} {a:?} {b:?}");
        assert!(
            answer.normal.to_precise().dot(axis) > 0.999,
            "{depth} {answer:?} {a:?} {b:?}"
        );
    }
}

#[test]
fn a_cylinder_flat_on_a_cuboid_is_as_deep_as_brute_force_says() {
    let mut random = Pcg::new(75);
    for _ in 0..iterations(200) {
        let floor = Vec3::shape(Kind::Cuboid, &mut random, 3.0);
        let cylinder = Vec3::shape(Kind::Cylinder, &mut random, 1.0);
        let depth = depth(&mut random);
        let [a, b] = stacked(&mut random, floor, cylinder, depth);
        let aside = RelativePose::from_pose(&a.pose).transform_direction(
            clearance_math::DVec3::new(random.between(-0.5, 0.5), 0.0, random.between(-0.5, 0.5)),
        );
        let b = b.moved_to(b.pose.translation.to_precise() + aside);
        check(&a, &b);
    }
}
