//! Manifolds whose points are known.

use clearance_gjk::{Feature, Manifold, PlacedManifold, match_points};
use clearance_math::{DVec3, Pose, PreciseVector, Quat, Real, Vec2, Vec3};
use clearance_shapes::Shape;
use serde_json::Value;

use super::{SLACK, ask, check};
use crate::common::{Body, Pcg, Space, iterations};
use crate::conformance::{Readable, solid};

fn placed(shape: &Shape<Vec3>, pose: Pose<Vec3>) -> Body<Vec3> {
    Body::new(shape.clone(), pose)
}

fn turn_about_y(angle: Real) -> Quat {
    Quat::from_rotation_y(angle)
}

/// Checks that the points of a manifold on b are those expected, in any order.
fn check_points(found: &Manifold<Vec3>, expected: &[DVec3], slack: f64) {
    assert_eq!(
        found.points().len(),
        expected.len(),
        "{found:?} for {expected:?}"
    );
    for wanted in expected {
        let is_there = found
            .points()
            .iter()
            .any(|point| (point.point_b().as_dvec3() - *wanted).length() <= slack);
        assert!(is_there, "{wanted} is not in {found:?}");
    }
}

/// The corners of the lower face of a box, in double precision.
fn lower_corners(half: Vec3, pose: &Pose<Vec3>) -> Vec<DVec3> {
    let half = half.as_dvec3();
    let turn = pose.rotation.as_dquat().normalize();
    let signs = [(-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (1.0, -1.0)];
    let corner = |(x, z): (f64, f64)| {
        turn * DVec3::new(x * half.x, -half.y, z * half.z) + pose.translation().as_dvec3()
    };
    signs.map(corner).to_vec()
}

/// At the origin, in a turned world, and far away.
fn worlds(random: &mut Pcg) -> [Pose<Vec3>; 3] {
    [
        Pose::IDENTITY,
        Pose::new(random.point::<Vec3>(5.0), Vec3::any_rotation(random)),
        Pose::from_translation(Vec3::new(1000.0, -300.0, 20.0)),
    ]
}

#[test]
fn a_box_has_its_four_corners_on_a_floor_and_on_a_box() {
    let mut random = Pcg::new(551);
    let half = Vec3::new(0.5, 0.25, 0.75);
    let shape = Shape::cuboid(half).expect("valid");
    let corners: Vec<Vec3> = (0..8)
        .map(|k| half * Vec3::new(sign(k & 1), sign(k & 2), sign(k & 4)))
        .collect();
    let hull = Shape::hull(&corners).expect("valid");
    let floors = [
        (Shape::half_space(Vec3::Y), 0.0),
        (Shape::cuboid(Vec3::new(2.0, 1.0, 2.0)), 1.0),
    ];
    for (floor, top) in floors {
        let floor = floor.expect("valid");
        for _ in 0..iterations(300) {
            for world in worlds(&mut random) {
                let height = top + half.y + random.pick(&[-0.01, 0.0, 0.005]);
                let angle = random.between(-3.2, 3.2) as Real;
                let place = Pose::new(Vec3::new(0.3, height, -0.2), turn_about_y(angle));
                let shape = random.pick(&[&shape, &hull]);
                let (floor, crate_) = (placed(&floor, world), placed(shape, world * place));
                let found = ask(&floor, &crate_, 0.02).expect("in range");
                let slack = 1e-6 + 1e-7 * f64::from(world.translation().length());
                check_points(&found, &lower_corners(half, &crate_.pose), slack);
                let exchanged = ask(&crate_, &floor, 0.02).expect("in range");
                assert_eq!(exchanged.flipped(), found);
            }
        }
    }
}

fn sign(bit: i32) -> Real {
    if bit == 0 { -1.0 } else { 1.0 }
}

/// Each face of such a hull is two triangles, as four rounded points lie in no plane.
#[test]
fn faces_that_rounding_bent_are_whole() {
    let mut random = Pcg::new(552);
    for _ in 0..iterations(500) {
        let half = Vec3::new(0.5, 0.25, 0.75);
        let turn = Vec3::any_rotation(&mut random);
        let corners: Vec<Vec3> = (0..8)
            .map(|k| turn * (half * Vec3::new(sign(k & 1), sign(k & 2), sign(k & 4))))
            .collect();
        let hull = Shape::hull(&corners).expect("valid");
        let floor = placed(&Shape::half_space(Vec3::Y).expect("valid"), Pose::IDENTITY);
        let pose = Pose::new(Vec3::new(0.0, 0.25, 0.0), turn.inverse());
        let found = ask(&floor, &placed(&hull, pose), 0.01).expect("in range");
        let upright = Pose::from_translation(pose.translation());
        check_points(&found, &lower_corners(half, &upright), 1e-6);
    }
}

#[test]
fn edges_that_cross_have_one_point() {
    let shape = Shape::cuboid(Vec3::ONE).expect("valid");
    let eighth = core::f32::consts::FRAC_PI_4;
    let ridge = Quat::from_rotation_x(eighth);
    let lower = placed(&shape, Pose::from_rotation(ridge));
    let height = 2.0 * 2.0_f32.sqrt();
    for angle in [0.1, 0.5, 1.0, 1.5, 2.5, 3.0] {
        for gap in [-0.01, 0.01] {
            let turned = turn_about_y(angle) * ridge;
            let upper = Pose::new(Vec3::new(0.0, height + gap, 0.0), turned);
            let found = ask(&lower, &placed(&shape, upper), 0.05).expect("in range");
            let middle = DVec3::new(0.0, f64::from(height / 2.0 + gap), 0.0);
            check_points(&found, &[middle], 1e-5);
            let [point] = found.points() else { panic!() };
            let edges = matches!(
                (point.feature_a, point.feature_b),
                (Feature::Edge(_), Feature::Edge(_))
            );
            assert!(edges, "{point:?}");
        }
    }
    // Parallel edges touch along a line.
    let upper = Pose::new(Vec3::new(0.5, height, 0.0), ridge);
    let found = ask(&lower, &placed(&shape, upper), 0.05).expect("in range");
    let ends = [-0.5, 1.0].map(|x| DVec3::new(x, f64::from(height) / 2.0, 0.0));
    check_points(&found, &ends, 1e-6);
}

#[test]
fn capsules_have_two_points_where_they_lie_and_one_where_they_cross() {
    let capsule = Shape::capsule(1.0, 0.5).expect("valid");
    let lying = Quat::from_rotation_z(-core::f32::consts::FRAC_PI_2);
    let floor = placed(&Shape::half_space(Vec3::Y).expect("valid"), Pose::IDENTITY);
    for tilt in [0.0_f32, 1e-4, 0.01] {
        let turn = Quat::from_rotation_z(tilt) * lying;
        let pose = Pose::new(Vec3::new(0.0, 0.5, 0.0), turn);
        let found = ask(&floor, &placed(&capsule, pose), 0.05).expect("in range");
        let ends = [-1.0, 1.0].map(|x: f64| DVec3::new(x, x * f64::from(tilt), 0.0));
        check_points(&found, &ends, 0.006);
    }
    let lower = placed(&capsule, Pose::from_rotation(lying));
    for (turn, count) in [(0.0, 2), (1e-4, 2), (0.02, 2), (0.5, 1), (1.5, 1)] {
        let pose = Pose::new(Vec3::new(0.0, 1.0, 0.0), turn_about_y(turn) * lying);
        let found = ask(&lower, &placed(&capsule, pose), 0.05).expect("in range");
        assert_eq!(found.points().len(), count, "{turn}: {found:?}");
    }
    // One beside the other's end: the stretch that they share.
    let pose = Pose::new(Vec3::new(1.5, 1.0, 0.0), lying);
    let found = ask(&lower, &placed(&capsule, pose), 0.05).expect("in range");
    check_points(&found, &[0.5, 1.0].map(|x| DVec3::new(x, 0.5, 0.0)), 1e-6);
}

#[test]
fn discs_have_four_points_far_apart() {
    let cylinder = Shape::cylinder(0.5, 1.0).expect("valid");
    let cone = Shape::cone(0.5, 1.0).expect("valid");
    let floor = placed(
        &Shape::cuboid(Vec3::splat(2.0)).expect("valid"),
        Pose::IDENTITY,
    );
    for shape in [&cylinder, &cone] {
        for angle in [0.0, 0.3, 1.0] {
            let pose = Pose::new(Vec3::new(0.1, 2.5, 0.2), turn_about_y(angle));
            let found = ask(&floor, &placed(shape, pose), 0.01).expect("in range");
            let corners: Vec<Vec3> = found.points().iter().map(|point| point.point_b()).collect();
            assert_eq!(corners.len(), 4);
            for corner in &corners {
                let radius = (*corner - Vec3::new(0.1, 2.0, 0.2)).length();
                assert!((radius - 1.0).abs() < 1e-6, "{corner}");
                let others = corners
                    .iter()
                    .filter(|other| (**other - *corner).length() > 1.4);
                assert_eq!(others.count(), 3, "{corners:?}");
            }
        }
        // Upon each other.
        let lower = placed(&cylinder, Pose::IDENTITY);
        let upper = Pose::new(Vec3::new(0.0, 1.0, 0.0), turn_about_y(0.3));
        let found = ask(&lower, &placed(shape, upper), 0.01).expect("in range");
        assert_eq!(found.points().len(), 4, "{found:?}");
    }
    // On their sides they touch in a line.
    let lying = Quat::from_rotation_z(core::f32::consts::FRAC_PI_2);
    let pose = Pose::new(Vec3::new(0.0, 3.0, 0.0), lying);
    let found = ask(&floor, &placed(&cylinder, pose), 0.01).expect("in range");
    check_points(&found, &[-0.5, 0.5].map(|x| DVec3::new(x, 2.0, 0.0)), 1e-6);
}

/// As the equal boxes of a stack turn a little against each other, the corners in contact keep their names.
#[test]
fn equal_boxes_on_each_other_keep_their_corners() {
    let shape = Shape::cuboid(Vec3::ONE).expect("valid");
    let lower = placed(&shape, Pose::IDENTITY);
    let mut names = None;
    for k in -10..=10 {
        let turn = turn_about_y(k as Real * 2e-7);
        let upper = Pose::new(Vec3::new(1e-7 * k as Real, 2.0, 0.0), turn);
        let found = ask(&lower, &placed(&shape, upper), 0.01).expect("in range");
        assert_eq!(found.points().len(), 4, "{found:?}");
        let found = super::names(&found);
        assert!(
            names
                .replace(found.clone())
                .is_none_or(|before| before == found)
        );
    }
}

/// What the oracle found, an independent program in double precision: the places of the points where the faces are
/// boxes, or how many there are and how large the area is that they span.
#[test]
fn manifolds_are_those_of_the_oracle() {
    let lines = include_str!("../../data/manifolds.jsonl").lines();
    let mut count = 0;
    for text in lines {
        let line: Value = serde_json::from_str(text).expect("JSON");
        match line["dimension"].as_u64() {
            Some(2) => check_line::<Vec2>(&line),
            _ => check_line::<Vec3>(&line),
        }
        count += 1;
    }
    assert!(count > 80, "only {count} lines");
}

fn check_line<V: Readable>(line: &Value) {
    let [a, b] = ["a", "b"].map(|side| solid::<V>(&line[side]).body());
    let expect = &line["expect"];
    let number = |field: &str| expect[field].as_f64().expect("a number");
    let within = line["within"].as_f64().unwrap_or(0.0) as Real;
    let found = ask(&a, &b, within).expect("in range");
    let context = || format!("{} {found:?}", line["id"]);
    let slack = 1e-5 * number("size") + number("slack");
    let least = found.points().iter().map(|point| f64::from(point.distance));
    let least = least.fold(f64::INFINITY, f64::min);
    assert!((least - number("least")).abs() <= slack, "{}", context());
    let middles: Vec<V::Precise> = found
        .points()
        .iter()
        .map(|point| (point.position_a + point.position_b) * 0.5)
        .collect();
    if let Some(points) = expect["points"].as_array() {
        assert_eq!(middles.len(), points.len(), "{}", context());
        for wanted in points {
            let wanted = (0..V::DIM).fold(V::Precise::ZERO, |point, k| {
                point.with_component(k, wanted[k].as_f64().expect("a number"))
            });
            let is_there = middles
                .iter()
                .any(|middle| (*middle - wanted).length() <= slack);
            assert!(is_there, "{wanted:?} is missing: {}", context());
        }
    } else {
        assert_eq!(
            Some(middles.len() as u64),
            expect["count"].as_u64(),
            "{}",
            context()
        );
        let [p, q, r, s] = [0, 1, 2, 3].map(|k| middles[k].in_space());
        // Of the three ways to join four points one gives the outline.
        let cross = |p: DVec3, q: DVec3, r: DVec3, s: DVec3| (r - p).cross(s - q).length() / 2.0;
        let area = cross(p, q, r, s)
            .max(cross(p, r, q, s))
            .max(cross(p, q, s, r));
        assert!(area >= 0.99 * number("area"), "{area} {}", context());
    }
}

/// Of a triangle that stands upright, the edge that faces the other shape is the one on top, though a longer one that
/// leans a little begins there, too: points on that one were up to thirteen sizes off.
#[test]
fn the_upper_edge_of_an_upright_triangle_faces_what_is_above() {
    let triangle = Shape::triangle(
        Vec3::new(-2.0, 0.0, -0.25),
        Vec3::new(-2.0, 0.0, -0.1875),
        Vec3::new(2.0, 0.125, -0.1875),
    );
    let cuboid = Shape::cuboid(Vec3::new(0.405_644_15, 0.435_530_04, 0.352_206_86));
    let a = Vec3::new(0.792_478_6, 0.340_769_95, -0.153_784_25);
    let b = Vec3::new(-0.939_247_2, 0.517_105, -0.238_624_68);
    let [a, b] = [(triangle, a), (cuboid, b)]
        .map(|(shape, at)| Body::new(shape.expect("valid"), Pose::from_translation(at)));
    check(&a, &b, 0.25, SLACK);
    check(&b, &a, 0.25, SLACK);
    let found = ask(&a, &b, 0.25).expect("they overlap");
    assert_eq!(found.points().len(), 2, "{found:?}");
}

#[test]
fn corners_that_slide_as_far_as_they_are_apart_go_on_from_themselves() {
    let floor = Shape::cuboid(Vec3::new(9.0, 0.5, 9.0)).expect("valid");
    let cube = Shape::cuboid(Vec3::splat(0.5)).expect("valid");
    let below = Pose::IDENTITY;
    // Each corner comes to lie where another one lay on the floor.
    for way in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        let [before, now] =
            [Vec3::ZERO, way].map(|way| Pose::from_translation(Vec3::Y * 0.99 + way));
        let manifold = |above: &Pose<Vec3>| {
            ask(&placed(&floor, below), &placed(&cube, *above), 0.05).expect("they touch")
        };
        let manifolds = [manifold(&before), manifold(&now)];
        let with_poses = |number: usize, above| PlacedManifold {
            manifold: &manifolds[number],
            poses: [&below, above],
        };
        let from = match_points(with_poses(0, &before), with_poses(1, &now), 0.01);
        assert_eq!(manifolds[1].points().len(), 4);
        for (point, from) in manifolds[1].points().iter().zip(from) {
            let from = &manifolds[0].points()[from.expect("every point goes on")];
            assert_eq!(point.feature_b, from.feature_b, "{way}");
        }
    }
}
