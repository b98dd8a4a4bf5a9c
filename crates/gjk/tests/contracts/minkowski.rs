//! The explicit Minkowski difference against the pair function.

use clearance_gjk::{core_corners, measure, minkowski_difference};
use clearance_math::{PreciseVector, Real, RelativePose, Vector};
use clearance_shapes::{Hull, Shape};

use crate::common::{
    Kind, Pcg, Placement, Space, beside, body, in_both_dimensions, iterations, length_to_hull,
};

in_both_dimensions!(distance_is_that_of_the_origin_from_the_difference);

/// The signed distance of the origin from a hull of full dimension: minus the room below the
/// nearest face, or the distance of the nearest point of the faces in front of it.
fn signed_distance<V: Vector>(hull: &Hull<V>) -> f64 {
    let room = hull
        .faces()
        .map(|face| face.offset)
        .fold(f64::INFINITY, f64::min);
    if room >= 0.0 {
        return -room;
    }
    let in_front = hull.faces().filter(|face| face.offset < 0.0);
    let distance = |corners: &[u32]| {
        let position = |&k: &u32| hull.vertices()[k as usize].to_precise();
        // A face with many corners is the union of the fan of triangles about its first.
        let fan = corners[1..].windows(V::DIM - 1);
        fan.map(|rest| {
            let points: Vec<V::Precise> = corners[..1].iter().chain(rest).map(position).collect();
            length_to_hull(&points)
        })
        .fold(f64::INFINITY, f64::min)
    };
    in_front
        .map(|face| distance(face.vertices))
        .fold(f64::INFINITY, f64::min)
}

fn distance_is_that_of_the_origin_from_the_difference<V: Space>() {
    let mut random = Pcg::new(21);
    let (mut apart, mut overlapping) = (0, 0);
    let all: Vec<Kind> = Kind::bounded::<V>().collect();
    for round in 0..iterations(6000) {
        let kinds = [(); 2].map(|()| random.pick(&all));
        let a = body::<V>(kinds[0], &mut random, 1.0);
        let b = body::<V>(kinds[1], &mut random, 1.0);
        let placement = [Placement::Near, Placement::Shallow, Placement::Deep][round % 3];
        let b = beside(&mut random, &a, &b, placement);
        let (core_a, core_b) = (a.convex(), b.convex());
        let b_in_a = RelativePose::between(&a.pose, &b.pose);
        for core in [core_a.core(), core_b.core()] {
            assert_eq!(core_corners(core).is_some(), core.is_polytope(), "{core:?}");
        }
        let hull = minkowski_difference(core_a, core_b, &b_in_a);
        let are_polytopes = core_a.core().is_polytope() && core_b.core().is_polytope();
        assert_eq!(hull.is_some(), are_polytopes, "{a:?} {b:?}");
        let Some(hull) = hull else {
            continue;
        };
        if hull.dimension() < V::DIM {
            continue; // no depth and no faces all around
        }
        let expected = signed_distance(&hull) - core_a.radius() - core_b.radius();
        let found = measure(a.placed(), b.placed(), Real::INFINITY)
            .near()
            .expect("bounded");
        let largest = hull
            .vertices()
            .iter()
            .fold(0.0, |m: f64, v| v.to_precise().length().max(m));
        // Two roundings into single precision: of the corners and of the answer.
        let allowed = 4.0 * f64::from(Real::EPSILON) * largest;
        let error = (f64::from(found.distance) - expected).abs();
        assert!(
            error <= allowed,
            "{kinds:?} {placement:?}: {expected} but {found:?}"
        );
        assert!(f64::from(found.lower) - allowed <= expected);
        assert!(f64::from(found.upper) + allowed >= expected);
        if expected > 0.0 {
            apart += 1;
        } else {
            overlapping += 1;
        }
    }
    assert!(
        apart > overlapping / 10 && overlapping > apart / 10,
        "{apart} {overlapping}"
    );
}

#[test]
fn corners_of_a_cuboid_are_all_of_its_corners() {
    use clearance_math::Vec3;
    let Shape::Convex(cuboid) = Shape::cuboid(Vec3::new(1.0, 2.0, 3.0)).unwrap() else {
        unreachable!("a cuboid is convex");
    };
    let mut corners = core_corners(cuboid.core()).unwrap();
    corners.sort_by(|p, q| p.to_array().partial_cmp(&q.to_array()).unwrap());
    corners.dedup();
    assert_eq!(corners.len(), 8);
    assert!(
        corners
            .iter()
            .all(|corner| corner.abs() == Vec3::new(1.0, 2.0, 3.0))
    );
}
