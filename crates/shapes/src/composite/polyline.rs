//! Polylines: chains of segments.

use std::borrow::Cow;

use clearance_math::{MapEach, Vector};
use clearance_tree::Tree;

use super::nodes::tree;
use super::vertices::{List, around, check_indices, check_vertices};
use super::{Composite, CompositeKind, Part};
use crate::{Shape, ShapeError};

/// Segments that share vertices, such as the outline of a level in 2D. It has no inside.
///
/// Part i is segment i. A segment of length zero is a point, and stays a part.
pub struct Polyline<V: Vector> {
    vertices: Vec<V>,
    segments: Vec<[u32; 2]>,
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
        let tree = tree(List::SEGMENTS, boxes)?;
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

    pub(super) fn part(&self, number: u32) -> Option<Part<'_, V>> {
        let segment = self.segments.get(number as usize)?;
        let [a, b] = segment.map_each(|index| self.vertices[index as usize]);
        Some(Part {
            shape: Cow::Owned(Shape::segment_of(a, b)),
            pose: None,
        })
    }

    pub(super) fn memory(&self) -> usize {
        self.vertices.capacity() * size_of::<V>()
            + self.segments.capacity() * size_of::<[u32; 2]>()
            + self.tree.memory()
    }
}

impl<V: Vector> Shape<V> {
    /// A chain of segments that joins each of `vertices` to the next one. At least two vertices are
    /// needed; repeat the first one at the end to close the chain.
    ///
    /// The chain has no inside, in 2D neither. Costs O(n log n) for n vertices.
    ///
    /// ```
    /// use clearance::dim2::{Placed, Pose, Shape, Vec2, proximity};
    ///
    /// let hills = Shape::polyline([Vec2::ZERO, Vec2::new(2.0, 1.0), Vec2::new(4.0, 1.0)])?;
    /// let (ball, pose) = (Shape::ball(0.5)?, Pose::from_translation(Vec2::new(3.0, 3.0)));
    /// let (hills, ball) = (Placed::new(&hills, &Pose::IDENTITY), Placed::new(&ball, &pose));
    /// let near = proximity(hills, ball, f32::INFINITY)?.near().unwrap();
    /// assert_eq!((near.distance, near.part_a), (1.5, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fewer than two vertices, or a coordinate that is not finite.
    #[doc(alias("chain", "edge_chain"))]
    pub fn polyline(vertices: impl AsRef<[V]>) -> Result<Self, ShapeError> {
        let vertices = vertices.as_ref();
        if vertices.len() < 2 {
            return Err(ShapeError::TooFewVertices {
                count: vertices.len(),
            });
        }
        let segments = (1..vertices.len() as u32).map(|end| [end - 1, end]);
        Self::polyline_of_segments(vertices, segments.collect::<Vec<_>>())
    }

    /// Segments, each of which is given by the indices of two `vertices`. Several segments may use a
    /// vertex.
    ///
    /// # Errors
    /// No segments, an index that belongs to no vertex, or a coordinate that is not finite. The
    /// error names the segment.
    pub fn polyline_of_segments(
        vertices: impl AsRef<[V]>,
        segments: impl AsRef<[[u32; 2]]>,
    ) -> Result<Self, ShapeError> {
        let polyline = Polyline::new(vertices.as_ref().to_vec(), segments.as_ref().to_vec())?;
        Ok(Composite::new(CompositeKind::Polyline(polyline)).into())
    }
}
