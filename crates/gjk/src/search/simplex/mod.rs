//! The GJK simplex and its point nearest to the origin, computed with care for thin and flat
//! simplices.
//!
//! A search uses the faster solver in `simplex_in_lanes` and falls back to this one where that
//! one is not certain.

mod nearest;
mod region;

use clearance_math::PreciseVector;
use clearance_math::internal::MapEach;

pub use self::nearest::Nearest;
pub(crate) use self::nearest::{
    nearest_of_corners, tetrahedron_surely_holds_origin, weights_inside,
};
use self::nearest::{
    nearest_of_segment, nearest_of_tetrahedron, nearest_of_triangle, nearest_of_vertices,
    nearest_to_newest,
};
pub use self::region::Region;
use crate::search::Vertex;

/// A simplex of up to four vertices of the difference (three in 2D), with the barycentric weights
/// of the point of their hull that is nearest to the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simplex<P> {
    vertices: [Vertex<P>; 4],
    weights: [f64; 4],
    len: usize,
}

impl<P: PreciseVector> Simplex<P> {
    /// The simplex of one vertex.
    #[must_use]
    pub fn from_vertex(vertex: Vertex<P>) -> Self {
        let mut vertices = [Vertex::default(); 4];
        vertices[0] = vertex;
        Self {
            vertices,
            weights: [1.0, 0.0, 0.0, 0.0],
            len: 1,
        }
    }

    /// The simplex of one to three vertices, reduced to those that span the nearest point.
    pub(crate) fn nearest_of(vertices: &[Vertex<P>]) -> Self {
        let mut simplex = Self::from_vertex(vertices[0]);
        simplex.vertices[..vertices.len()].copy_from_slice(vertices);
        simplex.len = vertices.len() - 1;
        let nearest = nearest_of_vertices(vertices);
        simplex.keep(&nearest, &vertices[vertices.len() - 1]);
        simplex
    }

    /// A full simplex, which contains the origin. The newest vertex is the last.
    pub(crate) fn full(others: &[Vertex<P>], newest: &Vertex<P>) -> Self {
        let third = others.get(2).unwrap_or(newest);
        let vertices = [others[0], others[1], *third, *newest];
        let weights = if const { P::DIM == 2 } {
            let corners = [0, 1, 2].map_each(|k: usize| vertices[k].point);
            nearest_of_triangle(corners, [0, 1, 2]).weights
        } else {
            [0.25; 4]
        };
        Self {
            vertices,
            weights,
            len: P::DIM + 1,
        }
    }

    /// The vertices.
    #[inline]
    #[must_use]
    pub fn vertices(&self) -> &[Vertex<P>] {
        &self.vertices[..self.len]
    }

    /// The barycentric weights of the nearest point, one for each vertex; they sum to one.
    ///
    /// A full simplex in 3D contains the origin; its weights are all equal and stand for its
    /// centre.
    #[must_use]
    pub fn weights(&self) -> &[f64] {
        &self.weights[..self.len]
    }

