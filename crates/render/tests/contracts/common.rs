//! Checks that serve both dimensions.

use clearance::Options;
use clearance::generic::{Body, World};
use clearance::gjk::{Placed, point_proximity};
use clearance::math::{Pose, Vec3, Vector};
use clearance::shapes::Shape;
use clearance_render::{SURFACE_TOLERANCE, Tessellation};

/// A world with these bodies, and the contacts of the pairs within 0.75 of each other.
pub(crate) fn world<V: Vector>(bodies: Vec<Body<V>>) -> World<V> {
    let mut world = World::new(Options {
        margin: 0.75,
        ..Options::default()
    })
    .unwrap();
    for body in bodies {
        world.insert(body).unwrap();
    }
    world.step(0.0).unwrap();
    world
}

/// The vector of the dimension made of the leading components.
pub(crate) fn from_space<V: Vector>(vector: Vec3) -> V {
    V::from_fn(|k| vector[k])
}

/// The signed distance of a point of the body's frame from a shape.
pub(crate) fn distance<V: Vector>(shape: &Shape<V>, point: Vec3) -> f32 {
    let pose = Pose::IDENTITY;
    let placed = Placed::new(shape, &pose);
    let found = point_proximity(from_space::<V>(point), placed, f32::INFINITY).unwrap();
    found
        .near()
        .expect("everything is within infinity")
        .distance
}

pub(crate) fn size<V: Vector>(shape: &Shape<V>) -> f32 {
    shape.bounding_radius() as f32
}

/// Every index is one of a vertex, every vertex is used, and nothing is listed twice.
pub(crate) fn is_in_order(found: &Tessellation) {
    let count = found.vertices.len() as u32;
    let mut is_used = vec![false; found.vertices.len()];
    let indices = found.triangles.iter().flatten();
    for &index in indices.chain(found.edges.iter().flatten()) {
        assert!(index < count, "{index} of {count}");
        is_used[index as usize] = true;
    }
    assert!(count == 1 || is_used.iter().all(|used| *used));
    for edge in &found.edges {
        assert_ne!(edge[0], edge[1]);
    }
    let mut edges: Vec<_> = found
        .edges
        .iter()
        .map(|[a, b]| [a.min(b), a.max(b)])
        .collect();
    edges.sort_unstable();
    edges.dedup();
    assert_eq!(edges.len(), found.edges.len(), "an edge comes twice");
}

/// Every vertex lies on the surface of a solid shape.
pub(crate) fn is_on_surface<V: Vector>(shape: &Shape<V>, found: &Tessellation) {
    let tolerance = SURFACE_TOLERANCE * size(shape);
    for &vertex in &found.vertices {
        let off = distance(shape, vertex);
        assert!(
            off.abs() <= tolerance,
            "{vertex} is off by {off}: {shape:?}"
        );
    }
}

/// The vertices reach as far along the axes as the shape does.
pub(crate) fn fills_box<V: Vector>(shape: &Shape<V>, found: &Tessellation) {
    let bounds = shape.bounds(&Pose::IDENTITY);
    let tolerance = SURFACE_TOLERANCE * size(shape);
    for k in 0..V::DIM {
        let coordinates = || found.vertices.iter().map(|vertex| vertex[k]);
        let (least, most) = (bounds.min.component(k), bounds.max.component(k));
        let low = coordinates().fold(f32::INFINITY, f32::min);
        let high = coordinates().fold(f32::NEG_INFINITY, f32::max);
        assert!(
            (low - least).abs() <= tolerance,
            "{low} is not {least}: {shape:?}"
        );
        assert!(
            (high - most).abs() <= tolerance,
            "{high} is not {most}: {shape:?}"
        );
    }
}
