//! Input that breaks others: nothing panics, and the bounds hold.

use clearance_gjk::{Placed, Proximity, Separation, intersects, measure, proximity};
use clearance_math::{Pose, PreciseVector, Quat, Real, RelativePose, Vec2, Vec3, Vector};
use clearance_shapes::Shape;

use crate::common::{
    Body, Kind, Pcg, Placement, Space, agreement, beside, body, height, in_both_dimensions,
    iterations, kept, kind_pairs, size_of, soundness,
};

in_both_dimensions!(
    poses_that_are_not_finite_are_refused_by_name,
    sizes_from_tiny_to_huge_keep_their_bounds,
    pairs_far_from_the_origin_keep_their_bounds,
    needles_and_plates_keep_their_bounds,
    flat_and_repeated_points_keep_their_bounds,
    shapes_a_rounding_step_apart_are_told_apart,
);

/// Asks and checks all that can be checked without knowing the answer: finite numbers, bounds in
/// order, and both bounds against supports in double precision.
fn ask<V: Vector>(a: &Body<V>, b: &Body<V>) -> Separation<V> {
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

/// Every pair of bounded kinds in every placement.
fn for_each_pair<V: Space>(seed: u64, mut visit: impl FnMut(&mut Pcg, (Kind, Kind), Placement)) {
    let mut random = Pcg::new(seed);
    for kinds in kind_pairs::<V>().filter(|kinds| *kinds != (Kind::HalfSpace, Kind::HalfSpace)) {
        for placement in Placement::ALL {
            for _ in 0..iterations(1) {
                visit(&mut random, kinds, placement);
            }
        }
    }
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

fn sizes_from_tiny_to_huge_keep_their_bounds<V: Space>() {
    for_each_pair::<V>(102, |random, (kind_a, kind_b), placement| {
        let exponents = [-30, -20, -10, 10, 20, 30].map(f64::from);
        let size = 10f64.powf(random.pick(&exponents));
        let sizes = random.pick(&[[size; 2], [size, 1.0], [1e3, 1e-3]]);
        let a = body::<V>(kind_a, random, sizes[0]);
        let b = body::<V>(kind_b, random, sizes[1]);
        ask(&a, &beside(random, &a, &b, placement));
    });
}

fn pairs_far_from_the_origin_keep_their_bounds<V: Space>() {
    for_each_pair::<V>(104, |random, (kind_a, kind_b), placement| {
        let far = random.direction::<V::Precise>() * random.pick(&[1e4, 1e6, 1e8]);
        let a = body::<V>(kind_a, random, 1.0).moved_to(far);
        let b = body::<V>(kind_b, random, 1.0);
        let b = beside(random, &a, &b, placement);
        let there = ask(&a, &b);
        // Moved to where a is at the origin nothing is rounded, so the distance has the same bits.
        let apart = b.pose.translation() - a.pose.translation();
        let exact = a.pose.translation() + apart == b.pose.translation();
        if exact && apart.to_precise() == b.pose.position() - far_of(&a) {
            let here = ask(
                &a.moved_to(V::Precise::ZERO),
                &b.moved_to(apart.to_precise()),
            );
            assert_eq!(here.distance, there.distance, "{a:?} {b:?}");
            assert_eq!(here.normal, there.normal, "{a:?} {b:?}");
        }
    });
}

fn far_of<V: Vector>(body: &Body<V>) -> V::Precise {
    body.pose.position()
}

/// A shape a thousand times as long as it is thick along some of its axes.
fn stretched<V: Space>(random: &mut Pcg) -> Shape<V> {
    let axis = random.below(V::DIM);
    let needle = random.chance(0.5);
    let extent = |k: usize| if (k == axis) == needle { 1.0 } else { 1e-3 };
    let half = (0..V::DIM).fold(V::ZERO, |half, k| half.with_component(k, extent(k)));
    match random.below(4) {
        0 => Shape::cuboid(half),
        1 => Shape::ellipsoid(half),
        2 => {
            let point = |random: &mut Pcg| random.vector::<V::Precise>();
            let points: Vec<V> = (0..16)
                .map(|_| V::from_precise(point(random).scaled_by(half.to_precise())))
                .collect();
            Shape::hull(&points)
        }
        // 1000 by 0.001: a million times as long as it is thick.
        _ => Shape::triangle(V::axis(0) * -500.0, V::axis(0) * 500.0, V::axis(1) * 0.001),
    }
    .expect("a valid shape")
}

fn needles_and_plates_keep_their_bounds<V: Space>() {
    let mut random = Pcg::new(105);
    for _ in 0..iterations(3000) {
        let a = Body::new(stretched::<V>(&mut random), Pose::IDENTITY);
        let b = if random.chance(0.5) {
            Body::new(stretched::<V>(&mut random), Pose::IDENTITY)
        } else {
            let kind = random.pick(&[Kind::Ball, Kind::Cuboid, Kind::Triangle, Kind::Hull]);
            body::<V>(kind, &mut random, 1.0)
        };
        let b = Body::new(
            b.shape,
            Pose::new(V::ZERO, crate::common::turned::<V>(&mut random)),
        );
        let placement = random.pick(&Placement::ALL);
        ask(&a, &beside(&mut random, &a, &b, placement));
    }
}

/// Points on a line or plane, most of them repeated.
fn flat_points<V: Space>(random: &mut Pcg) -> Vec<V> {
    let rank = random.below(V::DIM);
    let axes: Vec<V::Precise> = (0..rank).map(|_| random.vector()).collect();
    let offset = random.vector::<V::Precise>() * random.pick(&[0.0, 0.5]);
    let mut points = Vec::new();
    for _ in 0..2 + random.below(8) {
        let inside = axes
            .iter()
            .fold(offset, |sum, axis| sum + *axis * random.between(-1.0, 1.0));
        let point = V::from_precise(inside);
        points.extend(core::iter::repeat_n(point, 1 + random.below(3)));
    }
    points
}

fn flat_and_repeated_points_keep_their_bounds<V: Space>() {
    let mut random = Pcg::new(106);
    for round in 0..iterations(3000) {
        let a = Shape::hull(flat_points::<V>(&mut random)).expect("points");
        let a = Body::new(
            a,
            Pose::new(V::ZERO, crate::common::turned::<V>(&mut random)),
        );
        let kind = random.pick(&Kind::ALL[..8 + V::DIM - 2]);
        let b = if round % 2 == 0 || !Kind::all::<V>().any(|k| k == kind) {
            let shape = Shape::hull(flat_points::<V>(&mut random)).expect("points");
            Body::new(shape, a.pose)
        } else {
            body::<V>(kind, &mut random, 1.0)
        };
        let placement = random.pick(&Placement::ALL);
        ask(&a, &beside(&mut random, &a, &b, placement));
    }
}

fn shapes_a_rounding_step_apart_are_told_apart<V: Space>() {
    let mut random = Pcg::new(107);
    let round = [Kind::Ball, Kind::Cuboid, Kind::Ellipsoid];
    for _ in 0..iterations(2000) {
        // Sizes that single precision adds exactly.
        let mut eighths = || (1 + random.below(8)) as Real / 8.0;
        let (half_a, half_b) = (eighths(), eighths());
        let kinds = [random.pick(&round), random.pick(&round)];
        let make = |kind: Kind, half: Real| match kind {
            Kind::Ball => Shape::ball(half).unwrap(),
            Kind::Cuboid => Shape::cuboid(V::splat(half)).unwrap(),
            _ => Shape::ellipsoid(V::splat(half)).unwrap(),
        };
        let a = Body::new(make(kinds[0], half_a), Pose::IDENTITY);
        let axis = V::axis(random.below(V::DIM));
        let touching = half_a + half_b;
        for (apart, sign) in [
            (touching.next_down(), -1.0),
            (touching, 0.0),
            (touching.next_up(), 1.0),
        ] {
            let b = Body::new(make(kinds[1], half_b), Pose::from_translation(axis * apart));
            let answer = ask(&a, &b);
            let expected = f64::from(apart) - f64::from(touching);
            assert!(
                f64::from(answer.lower) <= expected,
                "{sign} {answer:?} {a:?} {b:?}"
            );
            assert!(
                f64::from(answer.upper) >= expected,
                "{sign} {answer:?} {a:?} {b:?}"
            );
            let error = (f64::from(answer.distance) - expected).abs();
            assert!(
                error <= 1e-4 * size_of(&a, &b),
                "{error:e} {answer:?} {a:?} {b:?}"
            );
        }
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

/// Nearly identical triangles of the plane on top of each other.
#[test]
fn nearly_identical_triangles_overlap() {
    let mut random = Pcg::new(108);
    for _ in 0..iterations(3000) {
        let corners: [Vec2; 3] = [0; 3].map(|_| random.point(1.0));
        let moved = corners.map(|corner| corner + random.point::<Vec2>(1e-6));
        let shape = |[p, q, r]: [Vec2; 3]| Shape::triangle(p, q, r).unwrap();
        let a = Body::new(shape(corners), Pose::IDENTITY);
        let b = Body::new(shape(moved), Pose::IDENTITY);
        let answer = ask(&a, &b);
        let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
        let area = (corners[1] - corners[0]).perp_dot(corners[2] - corners[0]);
        if area.abs() > 0.01 && middle.is_finite() {
            assert!(intersects(a.placed(), b.placed()).unwrap(), "{answer:?}");
            assert!(answer.upper < 0.0, "{answer:?} {a:?} {b:?}");
        }
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
