use clearance_math::{DVec3, Pose, PreciseVector, Quat, Real, Vec3};
use clearance_shapes::hull::Hull;
use clearance_shapes::{Convex, Shape, Support};

use super::*;
use crate::answer::Status;
use crate::depth_gap::depth_gap;
use crate::iterate::measure_in;
use crate::measured::Measured;
use crate::minkowski::core_corners;
use crate::test_numbers::Random;

fn convex(shape: &Shape<Vec3>) -> &Convex<Vec3> {
    match shape {
        Shape::Convex(convex) => convex,
        _ => panic!("no convex shape"),
    }
}

/// The directions of faces and edges of a core, from the hull of its corners.
struct Features {
    corners: Vec<DVec3>,
    normals: Vec<DVec3>,
    edges: Vec<DVec3>,
}

impl Features {
    fn new(shape: &Convex<Vec3>, in_a: &RelativePose<DVec3>) -> Self {
        let corners = core_corners(shape.core()).expect("a polytope");
        let hull = Hull::from_points(&corners).expect("corners are finite");
        let position = |k: u32| in_a.transform_point(hull.vertices()[k as usize].to_precise());
        let edges = match hull.dimension() {
            1 => vec![position(1) - position(0)],
            _ => (hull.edges().iter())
                .map(|edge| position(edge.vertices[1]) - position(edge.vertices[0]))
                .collect(),
        };
        Self {
            corners: (0..hull.vertices().len() as u32).map(position).collect(),
            normals: hull
                .faces()
                .map(|face| in_a.transform_direction(face.normal))
                .collect(),
            edges,
        }
    }

    fn farthest(&self, direction: DVec3) -> f64 {
        let along = self.corners.iter().map(|corner| corner.dot(direction));
        along.fold(f64::NEG_INFINITY, f64::max)
    }
}

/// The least height of the difference along all directions that can be the least one, whether or not two edges face each
/// other. No height is less than the depth, so the least one is the depth.
fn depth(a: &Convex<Vec3>, b: &Convex<Vec3>, b_in_a: &RelativePose<DVec3>) -> f64 {
    let a = Features::new(a, &relative(Vec3::ZERO, Quat::IDENTITY));
    let b = Features::new(b, b_in_a);
    let height = |normal: DVec3| a.farthest(normal) + b.farthest(-normal);
    let of_edges = a.edges.iter().flat_map(|u| {
        let across = b
            .edges
            .iter()
            .filter_map(|v| u.normalize().cross(v.normalize()).direction());
        across.flat_map(|normal| [normal, -normal])
    });
    (a.normals.iter().copied())
        .chain(b.normals.iter().map(|&normal| -normal))
        .chain(of_edges)
        .map(height)
        .fold(f64::INFINITY, f64::min)
}

fn measured(
    a: &Shape<Vec3>,
    b: &Shape<Vec3>,
    b_in_a: &RelativePose<DVec3>,
) -> Option<Measured<DVec3>> {
    let (a, b) = (convex(a), convex(b));
    let gap = depth_gap(a, b).relative;
    match measure((a, b, b_in_a), f64::INFINITY, gap)? {
        Outcome::Near(measured) => Some(measured),
        _ => panic!("everything is within an infinite range"),
    }
}

/// The answer encloses the depth, its points lie on the shapes and apart by depth times normal, and it is that of the
/// expanding polytope.
fn check(a: &Shape<Vec3>, b: &Shape<Vec3>, b_in_a: &RelativePose<DVec3>, found: &Measured<DVec3>) {
    let (convex_a, convex_b) = (convex(a), convex(b));
    let difference = Cores::new(convex_a, convex_b, b_in_a);
    let size = difference.size();
    let depth = depth(convex_a, convex_b, b_in_a);
    let context = format!("{a:?} {b:?} {b_in_a:?}: depth {depth}, {found:?}");
    assert!(found.lower <= -depth + 1e-14 * size, "{context}");
    assert!(found.upper >= -depth - 1e-14 * size, "{context}");
    assert!(found.upper - found.lower <= 1e-9 * size, "{context}");
    assert_eq!(found.status, Status::Converged, "{context}");
    let height = difference.support(found.normal).point.dot(found.normal);
    assert!((height - depth).abs() <= 1e-9 * size, "{context}");
    let translation = found.on_a - found.on_b;
    assert!(
        (translation - found.normal * depth).length() <= 2e-5 * size,
        "{context}"
    );
    let in_b = b_in_a.inverse_transform_point(found.on_b);
    for (shape, point) in [(convex_a, found.on_a), (convex_b, in_b)] {
        for direction in [
            found.normal,
            DVec3::X,
            DVec3::Y,
            DVec3::Z,
            DVec3::ONE.normalize(),
        ] {
            for direction in [direction, -direction] {
                let farthest = shape.core().support(direction).dot(direction);
                assert!(point.dot(direction) <= farthest + 1e-9 * size, "{context}");
            }
        }
    }
    let gap = depth_gap(convex_a, convex_b).relative;
    let Outcome::Near(polytope) = measure_in(&difference, f64::INFINITY, gap) else {
        panic!("everything is within an infinite range")
    };
    assert!(
        (polytope.distance - found.distance).abs() <= 1e-9 * size,
        "{context}"
    );
}

fn hull(random: &mut Random, corners: usize, size: Real) -> Shape<Vec3> {
    let radii = random.vector::<Vec3>().abs() * 0.4 + 0.3;
    let points: Vec<Vec3> = (0..corners)
        .map(|_| random.vector::<Vec3>().normalize() * radii * size)
        .collect();
    Shape::hull(&points).expect("points that are not all equal")
}

