//! Merges coplanar triangles of a hull into polygonal facets, and removes the points that are no
//! vertices of facets then.

use core::iter::successors;

use clearance_math::DVec3;
use clearance_math::internal::MapEach;

use super::incremental::HullTriangle;
use super::index_lists::IndexLists;
use super::predicates::height;
use super::topology::Topology;

/// Instead of an index: a triangle without a facet, or a point that is no vertex.
const NONE: u32 = u32::MAX;

/// An edge between a facet and another one: the facet, and the points where the edge starts and ends, counter-clockwise
/// around it. Three numbers, as the sides in `faces.rs`, so that one sort serves both.
type BorderEdge = [u32; 3];

/// The polyhedron bounded by `triangles`, with all triangles of a plane merged into one face; O(n).
pub(super) fn merge_coplanar(points: &[DVec3], triangles: &[HullTriangle]) -> Topology {
    let facets = facets(points, triangles);
    let mut borders: Vec<BorderEdge> = Vec::new();
    let mut corners = vec![0_u32; points.len()];
    for (triangle, &facet) in triangles.iter().zip(&facets) {
        for k in 0..3 {
            if facets[triangle.neighbours[k] as usize] != facet {
                let [from, to] = [triangle.vertices[k], triangle.vertices[(k + 1) % 3]];
                borders.push([facet, from, to]);
                corners[from as usize] += 1;
            }
        }
    }
    // Facets are convex, so each has at most one corner at a point. A point inside of an edge is a
    // corner of at most two facets, and a point inside of a facet of none. Vertices are the points
    // where three or more facets meet.
    let vertices: Vec<u32> = (0..points.len() as u32)
        .filter(|&point| corners[point as usize] >= 3)
        .collect();
    let mut renumbered = vec![NONE; points.len()];
    for (new, &old) in (0..).zip(&vertices) {
        renumbered[old as usize] = new;
    }
    Topology {
        dimension: 3,
        vertices,
        loops: loops(borders, &renumbered),
    }
}

/// For each triangle, the index of its facet: flood fills triangles across edges while they are in the
/// plane of the first one.
fn facets(points: &[DVec3], triangles: &[HullTriangle]) -> Vec<u32> {
    let mut facets = vec![NONE; triangles.len()];
    let mut count = 0;
    for seed in 0..triangles.len() {
        if facets[seed] != NONE {
            continue;
        }
        facets[seed] = count;
        let plane = triangles[seed]
            .vertices
            .map_each(|vertex| points[vertex as usize]);
        let mut stack = vec![seed];
        while let Some(inside) = stack.pop() {
            let own = triangles[inside].vertices;
            for next in triangles[inside].neighbours.map_each(|next| next as usize) {
                // The corners that both share are in the plane.
                let is_in_plane = |&vertex: &u32| {
                    own.contains(&vertex) || height(plane, points[vertex as usize]) == 0.0
                };
                if facets[next] == NONE && triangles[next].vertices.iter().all(is_in_plane) {
                    facets[next] = count;
                    stack.push(next);
                }
            }
        }
        count += 1;
    }
    facets
}

/// Chains the border edges of each facet into its loop of vertices. `renumbered` maps points to vertices;
/// points that are no vertices are left out.
///
/// Each loop starts with its lowest vertex index, and the loops are sorted. So the result does not
/// depend on the order in which the points were inserted.
fn loops(mut borders: Vec<BorderEdge>, renumbered: &[u32]) -> IndexLists {
    borders.sort_unstable();
    let mut next = vec![0; renumbered.len()];
    let mut found = IndexLists::new();
    for border in borders.chunk_by(|[a, ..], [b, ..]| a == b) {
        for &[_, from, to] in border {
            next[from as usize] = to;
        }
        // The edges are sorted, so this finds the lowest vertex.
        let start = border
            .iter()
            .map(|&[_, from, _]| from)
            .find(|&from| renumbered[from as usize] != NONE);
        let around = successors(start, |&here| {
            let following = next[here as usize];
            (Some(following) != start).then_some(following)
        });
        let vertices = around.map(|point| renumbered[point as usize]);
        found.push(vertices.filter(|&vertex| vertex != NONE));
    }
    // An edge in one direction is in one loop only, so the first edge decides.
    let mut order: Vec<[u32; 3]> = found
        .iter()
        .zip(0..)
        .map(|(list, place)| [list[0], list[1], place])
        .collect();
    order.sort_unstable();
    let mut loops = IndexLists::new();
    for [_, _, place] in order {
        loops.push(found.get(place as usize).iter().copied());
    }
    loops
}
