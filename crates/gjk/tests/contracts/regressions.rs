//! Pairs that were once answered wrongly, each with what went wrong.

use clearance_gjk::{
    Difference, Outcome, Proximity, Question, Separation, Status, intersects, measure,
    measure_difference, measure_each, trace,
};
use clearance_math::{
    DVec3, Pose, Quat, Real, RelativePose, Rotation2, Vec2, Vec3, Vector, tolerances,
};
use clearance_shapes::Shape;

use crate::common::{Body, Pcg, agreement, kept, soundness, turned};

/// The answer, finite, its bounds in order, its sign that of `intersects` where they decide.
fn ask<V: Vector>(a: &Body<V>, b: &Body<V>) -> Separation<V> {
    let answer = measure(a.placed(), b.placed(), Real::INFINITY)
        .near()
        .expect("bounded");
    let touch = intersects(a.placed(), b.placed()).expect("valid poses");
    kept(soundness(&answer), || format!("{a:?} {b:?}"));
    kept(agreement(&answer, touch), || format!("{a:?} {b:?}"));
    answer
}

/// The search for a side stalled on a long segment, and that was taken for an overlap because one
/// of the shapes has a radius, though a plane keeps them apart.
#[test]
fn a_stalled_search_is_not_an_overlap() {
    let start = Vec2::new(1_612_883_700.0, -8_751_468_000.0);
    let end = Vec2::new(496_246_430.0, 7_527_064_000.0);
    let turned = |cos, sin| Rotation2::from_cos_sin(cos, sin).unwrap();
    let a = Body::new(
        Shape::segment(start, end).unwrap(),
        Pose::new(
            Vec2::ZERO,
            turned(-0.987_558_736_070_066, 0.157_250_573_327_078),
        ),
    );
    let cuboid = Shape::cuboid(Vec2::new(0.730_254_3, 0.499_318_7)).unwrap();
    let b = Body::new(
        cuboid.rounded(0.130_539_85).unwrap(),
        Pose::new(
            Vec2::new(-631_721_860.0, 4_266_577_400.0),
            turned(0.994_852_021_714_869, 0.101_338_318_960_987),
        ),
    );
    assert!(ask(&a, &b).lower > 0.0);
}

/// The search for a side stopped within the tolerance of a distance, which for large radii is more
/// than the overlap.
#[test]
fn a_small_capsule_in_the_skin_of_a_large_one_intersects_it() {
    let turned = |cos, sin| Rotation2::from_cos_sin(cos, sin).unwrap();
    let a = Body::new(
        Shape::capsule(939.693_1, 307.519_35).unwrap(),
        Pose::<Vec2>::new(
            Vec2::ZERO,
            turned(0.314_049_844_375_33, -0.949_406_496_316_426),
        ),
    );
    let b = Body::new(
        Shape::capsule(0.000_459_295_73, 0.000_214_964_28).unwrap(),
        Pose::<Vec2>::new(
            Vec2::new(-1_191.265_6, -366.514_7),
            turned(0.962_828_393_530_01, 0.270_113_836_395_733),
        ),
    );
    assert!(ask(&a, &b).upper < 0.0);
    assert!(intersects(a.placed(), b.placed()).unwrap());
}

/// Every face of the expanding polytope was a sliver: the depth stayed infinite and the witness
/// points became NaN.
#[test]
fn a_tiny_triangle_on_a_long_segment_has_a_finite_answer() {
    let corners = [
        Vec3::new(8.342_484e-11, -6.601_078e-11, 8.975_564e-11),
        Vec3::new(8.286_62e-11, 2.885_012_9e-11, -3.512_966_7e-11),
        Vec3::new(3.108_514_5e-11, 2.366_031e-11, 7.659_653_5e-11),
    ];
    let [p, q, r] = corners;
    let a = Body::new(
        Shape::triangle(p, q, r).unwrap(),
        Pose::new(Vec3::ZERO, Quat::from_xyzw(0.5, 0.5, 0.5, 0.5)),
    );
    let start = Vec3::new(-0.975_312_77, 0.014_177_22, -0.273_226_26);
    let end = Vec3::new(0.534_136_53, -0.803_158_1, 0.490_494_04);
    let b = Body::new(
        Shape::segment(start, end).unwrap(),
        Pose::new(
            Vec3::new(-0.018_379_26, 0.403_759_1, -0.229_616_94),
            Quat::from_xyzw(0.228_939_52, 0.452_737_72, -0.417_519_7, -0.753_851_83),
        ),
    );
    assert!(ask(&a, &b).distance.abs() < 1e-7);
}

