//! Penetration in the plane: the expanding polygon.

use clearance_math::{DVec2, PreciseVector, tolerances};

use super::polygon::{Edge, Polygon};
use super::{Depth, flat};
use crate::difference::Minkowski;
use crate::simplex::Simplex;
use crate::vertex::Vertex;

/// Grows a polygon inside the difference until its edge nearest the origin lies on the boundary:
/// the expanding polytope of van den Bergen (2001), one dimension down.
pub(super) fn expand<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    simplex: &Simplex<P>,
    gap: f64,
) -> Depth<P> {
    let support = |direction: DVec2| in_plane(&difference.support(from_plane(direction)));
    let thin = tolerances::FLAT_DIFFERENCE * difference.size() + difference.rounding();
    let known: arrayvec::ArrayVec<Vertex<DVec2>, 4> =
        simplex.vertices().iter().map(in_plane).collect();
    let depth = match triangle(&support, &known, thin) {
        Ok(corners) => grow(
            &support,
            Polygon::from_triangle(corners),
            (gap, difference.rounding()),
        ),
        Err(normal) => flat(&support, normal),
    };
    Depth {
        height: depth.height,
        lower: depth.lower,
        normal: from_plane(depth.normal),
        witnesses: depth.witnesses.map(|(a, b)| (from_plane(a), from_plane(b))),
    }
}

fn in_plane<P: PreciseVector>(vertex: &Vertex<P>) -> Vertex<DVec2> {
    Vertex {
        point: vertex.point.in_space().truncate(),
        on_a: vertex.on_a.in_space().truncate(),
        on_b: vertex.on_b.in_space().truncate(),
    }
}

fn from_plane<P: PreciseVector>(vector: DVec2) -> P {
    P::from_space(vector.extend(0.0))
}

/// A triangle of vertices of the difference not flatter than `thin`, or the direction across a
/// flat difference.
fn triangle(
    support: &impl Fn(DVec2) -> Vertex<DVec2>,
    known: &[Vertex<DVec2>],
    thin: f64,
) -> Result<[Vertex<DVec2>; 3], DVec2> {
    let first = known[0];
    let axes = [DVec2::X, -DVec2::X, DVec2::Y, -DVec2::Y];
    let ends = known.iter().copied().chain(axes.map(support));
    let second = farthest(ends, |v| (v.point - first.point).length());
    if !((second.point - first.point).length() > thin) {
        return Err(DVec2::X);
    }
    let across = (second.point - first.point).normalize().perp();
    let sides = known.iter().copied().chain([across, -across].map(support));
    let third = farthest(sides, |v| (v.point - first.point).dot(across).abs());
    if !((third.point - first.point).dot(across).abs() > thin) {
        return Err(across);
    }
    Ok([first, second, third])
}

fn farthest(
    vertices: impl Iterator<Item = Vertex<DVec2>>,
    measure: impl Fn(&Vertex<DVec2>) -> f64,
) -> Vertex<DVec2> {
    let mut best = Vertex::default();
    let mut most = f64::NEG_INFINITY;
    for vertex in vertices {
        let value = measure(&vertex);
        if value > most {
            (best, most) = (vertex, value);
        }
    }
    best
}

fn grow(
    support: &impl Fn(DVec2) -> Vertex<DVec2>,
    mut polygon: Polygon,
    (gap, rounding): (f64, f64),
) -> Depth<DVec2> {
    let mut best = Depth {
        height: f64::INFINITY,
        lower: 0.0,
        normal: DVec2::X,
        witnesses: None,
    };
    loop {
        let (index, edge) = polygon.nearest_edge();
        best.lower = best.lower.max(edge.distance - rounding);
        let vertex = support(edge.normal);
        let height = vertex.point.dot(edge.normal);
        if height < best.height {
            best.height = height;
            best.normal = edge.normal;
        }
        // The edge lies on the boundary, or so near below it that no other can be much nearer.
        let below = height - edge.distance;
        if below <= 2.0 * rounding || (below <= gap && best.height - best.lower <= gap) {
            if height - best.height <= gap {
                // The depth along the normal that the witness points lie on, if only a little more.
                best.height = height;
                best.normal = edge.normal;
                best.witnesses = foot(&edge);
            }
            return best;
        }
        if polygon.is_full() {
            return best;
        }
        if vertex.point == edge.start.point || vertex.point == edge.end.point {
            return best;
        }
        polygon.split(index, vertex);
    }
}

/// The witness points at the foot of the perpendicular from the origin to an edge that holds it.
fn foot(edge: &Edge) -> Option<(DVec2, DVec2)> {
    let along = edge.end.point - edge.start.point;
    let t = -edge.start.point.dot(along) / along.length_squared();
    let slack = tolerances::FOOT_SLACK;
    if !(-slack..=1.0 + slack).contains(&t) {
        return None;
    }
    // Held to the edge: outside of it the points would not lie on the shapes.
    let t = t.clamp(0.0, 1.0);
    let blend = |start: DVec2, end: DVec2| start * (1.0 - t) + end * t;
    Some((
        blend(edge.start.on_a, edge.end.on_a),
        blend(edge.start.on_b, edge.end.on_b),
    ))
}
