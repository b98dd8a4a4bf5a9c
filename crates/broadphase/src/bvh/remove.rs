//! Removing one box from a tree.

use clearance_math::Vector;
use clearance_tree::internal::{leaves_mut, nodes_mut};
use clearance_tree::{NONE, node_and_lane};

use super::dynamic_tree::DynamicTree;
use super::wide_view::WideView;
use crate::capacity::capacity_for;
use crate::table::{NO_PLACE, Table};

impl<V: Vector> DynamicTree<V> {
    /// Removes the leaf at `place`; does nothing if the leaf has not been added yet.
    pub(super) fn remove(&mut self, place: u32, table: &mut Table<V>) {
        if place != NO_PLACE {
            self.detach(place, table);
        }
    }

    /// Removes the leaf at `place`, removes nodes that are left with fewer than two children, and
    /// refits the path to the root; O(depth).
    pub(super) fn detach(&mut self, place: u32, table: &mut Table<V>) {
        self.wide_view.clear();
        let (mut at, lane) = node_and_lane(place);
        nodes_mut(&mut self.tree)[at].clear_lane::<V>(lane);
        *leaves_mut(&mut self.tree) -= 1;
        self.changes += 1;
        while self.tree.nodes()[at].parent != NONE && self.tree.nodes()[at].occupied() < 2 {
            at = self.dissolve(at, table);
        }
        if self.tree.is_empty() {
            let nodes = nodes_mut(&mut self.tree);
            nodes.clear();
            nodes.shrink_to(capacity_for(0));
            self.filters.clear();
            self.filters.shrink_to(capacity_for(0));
            self.wide_view = WideView::default();
            self.changes = 0;
            return;
        }
        let around = self.tree.nodes()[at].bounds::<V>();
        self.tree.refit_upwards(at, &around);
        self.filters_changed_at(at, table);
    }

    /// Removes a node, and puts its only child, if there is one, into its place; returns the
    /// parent.
    fn dissolve(&mut self, at: usize, table: &mut Table<V>) -> usize {
        let nodes = nodes_mut(&mut self.tree);
        let node = nodes[at];
        let (parent, lane) = node_and_lane(node.parent);
        nodes[at].alive = false;
        let Some(only) = node.children.iter().position(|child| !child.is_empty()) else {
            nodes[parent].clear_lane::<V>(lane);
            return parent;
        };
        let child = node.children[only];
        nodes[parent].set_lane(lane, &node.lane::<V>(only));
        nodes[parent].children[lane] = child;
        if let Some(key) = child.number() {
            table.entries[key as usize].place = node.parent;
        } else if let Some(index) = child.index() {
            nodes[index].parent = node.parent;
        }
        parent
    }
}
