//! The result of the hull algorithms for 2D and 3D.

use super::index_lists::IndexLists;

/// Vertices and faces of a hull as indices, without any coordinates.
pub(super) struct Topology {
    /// The dimension of the hull itself: 0 for a point, 1 for a segment, 2 for a polygon, 3 for a
    /// polyhedron.
    pub(super) dimension: usize,
    /// For each vertex, its index among the points.
    pub(super) vertices: Vec<u32>,
    /// For each face, its vertices as indices into `vertices`, counter-clockwise seen from outside.
    pub(super) loops: IndexLists,
}

impl Topology {
    /// A point or a segment in 3D, which has no faces.
    pub(super) fn without_faces(vertices: Vec<u32>) -> Self {
        Self {
            dimension: vertices.len() - 1,
            vertices,
            loops: IndexLists::new(),
        }
    }
}
