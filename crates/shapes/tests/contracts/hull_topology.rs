//! What hulls look like: faces, flat hulls, refusals.

use clearance_math::{DVec2, DVec3, Real, Vec2, Vec3};
use clearance_shapes::hull::{Hull, HullError};

/// The points of the plane with integer coordinates from 0 to 2.
fn square() -> Vec<Vec2> {
    let coordinates = |k: u8| Vec2::new((k % 3).into(), (k / 3).into());
    (0..9).map(coordinates).collect()
}

#[test]
fn coplanar_triangles_are_one_face() {
    let layer = |z: Real| square().into_iter().map(move |v| v.extend(z));
    let cube: Vec<Vec3> = [0.0, 1.0, 2.0].into_iter().flat_map(layer).collect();
    let cube = Hull::from_points(&cube).unwrap();
    let (vertices, edges) = (cube.vertices().len(), cube.edges().len());
    assert_eq!((vertices, edges, cube.faces().len()), (8, 12, 6));
    for face in cube.faces() {
        assert_eq!(face.vertices.len(), 4);
        assert_eq!(face.normal.abs().max_element(), 1.0);
        let upper = face.normal.element_sum() > 0.0;
        assert_eq!(face.offset, if upper { 2.0 } else { 0.0 });
    }
    let square = Hull::from_points(&square()).unwrap();
    assert_eq!(
        square.vertices(),
        [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]].map(Vec2::from)
    );
    assert!(square.edges().is_empty());
    assert_eq!(square.faces().next().unwrap().normal, DVec2::NEG_Y);
}

#[test]
fn flat_hulls_have_two_sides_or_none() {
    let square: Vec<Vec3> = square().iter().map(|v| v.extend(1.0)).collect();
    let square = Hull::from_points(&square).unwrap();
    let normals: Vec<DVec3> = square.faces().map(|face| face.normal).collect();
    assert_eq!(normals, [DVec3::NEG_Z, DVec3::Z]);
    assert_eq!(square.edges().len(), 4);
    let needle = Hull::from_points(&[Vec3::X, Vec3::ZERO, Vec3::X * 0.5]).unwrap();
    assert_eq!((needle.dimension(), needle.faces().len()), (1, 0));
    assert_eq!(
        (needle.neighbours(0), needle.neighbours(1)),
        (&[1][..], &[0][..])
    );
    let needle = Hull::from_points(&[Vec2::X, Vec2::ZERO]).unwrap();
    let normals: Vec<DVec2> = needle.faces().map(|face| face.normal).collect();
    assert_eq!(normals, [DVec2::NEG_Y, DVec2::Y]);
}

#[test]
fn a_walk_does_not_end_at_a_tiny_edge() {
    // Along the edge between the two top points the product grows by 1e-27, far below its last place;
    // one edge further it grows by 1e-7.
    let below = |k: u8| Vec2::from_angle(-0.15 * Real::from(k + 1));
    let mut points: Vec<Vec2> = (0..20).map(below).collect();
    for side in [-1.0, 1.0] {
        points.push(Vec2::new(side * 1e-20, 1.0));
        points.push(Vec2::new(side, 1.0 - Real::EPSILON));
    }
    let hull = Hull::from_points(&points).unwrap();
    assert_eq!(hull.vertices().len(), points.len());
    for side in [-1.0, 1.0] {
        let farthest = hull.support(DVec2::new(side * 2e-7, 1.0));
        assert_eq!(farthest, DVec2::new(side, 1.0 - f64::from(Real::EPSILON)));
    }
}

#[test]
fn every_direction_has_an_answer() {
    for count in [1, 2, 9, 100] {
        let on_a_spiral = |k: u8| {
            let turn = f32::from(k) * 0.1;
            Vec3::new(turn.cos(), turn.sin(), turn)
        };
        let points: Vec<Vec3> = (0..count).map(on_a_spiral).collect();
        let hull = Hull::from_points(&points).unwrap();
        for value in [0.0, f64::NAN, f64::INFINITY, f64::MAX, f64::MIN_POSITIVE] {
            let vertex = hull.support_index(DVec3::splat(value));
            assert!(vertex < count.into());
        }
    }
}

#[test]
fn refusals_name_the_point() {
    assert_eq!(Hull::<Vec2>::from_points(&[]), Err(HullError::NoPoints));
    let bad = [Vec3::ZERO, Vec3::new(0.0, 0.0, Real::INFINITY)];
    let text = Hull::from_points(&bad).unwrap_err().to_string();
    assert_eq!(text, "points[1][2] is inf, must be finite");
}

/// Every pair of vertices is looked up, and compared with a search through all edges.
#[test]
fn the_edge_between_two_vertices_is_found() {
    let on_ball = |k: u32| {
        let turn = k as f32 * 2.399_963;
        let up = 1.0 - (2 * k + 1) as f32 / 40.0;
        let beside = (1.0 - up * up).sqrt();
        Vec3::new(beside * turn.cos(), up, beside * turn.sin())
    };
    let ball: Vec<Vec3> = (0..40).map(on_ball).collect();
    let cube: Vec<Vec3> = (0..8)
        .map(|k| Vec3::new((k & 1) as f32, (k >> 1 & 1) as f32, (k >> 2) as f32))
        .collect();
    for points in [&ball[..], &cube, &cube[..4], &cube[..2], &cube[..1]] {
        let hull = Hull::from_points(points).unwrap();
        let count = hull.vertices().len() as u32;
        let mut found = 0;
        for ends in (0..count).flat_map(|a| (a + 1..count + 1).map(move |b| [a, b])) {
            let wanted = hull.edges().iter().position(|edge| edge.vertices == ends);
            let number = hull.edge_between(ends);
            assert_eq!(number, wanted.map(|k| k as u32), "{ends:?} of {count}");
            found += usize::from(number.is_some());
        }
        assert_eq!(found, hull.edges().len(), "{count}");
        assert_eq!(hull.edge_between([count, count + 1]), None);
    }
}

/// Found by fuzzing: a face with one very short edge had a normal tilted along that edge, by the rounding of a cross
/// product whose terms cancel, and with it a plane above its own vertices.
#[test]
fn a_face_with_a_very_short_edge_lies_in_its_plane() {
    for far in [1e3, 1e6, 1e12, 1.6e32] {
        let points = [
            [-64.55327, 163.46875, 3759.7813],
            [-0.1875, -115.0, -2645.0],
            [7.0, -7.8750005, -181.12502],
            [7.0000005, -7.8750005, -181.12502],
            [70.61577, -162.40625, -3735.3438],
            [far, -121.8125, -2801.6875],
            [far, 19.65625, 452.09375],
        ];
        let hull = Hull::from_points(&points.map(Vec3::from)).unwrap();
        hull.validate().unwrap();
    }
}
