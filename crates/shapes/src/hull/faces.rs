//! Faces and edges of a hull, computed from its loops of vertices.

use core::cmp::Ordering;

use clearance_math::internal::exact_product;
use clearance_math::{DVec3, PreciseVector, Vector};

use super::index_lists::IndexLists;
use super::predicates::{argmax, cross};

/// A face of a hull: a polygon in 3D, an edge in 2D.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face<'a, V: Vector> {
    /// The outward unit normal, in the frame of the hull.
    pub normal: V::Precise,
    /// The greatest scalar product of the normal with any vertex of the hull, in units of length.
    ///
    /// The hull lies in `normal . x <= offset`, and the face lies in that plane up to rounding.
    pub offset: f64,
    /// The indices of its vertices, counter-clockwise seen from outside.
    pub vertices: &'a [u32],
}

/// An edge of a hull in 3D.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The indices of its two vertices, in ascending order.
    pub vertices: [u32; 2],
    /// The indices of the two faces that share it. The loop of the first runs from the first vertex
    /// of the edge to the second; the loop of the other runs from the second to the first.
    pub faces: [u32; 2],
}

/// The outward unit normal of a face. It is right to a few roundings of `f64` across its width.
pub(super) fn normal<V: Vector>(vertices: &[V], list: &[u32]) -> V::Precise {
    let position = |&vertex: &u32| vertices[vertex as usize].to_precise();
    let normal = if const { V::DIM == 2 } {
        let along = (position(&list[1]) - position(&list[0])).in_space();
        DVec3::new(along.y, -along.x, 0.0)
    } else {
        let corners: Vec<DVec3> = list
            .iter()
            .map(|vertex| position(vertex).in_space())
            .collect();
        plane_normal(&corners)
    };
    V::Precise::from_space(normal.direction().unwrap_or(DVec3::ZERO))
}

/// A normal of a polygon in 3D, which points to the side from which its vertices run
/// counter-clockwise.
///
/// The vertices lie exactly in one plane, so any three of them span it. Rounding has the least
/// effect if they are far apart.
fn plane_normal(corners: &[DVec3]) -> DVec3 {
    let first = corners[0];
    let (far, _) = argmax(corners.len(), |k| (corners[k] - first).length_squared());
    let triangle = |k: usize| [first, corners[far.min(k)], corners[far.max(k)]];
    let (wide, _) = argmax(corners.len(), |k| cross(triangle(k)).length_squared());
    let [_, before, after] = triangle(wide);
    // If the sides have rounding errors, their cross product may even point to the wrong side. The
    // predicate has the right signs for any vertices.
    let upright = if is_exact(before, first) && is_exact(after, first) {
        accurate_cross(before - first, after - first)
    } else {
        cross(triangle(wide))
    };
    let upright = upright.direction().unwrap_or(DVec3::ZERO);
    // The remaining rounding error tilts a thin face in all directions alike. Across the face that
    // moves its vertices by no more than rounding, but along it by much more, so that part is
    // removed.
    let along = (corners[far] - first).direction().unwrap_or(DVec3::ZERO);
    upright - along * upright.dot(along)
}

/// Whether the difference of two points is exact.
fn is_exact(to: DVec3, from: DVec3) -> bool {
    let side = to - from;
    from + side == to && to - side == from
}

/// The cross product, in which each component is right to a few units in its own last place even if
/// the two products in it cancel.
fn accurate_cross(u: DVec3, v: DVec3) -> DVec3 {
    DVec3::new(
        difference_of_products((u.y, v.z), (u.z, v.y)),
        difference_of_products((u.z, v.x), (u.x, v.z)),
        difference_of_products((u.x, v.y), (u.y, v.x)),
    )
}

/// The product of the first pair minus the product of the second.
fn difference_of_products(first: (f64, f64), second: (f64, f64)) -> f64 {
    let (a, b) = (
        exact_product(first.0, first.1),
        exact_product(second.0, second.1),
    );
    (a.rounded - b.rounded) + (a.rest - b.rest)
}

/// The directed edges of all loops, each with the index of its face.
fn directed(loops: &IndexLists) -> impl Iterator<Item = ([u32; 2], u32)> {
    (0..).zip(loops.iter()).flat_map(|(face, list)| {
        let ahead = list.iter().cycle().skip(1);
        list.iter().zip(ahead).map(move |(&a, &b)| ([a, b], face))
    })
}

/// The pairs of vertices that share an edge, each once with the lower index first, in ascending
/// order.
pub(super) fn vertex_pairs(loops: &IndexLists, dimension: usize) -> Vec<[u32; 2]> {
    let mut pairs: Vec<[u32; 2]> = directed(loops)
        .map(|([a, b], _)| [a.min(b), a.max(b)])
        .collect();
    if dimension == 1 {
        // A segment in 3D has an edge but no face.
        pairs.push([0, 1]);
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// The edges between the faces of a hull in 3D, in ascending order.
pub(super) fn edges(loops: &IndexLists) -> Vec<Edge> {
    // Each edge, its lower vertex first, and the face whose loop runs up (`Less`) or down (`Greater`) along it.
    let sides = |order: Ordering| {
        let sides = directed(loops).filter(|([a, b], _)| a.cmp(b) == order);
        let sides = sides.map(|([a, b], face)| [a.min(b), a.max(b), face]);
        let mut sides: Vec<[u32; 3]> = sides.collect();
        sides.sort_unstable();
        sides
    };
    let (up, down) = (sides(Ordering::Less), sides(Ordering::Greater));
    up.into_iter()
        .zip(down)
        .map(|([a, b, first], [.., second])| Edge {
            vertices: [a, b],
            faces: [first, second],
        })
        .collect()
}

/// For each of `count` vertices, the number of the first edge whose first vertex it or a later one is. There are none if
/// there are no edges.
pub(super) fn first_edges(edges: &[Edge], count: usize) -> Vec<u32> {
    let vertices = if edges.is_empty() { 0 } else { count as u32 };
    (0..vertices)
        .map(|vertex| edges.partition_point(|edge| edge.vertices[0] < vertex) as u32)
        .collect()
}