/// The polygon stopped before it held the origin, and the witness points were taken from an edge
/// far from the boundary: they were a gap apart where the distance said overlap.
#[test]
fn witness_points_of_a_triangle_touching_an_ellipse_agree_with_the_distance() {
    let a = Body::new(
        Shape::ellipsoid(Vec2::new(4.616_724, 5.938_37)).unwrap(),
        Pose::new(Vec2::ZERO, Rotation2::from_angle(-3.040_530_7)),
    );
    let corners = [
        Vec2::new(-1.189_952_3, -0.164_592_47),
        Vec2::new(0.978_419_96, -3.538_090_5),
        Vec2::new(-3.520_858, -2.973_791_8),
    ];
    let b = Body::new(
        Shape::triangle(corners[0], corners[1], corners[2]).unwrap(),
        Pose::new(
            Vec2::new(4.157_072, -0.309_433),
            Rotation2::from_angle(2.989_142_4),
        ),
    );
    let answer = ask(&a, &b);
    let apart = (answer.point_b() - answer.point_a()).dot(answer.normal);
    assert!((apart - answer.distance).abs() < 1e-4, "{answer:?}");
    assert!(answer.distance.abs() < 5e-4, "{answer:?}");
}

/// Found by fuzzing: faces a billion times longer than wide were left out of the expanding polytope
/// as slivers where they were needles, so that it had no sides, and held what was outside.
#[test]
fn bodies_a_hundred_billion_times_longer_than_thin_have_true_bounds() {
    let at = |x, y, z| Pose::new(Vec3::new(x, y, z), Quat::IDENTITY);
    let cone = Body::new(
        Shape::cone(4.4375, 1.365_356_4).unwrap(),
        at(2.784_375, -2.273_958_4, -3.585_416_6),
    );
    let radii = Vec3::new(9.677_736, 351_640_030_000.0, 1.562_866_2);
    let ellipsoid = Body::new(
        Shape::ellipsoid(radii).unwrap(),
        at(3.125, -1.46875, 2.34375),
    );
    // The z coordinates alone are 3.0010 apart.
    assert!(ask(&cone, &ellipsoid).upper >= 3.0);

    let corners = [
        [-5.5, -5.5, 0.0],
        [2.0, 0.0, 0.0],
        [-8.0, 6.625, -4.625],
        [-6.6875, 7.375, -0.5],
        [-0.5, -0.5, -0.5],
        [0.0, 0.0, 0.0],
        [-7.6875, -7.6875, -7.6875],
        [5.5, -4.375, 6.375],
        [0.0, 0.0, 1.25],
    ];
    let hull = Body::new(
        Shape::hull(corners.map(Vec3::from)).unwrap(),
        at(0.0, 0.0, 0.0),
    );
    let end = Vec3::Y * 263_301_630_000.0;
    let line = Body::new(Shape::segment(-end, end).unwrap(), at(0.0, 0.0, 0.0));
    // The distance of the origin from the boundary of the hull's shadow along y.
    assert!(ask(&hull, &line).upper >= -1.243_217_2);

    let turned = Quat::from_xyzw(-0.994_247_5, -0.071_017_675, -0.071_017_675, 0.0);
    let pose = Pose::new(Vec3::ZERO, turned);
    let cube = Body::new(Shape::cuboid(Vec3::splat(0.0625)).unwrap(), pose);
    let near = Vec3::new(4.8125, 0.0, -0.0625);
    for length in [1e9, 6_973_005_300.0] {
        let far = Vec3::new(-5.0625, -3.0625, -length);
        let line = Body::new(Shape::segment(near, far).unwrap(), pose);
        assert!(ask(&cube, &line).upper >= 4.75, "{length}");
    }
}

/// A bound that was beyond the range in double precision fell back to it when rounded down, so that a
/// pair at just that distance was called farther.
#[test]
fn what_is_farther_is_farther_than_asked_after_rounding_too() {
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(Vec2::from);
    let square = Shape::hull(square).unwrap();
    for step in 0..200 {
        let place = Vec2::new(1.5 + 0.001 * step as Real, 0.3);
        let turn = Rotation2::from_angle(0.01 * step as Real);
        let a = Body::new(square.clone(), Pose::IDENTITY);
        let b = Body::new(square.clone(), Pose::new(place, turn));
        let distance = ask(&a, &b).distance;
        match measure(a.placed(), b.placed(), distance) {
            Proximity::Farther { lower } => assert!(lower > distance, "{step}: {lower} {distance}"),
            other => assert!(other.near().is_some(), "{step}"),
        }
    }
}

