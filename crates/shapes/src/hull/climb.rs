//! The farthest vertex by walking uphill from a vertex that is already close.
//!
//! A polyhedron is convex, so a vertex no neighbour of which lies farther is the farthest.
//!
//! Source: G. van den Bergen, "A Fast and Robust GJK Implementation for Collision Detection of
//! Convex Objects", 1999.

use clearance_math::{PreciseVector, Vector};

use super::lists::Lists;
use super::scan::Scan;

/// The share of vertices that a walk may look at before looking at all is the better choice.
///
/// Walks are short except around rims, such as the ends of a cylinder, where no start is near enough.
const BUDGET_SHARE: usize = 2;

/// What a walk needs to know of a hull.
pub(super) struct Uphill<'a, V> {
    pub(super) vertices: &'a [V],
    pub(super) neighbours: &'a Lists,
    pub(super) scan: &'a Scan,
}

impl<V: Vector> Uphill<'_, V> {
    /// A vertex with the greatest scalar product up to rounding, from vertex `start`.
    #[inline]
    pub(super) fn farthest(&self, direction: V::Precise, start: u32) -> u32 {
        let position = |vertex: u32| self.vertices[vertex as usize].to_precise();
        let mut budget = self.vertices.len() / BUDGET_SHARE;
        let mut here = start;
        loop {
            let around = self.neighbours.get(here as usize);
            if around.len() > budget {
                return self.scan.farthest(direction);
            }
            budget -= around.len();
            let (from, mut next, mut most) = (position(here), here, 0.0);
            for &neighbour in around {
                // The rise of the edge, not the difference of two products: along an edge of
                // length 1e-7 that would be rounding, and the walk might end halfway.
                let rise = (position(neighbour) - from).dot(direction);
                if rise > most {
                    (next, most) = (neighbour, rise);
                }
            }
            if next == here {
                return here;
            }
            here = next;
        }
    }
}
