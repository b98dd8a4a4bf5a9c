//! The data of one tree.

use super::filters::LaneFilters;
use super::node::Node;
use crate::Key;

/// One tree; the boxes themselves are in the table.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    /// The nodes, the root first; empty if the tree has no leaves.
    pub(super) nodes: Vec<Node>,
    /// For each node, which pairs its children may make; empty while no filter forbids pairs.
    pub(super) filters: Vec<LaneFilters>,
    /// The number of leaves in the nodes.
    pub(super) leaves: usize,
    /// Keys to be added at the next refresh. Some of them may have been removed since.
    pub(super) pending: Vec<Key>,
    /// Keys whose box changed. Some of them may have been removed since.
    pub(super) moved: Vec<Key>,
    /// The number of leaves that were added, removed, moved to another node or given another filter
    /// since the tree was built.
    pub(super) changes: usize,
    /// The extra cost of searching this tree and not a new one, summed over the frames, in units of
    /// one search.
    pub(super) quality_loss: f64,
    /// Whether a path became too long, so that the tree must be rebuilt.
    pub(super) too_deep: bool,
}

impl Tree {
    pub(super) fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.filters.capacity() * size_of::<LaneFilters>()
            + (self.pending.capacity() + self.moved.capacity()) * size_of::<Key>()
    }
}
