//! Input that breaks others: nothing panics, and the bounds hold.

use clearance_gjk::{Placed, Proximity, Separation, intersects, measure, proximity};
use clearance_math::{Pose, PreciseVector, Quat, Real, RelativePose, Vec2, Vec3, Vector};
use clearance_shapes::Shape;

use crate::common::{
    Body, Pcg, Space, agreement, body, height, in_both_dimensions, iterations, kept, kind_pairs,
    soundness,
};

in_both_dimensions!(poses_that_are_not_finite_are_refused_by_name,);

/// Asks and checks all that can be checked without knowing the answer: finite numbers, bounds in
/// order, and both bounds against supports in double precision.
pub(crate) fn ask<V: Vector>(a: &Body<V>, b: &Body<V>) -> Separation<V> {
    let touch = intersects(a.placed(), b.placed()).expect("valid poses");
    let answer = match measure(a.placed(), b.placed(), Real::INFINITY) {
        Proximity::Near(answer) => answer,
        other => panic!("{other:?} {a:?} {b:?}"),
    };
    let context = format!("{answer:?} {a:?} {b:?}");
    kept(soundness(&answer), || context.clone());
    kept(agreement(&answer, touch), || context.clone());
    let (lower, upper) = (f64::from(answer.lower), f64::from(answer.upper));
    let normal = answer.normal.to_precise();
    let normal = normal / normal.length();
    let scale = a.reach() + b.reach() + f64::from(answer.distance.abs());
    if a.plane_normal().is_none() && b.plane_normal().is_none() {
        // Any plane bounds the distance from below, any two points from above.
        for direction in [normal].into_iter().chain(crate::common::directions(32)) {
            let apart = height(a, b, direction);
            assert!(upper >= apart - 1e-12 * scale, "{apart:e} {context}");
        }
    }
    if lower > 0.0 && a.plane_normal().is_none() && b.plane_normal().is_none() {
        let gap = (b.support(-normal) - a.support(normal)).length();
        let far = a.pose.position().length();
        assert!(lower <= gap + 1e-12 * (scale + far), "{gap:e} {context}");
    }
    answer
}

fn poses_that_are_not_finite_are_refused_by_name<V: Space>() {
    let mut random = Pcg::new(101);
    for (kind_a, kind_b) in kind_pairs::<V>() {
        let a = body::<V>(kind_a, &mut random, 1.0);
        let b = body::<V>(kind_b, &mut random, 1.0);
        for bad in [Real::NAN, Real::INFINITY, Real::NEG_INFINITY] {
            let axis = random.below(V::DIM);
            let mut broken = b.clone();
            broken.pose = Pose::new(V::ZERO.with_component(axis, bad), broken.pose.rotation);
            let expected = format!(
                "b.pose.translation[{axis}] is {bad}, must be finite and at most 3.4028235e38 in size"
            );
            let error = proximity(a.placed(), broken.placed(), 1.0).unwrap_err();
            assert_eq!(error.to_string(), expected);
            let error = intersects(a.placed(), broken.placed()).unwrap_err();
            assert_eq!(error.to_string(), expected);
            let error = proximity(broken.placed(), a.placed(), 1.0).unwrap_err();
            assert_eq!(error.to_string(), expected.replacen('b', "a", 1));
        }
        let error = proximity(a.placed(), b.placed(), Real::NAN).unwrap_err();
        assert!(error.to_string().contains("within"), "{error}");
    }
}

#[test]
fn rotations_that_are_not_of_unit_length_are_refused_by_name() {
    let shape = Shape::<Vec3>::ball(1.0).unwrap();
    let good = Body::new(shape.clone(), Pose::IDENTITY);
    for parts in [
        [0.0; 4],
        [0.0, 0.0, 0.0, 1.01],
        [Real::NAN; 4],
        [Real::MAX; 4],
    ] {
        let bad = Body::new(
            shape.clone(),
            Pose::new(Vec3::ZERO, Quat::from_array(parts)),
        );
        let error = proximity(good.placed(), bad.placed(), 1.0).unwrap_err();
        assert!(error.to_string().starts_with("b.pose.rotation"), "{error}");
    }
}

