//! The data of one tree, which changes with its boxes.

use clearance_math::Vector;
use clearance_tree::Tree;

use super::filters::LaneFilters;
use super::wide_view::WideView;
use crate::key::Key;

/// The tree of one layer, and what has to change in it; the boxes themselves are in the table.
#[derive(Clone, Debug, Default)]
pub(super) struct DynamicTree<V> {
    /// The nodes; the numbers of the leaves are their keys.
    pub(super) tree: Tree<V>,
    /// For each node, which pairs its children may make; empty while no filter forbids pairs.
    pub(super) filters: Vec<LaneFilters>,
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
    /// The tree for many rays.
    pub(super) wide_view: WideView,
}

impl<V: Vector> DynamicTree<V> {
    pub(super) fn memory(&self) -> usize {
        self.tree.memory()
            + self.wide_view.memory()
            + self.filters.capacity() * size_of::<LaneFilters>()
            + (self.pending.capacity() + self.moved.capacity()) * size_of::<Key>()
    }
}