    /// Whether the simplex has the greatest number of vertices. It then contains the origin, up to
    /// rounding if it is thin.
    #[inline]
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.len == P::DIM + 1
    }

    /// Whether the simplex is full and contains the origin even if every coordinate of a vertex is
    /// wrong by `rounding`.
    #[must_use]
    pub(crate) fn surely_holds_origin(&self, rounding: f64) -> bool {
        let p = self
            .vertices
            .each_ref()
            .map_each(|vertex| vertex.point.in_space());
        if const { P::DIM == 2 } {
            let spread = (p[1] - p[0]).cross(p[2] - p[0]).z;
            return self.is_full()
                && [[0, 1], [1, 2], [2, 0]].iter().all(|&[a, b]| {
                    let slack = 2.0 * rounding * (p[a].length() + p[b].length());
                    p[a].cross(p[b]).z * spread.signum() > slack
                });
        }
        self.is_full() && tetrahedron_surely_holds_origin(p, rounding)
    }

    /// Whether the simplex has a vertex with the same two witness points.
    #[inline]
    #[must_use]
    pub fn contains(&self, vertex: &Vertex<P>) -> bool {
        self.vertices().iter().any(|own| own.is_same(vertex))
    }

    /// The witness points: the points of a and b whose difference is the nearest point, both in a's
    /// frame.
    #[must_use]
    pub fn witness_points(&self) -> (P, P) {
        weighted(self.vertices(), self.weights)
    }

    /// The witness points of the point of a full simplex's surface that is nearest to the origin.
    pub(crate) fn witness_points_on_surface(&self) -> (P, P) {
        const EDGES: [[usize; 2]; 3] = [[0, 1], [1, 2], [2, 0]];
        const FACES: [[usize; 3]; 4] = [[0, 1, 2], [1, 2, 3], [2, 3, 0], [3, 0, 1]];
        let points = self.vertices.map_each(|vertex| vertex.point);
        let of_edge = |edge: [usize; 2]| nearest_of_segment(edge.map_each(|k| points[k]), edge);
        let of_face = |face: [usize; 3]| nearest_of_triangle(face.map_each(|k| points[k]), face);
        let nearest = if const { P::DIM == 2 } {
            EDGES.map_each(of_edge).into_iter().reduce(Nearest::nearer)
        } else {
            FACES.map_each(of_face).into_iter().reduce(Nearest::nearer)
        };
        let nearest = nearest.expect("a simplex has sides");
        weighted(self.vertices(), nearest.weights)
    }

    /// The point nearest to the origin of the simplex with `vertex` added. It does not change the
    /// simplex.
    #[inline]
    #[must_use]
    pub fn with(&self, vertex: &Vertex<P>) -> Nearest<P> {
        debug_assert!(self.len <= P::DIM);
        let [a, b, c] = [0, 1, 2].map_each(|place: usize| self.vertices[place].point);
        let newest = vertex.point;
        match self.len {
            1 => nearest_of_segment([a, newest], [0, 1]),
            2 => nearest_to_newest([a, b, newest], [a - newest, b - newest], [0, 1, 2]),
            _ => nearest_of_tetrahedron([a, b, c, newest]),
        }
    }

    /// Adds `vertex` and keeps those vertices that span `nearest`, which must be the result of
    /// [`Simplex::with`] for `vertex`.
    #[inline]
    pub fn keep(&mut self, nearest: &Nearest<P>, vertex: &Vertex<P>) {
        let newest = self.len;
        self.len = 0;
        for from in (0..=newest).filter(|from| nearest.carriers >> from & 1 == 1) {
            self.weights[self.len] = nearest.weights[from];
            self.vertices[self.len] = if from == newest {
                *vertex
            } else {
                self.vertices[from]
            };
            self.len += 1;
        }
    }
}

/// The witness points of the nearest point of the hull of one to three vertices.
#[inline]
pub(crate) fn witness_points_of<P: PreciseVector>(vertices: &[Vertex<P>]) -> (P, P) {
    let inside = match vertices {
        [a, b, c] => weights_inside([a.point, b.point, c.point]),
        _ => None,
    };
    let weights = inside.unwrap_or_else(|| nearest_of_vertices(vertices).weights);
    weighted(vertices, weights)
}

#[inline]
fn weighted<P: PreciseVector>(vertices: &[Vertex<P>], weights: [f64; 4]) -> (P, P) {
    let mut on_a = P::ZERO;
    let mut on_b = P::ZERO;
    for (vertex, weight) in vertices.iter().zip(weights) {
        on_a += vertex.on_a * weight;
        on_b += vertex.on_b * weight;
    }
    (on_a, on_b)
}

impl<P: PreciseVector> Simplex<P> {
    /// The feature that carries the nearest point, which is spanned by all vertices of the simplex: a
    /// search keeps no others.
    ///
    /// Source: Ericson, "Real-Time Collision Detection" (2005), section 5.1.5, decides it by Voronoi
    /// regions, as this crate does.
    #[must_use]
    pub fn region(&self) -> Region {
        match self.vertices().len() {
            1 => Region::Vertex,
            2 => Region::Edge,
            count if count <= P::DIM => Region::Face,
            _ => Region::Interior,
        }
    }
}
