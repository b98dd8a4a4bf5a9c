//! Polylines: chains of segments.

use clearance_math::Vector;
use clearance_math::internal::MapEach;
use clearance_tree::Tree;

use super::nodes::tree;
use super::vertices::{List, around, check_indices, check_vertices};
use crate::ShapeError;

/// Segments that share vertices, such as the outline of a level in 2D. It has no inside.
///
/// Part i is segment i. A segment of length zero is a point, and stays a part.
pub struct Polyline<V: Vector> {
    vertices: Vec<V>,
    pub(super) segments: Vec<[u32; 2]>,
    tree: Tree<V>,
}

/// The tree follows from the rest.
impl<V: Vector> PartialEq for Polyline<V> {
    fn eq(&self, other: &Self) -> bool {
        self.vertices == other.vertices && self.segments == other.segments
    }
}

impl<V: Vector> Polyline<V> {
    pub(super) fn new(vertices: Vec<V>, segments: Vec<[u32; 2]>) -> Result<Self, ShapeError> {
        check_indices(List::SEGMENTS, &segments, vertices.len())?;
        check_vertices(List::SEGMENTS, &segments, &vertices)?;
        let ends = |segment: &[u32; 2]| segment.map_each(|index| vertices[index as usize]);
        let boxes = segments.iter().map(|segment| around(&ends(segment)));
        let tree = tree(List::SEGMENTS, (0..).zip(boxes))?;
        Ok(Self {
            vertices,
            segments,
            tree,
        })
    }

    /// The vertices, in the frame of the body.
    #[must_use]
    pub fn vertices(&self) -> &[V] {
        &self.vertices
    }

    /// The segments: two indices of vertices each.
    #[must_use]
    pub fn segments(&self) -> &[[u32; 2]] {
        &self.segments
    }

    /// The ends of a segment.
    ///
    /// # Panics
    /// If there is no segment with this number.
    #[inline]
    #[must_use]
    pub fn ends(&self, segment: u32) -> [V; 2] {
        self.segments[segment as usize].map_each(|index| self.vertices[index as usize])
    }

    pub(super) fn tree(&self) -> &Tree<V> {
        &self.tree
    }

    pub(super) fn memory(&self) -> usize {
        self.vertices.capacity() * size_of::<V>()
            + self.segments.capacity() * size_of::<[u32; 2]>()
            + self.tree.memory()
    }
}
