//! The tree over the boxes of the parts, whether it is stored or computed.

use std::ops::Deref;

use clearance_math::{Aabb, Vector};
use clearance_tree::{BuildError, BuildScratch, BuildTools, Node, Tree, Workers};

use super::triangle_group::TriangleGroup;
use super::vertices::{List, MOST_PARTS};
use crate::ShapeError;

/// A node of the tree of a composite. Those of height fields, clouds and voxels are computed when they are asked for, all
/// others are stored.
#[derive(Clone, Debug)]
pub enum NodeRef<'a> {
    /// A stored node.
    Stored(&'a Node),
    /// A computed node.
    Computed(Node),
}

impl Deref for NodeRef<'_> {
    type Target = Node;

    #[inline]
    fn deref(&self) -> &Node {
        match self {
            Self::Stored(node) => node,
            Self::Computed(node) => node,
        }
    }
}

/// What a node of the tree of a composite holds.
#[derive(Clone, Debug)]
pub enum NodeContent<'a> {
    /// Other nodes or parts, with their boxes.
    Boxes(&'a Node),
    /// The same, computed.
    ComputedBoxes(Node),
    /// Triangles.
    Triangles(TriangleGroup),
}

/// The tree over the boxes of the parts of a composite. A query that is written for all trees, and
/// chooses one by the kind of composite, need not choose again at every node.
pub trait PartTree {
    /// What a node holds; 0 is the root. The leaves are the numbers of the parts.
    fn content(&self, index: u32) -> NodeContent<'_>;
}

impl<V: Vector> PartTree for Tree<V> {
    #[inline]
    fn content(&self, index: u32) -> NodeContent<'_> {
        NodeContent::Boxes(&self.nodes()[index as usize])
    }
}

impl<'a> NodeContent<'a> {
    /// The boxes of what the node holds.
    #[inline]
    #[must_use]
    pub fn node(self) -> NodeRef<'a> {
        match self {
            Self::Boxes(node) => NodeRef::Stored(node),
            Self::ComputedBoxes(node) => NodeRef::Computed(node),
            Self::Triangles(group) => NodeRef::Computed(group.node()),
        }
    }
}

/// The tree over the boxes of all parts.
pub(super) fn tree<V: Vector>(
    list: List,
    boxes: impl Iterator<Item = Aabb<V>>,
) -> Result<Tree<V>, ShapeError> {
    let List { shape, field } = list;
    let boxes: Vec<Aabb<V>> = boxes.collect();
    let mut scratch = BuildScratch::default();
    let tools = BuildTools {
        scratch: &mut scratch,
        workers: &Workers::alone(),
    };
    Tree::build(&boxes, tools).map_err(|error| match error {
        BuildError::NotFinite { number } | BuildError::Empty { number } => {
            ShapeError::PartTooFar { shape, number }
        }
        _ => ShapeError::PartCount {
            shape,
            field,
            count: boxes.len(),
            most: MOST_PARTS,
        },
    })
}
