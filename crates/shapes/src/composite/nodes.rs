//! The tree over the boxes of the parts, whether it is stored or computed.

use std::ops::Deref;

use clearance_math::{Aabb, Vector};
use clearance_tree::{BuildError, BuildScratch, BuildTools, Node, Tree, Workers};

use super::MOST_PARTS;
use crate::ShapeError;

/// A node of the tree of a composite. That of a height field is computed when it is asked for, all
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

/// The tree over the boxes of all parts.
pub(super) fn tree<V: Vector>(boxes: impl Iterator<Item = Aabb<V>>) -> Result<Tree<V>, ShapeError> {
    let boxes: Vec<Aabb<V>> = boxes.collect();
    let mut scratch = BuildScratch::default();
    let tools = BuildTools {
        scratch: &mut scratch,
        workers: Workers::new(1),
    };
    Tree::build(&boxes, tools).map_err(|error| match error {
        BuildError::NotFinite { number } | BuildError::Empty { number } => {
            ShapeError::PartTooFar { number }
        }
        _ => ShapeError::PartCount {
            field: "parts",
            count: boxes.len(),
            most: MOST_PARTS,
        },
    })
}
