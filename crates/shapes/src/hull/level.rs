//! Faces of hulls in space that have no other vertex nearly in their plane.

use clearance_math::{DVec3, PreciseVector, Vector, tolerances};

use super::Hull;

/// How many times farther than the slack of a contact a vertex must lie below a face so that the face is alone.
const CLEAR: f64 = 4.0;

/// Faces with more vertices are not looked at.
const MOST_VERTICES: usize = 16;

impl<V: Vector> Hull<V> {
    /// Whether it is certain that no vertex which shares an edge with one of this face lies in its plane, up to
    /// [`MANIFOLD_SLACK`](tolerances::MANIFOLD_SLACK) of the size of the hull. Contacts need not look for such vertices
    /// then. It is never certain in 2D.
    #[inline]
    #[must_use]
    pub fn is_face_alone(&self, face: usize) -> bool {
        self.alone.get(face).copied().unwrap_or(false)
    }

    /// Which faces are alone. Everything else must be known.
    pub(super) fn faces_alone(&self) -> Vec<bool> {
        if const { V::DIM == 2 } || self.dimension < 3 {
            return Vec::new();
        }
        let points = self
            .vertices
            .iter()
            .map(|vertex| vertex.to_precise().in_space());
        let (low, high) = points.fold(
            (DVec3::INFINITY, DVec3::NEG_INFINITY),
            |(low, high), point| (low.min(point), high.max(point)),
        );
        let slack = CLEAR * tolerances::MANIFOLD_SLACK * (high - low).length();
        (0..self.loops.len())
            .map(|face| self.is_alone(face, slack))
            .collect()
    }

    fn is_alone(&self, face: usize, slack: f64) -> bool {
        let (normal, list) = (self.normals[face], self.loops.get(face));
        let least = self.offsets[face] - slack;
        let is_below = |vertex: u32| {
            let height = self.vertices[vertex as usize].to_precise().dot(normal);
            list.contains(&vertex) || height < least
        };
        let mut beside = list.iter().flat_map(|&vertex| self.neighbours(vertex));
        list.len() <= MOST_VERTICES && beside.all(|&vertex| is_below(vertex))
    }
}
