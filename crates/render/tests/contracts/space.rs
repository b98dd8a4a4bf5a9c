//! Shapes of space as triangles.

use std::collections::HashMap;

use clearance::dim3::{CompoundPart, Pose, Quat, Shape, Vec3};
use clearance::math::DVec3;
use clearance::shapes::{Core, CustomShape, Support};
use clearance_render::{
    SURFACE_TOLERANCE, Tessellation, TessellationOptions, tessellate, tessellate_with,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::common::{distance, fills_box, is_in_order, is_on_surface, size};

/// A cylinder about the z axis that the engine knows by its farthest points only.
#[derive(Debug)]
struct Drum;

impl Support<DVec3> for Drum {
    fn support(&self, direction: DVec3) -> DVec3 {
        let flat = direction.truncate();
        let rim = if flat.length() > 0.0 {
            flat / flat.length()
        } else {
            flat
        };
        rim.extend(0.5_f64.copysign(direction.z))
    }
    fn center(&self) -> DVec3 {
        DVec3::ZERO
    }
    fn bounding_radius(&self) -> f64 {
        1.25_f64.sqrt()
    }
}

impl CustomShape<DVec3> for Drum {
    fn key(&self) -> [u32; 8] {
        [1; 8]
    }
}

fn vector(random: &mut Pcg64, range: core::ops::Range<f32>) -> Vec3 {
    Vec3::from_array([(); 3].map(|()| random.random_range(range.clone())))
}

/// Shapes with an inside, of all kinds, in many proportions.
fn solids(random: &mut Pcg64) -> Vec<Shape> {
    let mut some = || 10.0_f32.powf(random.random_range(-1.5..1.5));
    let mut shapes = vec![
        Shape::ball(some()).unwrap(),
        Shape::cuboid(Vec3::new(some(), some(), some())).unwrap(),
        Shape::capsule(some(), some()).unwrap(),
        Shape::cylinder(some(), some()).unwrap(),
        Shape::cone(some(), some()).unwrap(),
        Shape::tapered_capsule(some(), some(), some()).unwrap(),
        Shape::tapered_cylinder(some(), some(), some()).unwrap(),
        Shape::tapered_cylinder(some(), some(), 0.0).unwrap(),
        Shape::ellipsoid(Vec3::new(some(), some(), some())).unwrap(),
        Shape::custom(Drum).unwrap(),
    ];
    let points: Vec<Vec3> = (0..random.random_range(4..40))
        .map(|_| vector(random, -1.0..1.0))
        .collect();
    shapes.push(Shape::hull(&points).unwrap());
    shapes.push(Shape::capsule_from_endpoints(points[0], points[1], 0.3).unwrap());
    let mut flat = vec![
        Shape::triangle(points[0], points[1], points[2]).unwrap(),
        Shape::segment(points[0], points[1]).unwrap(),
        Shape::hull(points.iter().map(|p| p.with_z(0.5)).collect::<Vec<_>>()).unwrap(),
    ];
    flat.extend(shapes.clone());
    let radius = 10.0_f32.powf(random.random_range(-2.0..1.0));
    shapes.extend(flat.iter().map(|shape| shape.rounded(radius).unwrap()));
    shapes
}

fn is_leaning_capsule(shape: &Shape) -> bool {
    let Shape::Convex(convex) = shape else {
        return false;
    };
    matches!(convex.core(), Core::Segment(segment) if segment.a.x != segment.b.x)
}

/// Every side of a triangle is the side of one other, which runs along it the other way.
fn is_closed(found: &Tessellation) {
    let mut sides = HashMap::new();
    for &[a, b, c] in &found.triangles {
        for side in [[a, b], [b, c], [c, a]] {
            assert_eq!(sides.insert(side, ()), None, "{side:?} comes twice");
        }
    }
    for [from, to] in sides.keys() {
        assert!(sides.contains_key(&[*to, *from]), "{from} {to} is open");
    }
}

/// Every triangle that has an area is seen from outside counter-clockwise.
fn is_outward(shape: &Shape, found: &Tessellation) {
    let Shape::Convex(convex) = shape else {
        panic!("convex")
    };
    let position = |index: u32| found.vertices[index as usize].as_dvec3();
    let size = f64::from(size(shape));
    let mut volume = 0.0;
    for triangle in &found.triangles {
        let [a, b, c] = triangle.map(|index| position(index) - convex.core_center());
        volume += a.dot(b.cross(c));
        let upright = (b - a).cross(c - a);
        assert!(
            upright.dot(a + b + c) > -1e-6 * size.powi(3),
            "{triangle:?} of {shape:?}"
        );
    }
    assert!(volume > 0.0);
}

#[test]
fn solids_are_closed_and_their_vertices_lie_on_them() {
    let random = &mut Pcg64::seed_from_u64(1);
    for _ in 0..40 {
        for shape in solids(random) {
            let found = tessellate(&shape);
            is_in_order(&found);
            is_on_surface(&shape, &found);
            is_closed(&found);
            is_outward(&shape, &found);
            // A capsule that leans has its facets about its own axis.
            if !is_leaning_capsule(&shape) {
                fills_box(&shape, &found);
            }
            assert!(
                found.triangles.len() <= 2000,
                "{} triangles: {shape:?}",
                found.triangles.len()
            );
        }
    }
}

/// The distance of a facet from the surface that it stands for, relative to the width of the facet.
#[test]
fn facets_are_near_the_surface() {
    let random = &mut Pcg64::seed_from_u64(2);
    for shape in (0..10).flat_map(|_| solids(random)) {
        let found = tessellate(&shape);
        for triangle in &found.triangles {
            let [a, b, c] = triangle.map(|index| found.vertices[index as usize]);
            let off = distance(&shape, (a + b + c) / 3.0);
            let width = a.distance(b).max(b.distance(c)).max(c.distance(a));
            let most = 0.1 * width + SURFACE_TOLERANCE * size(&shape);
            assert!(
                off <= SURFACE_TOLERANCE * size(&shape) && -off <= most,
                "{off}, {width}: {shape:?}"
            );
        }
    }
}

#[test]
fn edges_are_those_that_one_would_draw() {
    let edges = |shape: Shape| tessellate(&shape).edges.len();
    assert_eq!(edges(Shape::cuboid(Vec3::new(1.0, 2.0, 3.0)).unwrap()), 12);
    assert_eq!(edges(Shape::cylinder(1.0, 2.0).unwrap()), 2 * 20);
    assert_eq!(edges(Shape::cone(1.0, 2.0).unwrap()), 20);
    assert_eq!(
        edges(Shape::tapered_cylinder(1.0, 2.0, 1.0).unwrap()),
        2 * 20
    );
    assert_eq!(
        edges(Shape::triangle(Vec3::ZERO, Vec3::X, Vec3::Y).unwrap()),
        3
    );
    assert_eq!(edges(Shape::segment(Vec3::ZERO, Vec3::X).unwrap()), 1);
    let octahedron = [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z];
    assert_eq!(edges(Shape::hull(octahedron).unwrap()), 12);
    let random = &mut Pcg64::seed_from_u64(3);
    for _ in 0..100 {
        let mut some = || 10.0_f32.powf(random.random_range(-1.0..1.0));
        for round in [
            Shape::ball(some()).unwrap(),
            Shape::capsule(some(), some()).unwrap(),
            Shape::tapered_capsule(some(), some(), some()).unwrap(),
            Shape::ellipsoid(Vec3::new(some(), some(), some())).unwrap(),
            Shape::cuboid(Vec3::new(some(), some(), some()))
                .unwrap()
                .rounded(some())
                .unwrap(),
            Shape::cylinder(some(), some())
                .unwrap()
                .rounded(some())
                .unwrap(),
        ] {
            assert_eq!(edges(round.clone()), 0, "{round:?}");
        }
    }
}

#[test]
fn counts_are_those_of_thousands_of_bodies() {
    let triangles = |shape: Shape| tessellate(&shape).triangles.len();
    assert_eq!(triangles(Shape::ball(0.25).unwrap()), 200);
    assert_eq!(triangles(Shape::cuboid(Vec3::ONE).unwrap()), 12);
    assert_eq!(triangles(Shape::cylinder(1.0, 1.0).unwrap()), 4 * 20);
    assert_eq!(triangles(Shape::cone(1.0, 1.0).unwrap()), 2 * 20);
    assert_eq!(triangles(Shape::capsule(1.0, 0.5).unwrap()), 240);
    assert_eq!(
        triangles(Shape::triangle(Vec3::ZERO, Vec3::X, Vec3::Y).unwrap()),
        2
    );
}

#[test]
fn a_half_space_is_a_square_of_the_size_asked_for() {
    let random = &mut Pcg64::seed_from_u64(4);
    for _ in 0..20 {
        let normal = vector(random, -1.0..1.0).normalize();
        let shape = Shape::half_space(normal).unwrap().rounded(0.5).unwrap();
        let found = tessellate_with(
            &shape,
            &TessellationOptions {
                half_space_reach: 3.0,
            },
        );
        is_in_order(&found);
        assert_eq!((found.triangles.len(), found.edges.len()), (2, 4));
        for triangle in &found.triangles {
            let [a, b, c] = triangle.map(|index| found.vertices[index as usize]);
            let area = (b - a).cross(c - a);
            assert!((area - normal * 36.0).length() < 1e-4, "{area}");
        }
        for vertex in &found.vertices {
            assert!(distance(&shape, *vertex).abs() < 1e-5);
        }
        let middle = found.vertices.iter().sum::<Vec3>() / 4.0;
        assert!((middle - normal * 0.5).length() < 1e-5);
    }
}

#[test]
fn a_mesh_keeps_its_triangles_and_shares_its_vertices() {
    // A roof of two slopes, whose triangles were given with corners of their own.
    let [a, b, c, d] = [
        Vec3::ZERO,
        Vec3::X * 4.0,
        Vec3::new(4.0, 1.0, 1.0),
        Vec3::new(0.0, 1.0, 1.0),
    ];
    let [e, f] = [Vec3::new(4.0, 0.0, 2.0), Vec3::new(0.0, 0.0, 2.0)];
    let soup = vec![a, b, c, a, c, d, d, c, e, d, f, e];
    let triangles: Vec<[u32; 3]> = (0..4).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let found = tessellate(&Shape::mesh(soup, triangles).unwrap());
    is_in_order(&found);
    assert_eq!((found.vertices.len(), found.triangles.len()), (6, 4));
    // Six sides of the border and the ridge; the diagonals are not drawn, although the last triangle
    // runs the other way round.
    assert_eq!(found.edges.len(), 7);
    let at = |point: Vec3| {
        found
            .vertices
            .iter()
            .position(|vertex| *vertex == point)
            .unwrap() as u32
    };
    let has = |a, b| found.edges.contains(&[at(a), at(b)]) || found.edges.contains(&[at(b), at(a)]);
    assert!(has(c, d) && has(a, b) && !has(a, c) && !has(d, e));
}

#[test]
fn a_height_field_has_its_triangles_but_no_holes() {
    let mut heights = vec![0.0; 16];
    heights[5] = f32::NAN;
    heights[10] = 0.01;
    let shape = Shape::height_field(heights, 4, Vec3::new(3.0, 1.0, 3.0)).unwrap();
    let found = tessellate(&shape);
    is_in_order(&found);
    assert_eq!((found.vertices.len(), found.triangles.len()), (14, 18 - 6));
    for vertex in &found.vertices {
        assert!(distance(&shape, *vertex) < 1e-6);
    }
    for triangle in &found.triangles {
        let [a, b, c] = triangle.map(|index| found.vertices[index as usize]);
        assert!((b - a).cross(c - a).y > 0.0);
    }
    // The border has 12 sides, the hole 6, and two of them are the same.
    assert_eq!(found.edges.len(), 12 + 6 - 2 * 2);
}

#[test]
fn a_compound_has_the_triangles_of_its_parts_at_their_poses() {
    let at = |shape: Shape, x: f32| CompoundPart {
        shape,
        pose: Pose::new(Vec3::new(x, 1.0, 0.0), Quat::from_rotation_z(0.7)),
    };
    let inner = Shape::compound(vec![
        at(Shape::ball(1.0).unwrap(), -3.0),
        at(Shape::cuboid(Vec3::ONE).unwrap(), 3.0),
    ])
    .unwrap();
    let outer = Shape::compound(vec![
        at(inner, 10.0),
        at(Shape::cone(1.0, 1.0).unwrap(), 0.0),
    ])
    .unwrap();
    let found = tessellate(&outer);
    is_in_order(&found);
    is_closed(&found);
    is_on_surface(&outer, &found);
    assert_eq!(found.triangles.len(), 200 + 12 + 40);
    assert_eq!(found.edges.len(), 12 + 20);
}

#[test]
fn lines_and_points_have_no_triangles() {
    let found = tessellate(&Shape::polyline(vec![Vec3::ZERO, Vec3::X, Vec3::ONE]).unwrap());
    assert_eq!((found.vertices.len(), found.triangles.len()), (3, 0));
    assert_eq!(found.edges, [[0, 1], [1, 2]]);
    let point = tessellate(&Shape::segment(Vec3::ONE, Vec3::ONE).unwrap());
    assert_eq!(point.vertices, [Vec3::ONE]);
    assert!(point.triangles.is_empty() && point.edges.is_empty());
}

#[test]
fn extreme_sizes_have_answers() {
    for size in [f32::from_bits(1), 1e-30, 1e30, f32::MAX] {
        for other in [f32::from_bits(1), 1.0, f32::MAX] {
            let shapes = [
                Shape::ball(size),
                Shape::cuboid(Vec3::new(size, other, 1.0)),
                Shape::capsule(size, other),
                Shape::cylinder(size, other),
                Shape::cone(size, other),
                Shape::tapered_capsule(size, other, 1.0),
                Shape::tapered_cylinder(size, other, 0.0),
                Shape::ellipsoid(Vec3::new(size, other, 1.0)),
                Shape::segment(Vec3::splat(size), Vec3::splat(-other)),
                Shape::half_space(Vec3::Y),
            ];
            for shape in shapes.into_iter().map(Result::unwrap) {
                for shape in [
                    shape.rounded(other).unwrap(),
                    shape.rounded(size).unwrap(),
                    shape,
                ] {
                    let found = tessellate(&shape);
                    is_in_order(&found);
                    assert!(!found.vertices.is_empty(), "{shape:?}");
                    assert!(
                        found.vertices.iter().all(|vertex| vertex.is_finite()),
                        "{shape:?}"
                    );
                }
            }
        }
    }
}
