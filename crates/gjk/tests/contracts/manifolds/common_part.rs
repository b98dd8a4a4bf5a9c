//! Faces that lie on each other, beside what one polygon has in common with another, cut line by line (I. Sutherland and G.
//! Hodgman, "Reentrant polygon clipping", 1974).

use clearance_gjk::Manifold;
use clearance_math::{DVec2, Pose, Quat, Real, RelativePose, Vec3};
use clearance_shapes::Shape;

use super::ask;
use crate::common::{Body, Pcg, Space, iterations};

/// How far points may be from where they should, for sizes around one.
const SLACK: f64 = 2e-5;

/// Corners that are nearer to each other than this are not counted.
const TOO_NEAR: f64 = 0.01;

/// A convex polygon, counter-clockwise, and the shape that has it as its lower and upper face, half as high as wide.
fn prism(random: &mut Pcg) -> (Shape<Vec3>, Vec<DVec2>) {
    let half = [0.3 + 0.7 * random.unit(), 0.3 + 0.7 * random.unit()];
    let sides = random.pick(&[4, 4, 3, 5, 6, 7, 16]);
    if sides == 4 {
        let [x, z] = half.map(|half| f64::from(half as Real));
        let corners = [(x, z), (-x, z), (-x, -z), (x, -z)];
        let cuboid = Shape::cuboid(Vec3::new(x as Real, 0.5, z as Real)).expect("a box");
        return (cuboid, corners.map(|(x, z)| DVec2::new(x, z)).to_vec());
    }
    let turn = random.unit();
    let corner = |k: u32| {
        let angle = core::f64::consts::TAU * (f64::from(k) + turn) / f64::from(sides);
        DVec2::from_angle(angle) * DVec2::from_array(half)
    };
    let corners: Vec<DVec2> = (0..sides).map(corner).collect();
    let upright = |y: Real| move |corner: &DVec2| Vec3::new(corner.x as Real, y, corner.y as Real);
    let points: Vec<Vec3> = (corners.iter().map(upright(-0.5)))
        .chain(corners.iter().map(upright(0.5)))
        .collect();
    (Shape::hull(points).expect("a prism"), corners)
}

/// What two counter-clockwise polygons have in common.
fn in_common(one: &[DVec2], other: &[DVec2]) -> Vec<DVec2> {
    let mut left = one.to_vec();
    for (k, &from) in other.iter().enumerate() {
        let along = other[(k + 1) % other.len()] - from;
        let height = |p: DVec2| along.perp_dot(p - from);
        let mut cut = Vec::new();
        for (k, &p) in left.iter().enumerate() {
            let q = left[(k + 1) % left.len()];
            let (at_p, at_q) = (height(p), height(q));
            if at_p >= 0.0 {
                cut.push(p);
            }
            if (at_p >= 0.0) != (at_q >= 0.0) {
                cut.push(p.lerp(q, at_p / (at_p - at_q)));
            }
        }
        left = cut;
    }
    left
}

fn area(corners: &[DVec2]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    0.5 * corners
        .iter()
        .zip(next)
        .map(|(p, q)| p.perp_dot(*q))
        .sum::<f64>()
}

/// Whether all corners are well apart, and none is nearly on the line between its neighbours.
fn is_plain(corners: &[DVec2]) -> bool {
    let count = corners.len();
    let is_corner = |k: usize| {
        let [before, own, after] = [k + count - 1, k, k + 1].map(|k| corners[k % count]);
        let (to, on) = (own - before, after - own);
        to.length() > TOO_NEAR && to.perp_dot(on) > TOO_NEAR * to.length() * on.length()
    };
    count > 2 && (0..count).all(is_corner)
}

/// The points of a manifold as they lie on the upper face of the lower shape, counter-clockwise.
fn seen(manifold: &Manifold<Vec3>, lower: &Body<Vec3>, is_a: bool) -> Vec<DVec2> {
    let frame = RelativePose::from_pose(&lower.pose);
    let on_lower = |point: &clearance_gjk::ManifoldPoint<Vec3>| {
        let on = if is_a {
            point.position_a
        } else {
            point.position_b
        };
        let on = frame.inverse_transform_point(on);
        assert!((on.y - 0.5).abs() <= SLACK, "{manifold:?}");
        DVec2::new(on.x, on.z)
    };
    let mut seen: Vec<DVec2> = manifold.points().iter().map(on_lower).collect();
    let middle = seen.iter().sum::<DVec2>() / seen.len() as f64;
    seen.sort_by(|p, q| {
        (*p - middle)
            .to_angle()
            .total_cmp(&(*q - middle).to_angle())
    });
    seen
}

#[test]
fn faces_on_each_other_touch_in_corners_of_their_common_part() {
    let mut random = Pcg::new(571);
    let (mut whole, mut chosen) = (0, 0);
    for _ in 0..iterations(3_000) {
        let ((below, face_below), (above, face_above)) = (prism(&mut random), prism(&mut random));
        let gap = random.pick(&[-0.01, 0.0, 0.02]);
        let yaw = random.pick(&[0.0, 0.7, 2.0]) * random.unit() as Real;
        let aside = DVec2::new(random.unit() - 0.5, random.unit() - 0.5) * 1.6;
        let place = Vec3::new(aside.x as Real, 1.0 + gap, aside.y as Real);
        let turn = Quat::from_rotation_y(yaw);
        let world = Pose::new(random.point::<Vec3>(3.0), Vec3::any_rotation(&mut random));
        let lower = Body::new(below, world);
        let upper = Body::new(above, world * Pose::new(place, turn));
        let moved = |p: &DVec2| {
            let p = turn.as_dquat() * clearance_math::DVec3::new(p.x, 0.0, p.y);
            DVec2::new(p.x + f64::from(place.x), p.z + f64::from(place.z))
        };
        let common = in_common(
            &face_below,
            &face_above.iter().map(moved).collect::<Vec<_>>(),
        );
        if !is_plain(&common) || area(&common) < 0.02 {
            continue;
        }
        for is_a in [true, false] {
            let (a, b) = if is_a {
                (&lower, &upper)
            } else {
                (&upper, &lower)
            };
            let found = ask(a, b, 0.1).expect("they touch");
            let context = || format!("{found:?} {common:?} {lower:?} {upper:?}");
            let points = seen(&found, &lower, is_a);
            assert_eq!(points.len(), common.len().min(4), "{}", context());
            for point in &points {
                let is_here = |corner: &DVec2| (*corner - *point).length() <= SLACK;
                assert!(common.iter().any(is_here), "{point}: {}", context());
            }
            for point in found.points() {
                assert!(
                    (point.distance - gap).abs() <= SLACK as Real,
                    "{}",
                    context()
                );
            }
            // Four corners of a polygon, chosen well, hold more than half of it.
            assert!(area(&points) > 0.5 * area(&common), "{}", context());
            if common.len() <= 4 {
                whole += 1;
            } else {
                chosen += 1;
            }
        }
    }
    assert!(whole > 200 && chosen > 200, "{whole} {chosen}");
}