fn other(random: &mut Random, kind: usize, size: Real) -> Shape<Vec3> {
    let extents = (random.vector::<Vec3>().abs() * 0.5 + 0.2) * size;
    let made = match kind % 4 {
        0 => return hull(random, 4 + kind % 29, size),
        1 => Shape::cuboid(extents),
        2 => Shape::triangle(extents, random.vector::<Vec3>() * size, -extents),
        _ => Shape::segment(extents, random.vector::<Vec3>() * size),
    };
    made.expect("a shape with a size")
}

fn turned(random: &mut Random) -> Quat {
    Quat::from_axis_angle(random.vector::<Vec3>().normalize(), 3.0 * random.number())
}

/// The pose of b in the frame of a.
fn relative(translation: Vec3, rotation: Quat) -> RelativePose<DVec3> {
    RelativePose::between(&Pose::IDENTITY, &Pose::new(translation, rotation))
}

/// Hulls of 4 to 64 corners and each kind of partner, at any pose and size.
#[test]
fn the_depth_is_the_least_height_of_all_directions() {
    let mut random = Random(1);
    let (mut overlaps, mut found_here) = (0, 0);
    for k in 0..600 {
        let size = [1.0, 1e-9, 1e9, 0.03][k % 4];
        let b = hull(&mut random, 4 + k % 61, size);
        let a = other(&mut random, k / 3, size);
        let way = random.vector::<Vec3>() * 0.7 * size;
        let b_in_a = relative(way, turned(&mut random));
        let is_overlap = depth(convex(&a), convex(&b), &b_in_a) > 1e-6 * f64::from(size);
        let found = measured(&a, &b, &b_in_a);
        assert!(is_overlap || found.is_none(), "{a:?} {b:?} {b_in_a:?}");
        overlaps += usize::from(is_overlap);
        if let Some(found) = found {
            found_here += 1;
            check(&a, &b, &b_in_a, &found);
        }
    }
    assert!(overlaps > 200, "{overlaps} overlaps");
    assert!(found_here * 10 > overlaps * 9, "{found_here} of {overlaps}");
}

/// Faces, edges and corners that are parallel or meet exactly, and equal heights along several directions.
#[test]
fn ties_are_measured_as_well() {
    let corners = |extents: Vec3| -> Vec<Vec3> {
        let sign = |k: u32, bit: u32| if k >> bit & 1 == 0 { 1.0 } else { -1.0 };
        (0..8)
            .map(|k| extents * Vec3::new(sign(k, 0), sign(k, 1), sign(k, 2)))
            .collect()
    };
    let ring = |count: u32| -> Vec<Vec3> {
        (0..2 * count)
            .map(|k| {
                let angle = (k / 2) as Real * core::f32::consts::TAU / count as Real;
                let height = if k % 2 == 0 { 0.5 } else { -0.5 };
                Vec3::new(angle.cos(), angle.sin(), height)
            })
            .collect()
    };
    let octahedron = [Vec3::X, Vec3::Y, Vec3::Z]
        .map(|axis| [axis, -axis])
        .concat();
    let hulls = [
        corners(Vec3::ONE),
        corners(Vec3::new(1.0, 0.25, 2.0)),
        octahedron,
        ring(6),
        ring(31),
    ]
    .map(|points| Shape::hull(&points).expect("a solid"));
    let cuboid = Shape::cuboid(Vec3::ONE).expect("a solid");
    let ways = [
        Vec3::ZERO,
        Vec3::new(0.0, 0.0, 1.0),
        Vec3::new(0.5, 0.5, 0.5),
        Vec3::new(1.0, 0.25, 0.0),
        Vec3::new(-0.75, 0.0, 1e-4),
    ];
    let turns = [
        Quat::IDENTITY,
        Quat::from_axis_angle(Vec3::Z, core::f32::consts::FRAC_PI_4),
        Quat::from_axis_angle(Vec3::X, 1e-5),
        Quat::from_axis_angle(Vec3::new(0.6, 0.8, 0.0), 1e-6),
        Quat::from_axis_angle(Vec3::new(0.48, 0.64, 0.6), 2e-7),
        Quat::from_axis_angle(Vec3::new(-0.48, 0.64, 0.6), 3e-8),
    ];
    let mut found_here = 0;
    for b in &hulls {
        for a in hulls.iter().chain([&cuboid]) {
            for (way, turn) in ways.iter().flat_map(|way| turns.map(|turn| (*way, turn))) {
                let b_in_a = relative(way, turn);
                if let Some(found) = measured(a, b, &b_in_a) {
                    check(a, b, &b_in_a, &found);
                    found_here += 1;
                }
            }
        }
    }
    assert!(found_here > 500, "{found_here}");
}

/// A pair that is deeper than the range is proven to be farther than that.
#[test]
fn a_range_below_zero_ends_the_search() {
    let mut random = Random(3);
    let mut farther = 0;
    for k in 0..200 {
        let (a, b) = (
            other(&mut random, k, 1.0),
            hull(&mut random, 8 + k % 20, 1.0),
        );
        let b_in_a = relative(random.vector::<Vec3>() * 0.6, turned(&mut random));
        let (a, b) = (convex(&a), convex(&b));
        let depth = depth(a, b, &b_in_a);
        let within = -0.5 * f64::from(random.number().abs());
        let gap = depth_gap(a, b).relative;
        match measure((a, b, &b_in_a), within, gap) {
            Some(Outcome::Farther { lower }) => {
                assert!(
                    lower > within && (lower <= -depth || depth < 0.0),
                    "{lower} {within} {depth}"
                );
                farther += 1;
            }
            Some(Outcome::Near(found)) => assert!(found.lower <= within + 1e-9 || -depth > within),
            Some(Outcome::Unbounded) => panic!("both are bounded"),
            None => {}
        }
    }
    assert!(farther > 30, "{farther}");
}
