//! How a tree keeps the filters of its nodes, and searches by them.

use clearance_math::{Aabb, Vector};
use clearance_tree::{NONE, node_and_lane};

use super::dynamic_tree::DynamicTree;
use super::filters::{FilterMask, LaneFilters};
use crate::groups::Groups;
use crate::key::Key;
use crate::table::Table;

impl<V: Vector> DynamicTree<V> {
    /// Visits the leaves that overlap `bounds` and with which `filter` may allow a pair.
    pub(super) fn query_allowed(
        &self,
        bounds: &Aabb<V>,
        filter: Groups,
        visit: &mut dyn FnMut(Key),
    ) {
        if self.filters.is_empty() {
            self.tree.query_box(bounds, visit);
        } else {
            let filters = &self.filters;
            let mask = FilterMask { filters, filter };
            self.tree.query_box_masked(bounds, &mask, visit);
        }
    }

    /// The filters of a node, computed from its children.
    pub(super) fn filters_of(&self, at: usize, table: &Table<V>) -> LaneFilters {
        let mut filters = LaneFilters::default();
        for (lane, child) in self.tree.nodes()[at].children.iter().enumerate() {
            if let Some(key) = child.number() {
                filters.set(lane, table.groups(key));
            } else if let Some(below) = child.index() {
                filters.set(lane, self.filters[below].merged());
            }
        }
        filters
    }

    /// Ends a refresh: computes the filters of all nodes if they are needed and missing, and
    /// removes them if they are not needed.
    pub(super) fn refresh_filters(&mut self, is_needed: bool, table: &Table<V>) {
        if !is_needed {
            self.filters = Vec::new();
        } else if self.filters.len() != self.tree.nodes().len() {
            self.filters.clear();
            let count = self.tree.nodes().len();
            self.filters.resize(count, LaneFilters::default());
            // Children come after their parents.
            for at in (0..count).rev().filter(|&at| self.tree.nodes()[at].alive) {
                self.filters[at] = self.filters_of(at, table);
            }
        }
    }

    /// Updates the filters of a node and of the nodes above it, until nothing changes.
    ///
    /// Call it with the lowest node whose children changed, or the filters of whose leaves changed.
    pub(super) fn filters_changed_at(&mut self, mut at: usize, table: &Table<V>) {
        if self.filters.is_empty() {
            return;
        }
        self.filters
            .resize(self.tree.nodes().len(), LaneFilters::default());
        loop {
            let filters = self.filters_of(at, table);
            self.filters[at] = filters;
            let parent = self.tree.nodes()[at].parent;
            if parent == NONE {
                return;
            }
            let (above, lane) = node_and_lane(parent);
            if self.filters[above].get(lane) == filters.merged() {
                return;
            }
            at = above;
        }
    }
}