/// Sides turned by so little that rounding decides which of two is farther: the nearer foot was the
/// end of a side, its line leaned, and the closed form gave up.
#[test]
fn sides_all_but_parallel_are_measured_in_closed_form() {
    let box_of = |x: Real, y: Real| {
        let corners = [[-x, -y], [x, -y], [x, y], [-x, y]].map(Vec2::from);
        Shape::hull(corners).unwrap()
    };
    for (half_width, shift, turn) in [
        (0.5, -0.5, 7.485_484_5e-11),
        (1.5, -0.5, -2.134_743_6e-11),
        (1.0, 0.0, -2.449_407_2e-11),
        (1.5, -0.5, -1.107_607_6e-9),
        (0.5, -0.5, 4.263_539_2e-10),
        (0.6, 0.7, 0.0),
    ] {
        let a = Body::new(box_of(1.0, 1.0), Pose::IDENTITY);
        let pose = Pose::new(Vec2::new(shift, 2.25), Rotation2::from_angle(turn));
        let b = Body::new(box_of(half_width, 1.0), pose);
        let answer = ask(&a, &b);
        assert_eq!(answer.status, Status::Exact, "{answer:?}");
        assert!((answer.distance - 0.25).abs() < 1e-6, "{answer:?}");
    }
}

/// One step brought less than rounding took away, and the search ended a thousand times too far, with
/// bounds that said so.
#[test]
fn a_step_that_rounding_spoils_does_not_end_a_search() {
    let cylinder = Shape::cylinder(2.101_317_2, 1.382_652_2).unwrap();
    let corners = [
        [-0.892_311_5, 0.0, -0.833_328_5],
        [-0.892_311_5, 0.0, 0.0],
        [0.0, 0.276_638_57, 0.833_328_5],
        [0.892_311_5, 0.0, -0.833_328_5],
        [0.892_311_5, 0.276_638_57, 0.833_328_5],
    ];
    let hull = Shape::hull(corners.map(Vec3::from)).unwrap();
    let turn = |x, y, z, w| Quat::from_xyzw(x, y, z, w);
    let a = turn(-0.144_599_36, 0.396_386_4, -0.388_398_2, -0.819_216_5);
    let b = turn(-0.059_254_162, 0.399_544_03, 0.103_693_18, -0.908_901_1);
    let place = Vec3::new(-3.658_013_3, 0.620_170_1, 0.268_399_9);
    let (in_hull, in_cylinder) = (Pose::new(place, b), Pose::new(Vec3::ZERO, a));
    let (Shape::Convex(a), Shape::Convex(b)) = (&hull, &cylinder) else {
        unreachable!("both are convex");
    };
    let b_in_a = RelativePose::between(&in_hull, &in_cylinder);
    let difference = Difference::new(a.core(), b.core(), b_in_a);
    let searched = measure_difference(&difference, f64::INFINITY, tolerances::SMOOTH_DEPTH_GAP);
    let Outcome::Near(searched) = searched else {
        unreachable!("an infinite range");
    };
    assert_eq!(searched.status, Status::Converged, "{searched:?}");
    assert!(
        (searched.distance - 1.741_5e-8).abs() < 1e-11,
        "{searched:?}"
    );
    // Since then such pairs have a closed form.
    let answer = ask(&Body::new(cylinder, in_cylinder), &Body::new(hull, in_hull));
    assert_eq!(answer.status, Status::Exact, "{answer:?}");
    assert!((answer.distance - 1.741_5e-8).abs() < 1e-11, "{answer:?}");
}

/// Such steps were granted without end: one that led back to where it began was made 128 times.
#[test]
fn a_search_that_is_where_it_will_stay_ends() {
    let corners = [
        [-7.462_806e-7, 0.245_335_67, -3.120_422_3e-7],
        [-7.398_672e-7, 0.007_151_732_7, 3.553_818_4e-7],
        [-1.783_498_8e-7, 0.361_770_93, -6.467_446e-7],
    ];
    let [p, q, r] = corners.map(Vec3::from);
    let triangle = Shape::triangle(p, q, r).unwrap();
    let place = Vec3::new(-1.243_118_4e-13, -2.358_845_1e-17, -8.416_826e-12);
    let a = Body::new(triangle.clone(), Pose::IDENTITY);
    let b = Body::new(triangle, Pose::from_translation(place));
    let steps = trace(a.placed(), b.placed()).unwrap();
    assert!(steps.len() < 20, "{} steps", steps.len());
}

