//! Convex hulls in the plane.
//!
//! Source: A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions", 1979.

use clearance_math::DVec2;

use super::exact::turn;
use super::lists::Lists;
use super::outline::Outline;

/// The hull of `points`, which are distinct and sorted by x, then y; O(n).
///
/// Vertices run counter-clockwise from the first point. Each edge is a face; a segment has one for
/// each side, a point none.
pub(super) fn outline(points: &[DVec2]) -> Outline {
    let vertices = polygon(points);
    let count = vertices.len() as u32;
    let mut loops = Lists::new();
    if count > 1 {
        for vertex in 0..count {
            loops.push([vertex, (vertex + 1) % count]);
        }
    }
    Outline {
        dimension: vertices.len().min(3) - 1,
        vertices,
        loops,
    }
}

/// The positions of the extreme points, counter-clockwise from the first point.
///
/// `points` are distinct and sorted by x, then y; collinear ones give their two ends.
pub(super) fn polygon(points: &[DVec2]) -> Vec<u32> {
    if points.len() == 1 {
        return vec![0];
    }
    let forth = 0..points.len() as u32;
    let mut lower = chain(points, forth.clone());
    let mut upper = chain(points, forth.rev());
    // Each chain ends where the other starts.
    lower.pop();
    upper.pop();
    lower.append(&mut upper);
    lower
}

/// The points of `order` without those that a path turning only counter-clockwise leaves inside or
/// passes straight through.
fn chain(points: &[DVec2], order: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut chain = Vec::new();
    for next in order {
        while let [.., a, b] = chain[..]
            && turn(
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
