//! Building a tree anew from all its boxes.

use clearance_math::Vector;
use clearance_tree::internal::nodes_mut;
use clearance_tree::{BuildScratch, BuildTools, LANES, place};

use super::dynamic_tree::DynamicTree;
use crate::capacity::capacity_for;
use crate::key::{Key, Layer};
use crate::table::{NO_PLACE, Table};

/// The place of an entry whose box is about to be put into the new tree.
const GATHERED: u32 = NO_PLACE - 1;

impl<V: Vector> DynamicTree<V> {
    /// Builds the tree from all its boxes, pending ones included; O(n log n). Boxes in one place
    /// are separated by their filters.
    pub(super) fn rebuild(&mut self, layer: Layer, table: &mut Table<V>, tools: BuildTools<'_, V>) {
        self.wide_view.clear();
        self.gather(layer, table, tools.scratch);
        self.changes = 0;
        self.quality_loss = 0.0;
        self.too_deep = false;
        self.filters.clear();
        // Capacity for full nodes, and for one node on each level that is not full.
        let capacity = tools.scratch.count() / (LANES - 1) + 16;
        let nodes = nodes_mut(&mut self.tree);
        nodes.clear();
        nodes.reserve_exact(capacity);
        nodes.shrink_to(2 * capacity_for(capacity));
        self.tree.rebuild(tools);
        for (at, node) in self.tree.nodes().iter().enumerate() {
            for (lane, child) in node.children.iter().enumerate() {
                if let Some(key) = child.number() {
                    table.entries[key as usize].place = place(at, lane);
                }
            }
        }
    }

    /// Collects the boxes of the tree in the order of the old tree, which is nearly the order in
    /// which they will be read.
    fn gather(&mut self, layer: Layer, table: &mut Table<V>, scratch: &mut BuildScratch<V>) {
        scratch.start(self.tree.len() + self.pending.len());
        // All trees share the scratch: a small one must not take away what a large one needs.
        scratch.shrink_to(2 * capacity_for(table.len()));
        let mut take = |table: &mut Table<V>, key: Key| {
            let entry = &mut table.entries[key as usize];
            entry.moved = false;
            entry.place = GATHERED;
            let bounds = table.predicted_bounds[key as usize].outer;
            scratch.add(key, bounds);
        };
        self.tree.numbers().for_each(|key| take(table, key));
        for &key in &self.pending {
            let entry = &table.entries[key as usize];
            if entry.is_of_tree(layer) && entry.place == NO_PLACE {
                take(table, key);
            }
        }
        self.pending.clear();
        self.moved.clear();
        if layer != Layer::QueryOnly && table.is_filtered() {
            scratch.set_groups(|key| {
                let groups = table.groups(key);
                u64::from(groups.memberships) << 32 | u64::from(groups.filter)
            });
        }
    }
}
