//! Penetration depth in 2D by an expanding polygon.

use clearance_math::{DVec2, PreciseVector, tolerances};

use super::corner_search::CornerSearch;
use super::polygon::{Edge, ExpandingPolygon};
use super::{Depth, Limits, flat};
use crate::search::{Expansion, Minkowski, Simplex, Vertex, record};

/// The depth by the expanding polytope algorithm of van den Bergen (2001), here in 2D.
///
/// A polygon inside the difference grows until its edge nearest to the origin lies on the boundary of
/// the difference. It starts from vertices of `simplex`, which is what GJK ended with.
pub(super) fn expand<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    simplex: &Simplex<P>,
    limits: Limits,
    steps: &mut Option<Vec<Expansion<P>>>,
) -> Depth<P> {
    let support = |direction: DVec2| in_plane(&difference.support(from_plane(direction)));
    let thin = tolerances::FLAT_DIFFERENCE * difference.size() + difference.rounding();
    let known: arrayvec::ArrayVec<Vertex<DVec2>, 4> =
        simplex.vertices().iter().map(in_plane).collect();
    let depth = match triangle(&support, &known, thin) {
        Ok(corners) => grow(
            &support,
            ExpandingPolygon::from_triangle(corners),
            limits,
            steps,
        ),
        Err(normal) => flat(&support, normal),
    };
    depth.map(from_plane)
}

fn in_plane<P: PreciseVector>(vertex: &Vertex<P>) -> Vertex<DVec2> {
    vertex.map(|vector| vector.in_space().truncate())
}

fn from_plane<P: PreciseVector>(vector: DVec2) -> P {
    P::from_space(vector.extend(0.0))
}

/// A triangle whose corners are vertices of the difference.
///
/// If the difference is not thicker than `thin`, so that it counts as flat, the error is the direction
/// perpendicular to it.
fn triangle(
    support: &dyn Fn(DVec2) -> Vertex<DVec2>,
    known: &[Vertex<DVec2>],
    thin: f64,
) -> Result<[Vertex<DVec2>; 3], DVec2> {
    let first = known[0];
    let corners = CornerSearch {
        support,
        known,
        enough: f64::INFINITY,
        thin,
    };
    let from_first = |v: &Vertex<DVec2>| (v.point - first.point).length();
    let Some(second) = corners.farthest(&[DVec2::X, DVec2::Y], &from_first) else {
        return Err(DVec2::X);
    };
    let across = (second.point - first.point).normalize().perp();
    let from_line = |v: &Vertex<DVec2>| (v.point - first.point).dot(across).abs();
    match corners.farthest(&[across], &from_line) {
        Some(third) => Ok([first, second, third]),
        None => Err(across),
    }
}

/// Adds support points to the polygon until its nearest edge lies on the boundary of the difference,
/// or until there is no room for more.
fn grow<P: PreciseVector>(
    support: &impl Fn(DVec2) -> Vertex<DVec2>,
    mut polygon: ExpandingPolygon,
    Limits { gap, rounding, .. }: Limits,
    steps: &mut Option<Vec<Expansion<P>>>,
) -> Depth<DVec2> {
    let mut best = Depth::along(DVec2::X, [0.0, f64::INFINITY]);
    loop {
        let (index, edge) = polygon.nearest_edge();
        best.lower = best.lower.max(edge.distance - rounding);
        let vertex = support(edge.normal);
        let height = vertex.point.dot(edge.normal);
        if height < best.height {
            best.height = height;
            best.normal = edge.normal;
        }
        record(steps, || {
            let [lower, upper] = best.bounds(rounding);
            Expansion {
                vertices: polygon.vertices().map(|v| v.map(from_plane)).collect(),
                corners: polygon.corners(),
                nearest: index,
                point: from_plane(edge.normal * edge.distance),
                normal: from_plane(edge.normal),
                support: vertex.map(from_plane),
                lower,
                upper,
            }
        });
        // The edge lies on the boundary of the difference, or so close to it that no other edge can
        // be much nearer to the origin.
        let below = height - edge.distance;
        if below <= 2.0 * rounding || (below <= gap && best.height - best.lower <= gap) {
            if height - best.height <= gap {
                // The witness points belong to this edge, so its normal and depth are used, even if
                // another normal was slightly better.
                best.height = height;
                best.normal = edge.normal;
                best.witnesses = witness_points(&edge);
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

/// The witness points of an edge: those whose difference is the point of its line nearest to the
/// origin. `None` if that point lies outside of the edge.
fn witness_points(edge: &Edge) -> Option<(DVec2, DVec2)> {
    let along = edge.end.point - edge.start.point;
    let t = -edge.start.point.dot(along) / along.length_squared();
    let slack = tolerances::FOOT_SLACK;
    if !(-slack..=1.0 + slack).contains(&t) {
        return None;
    }
    // A point slightly outside of the edge is moved to its end, so that the witness points lie on the
    // shapes.
    let t = t.clamp(0.0, 1.0);
    let blend = |start: DVec2, end: DVec2| start * (1.0 - t) + end * t;
    Some((
        blend(edge.start.on_a, edge.end.on_a),
        blend(edge.start.on_b, edge.end.on_b),
    ))
}
