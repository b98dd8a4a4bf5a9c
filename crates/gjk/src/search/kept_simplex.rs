//! The simplex with which a search ended, for the next search of the same two shapes at other poses.

use arrayvec::ArrayVec;
use clearance_math::{PreciseVector, RelativePose};

use super::vertex::Vertex;

/// The greatest number of vertices that span a nearest point other than the origin.
const MOST: usize = 3;

/// Up to three pairs of a point of a, in a's frame, and a point of b, in b's frame.
#[derive(Debug)]
pub(crate) struct KeptSimplex<P>(ArrayVec<[P; 2], MOST>);

impl<P: PreciseVector> KeptSimplex<P> {
    /// No vertex yet.
    pub(crate) fn none() -> Self {
        Self(ArrayVec::new())
    }

    /// The vertices at the poses of a search.
    #[inline(always)]
    pub(crate) fn placed(&self, b_in_a: &RelativePose<P>) -> ArrayVec<Vertex<P>, MOST> {
        let mut vertices = ArrayVec::new();
        for &[on_a, on_b] in &self.0 {
            vertices.push(Vertex::between(on_a, b_in_a.transform_point(on_b)));
        }
        vertices
    }

    /// Keeps the vertices with which a search ended that began with `placed`.
    ///
    /// A vertex that is still there stays as it is, so that it is not rounded anew in each search.
    #[inline(always)]
    pub(crate) fn keep(
        &mut self,
        vertices: &[Vertex<P>],
        placed: &[Vertex<P>],
        b_in_a: &RelativePose<P>,
    ) {
        let mut kept = ArrayVec::new();
        for vertex in vertices.iter().take(MOST) {
            let on_b = match placed.iter().position(|before| before.is_same(vertex)) {
                Some(place) => self.0[place][1],
                None => b_in_a.inverse_transform_point(vertex.on_b),
            };
            kept.push([vertex.on_a, on_b]);
        }
        self.0 = kept;
    }
}

#[cfg(test)]
mod tests;