/// Catto, "Computing Distance", 2010: in single precision the nearest point of this segment, seen
/// from the origin, is off by far more than its distance when it is made from rounded weights.
#[test]
fn catto_segment_against_the_origin() {
    let ends = [
        Vec2::new(0.021_119_118, 79.584_32),
        Vec2::new(0.020_964_622, -31.515_678),
    ];
    let segment = Body::new(Shape::segment(ends[0], ends[1]).unwrap(), Pose::IDENTITY);
    let [p, q] = ends.map(|end| end.as_dvec2());
    let expected = p.perp_dot(q).abs() / (p - q).length();
    for shape in [Shape::segment(Vec2::ZERO, Vec2::ZERO), Shape::ball(1e-6)] {
        let origin = Body::new(shape.unwrap(), Pose::IDENTITY);
        let answer = ask(&segment, &origin);
        assert!(
            (f64::from(answer.distance) - expected).abs() < 2e-6,
            "{answer:?}"
        );
        assert!((answer.normal - Vec2::NEG_X).length() < 1e-5, "{answer:?}");
        assert!(answer.point_a().y.abs() < 1e-5, "{answer:?}");
    }
}

/// Coordinates of any size whatever: an answer without NaN, its bounds in order.
#[test]
fn any_coordinates_have_an_answer() {
    let mut random = Pcg::new(109);
    let any_number = |random: &mut Pcg| match random.below(3) {
        0 => 0.0,
        1 => random.between(-2.0, 2.0) as Real,
        _ => random.log_between(1e-45, 3.4e38) as Real * random.sign() as Real,
    };
    for _ in 0..iterations(2000) {
        let points = [(); 8].map(|()| Vec3::from_array([(); 3].map(|()| any_number(&mut random))));
        let [p, q, r, hull @ .., at] = points;
        let a = Body::new(Shape::triangle(p, q, r).unwrap(), Pose::IDENTITY);
        let b = Body::new(Shape::hull(hull).unwrap(), Pose::from_translation(at));
        let answer = measure(a.placed(), b.placed(), Real::INFINITY)
            .near()
            .unwrap();
        kept(soundness(&answer), || format!("{a:?} {b:?}"));
        let touch = intersects(a.placed(), b.placed()).unwrap();
        kept(agreement(&answer, touch), || format!("{a:?} {b:?}"));
        let relative = RelativePose::between(&a.pose, &b.pose);
        assert!(relative.translation.is_finite());
    }
}

/// Where a hull lies in its body is no reason for wide bounds: tolerances follow its size.
#[test]
fn bounds_are_as_tight_for_a_hull_far_from_the_origin_of_its_body() {
    let mut random = Pcg::new(210);
    // Coordinates that single precision holds exactly at both places.
    let mut point = |size: f64| {
        let mut coordinate = || ((random.between(-size, size) * 256.0).round() / 256.0) as Real;
        Vec3::new(coordinate(), coordinate(), coordinate())
    };
    let mut overlapping = 0;
    for round in 0..400 {
        let corners = [(); 12].map(|()| point(0.5));
        let (at, offset) = (point(1.0), Vec3::new(8192.0, -4096.0, 8192.0));
        let near = Shape::hull(corners).unwrap();
        let far = Shape::hull(corners.map(|corner| corner + offset)).unwrap();
        let partner = match round % 4 {
            0 => Shape::cone(0.5, 0.4).unwrap(),
            1 => Shape::ellipsoid(Vec3::new(0.3, 0.5, 0.4)).unwrap(),
            2 => Shape::cylinder(0.5, 0.25).unwrap(),
            _ => Shape::hull([(); 10].map(|()| point(0.5))).unwrap(),
        };
        let answer = |shape: &Shape<Vec3>, at: Vec3| {
            let (pose, origin) = (Pose::from_translation(at), Pose::IDENTITY);
            let (a, b) = (Placed::new(shape, &pose), Placed::new(&partner, &origin));
            match measure(a, b, Real::INFINITY) {
                Proximity::Near(answer) => answer,
                other => panic!("{other:?} of two shapes of finite size"),
            }
        };
        let (here, there) = (answer(&near, at), answer(&far, at - offset));
        assert!(here.lower <= there.upper && there.lower <= here.upper);
        let gap = |answer: &Separation<Vec3>| answer.upper - answer.lower;
        // Rounding errors grow with the coordinates: a few 1e-15 of 1e4.
        assert!(
            gap(&there) <= 2.0 * gap(&here) + 1e-6,
            "{round}: {here:?}, far from the origin {there:?}"
        );
        overlapping += usize::from(here.upper < 0.0);
    }
    assert!((100..300).contains(&overlapping), "{overlapping}");
}
