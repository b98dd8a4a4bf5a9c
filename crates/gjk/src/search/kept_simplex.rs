//! The simplex with which a search ended, for the next search of the same two shapes at other poses.

use clearance_math::{PreciseVector, RelativePose};

use super::vertex::Vertex;

/// The greatest number of vertices that span a nearest point other than the origin.
const MOST: usize = 3;

/// Up to three pairs of a point of a, in a's frame, and a point of b, in b's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptSimplex<P> {
    on_a: [P; MOST],
    on_b: [P; MOST],
    count: usize,
}

/// The vertices of a simplex that was kept, at the poses of a search.
pub(crate) struct PlacedSimplex<P> {
    vertices: [Vertex<P>; MOST],
    count: usize,
}

impl<P> PlacedSimplex<P> {
    #[inline(always)]
    pub(crate) fn vertices(&self) -> &[Vertex<P>] {
        &self.vertices[..self.count]
    }
}

impl<P: PreciseVector> KeptSimplex<P> {
    /// No vertex yet.
    pub(crate) fn none() -> Self {
        Self {
            on_a: [P::ZERO; MOST],
            on_b: [P::ZERO; MOST],
            count: 0,
        }
    }

    #[inline(always)]
    pub(crate) fn placed(&self, b_in_a: &RelativePose<P>) -> PlacedSimplex<P> {
        let mut vertices = [Vertex::default(); MOST];
        for ((vertex, on_a), on_b) in vertices.iter_mut().zip(&self.on_a).zip(&self.on_b) {
            *vertex = Vertex::between(*on_a, b_in_a.transform_point(*on_b));
        }
        PlacedSimplex {
            vertices,
            count: self.count,
        }
    }

    /// Keeps the vertices with which a search ended that began with `placed`.
    ///
    /// A vertex that is still there stays as it is, so that it is not rounded anew in each search.
    #[inline(always)]
    pub(crate) fn keep(
        &mut self,
        vertices: &[Vertex<P>],
        placed: &PlacedSimplex<P>,
        b_in_a: &RelativePose<P>,
    ) {
        let old = *self;
        self.count = vertices.len().min(MOST);
        for (k, vertex) in vertices.iter().enumerate().take(MOST) {
            self.on_a[k] = vertex.on_a;
            let same =
                |before: &Vertex<P>| before.on_a == vertex.on_a && before.on_b == vertex.on_b;
            self.on_b[k] = match placed.vertices().iter().position(same) {
                Some(place) => old.on_b[place],
                None => b_in_a.inverse_transform_point(vertex.on_b),
            };
        }
    }
}

#[cfg(test)]
mod tests;
