//! A bounding volume hierarchy of nodes with four children.
//!
//! There are three trees: for fixed boxes, for moving boxes, and for boxes that can make no pair.
//! The crate `clearance-tree` has their nodes, builds, refits and searches them; here is what
//! changes them box by box. `refresh` brings the trees up to date. A few
//! moved boxes are refitted or moved within the tree one by one, many of them by a sweep, and a
//! tree whose boxes overlap too much is rebuilt. The leaves of the moving tree hold predicted
//! bounds, which are larger than the boxes; see `motion_prediction.rs`, `pair_cache.rs` and
//! `uncertain_pairs.rs`.

mod dynamic_tree;
mod filters;
mod hierarchy;
mod insert;
mod motion_prediction;
mod pair_cache;
mod pairs;
mod partners;
#[cfg(test)]
mod quality_tests;
mod rays;
mod rebuild;
mod refit;
mod remove;
mod sort;
mod tree_filters;
mod uncertain_pairs;
mod update;
mod update_many;
mod validate;
mod wide_view;

use clearance_math::Inconsistent;
use clearance_math::{Aabb, Real, Vector};
use clearance_tree::{BuildTools, Workers, node_and_lane, ray_box::RayLine};

use crate::broad_phase::{BroadPhase, check_fresh};
use crate::groups::Groups;
use crate::key::{BodyKind, Key, Layer, PairRules};
use crate::predicted_bounds::PredictedBounds;
use crate::table::{NO_PLACE, Storage, is_unbounded};
use dynamic_tree::DynamicTree;
use update::{BoxUpdate, PieceUpdates, Row};

pub use hierarchy::Bvh;

impl<V: Vector> Bvh<V> {
    /// Adds an absent key.
    fn add(&mut self, key: Key, bounds: Aabb<V>, rules: PairRules) {
        self.stale = true;
        let layer = Layer::of(rules);
        if self.table.add(key, bounds, rules) == Storage::Tree {
            self.tree_mut(layer).pending.push(key);
        }
        if self.table.predicted_bounds.len() < self.table.entries.len() {
            let slots = self.table.entries.len();
            self.table
                .predicted_bounds
                .resize(slots, PredictedBounds::exact(bounds));
        }
        self.table.predicted_bounds[key as usize] = PredictedBounds::exact(bounds);
        self.mark_pairs_changed(key);
    }

    /// Records that the candidate pairs of a key have to be searched for.
    fn mark_pairs_changed(&mut self, key: Key) {
        if self.table.entries[key as usize].layer != Layer::QueryOnly {
            self.pair_cache.add_changed(key);
        }
    }

    /// Changes the box of a present key whose storage may change by it.
    #[inline(never)]
    fn replace(&mut self, key: Key, bounds: &Aabb<V>) {
        let bounds = *bounds;
        let entry = &mut self.table.entries[key as usize];
        self.stale = true;
        if entry.storage == Storage::UnboundedList && is_unbounded(&bounds) {
            entry.bounds = bounds;
            self.table.predicted_bounds[key as usize] = PredictedBounds::exact(bounds);
            self.mark_pairs_changed(key);
        } else {
            let kind = entry.kind;
            let groups = self.table.groups(key);
            self.remove(key);
            self.add(key, bounds, PairRules { kind, groups });
        }
    }
}

impl<V: Vector> BroadPhase<V> for Bvh<V> {
    fn insert(&mut self, key: Key, bounds: Aabb<V>, kind: BodyKind) {
        let mut groups = Groups::ALL;
        if let Some(entry) = self.table.get(key) {
            if entry.kind == kind {
                self.set_bounds(key, bounds);
                return;
            }
            groups = self.table.groups(key);
            self.remove(key);
        }
        self.add(key, bounds, PairRules { kind, groups });
    }

    fn remove(&mut self, key: Key) -> bool {
        let Some(&entry) = self.table.get(key) else {
            return false;
        };
        self.stale = true;
        if entry.storage == Storage::Tree {
            self.trees[entry.layer as usize].remove(entry.place, &mut self.table);
        }
        self.mark_pairs_changed(key);
        self.table.remove(key);
        true
    }

    // Inlined: otherwise the box is passed through memory, written in other pieces than it is read
    // in, and the processor waits for the writes. That cost a sixth of the time of a frame.
    #[inline(always)]
    fn set_bounds(&mut self, key: Key, bounds: Aabb<V>) -> bool {
        let table = &mut self.table;
        let (Some(entry), Some(predicted)) = (
            table.entries.get_mut(key as usize),
            table.predicted_bounds.get_mut(key as usize),
        ) else {
            return false;
        };
        match BoxUpdate::apply(Row { entry, predicted }, &bounds, self.prediction.mode()) {
            BoxUpdate::Absent => return false,
            BoxUpdate::Unchanged => {}
            BoxUpdate::Recorded => self.stale = true,
            BoxUpdate::Moved(layer) => {
                self.stale = true;
                self.tree_mut(layer).moved.push(key);
            }
            BoxUpdate::Reinsert => self.replace(key, &bounds),
        }
        true
    }