/// The bounds of its depth were as far apart as a share of the triangle, which was more than the cylinder is high.
#[test]
fn the_depth_of_a_small_cylinder_in_a_long_triangle_is_relative_to_the_cylinder() {
    let point = |random: &mut Pcg, low: f64, high: f64| {
        (random.direction::<DVec3>() * random.between(low, high)).as_vec3()
    };
    let mut random = Pcg::new(2301);
    let mut overlaps = 0;
    for round in 0..400 {
        let long = [10.0, 100.0, 1e3, 1e4][round % 4];
        let [a, c] = [0, 1].map(|_| point(&mut random, 0.01, 0.05));
        let b = point(&mut random, long, 1.1 * long);
        let triangle = Shape::triangle(a, b, c).unwrap();
        let [height, radius] = [0, 1].map(|_| random.between(0.02, 0.06) as Real);
        let cylinder = Shape::cylinder(height, radius).unwrap();
        let pose = Pose::new(point(&mut random, 0.0, 0.1), turned::<Vec3>(&mut random));
        let answer = ask(
            &Body::new(cylinder, pose),
            &Body::new(triangle, Pose::IDENTITY),
        );
        if answer.upper < 0.0 {
            let size = height + radius;
            let most = 7e-4 * size + 1e-7 * long as Real;
            assert!(answer.upper - answer.lower < most, "{answer:?}");
            assert_eq!(answer.status, Status::Converged);
            overlaps += 1;
        }
    }
    assert!(overlaps > 100, "{overlaps}");
}

/// Shapes that are apart by less than rounding had an upper bound of zero, as if it were proven that they touch.
#[test]
fn shapes_apart_by_less_than_rounding_may_be_apart() {
    let cuboid = || Shape::cuboid(Vec3::splat(0.25)).unwrap();
    let segment = Shape::segment(Vec3::Y * -0.25, Vec3::Y * 0.25).unwrap();
    let cylinder = Shape::cylinder(0.25, 0.25).unwrap();
    let at = |shape, y| Body::new(shape, Pose::from_translation(Vec3::Y * y));
    let lower = at(cuboid(), -0.5);
    for other in [cuboid(), segment, cylinder] {
        let answer = ask(&lower, &at(other, 4e-17));
        assert!(answer.upper >= 4e-17, "{answer:?}");
    }
    let four = [(); 4].map(|()| at(cuboid(), 4e-17));
    let ask_together = |other| {
        Some(Question {
            a: lower.placed(),
            b: Body::placed(other),
            within: Real::INFINITY,
        })
    };
    measure_each(&four, ask_together, |_, _, answer| {
        let answer = (*answer).near().expect("an infinite range");
        assert!(answer.upper >= 4e-17, "{answer:?}");
    });
}

/// A cylinder beside the axis of one that is 1e5 times as long was measured as if they had one axis, since they are nearly so
/// beside that length: too deep by twice the distance of the axes, and in the opposite direction.
#[test]
fn small_shapes_in_long_ones_do_not_share_their_axis() {
    for length in [1e3, 1e4, 1e5, 1e6_f32] {
        for aside in [0.858, 0.1, 0.01_f32] {
            let long = Shape::cylinder(length, 1.0).unwrap();
            let a = Body::new(long, Pose::from_translation(Vec3::X * -aside));
            let small = Shape::cylinder(0.5, 0.5).unwrap();
            let b = Body::new(small, Pose::from_translation(Vec3::ZERO));
            let answer = ask(&a, &b);
            let depth = aside - 1.5;
            assert!(
                (answer.distance - depth).abs() <= 2e-3,
                "{length}: {answer:?}"
            );
            assert!(answer.normal.x > 0.9, "{length}: {answer:?}");
            let is_narrow = answer.upper - answer.lower <= 2e-3;
            assert!(
                is_narrow || answer.status == Status::IterationLimit,
                "{length}: {answer:?}"
            );
        }
    }
}

/// Directions in which a long cylinder and a flat cone are nearly as deep lie close together: the polytope alone does not
/// close their bounds.
#[test]
fn long_shapes_that_are_nearly_concentric_converge() {
    let cylinder = Shape::cylinder(53.1, 15.5).expect("positive sizes");
    let cylinder = Body::new(cylinder, Pose::IDENTITY);
    for k in 0..100 {
        let cone = Shape::cone(0.118, 18.2).expect("positive sizes");
        let turn = 0.618 * k as Real;
        let place = Vec3::new(turn.sin(), (1.7 * turn).cos(), (0.3 * turn).sin()) * 1e-3;
        let answer = ask(&cylinder, &Body::new(cone, Pose::from_translation(place)));
        assert_ne!(answer.status, Status::IterationLimit, "at {place}");
    }
}
