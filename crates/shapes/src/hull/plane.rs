//! Convex hulls in 2D by the monotone chain algorithm.
//!
//! Source: A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions", 1979.

use clearance_math::DVec2;

use super::index_lists::IndexLists;
use super::predicates::orientation;
use super::topology::Topology;

/// The convex hull of `points`, which must be distinct and sorted by x, then y; O(n).
///
/// The vertices are in counter-clockwise order, starting with the first point. Each edge is a face. A
/// segment has two faces, one for each side, and a point has none.
pub(super) fn convex_hull(points: &[DVec2]) -> Topology {
    let vertices = polygon(points);
    let count = vertices.len() as u32;
    let mut loops = IndexLists::new();
    if count > 1 {
        for vertex in 0..count {
            loops.push([vertex, (vertex + 1) % count]);
        }
    }
    Topology {
        dimension: vertices.len().min(3) - 1,
        vertices,
        loops,
    }
}

/// The indices of the vertices of the convex hull, in counter-clockwise order from the first point.
///
/// `points` must be distinct and sorted by x, then y. If they are collinear, the vertices are the two
/// ends.
pub(super) fn polygon(points: &[DVec2]) -> Vec<u32> {
    if points.len() == 1 {
        return vec![0];
    }
    let ascending = 0..points.len() as u32;
    let mut lower = chain(points, ascending.clone());
    let mut upper = chain(points, ascending.rev());
    // Each chain ends with the point with which the other one starts.
    lower.pop();
    upper.pop();
    lower.append(&mut upper);
    lower
}

/// One of the two chains of the hull: visits the points in the given order, and keeps those at which the
/// path from point to point turns counter-clockwise.
fn chain(points: &[DVec2], order: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut chain = Vec::new();
    for next in order {
        while let [.., a, b] = chain[..]
            && orientation(
                points[a as usize],
                points[b as usize],
                points[next as usize],
            ) <= 0.0
        {
            chain.pop();
        }
        chain.push(next);
    }
    chain
}
