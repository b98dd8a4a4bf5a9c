//! Shapes of the plane as triangles and outlines.

use clearance::dim2::{Body, Cells, CompoundPart, IVec2, Pose, Shape, Tile, Vec2};
use clearance_render::{
    SvgOptions, Tessellation, TessellationOptions, svg, tessellate, tessellate_with,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::common::{distance, fills_box, is_in_order, is_on_surface, world};

fn shapes(random: &mut Pcg64) -> Vec<Shape> {
    let mut some = || 10.0_f32.powf(random.random_range(-1.5..1.5));
    let mut shapes = vec![
        Shape::ball(some()).unwrap(),
        Shape::cuboid(Vec2::new(some(), some())).unwrap(),
        Shape::capsule(some(), some()).unwrap(),
        Shape::tapered_capsule(some(), some(), some()).unwrap(),
        Shape::ellipsoid(Vec2::new(some(), some())).unwrap(),
    ];
    let points: Vec<Vec2> = (0..random.random_range(3..20))
        .map(|_| {
            Vec2::new(
                random.random_range(-1.0..1.0),
                random.random_range(-1.0..1.0),
            )
        })
        .collect();
    shapes.push(Shape::hull(&points).unwrap());
    shapes.push(Shape::triangle(points[0], points[1], points[2]).unwrap());
    let mut all = shapes.clone();
    all.push(Shape::segment(points[0], points[1]).unwrap());
    let radius = 10.0_f32.powf(random.random_range(-2.0..1.0));
    shapes.extend(all.iter().map(|shape| shape.rounded(radius).unwrap()));
    shapes
}

/// Twice the area.
fn area(found: &Tessellation) -> f32 {
    let position = |index: u32| found.vertices[index as usize];
    let areas = found.triangles.iter().map(|triangle| {
        let [a, b, c] = triangle.map(position);
        let area = (b - a).cross(c - a);
        assert!(area.x == 0.0 && area.y == 0.0);
        area.z
    });
    areas.sum()
}

#[test]
fn outlines_are_closed_and_lie_on_the_shape() {
    let random = &mut Pcg64::seed_from_u64(5);
    for shape in (0..200).flat_map(|_| shapes(random)) {
        let found = tessellate(&shape);
        is_in_order(&found);
        is_on_surface(&shape, &found);
        fills_box(&shape, &found);
        let count = found.vertices.len();
        assert_eq!(
            (found.edges.len(), found.triangles.len()),
            (count, count - 2)
        );
        // Counter-clockwise all around: the end of each edge is the start of the next.
        for (index, edge) in found.edges.iter().enumerate() {
            assert_eq!(*edge, [index as u32, (index + 1) as u32 % count as u32]);
        }
        for triangle in &found.triangles {
            let [a, b, c] = triangle.map(|index| found.vertices[index as usize].as_dvec3());
            assert!((b - a).cross(c - a).z > 0.0);
        }
        for edge in &found.edges {
            let [a, b] = edge.map(|index| found.vertices[index as usize]);
            let off = distance(&shape, (a + b) / 2.0);
            assert!(-off < 0.06 * a.distance(b) + 1e-5, "{off}: {shape:?}");
        }
    }
}

#[test]
fn areas_are_those_of_the_shapes() {
    let twice_area = |shape: Shape| area(&tessellate(&shape));
    assert_eq!(
        twice_area(Shape::cuboid(Vec2::new(1.0, 2.0)).unwrap()),
        16.0
    );
    let ball = twice_area(Shape::ball(1.0).unwrap());
    assert!((ball - std::f32::consts::TAU).abs() < 0.05, "{ball}");
    let rounded = Shape::cuboid(Vec2::ONE).unwrap().rounded(1.0).unwrap();
    let expected = 2.0 * (12.0 + std::f32::consts::PI);
    assert!((twice_area(rounded) - expected).abs() < 0.05);
}

#[test]
fn a_half_space_is_filled_below_its_line() {
    let shape = Shape::half_space(Vec2::new(0.6, 0.8)).unwrap();
    let found = tessellate_with(
        &shape,
        &TessellationOptions {
            half_space_reach: 5.0,
        },
    );
    is_in_order(&found);
    assert_eq!(found.edges, [[0, 1]]);
    assert!((area(&found) - 2.0 * 50.0).abs() < 1e-3);
    let distances: Vec<f32> = found
        .vertices
        .iter()
        .map(|vertex| distance(&shape, *vertex))
        .collect();
    assert!(
        distances[..2].iter().all(|off| off.abs() < 1e-5),
        "{distances:?}"
    );
    assert!(
        distances[2..].iter().all(|off| (off + 5.0).abs() < 1e-5),
        "{distances:?}"
    );
}

#[test]
fn lines_have_edges_only() {
    let line = tessellate(&Shape::segment(Vec2::ZERO, Vec2::X).unwrap());
    assert_eq!((line.triangles.len(), line.edges), (0, vec![[0, 1]]));
    let square = vec![Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y, Vec2::ZERO];
    let found = tessellate(&Shape::polyline(square).unwrap());
    assert_eq!((found.triangles.len(), found.edges.len()), (0, 4));
}

#[test]
fn a_compound_has_the_outlines_of_its_parts() {
    let part = |x| CompoundPart {
        shape: Shape::cuboid(Vec2::ONE).unwrap(),
        pose: Pose::from_translation(Vec2::new(x, 0.0)),
    };
    let shape = Shape::compound(vec![part(-2.0), part(2.0)]).unwrap();
    let found = tessellate(&shape);
    is_on_surface(&shape, &found);
    assert_eq!((found.triangles.len(), found.edges.len()), (4, 8));
}

#[test]
fn tiles_are_drawn_by_their_shapes() {
    let mut cells = Cells::new();
    cells.set_box(IVec2::ZERO, IVec2::X * 3, true).unwrap();
    cells.set_tile(IVec2::X, 1).unwrap();
    let slope = Tile::new(Shape::hull([Vec2::ZERO, Vec2::X, Vec2::Y]).unwrap());
    let shape = Shape::tiles_of(Vec2::ONE, cells, [slope]).unwrap();
    let found = tessellate(&shape);
    assert_eq!(area(&found), 7.0);
    for vertex in &found.vertices {
        assert!(distance(&shape, *vertex).abs() < 1e-6);
    }
    let world = world(vec![Body::fixed(shape, Pose::IDENTITY)]);
    let picture = svg(&world, &SvgOptions::default());
    // Rows of whole cells, their outer sides, and the slope.
    assert!(picture.matches('Z').count() == 3, "{picture}");
}
