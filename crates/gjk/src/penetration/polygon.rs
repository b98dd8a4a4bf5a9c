//! The expanding polygon in the plane: a closed chain of edges inside the difference.

use arrayvec::ArrayVec;
use clearance_math::DVec2;

use crate::vertex::Vertex;

/// The most edges of a polygon.
const EDGE_LIMIT: usize = 128;

/// An edge to the next vertex, counter-clockwise about the inside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) start: Vertex<DVec2>,
    pub(super) end: Vertex<DVec2>,
    /// Unit normal, outward.
    pub(super) normal: DVec2,
    /// `normal . start`.
    pub(super) distance: f64,
}

/// A closed polygon, its edges in no order.
pub(super) struct Polygon {
    edges: ArrayVec<Edge, EDGE_LIMIT>,
}

impl Polygon {
    /// The boundary of a triangle, in either orientation.
    pub(super) fn from_triangle([a, b, c]: [Vertex<DVec2>; 3]) -> Self {
        let turn = (b.point - a.point).perp_dot(c.point - a.point);
        let (b, c) = if turn < 0.0 { (c, b) } else { (b, c) };
        let mut polygon = Self {
            edges: ArrayVec::new(),
        };
        for (start, end) in [(a, b), (b, c), (c, a)] {
            polygon.push(start, end);
        }
        polygon
    }

    pub(super) fn is_full(&self) -> bool {
        self.edges.is_full()
    }

    /// The edge whose line is nearest the origin, and its place.
    pub(super) fn nearest_edge(&self) -> (usize, Edge) {
        let mut nearest = 0;
        for (k, edge) in self.edges.iter().enumerate() {
            if edge.distance < self.edges[nearest].distance {
                nearest = k;
            }
        }
        (nearest, self.edges[nearest])
    }

    /// Replaces an edge by two over a vertex in front of it.
    pub(super) fn split(&mut self, index: usize, vertex: Vertex<DVec2>) {
        let edge = self.edges.swap_remove(index);
        self.push(edge.start, vertex);
        self.push(vertex, edge.end);
    }

    /// An edge of length zero has nothing in front of it and is left out: the chain stays closed.
    fn push(&mut self, start: Vertex<DVec2>, end: Vertex<DVec2>) {
        let along = end.point - start.point;
        let length = along.length();
        if length > 0.0 {
            let normal = DVec2::new(along.y, -along.x) / length;
            self.edges.push(Edge {
                start,
                end,
                normal,
                distance: normal.dot(start.point),
            });
        }
    }
}
