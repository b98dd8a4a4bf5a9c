//! The expanding polygon in 2D: a closed chain of edges inside the Minkowski difference.

use arrayvec::ArrayVec;
use clearance_math::DVec2;

use crate::search::Vertex;

/// The most edges of a polygon.
const EDGE_LIMIT: usize = 128;

/// An edge from one vertex to the next, counter-clockwise around the polygon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) start: Vertex<DVec2>,
    pub(super) end: Vertex<DVec2>,
    /// The unit normal, which points outwards.
    pub(super) normal: DVec2,
    /// The distance of the edge's line from the origin, negative if the origin is in front of it.
    pub(super) distance: f64,
}

/// A closed polygon. Its edges are stored in no particular order.
pub(super) struct ExpandingPolygon {
    edges: ArrayVec<Edge, EDGE_LIMIT>,
}

impl ExpandingPolygon {
    /// The boundary of a triangle, whose corners may have either orientation.
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

    /// The edge whose line is nearest to the origin, and its index.
    pub(super) fn nearest_edge(&self) -> (usize, Edge) {
        let mut nearest = 0;
        for (k, edge) in self.edges.iter().enumerate() {
            if edge.distance < self.edges[nearest].distance {
                nearest = k;
            }
        }
        (nearest, self.edges[nearest])
    }

    /// Replaces the edge `index` by two edges, to and from a vertex in front of it.
    pub(super) fn split(&mut self, index: usize, vertex: Vertex<DVec2>) {
        let edge = self.edges.swap_remove(index);
        self.push(edge.start, vertex);
        self.push(vertex, edge.end);
    }

    /// The vertices: those at which the edges start, in the order of the edges.
    pub(super) fn vertices(&self) -> impl Iterator<Item = Vertex<DVec2>> {
        self.edges.iter().map(|edge| edge.start)
    }

    /// For each edge the indices of the vertices at which it starts and ends.
    pub(super) fn corners(&self) -> Vec<u32> {
        let starts_at = |point: DVec2| self.edges.iter().position(|edge| edge.start.point == point);
        let corners = self.edges.iter().enumerate().map(|(index, edge)| {
            let next = starts_at(edge.end.point).unwrap_or(index);
            [index as u32, next as u32]
        });
        corners.flatten().collect()
    }

    /// Adds an edge, but not one of length zero: the polygon is closed without it.
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
