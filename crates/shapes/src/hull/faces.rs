//! Faces and edges of a hull, and what follows from the loops of vertices.

use clearance_math::{DVec3, PreciseVector, Vector, exact_product};

use super::exact::{cross, greatest};
use super::lists::Lists;

/// A face of a hull: in 3D a polygon, in 2D an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face<'a, V: Vector> {
    /// The outward normal, of unit length, in the frame of the hull.
    pub normal: V::Precise,
    /// The greatest scalar product of the normal and a vertex of the whole hull, as computed.
    ///
    /// The hull lies below the plane `normal · x = offset`, in which the face lies up to rounding.
    pub offset: f64,
    /// The numbers of its vertices, counter-clockwise seen from outside.
    pub vertices: &'a [u32],
}

/// An edge of a hull in space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The numbers of its ends, ascending.
    pub vertices: [u32; 2],
    /// The numbers of the faces on both sides: the first runs through the edge from its first vertex
    /// to its second one, the other the other way.
    pub faces: [u32; 2],
}

/// The outward unit normal of a face, right to a few roundings of `f64` across its width.
pub(super) fn normal<V: Vector>(vertices: &[V], list: &[u32]) -> V::Precise {
    let position = |&vertex: &u32| vertices[vertex as usize].to_precise();
    let normal = if V::DIM == 2 {
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

/// A normal of a polygon in space, upright where its corners run counter-clockwise.
///
/// The corners lie in one plane exactly, so any three of them span it; rounding does the least
/// harm if they are far apart.
fn plane_normal(corners: &[DVec3]) -> DVec3 {
    let first = corners[0];
    let (far, _) = greatest(corners.len(), |k| (corners[k] - first).length_squared());
    let triangle = |k: usize| [first, corners[far.min(k)], corners[far.max(k)]];
    let (wide, _) = greatest(corners.len(), |k| cross(triangle(k)).length_squared());
    let [_, before, after] = triangle(wide);
    // Where sides are not exact, their product may even point the other way; the signs of the
    // predicate are right for any corners.
    let upright = if is_exact(before, first) && is_exact(after, first) {
        accurate_cross(before - first, after - first)
    } else {
        cross(triangle(wide))
    };
    let upright = upright.direction().unwrap_or(DVec3::ZERO);
    // What rounding is left tilts a sliver in all directions alike. Across it that moves the corners
    // by no more than a rounding, but along it by far more: take that part out.
    let along = (corners[far] - first).direction().unwrap_or(DVec3::ZERO);
    upright - along * upright.dot(along)
}

/// Whether the difference of two points has no rounding in it.
fn is_exact(to: DVec3, from: DVec3) -> bool {
    let side = to - from;
    from + side == to && to - side == from
}

/// The cross product with each component right to a few units in its own last place, however much
/// of the two products in it cancels.
fn accurate_cross(u: DVec3, v: DVec3) -> DVec3 {
    DVec3::new(
        difference_of_products((u.y, v.z), (u.z, v.y)),
        difference_of_products((u.z, v.x), (u.x, v.z)),
        difference_of_products((u.x, v.y), (u.y, v.x)),
    )
}

/// The product of the first pair less that of the second.
fn difference_of_products(first: (f64, f64), second: (f64, f64)) -> f64 {
    let (a, b) = (
        exact_product(first.0, first.1),
        exact_product(second.0, second.1),
    );
    (a.rounded - b.rounded) + (a.rest - b.rest)
}

/// The directed edges of all loops with the number of their face.
fn directed(loops: &Lists) -> impl Iterator<Item = ([u32; 2], u32)> {
    (0..).zip(loops.iter()).flat_map(|(face, list)| {
        let ahead = list.iter().cycle().skip(1);
        list.iter().zip(ahead).map(move |(&a, &b)| ([a, b], face))
    })
}

/// The pairs of vertices that share an edge, each once, the lower number first, ascending.
pub(super) fn vertex_pairs(loops: &Lists, dimension: usize) -> Vec<[u32; 2]> {
    let mut pairs: Vec<[u32; 2]> = directed(loops)
        .map(|([a, b], _)| [a.min(b), a.max(b)])
        .collect();
    if dimension == 1 {
        // A segment in space has an edge, but no face.
        pairs.push([0, 1]);
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// The edges between the faces of a hull in space, ascending.
pub(super) fn edges(loops: &Lists) -> Vec<Edge> {
    let mut sides: Vec<([u32; 2], bool, u32)> = directed(loops)
        .map(|([a, b], face)| ([a.min(b), a.max(b)], a > b, face))
        .collect();
    sides.sort_unstable();
    sides
        .chunks_exact(2)
        .map(|pair| Edge {
            vertices: pair[0].0,
            faces: [pair[0].2, pair[1].2],
        })
        .collect()
}
