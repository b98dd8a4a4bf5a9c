//! Questions about one part of a surface: what is nearest, where the way out is, and which face looks where.

use clearance_gjk::Placed;
use clearance_gjk::internal::SurfacePart;
use clearance_math::{DVec3, Pose, Quat, Real, Vec3, Vector};
use clearance_shapes::Shape;

use crate::common::{Pcg, iterations};

fn vector(random: &mut Pcg, size: f64) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|_| random.between(-size, size)))
}

fn shapes(random: &mut Pcg) -> Vec<Shape<Vec3>> {
    let mut corner = || Vec3::from_precise(vector(random, 1.0));
    let [a, b, c] = [corner(), corner(), corner()];
    let points: Vec<_> = (0..12).map(|_| corner()).collect();
    let mut extent = || random.between(0.1, 1.0) as Real;
    let cuboid = Shape::cuboid(Vec3::new(extent(), extent(), extent()));
    let shapes = [
        Shape::ball(extent()),
        Shape::segment(a, b),
        Shape::capsule_from_endpoints(a, c, extent()),
        Shape::triangle(a, b, c),
        Shape::triangle(b, c, a).and_then(|triangle| triangle.rounded(extent())),
        // Degenerate: its corners are on one line.
        Shape::triangle(a, b, a + (b - a) * 0.5),
        cuboid.clone(),
        cuboid.and_then(|cuboid| cuboid.rounded(extent())),
        Shape::hull(points),
        Shape::cylinder(extent(), extent()),
        Shape::cone(extent(), extent()),
    ];
    shapes.map(Result::unwrap).into()
}

/// The nearest point is in the part, and the part ends at the plane through it: two proofs by the support function
/// alone. The way out is through a plane at which the part ends, and no direction has a shorter one.
#[test]
fn nearest_points_and_ways_out_are_proven_by_planes() {
    let mut random = Pcg::new(401);
    let mut insides = 0;
    for _ in 0..iterations(60) {
        let turn = vector(&mut random, 1.0);
        let turn = Quat::from_rotation_arc(Vec3::X, Vec3::from_precise(turn.normalize()));
        let pose = Pose::new(Vec3::from_precise(vector(&mut random, 2.0)), turn);
        for shape in shapes(&mut random) {
            let part = SurfacePart::new(Placed::new(&shape, &pose), 0).unwrap();
            let directions: Vec<_> = (0..100)
                .map(|_| vector(&mut random, 1.0).normalize())
                .collect();
            let ends = |direction: DVec3, at: DVec3| part.reach(direction) - at.dot(direction);
            for _ in 0..10 {
                let point = pose.position() + vector(&mut random, 1.5);
                let nearest = part.closest_point(point);
                let case = || format!("{point} at {nearest} of {shape:?} {pose:?}");
                for &direction in &directions {
                    assert!(ends(direction, nearest) >= -1e-6, "{}", case());
                }
                let way = point - nearest;
                if way.length() > 1e-6 {
                    let beyond = ends(way / way.length(), nearest);
                    assert!(beyond <= 1e-6, "{beyond}: {}", case());
                    assert_eq!(part.way_out(point), None, "{}", case());
                } else if let Some(normal) = part.way_out(point) {
                    insides += 1;
                    let depth = ends(normal, point);
                    for &direction in &directions {
                        assert!(ends(direction, point) >= depth - 1e-6, "{}", case());
                    }
                }
            }
        }
    }
    assert!(insides > 300, "{insides}");
}

#[test]
fn a_triangle_has_a_face_on_either_side() {
    let mut random = Pcg::new(402);
    for _ in 0..iterations(200) {
        let [a, b, c] = [(); 3].map(|()| Vec3::from_precise(vector(&mut random, 1.0)));
        let shape = Shape::triangle(a, b, c).unwrap();
        let part = SurfacePart::new(Placed::new(&shape, &Pose::IDENTITY), 0).unwrap();
        let direction = vector(&mut random, 1.0).normalize();
        let normal = part.face_towards(direction).unwrap();
        assert!((normal.length() - 1.0).abs() < 1e-12);
        assert!(normal.dot(direction) >= 0.0);
        for corner in [b, c] {
            let edge = corner.to_precise() - a.to_precise();
            assert!(normal.dot(edge).abs() < 1e-9 * edge.length(), "{shape:?}");
        }
    }
}