    fn set_many(&mut self, keys: &[Key], boxes: &[Aabb<V>]) {
        self.update_many(keys, boxes);
    }

    fn set_groups(&mut self, key: Key, groups: Groups) -> bool {
        let Some(&entry) = self.table.get(key) else {
            return false;
        };
        if self.table.groups(key) == groups {
            return true;
        }
        self.stale = true;
        let rules = PairRules {
            kind: entry.kind,
            groups,
        };
        if Layer::of(rules) != entry.layer {
            self.remove(key);
            self.add(key, entry.bounds, rules);
            return true;
        }
        self.table.set_groups(key, groups);
        self.mark_pairs_changed(key);
        if entry.layer == Layer::QueryOnly {
            return true;
        }
        let tree = &mut self.trees[entry.layer as usize];
        if entry.storage == Storage::Tree && entry.place != NO_PLACE {
            tree.changes += 1;
            tree.filters_changed_at(node_and_lane(entry.place).0, &self.table);
        }
        true
    }

    fn groups(&self, key: Key) -> Option<Groups> {
        self.table.get(key).map(|_| self.table.groups(key))
    }

    fn refresh(&mut self) {
        if !self.stale {
            return;
        }
        self.pair_cache.invalidate();
        let [fixed, moving, query_only] = &mut self.trees;
        let counts = self.pair_cache.counts();
        self.prediction
            .predict(&moving.moved, counts, &mut self.table, &self.workers);
        for &key in fixed.moved.iter().chain(&query_only.moved) {
            self.table.reset_prediction(key);
        }
        let pending = [&fixed.pending, &moving.pending, &query_only.pending];
        for &key in pending.into_iter().flatten() {
            self.table.reset_prediction(key);
        }
        self.pair_cache.add_all_changed(&fixed.moved);
        self.pair_cache.add_all_changed(&moving.moved);
        self.pair_cache.clear_if_many_changed(moving.tree.len());
        for (tree, layer) in self.trees.iter_mut().zip(Layer::ALL) {
            let tools = BuildTools {
                scratch: &mut self.build_scratch,
                workers: &self.workers,
            };
            tree.refresh(layer, &mut self.table, tools);
        }
        self.stale = false;
    }

    fn set_workers(&mut self, workers: Workers) {
        self.workers = workers;
    }

    fn bounds(&self, key: Key) -> Option<Aabb<V>> {
        self.table.get(key).map(|entry| entry.bounds)
    }

    fn len(&self) -> usize {
        self.table.len()
    }

    fn pairs(&mut self) -> &[(Key, Key)] {
        check_fresh(self.stale);
        self.cached_pairs()
    }

    fn query_box(&self, bounds: &Aabb<V>, visit: &mut dyn FnMut(Key)) {
        check_fresh(self.stale);
        self.table.query_box(bounds, visit);
        let mut visit = |key| {
            if self.table.entries[key as usize].bounds.overlaps(bounds) {
                visit(key);
            }
        };
        for tree in &self.trees {
            tree.tree.query_box(bounds, &mut visit);
        }
    }

    fn query_ray(&self, line: &RayLine<V>, max: Real, visit: &mut dyn FnMut(Key, Real) -> Real) {
        check_fresh(self.stale);
        let mut max = self.table.query_ray(line, max, visit);
        for tree in &self.trees {
            max = tree.query_ray(&self.table, line, max, visit);
        }
    }

    fn query_nearest(
        &self,
        point: V,
        max_distance: Real,
        visit: &mut dyn FnMut(Key, Real) -> Real,
    ) {
        check_fresh(self.stale);
        let radius = max_distance * max_distance;
        let mut radius = self.table.query_nearest(point, radius, visit);
        for tree in &self.trees {
            let mut limit = radius;
            radius = tree.tree.query_nearest(point, radius, &mut |key, _| {
                let bounds = &self.table.entries[key as usize].bounds;
                let distance = bounds.squared_distance(point);
                if distance <= limit {
                    limit = limit.min(visit(key, distance));
                }
                limit
            });
        }
    }

    fn visit_tree(&self, visit: &mut dyn FnMut(usize, &Aabb<V>)) {
        for tree in &self.trees {
            tree.tree.visit_boxes(visit);
        }
    }

    fn memory(&self) -> usize {
        self.table.memory()
            + self.trees.iter().map(DynamicTree::memory).sum::<usize>()
            + self.build_scratch.memory()
            + self.pair_scratch.memory()
            + self.pair_cache.memory()
            + self.updates.iter().map(PieceUpdates::memory).sum::<usize>()
            + self.updates.capacity() * size_of::<PieceUpdates>()
    }

    fn validate(&self) -> Result<(), Inconsistent> {
        self.table.validate()?;
        for layer in Layer::ALL {
            self.validate_tree(self.tree(layer), layer)?;
        }
        Ok(self.validate_pair_cache()?)
    }
}
