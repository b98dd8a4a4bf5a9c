//! From triangles to facets: joins triangles of one plane and drops points that are no corners.

use core::iter::successors;

use clearance_math::DVec3;

use super::exact::height;
use super::insertion::Triangle;
use super::lists::Lists;
use super::outline::Outline;

/// The facet of a triangle that has none yet.
const NONE: u32 = u32::MAX;

/// The polyhedron that `triangles` bound, with the triangles of each plane as one face; O(n).
pub(super) fn merged(points: &[DVec3], triangles: &[Triangle]) -> Outline {
    let facets = facets(points, triangles);
    let mut borders: Vec<(u32, [u32; 2])> = Vec::new();
    let mut corners = vec![0_u32; points.len()];
    for (triangle, &facet) in triangles.iter().zip(&facets) {
        for k in 0..3 {
            if facets[triangle.neighbours[k] as usize] != facet {
                let edge = [triangle.vertices[k], triangle.vertices[(k + 1) % 3]];
                borders.push((facet, edge));
                corners[edge[0] as usize] += 1;
            }
        }
    }
    // Facets are convex, so each has at most one corner at a point. A point inside a facet meets
    // one facet, a point inside an edge two; three planes or more make it a vertex.
    let vertices: Vec<u32> = (0..points.len() as u32)
        .filter(|&point| corners[point as usize] >= 3)
        .collect();
    let mut renumbered = vec![NONE; points.len()];
    for (new, &old) in (0..).zip(&vertices) {
        renumbered[old as usize] = new;
    }
    Outline {
        dimension: 3,
        vertices,
        loops: loops(borders, &renumbered),
    }
}

/// The facet that each triangle belongs to, counted from 0.
fn facets(points: &[DVec3], triangles: &[Triangle]) -> Vec<u32> {
    let mut facets = vec![NONE; triangles.len()];
    let mut count = 0;
    for seed in 0..triangles.len() {
        if facets[seed] != NONE {
            continue;
        }
        facets[seed] = count;
        let plane = triangles[seed]
            .vertices
            .map(|vertex| points[vertex as usize]);
        let mut stack = vec![seed];
        while let Some(inside) = stack.pop() {
            for next in triangles[inside].neighbours.map(|next| next as usize) {
                let level = |&vertex: &u32| height(plane, points[vertex as usize]) == 0.0;
                if facets[next] == NONE && triangles[next].vertices.iter().all(level) {
                    facets[next] = count;
                    stack.push(next);
                }
            }
        }
        count += 1;
    }
    facets
}

/// The loop of each facet from its directed border edges, with vertices in new numbers; points
/// without a new number are skipped.
///
/// Each loop starts at its least vertex, and the loops ascend, so that neither depends on the
/// points inside that the construction came across.
fn loops(mut borders: Vec<(u32, [u32; 2])>, renumbered: &[u32]) -> Lists {
    borders.sort_unstable();
    let mut next = vec![0; renumbered.len()];
    let mut found: Vec<Vec<u32>> = Vec::new();
    for border in borders.chunk_by(|a, b| a.0 == b.0) {
        for &(_, [from, to]) in border {
            next[from as usize] = to;
        }
        // The edges are sorted, so this is the first that starts at a vertex.
        let start = border
            .iter()
            .map(|&(_, [from, _])| from)
            .find(|&from| renumbered[from as usize] != NONE);
        let around = successors(start, |&here| {
            let following = next[here as usize];
            (Some(following) != start).then_some(following)
        });
        let vertices = around.map(|point| renumbered[point as usize]);
        found.push(vertices.filter(|&vertex| vertex != NONE).collect());
    }
    found.sort_unstable();
    let mut loops = Lists::new();
    for list in found {
        loops.push(list);
    }
    loops
}
