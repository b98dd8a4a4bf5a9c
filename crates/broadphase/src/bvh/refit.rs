//! Bringing a tree up to date, by a method that depends on how much changed.

use clearance_math::Vector;
use clearance_tree::internal::{half_surface, nodes_mut};
use clearance_tree::{BuildTools, Workers, node_and_lane};

use super::dynamic_tree::DynamicTree;
use crate::key::{Key, Layer};
use crate::table::{NO_PLACE, Table};

/// If more than one box for this many in the tree is pending, rebuilding is cheaper than inserting
/// them.
const REBUILD_DIVISOR: usize = 8;

/// If more than one box in this many moved, a sweep over all nodes is cheaper than refitting one by
/// one.
const SWEEP_DIVISOR: usize = 16;

/// The cost of building a tree in units of one search. Measured; values from 1 to 2 perform alike.
const REBUILD_COST: f64 = 1.5;

/// A leaf that moves is moved to another node if its node becomes larger than this multiple of its
/// size when it was made.
const GROWTH: f64 = 2.0;

impl<V: Vector> DynamicTree<V> {
    /// Adds the pending boxes and refits the moved ones. Afterwards the nodes fit the predicted
    /// bounds of all leaves, and the filters are up to date.
    pub(super) fn refresh(&mut self, layer: Layer, table: &mut Table<V>, tools: BuildTools<'_, V>) {
        // Boxes in the moving tree also change within their predicted bounds, where nobody lists them.
        if layer == Layer::Moving || !(self.pending.is_empty() && self.moved.is_empty()) {
            self.wide_view.clear();
        }
        self.refresh_boxes(layer, table, tools);
        self.refresh_filters(layer != Layer::QueryOnly && table.is_filtered(), table);
    }

    /// [`Self::refresh`] without the filters.
    fn refresh_boxes(&mut self, layer: Layer, table: &mut Table<V>, tools: BuildTools<'_, V>) {
        if self.pending.len() > self.tree.len() / REBUILD_DIVISOR {
            self.rebuild(layer, table, tools);
            return;
        }
        if self.moved.len() > self.tree.len() / SWEEP_DIVISOR {
            self.sweep(table, tools.workers);
        }
        for index in 0..self.moved.len() {
            let key = self.moved[index];
            if table.entries[key as usize].is_of_tree(layer) && table.entries[key as usize].moved {
                self.move_leaf(key, table);
            }
        }
        self.moved.clear();
        for index in 0..self.pending.len() {
            let key = self.pending[index];
            let entry = &table.entries[key as usize];
            if entry.is_of_tree(layer) && entry.place == NO_PLACE {
                self.attach(key, table);
            }
        }
        self.pending.clear();
        if self.too_deep
            || self.quality_loss > REBUILD_COST
            || self.changes > self.tree.len() / 2 + 64
        {
            self.rebuild(layer, table, tools);
        }
    }

    /// Refits all nodes.
    ///
    /// The growth of the nodes since they were made tells how much longer a search takes than in a
    /// new tree. Once the sum of these losses over the frames exceeds the cost of a new tree, the
    /// tree is rebuilt. Without knowledge of the future that costs at most twice as much as with it
    /// (the ski rental problem; Karlin and others, "Competitive Snoopy Caching", 1988).
    fn sweep(&mut self, table: &mut Table<V>, workers: &Workers) {
        let predicted_bounds = &table.predicted_bounds;
        let growth = self
            .tree
            .refit(workers, |key| predicted_bounds[key as usize].outer);
        for &key in &self.moved {
            table.entries[key as usize].moved = false;
        }
        self.moved.clear();
        self.quality_loss += (growth.mean_ratio - 1.0).max(0.0);
    }

    /// Refits the path above one leaf, or moves the leaf to another node if its node would grow too
    /// much.
    fn move_leaf(&mut self, key: Key, table: &mut Table<V>) {
        let entry = &mut table.entries[key as usize];
        entry.moved = false;
        if entry.place == NO_PLACE {
            return;
        }
        let (at, lane) = node_and_lane(entry.place);
        let node = &mut nodes_mut(&mut self.tree)[at];
        let outer = &table.predicted_bounds[key as usize].outer;
        node.set_lane(lane, outer);
        let around = node.bounds::<V>();
        let allowed = GROWTH * (node.made_surface + half_surface(outer));
        if half_surface(&around) > allowed {
            let place = entry.place;
            self.detach(place, table);
            self.attach(key, table);
        } else {
            self.tree.refit_upwards(at, &around);
        }
    }
}
