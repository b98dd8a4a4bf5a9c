//! The tree itself, and what it says about itself.

use std::marker::PhantomData;

use clearance_math::{Aabb, Vector};

use crate::{NONE, Node, lanes};

/// The most leaves of a tree, 2³¹ - 1: numbers have 31 bits, and the greatest of them means that a
/// lane is empty.
pub const MAX_LEAVES: usize = (1 << 31) - 1;

/// A tree over numbered boxes.
///
/// It takes 43 bytes for each box, in 2D and in 3D, and stores no boxes but those in its nodes.
#[derive(Clone, Debug)]
pub struct Tree<V> {
    /// The nodes, the root first, a parent before its children; empty if the tree has no leaves.
    pub(crate) nodes: Vec<Node>,
    /// The number of leaves in the nodes.
    pub(crate) leaves: usize,
    dimension: PhantomData<V>,
}

impl<V> Default for Tree<V> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            leaves: 0,
            dimension: PhantomData,
        }
    }
}

impl<V: Vector> Tree<V> {
    /// The number of leaves.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.leaves
    }

    /// Whether the tree has no leaves, and so no nodes.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.leaves == 0
    }

    /// The nodes: the root is the first, and parents come before their children. Nodes that are not
    /// [`alive`](Node::alive) are left over from removed leaves; no traversal reaches them.
    #[inline]
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The box around all leaves; an empty box if there are none.
    #[must_use]
    pub fn bounds(&self) -> Aabb<V> {
        self.nodes.first().map_or_else(Aabb::empty, Node::bounds)
    }

    /// The numbers of the leaves, in the order in which the nodes lie.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        let alive = self.nodes.iter().filter(|node| node.alive);
        alive.flat_map(|node| node.children.iter().filter_map(|child| child.number()))
    }

    /// Visits every box of the tree with its level, for viewers: the box around all leaves has level 0, those of
    /// the root's children level 1, and so on down to the leaves.
    pub fn visit_boxes(&self, visit: &mut dyn FnMut(usize, &Aabb<V>)) {
        if self.is_empty() {
            return;
        }
        visit(0, &self.bounds());
        let mut open = vec![(0, 1)];
        while let Some((index, level)) = open.pop() {
            let node = &self.nodes[index];
            for lane in lanes(node.occupied_lanes()) {
                visit(level, &node.lane(lane));
                open.extend(node.children[lane].index().map(|below| (below, level + 1)));
            }
        }
    }

    /// How many bytes the tree has allocated.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
    }
}

/// The nodes, for the broad phase, which adds and removes leaves.
#[inline]
pub fn nodes_mut<V>(tree: &mut Tree<V>) -> &mut Vec<Node> {
    &mut tree.nodes
}

/// The number of leaves, likewise.
#[inline]
pub fn leaves_mut<V>(tree: &mut Tree<V>) -> &mut usize {
    &mut tree.leaves
}

/// The nodes that are in use, with their indices.
pub(crate) fn alive(nodes: &[Node]) -> impl DoubleEndedIterator<Item = (usize, &Node)> {
    nodes.iter().enumerate().filter(|(_, node)| node.alive)
}

/// Whether a node is the root.
pub(crate) fn is_root(node: &Node) -> bool {
    node.parent == NONE
}
