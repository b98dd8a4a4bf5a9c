//! The worst pairs that runs of 100,000 a category have found, each from a different cause.

use clearance_math::{Pose, Quat, Real, Vec3};
use clearance_shapes::Shape;

use crate::accuracy::harness::{Class, check_pair};
use crate::accuracy::shapes::valid;
use crate::common::Body;

fn body(shape: Shape<Vec3>, at: [Real; 3], rotation: [Real; 4]) -> Body<Vec3> {
    let pose = Pose::new(Vec3::from_array(at), Quat::from_array(rotation));
    Body::new(shape, pose)
}

fn cone(half_height: Real, radius: Real) -> Shape<Vec3> {
    valid(Shape::cone(half_height, radius))
}

fn cylinder(half_height: Real, radius: Real) -> Shape<Vec3> {
    valid(Shape::cylinder(half_height, radius))
}

const UNTURNED: [Real; 4] = [0.0, 0.0, 0.0, 1.0];
const UPSIDE_DOWN: [Real; 4] = [1.0, 0.0, 0.0, 0.0];

/// The polytope had no room left, and the way downhill began in the valley of the axis only: the
/// slanted sides lie deeper. Off by 1.5e-3.
#[test]
fn identical_cones_are_left_by_their_sides() {
    let at = [-0.064_357_25, -0.237_670_3, 0.104_479_69];
    let a = body(cone(0.240_712_76, 0.277_520_57), at, UNTURNED);
    check_pair(Class::Smooth, &a, &a.clone());
}

/// A circle of directions almost equally deep: the way downhill crept along it. Off by 7.4e-4.
#[test]
fn cones_all_but_concentric_are_left_on_the_side_they_lean_to() {
    let at = [0.003_184_098_8, 0.002_511_021_4, -0.006_516_501_3];
    let a = body(cone(5.319_081_3, 5.857_075), [0.0; 3], UNTURNED);
    let b = body(cone(6.314_549, 7.599_595), at, UNTURNED);
    check_pair(Class::Smooth, &a, &b);
}

/// Once more, off by 3.9e-4.
#[test]
fn cones_all_but_coaxial_are_left_on_the_side_they_lean_to() {
    let at = [-4.863_016_5e-5, -0.056_510_58, 8.580_865e-6];
    let a = body(cone(0.157_952_65, 0.126_584_05), [0.0; 3], UPSIDE_DOWN);
    let b = body(cone(0.042_734_664, 0.096_155_375), at, UPSIDE_DOWN);
    check_pair(Class::Smooth, &a, &b);
}

/// That circle with small waves, one for each side of the cuboid. Off by 3.8e-4.
#[test]
fn a_tiny_cuboid_leaves_a_cone_where_it_is_least_in_the_way() {
    let half = Vec3::new(0.003_944_132, 0.001_719_167_3, 0.004_009_390_7);
    let a = body(cone(4.327_198, 3.572_738), [0.0; 3], [0.5; 4]);
    let b = body(
        valid(Shape::cuboid(half)),
        [-0.000_431_473_8, 0.000_680_973_05, 2.624_988_8],
        [-0.221_387_49, 0.903_132_3, -0.050_665_993, -0.364_379_6],
    );
    check_pair(Class::Smooth, &a, &b);
}

/// Apart by 1e-9 of their size, and answered as deep as the gap of a curved depth allows: 7e-5.
#[test]
fn cones_rim_on_rim_touch() {
    let at = [1e-45, 0.466_378_9, 4.592_938];
    let a = body(cone(4.240_086, 1.643_181_3), [0.0; 3], UPSIDE_DOWN);
    let b = body(cone(3.773_707_2, 2.949_756_6), at, UPSIDE_DOWN);
    check_pair(Class::Smooth, &a, &b);
}

/// Once more with a needle's point on a needle's end, 2e-5.
#[test]
fn the_point_of_a_needle_on_the_end_of_another_touches_it() {
    let at = [8.715_971e-6, -0.532_704_65, 0.000_347_698_6];
    let a = body(cone(0.406_482_07, 0.004_832_328), [0.0; 3], UPSIDE_DOWN);
    let b = body(cylinder(0.126_222_58, 0.000_347_807_83), at, UNTURNED);
    check_pair(Class::Smooth, &a, &b);
}

/// The witness points lay beyond the edge of a face by a billionth of it, and the upper bound, their
/// distance, was too near by 1e-10 of the size: in rational numbers the corner of the triangle is
/// 1.34151e-10 from the edge.
#[test]
fn the_corner_of_a_triangle_beyond_the_edge_of_a_cuboid_is_as_far_as_it_is() {
    let half = Vec3::new(0.090_908_684, 0.072_613_8, 0.099_260_55);
    let corners = [
        Vec3::new(-0.005_055_674_4, 0.028_152_825, 0.123_295_84),
        Vec3::new(-0.077_791_37, 0.044_509_757, 0.116_956_63),
        Vec3::new(-0.080_034_845, 0.120_939_7, 0.068_669_304),
    ];
    let [p, q, r] = corners;
    let a = body(valid(Shape::cuboid(half)), [0.0; 3], UNTURNED);
    let b = body(
        valid(Shape::triangle(p, q, r)),
        [-0.179_057_6, -0.015_088_677, 0.075_637_445],
        [0.293_596_12, -0.537_353_5, -0.046_499_26, -0.789_234],
    );
    check_pair(Class::Polytopes, &a, &b);
}
