//! The tree over the boxes of the parts, whether it is stored or computed.

use std::ops::Deref;

use clearance_math::{Aabb, DVec3, Real, Vector};
use clearance_tree::{BuildError, BuildScratch, BuildTools, Node, Tree, Workers};

use super::triangle_group::TriangleGroup;
use super::turned_boxes::TurnedBoxes;
use super::vertices::{List, MOST_PARTS};
use crate::ShapeError;
use crate::shape::OuterSide;

/// A node of the tree of a composite. Those of height fields, of clouds and within chunks of voxels are computed when they are
/// asked for, all others are stored.
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

    /// Turned boxes around what the lanes of a node hold, if there are any.
    #[inline]
    fn turned_boxes(&self, _index: u32) -> Option<&TurnedBoxes> {
        None
    }

    /// The side on which all parts below a node count, in space, if that is known to be one and the same.
    #[inline]
    fn outer_side_below(&self, _index: u32) -> Option<OuterSide<DVec3>> {
        None
    }

    /// Calls `found` with the numbers of the parts below a node that touch a box, and maybe with others, until it says no.
    /// False if that is not known at once, and the node must be opened. The box is given by its least and its greatest
    /// corner; where it is inverted along an axis, the parts are those that hold all between.
    #[inline]
    fn each_in_box(
        &self,
        _index: u32,
        _corners: [[Real; 3]; 2],
        _found: &mut dyn FnMut(u32) -> bool,
    ) -> bool {
        false
    }

    /// Calls `found` with the numbers of the parts below a node that a line meets between two places, and maybe with others,
    /// roughly in the order in which the line meets them. `found` returns the place up to which others still matter.
    /// False if that is not known at once, and the node must be opened.
    #[inline]
    fn each_on_line(
        &self,
        _index: u32,
        _line: &LineOfParts,
        _found: &mut dyn FnMut(u32) -> Real,
    ) -> bool {
        false
    }
}

/// A line in the frame of a composite. Places on it count from its base.
#[derive(Clone, Copy, Debug)]
pub struct LineOfParts {
    /// A point of the line.
    pub base: [f64; 3],
    /// The unit direction.
    pub direction: [f64; 3],
    /// The place from which on parts matter.
    pub start: Real,
    /// The place up to which they do.
    pub end: Real,
    /// How far the line may pass beside a part that it meets all the same, in units of length.
    pub slack: Real,
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

/// The tree over the boxes of all parts that are there, by their numbers.
pub(super) fn tree<V: Vector>(
    list: List,
    boxes: impl Iterator<Item = (u32, Aabb<V>)>,
) -> Result<Tree<V>, ShapeError> {
    let mut scratch = BuildScratch::default();
    let tools = BuildTools {
        scratch: &mut scratch,
        workers: &Workers::alone(),
    };
    Tree::build_numbered(boxes, tools).map_err(|error| {
        let number = match error {
            BuildError::NotFinite { number } | BuildError::Empty { number } => number,
            // Whoever asks has counted them.
            _ => MOST_PARTS as usize,
        };
        let List { shape, .. } = list;
        ShapeError::PartTooFar { shape, number }
    })
}
