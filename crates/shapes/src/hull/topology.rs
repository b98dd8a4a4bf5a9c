//! What the algorithms of the plane and of space hand over.

use super::lists::Lists;

/// The combinatorial part of a hull.
pub(super) struct Outline {
    /// The affine dimension, 0 for a point.
    pub(super) dimension: usize,
    /// The positions of the vertices among the points.
    pub(super) vertices: Vec<u32>,
    /// For each face its vertices by their position in `vertices`, counter-clockwise seen from
    /// outside.
    pub(super) loops: Lists,
}

impl Outline {
    /// A hull of less than two dimensions without faces.
    pub(super) fn without_faces(vertices: Vec<u32>) -> Self {
        Self {
            dimension: vertices.len() - 1,
            vertices,
            loops: Lists::new(),
        }
    }
}
