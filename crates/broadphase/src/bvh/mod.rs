//! A bounding volume hierarchy of four-wide nodes, one for fixed and one for moving boxes.
//!
//! Nodes lie in a flat array, a parent always before its children; that order is what lets one
//! backward sweep refit the whole tree. `refresh` does all the work: few moved boxes are refitted,
//! or put elsewhere, one by one; many by a sweep, and once the tree fits badly enough it is built
//! anew. Leaves of the moving tree are larger than their boxes: see `prediction.rs`, `calm.rs`, `kept.rs`
//! and `watch.rs`.

mod filters;
mod insert;
mod jitter;
mod motion_prediction;
mod node;
mod pair_cache;
mod pairs;
#[cfg(test)]
mod quality_tests;
mod query;
mod rebuild;
mod refit;
mod remove;
mod sort;
mod uncertain_pairs;
mod update;
mod validate;

use clearance_math::{Aabb, Ray, Real, Vector};

use crate::broad_phase::check_fresh;
use crate::key::{Layer, PairRules};
use crate::table::{NO_PLACE, PredictedBounds, Storage, Table, is_unbounded};
use crate::workers::Workers;
use crate::{BroadPhase, Key, Mobility, PairFilter, ray_box};
use filters::LaneFilters;
use motion_prediction::MotionPrediction;
use node::{Node, node_and_lane};
use pair_cache::PairCache;
use pairs::PairScratch;
use rebuild::{BuildScratch, BuildTools};
use update::{BoxUpdate, PieceUpdates, Row};

/// A dynamic bounding volume hierarchy: the backend for almost everything.
///
/// Fixed boxes have their own tree, so the cost of a frame follows what moves; so have boxes that can
/// make no pair, which only queries look at. Trees know which filters are in them, so that what may not
/// meet is passed over together. Boxes with infinite
/// sides are kept aside and tested one by one. A steady frame on one thread
/// allocates nothing. Moving boxes are expected to go on for some frames as they do, and pairs are
/// searched for as far ahead, at about 100 nanoseconds a box; until a box moves otherwise, `pairs`
/// only tests those that it knows, at two to three nanoseconds each, where most are certain only the
/// others, and where no box changed none; boxes that tremble about their places are searched for less and
/// less often. What is expected decides about time, never about pairs.
/// Memory: 80 bytes a key and 43 a box in 3D, half as much again for building, 8 bytes a known pair,
/// up to four times, or six if threads share, and reserve.
#[derive(Clone, Debug)]
pub struct Bvh<V> {
    table: Table<V>,
    fixed: Tree,
    moving: Tree,
    query_only: Tree,
    build_scratch: BuildScratch<V>,
    pair_scratch: PairScratch,
    pair_cache: PairCache,
    prediction: MotionPrediction,
    workers: Workers,
    updates: Vec<PieceUpdates>,
    stale: bool,
}

/// One tree, without the boxes' table.
#[derive(Clone, Debug, Default)]
struct Tree {
    /// The root comes first; empty if the tree is.
    nodes: Vec<Node>,
    /// For each node which pairs its children may make; empty where filters have no say.
    filters: Vec<LaneFilters>,
    /// The number of leaves in the nodes.
    leaves: usize,
    /// Keys to be taken up; some may have been removed since.
    pending: Vec<Key>,
    /// Keys whose box changed; some may have been removed since.
    moved: Vec<Key>,
    /// Leaves put in, taken out, put elsewhere or given another filter since the tree was built.
    changes: usize,
    /// What it cost to search this tree rather than a new one, frame by frame, in units of one
    /// search.
    quality_loss: f64,
    /// Whether a path became too long, so that the tree must be built anew.
    too_deep: bool,
}

impl Tree {
    fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.filters.capacity() * size_of::<LaneFilters>()
            + (self.pending.capacity() + self.moved.capacity()) * size_of::<Key>()
    }
}

impl<V: Vector> Bvh<V> {
    /// No boxes.
    #[must_use]
    pub fn new() -> Self {
        Self {
            table: Table::new(),
            fixed: Tree::default(),
            moving: Tree::default(),
            query_only: Tree::default(),
            build_scratch: BuildScratch::default(),
            pair_scratch: PairScratch::default(),
            pair_cache: PairCache::default(),
            prediction: MotionPrediction::default(),
            workers: Workers::new(1),
            updates: Vec::new(),
            stale: false,
        }
    }

    fn tree(&self, layer: Layer) -> &Tree {
        match layer {
            Layer::Fixed => &self.fixed,
            Layer::Moving => &self.moving,
            Layer::QueryOnly => &self.query_only,
        }
    }

    fn tree_mut(&mut self, layer: Layer) -> &mut Tree {
        match layer {
            Layer::Fixed => &mut self.fixed,
            Layer::Moving => &mut self.moving,
            Layer::QueryOnly => &mut self.query_only,
        }
    }

    fn trees(&self) -> [&Tree; 3] {
        [&self.fixed, &self.moving, &self.query_only]
    }
}

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

    /// Notes that the pairs of a key have to be searched for; it is present.
    fn mark_pairs_changed(&mut self, key: Key) {
        if self.table.entries[key as usize].layer != Layer::QueryOnly {
            self.pair_cache.add_changed(key);
        }
    }

    /// Gives another box to a present key, where it may have another storage.
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
            let mobility = entry.mobility;
            let filter = self.table.filter(key);
            self.remove(key);
            self.add(key, bounds, PairRules { mobility, filter });
        }
    }
}

impl<V: Vector> Default for Bvh<V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V: Vector> BroadPhase<V> for Bvh<V> {
    fn insert(&mut self, key: Key, bounds: Aabb<V>, mobility: Mobility) {
        let mut filter = PairFilter::ALL;
        if let Some(entry) = self.table.get(key) {
            if entry.mobility == mobility {
                self.set_bounds(key, bounds);
                return;
            }
            filter = self.table.filter(key);
            self.remove(key);
        }
        self.add(key, bounds, PairRules { mobility, filter });
    }

    fn remove(&mut self, key: Key) -> bool {
        let Some(&entry) = self.table.get(key) else {
            return false;
        };
        self.stale = true;
        if entry.storage == Storage::Tree {
            let tree = match entry.layer {
                Layer::Fixed => &mut self.fixed,
                Layer::Moving => &mut self.moving,
                Layer::QueryOnly => &mut self.query_only,
            };
            tree.remove(entry.place, &mut self.table);
        }
        self.mark_pairs_changed(key);
        self.table.remove(key);
        true
    }

    // In a function of its own the box would come through memory, written in other pieces than it is
    // read in, and the processor would wait for the writes: a sixth of the time.
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

    fn set_filter(&mut self, key: Key, filter: PairFilter) -> bool {
        let Some(&entry) = self.table.get(key) else {
            return false;
        };
        if self.table.filter(key) == filter {
            return true;
        }
        self.stale = true;
        let rules = PairRules {
            mobility: entry.mobility,
            filter,
        };
        if Layer::of(rules) != entry.layer {
            self.remove(key);
            self.add(key, entry.bounds, rules);
            return true;
        }
        self.table.set_filter(key, filter);
        self.mark_pairs_changed(key);
        let tree = match entry.layer {
            Layer::Fixed => &mut self.fixed,
            Layer::Moving => &mut self.moving,
            Layer::QueryOnly => return true,
        };
        if entry.storage == Storage::Tree && entry.place != NO_PLACE {
            tree.changes += 1;
            tree.filters_changed_at(node_and_lane(entry.place).0, &self.table);
        }
        true
    }

    fn filter(&self, key: Key) -> Option<PairFilter> {
        self.table.get(key).map(|_| self.table.filter(key))
    }

    fn refresh(&mut self) {
        if !self.stale {
            return;
        }
        self.pair_cache.invalidate();
        let (fixed, moving) = (&mut self.fixed, &mut self.moving);
        let counts = self.pair_cache.counts();
        self.prediction
            .predict(&moving.moved, counts, &mut self.table, self.workers);
        let query_only = &mut self.query_only;
        for &key in fixed.moved.iter().chain(&query_only.moved) {
            self.table.reset_prediction(key);
        }
        let pending = [&fixed.pending, &moving.pending, &query_only.pending];
        for &key in pending.into_iter().flatten() {
            self.table.reset_prediction(key);
        }
        self.pair_cache.add_all_changed(&fixed.moved);
        self.pair_cache.add_all_changed(&moving.moved);
        self.pair_cache.clear_if_many_changed(moving.leaves);
        for (tree, layer) in [fixed, moving, query_only].into_iter().zip(Layer::ALL) {
            let tools = BuildTools {
                scratch: &mut self.build_scratch,
                workers: self.workers,
            };
            tree.refresh(layer, &mut self.table, tools);
        }
        self.stale = false;
    }

    fn set_threads(&mut self, threads: usize) {
        self.workers = Workers::new(threads);
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
        for tree in self.trees() {
            tree.query_box(bounds, &mut visit);
        }
    }

    fn query_ray(&self, ray: &Ray<V>, max: Real, visit: &mut dyn FnMut(Key, Real) -> Real) {
        check_fresh(self.stale);
        let mut max = self.table.query_ray(ray, max, visit);
        for tree in self.trees() {
            let mut limit = max;
            max = tree.query_ray(ray, max, &mut |key, _| {
                let bounds = &self.table.entries[key as usize].bounds;
                if let Some(entry) = ray_box::entry(ray, bounds, limit) {
                    limit = limit.min(visit(key, entry));
                }
                limit
            });
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
        for tree in self.trees() {
            let mut limit = radius;
            radius = tree.query_nearest(point, radius, &mut |key, _| {
                let bounds = &self.table.entries[key as usize].bounds;
                let distance = bounds.squared_distance(point);
                if distance <= limit {
                    limit = limit.min(visit(key, distance));
                }
                limit
            });
        }
    }

    fn memory(&self) -> usize {
        self.table.memory()
            + self.fixed.memory()
            + self.moving.memory()
            + self.query_only.memory()
            + self.build_scratch.memory()
            + self.pair_scratch.memory()
            + self.pair_cache.memory()
            + self.updates.iter().map(PieceUpdates::memory).sum::<usize>()
            + self.updates.capacity() * size_of::<PieceUpdates>()
    }

    fn validate(&self) -> Result<(), String> {
        self.table.validate()?;
        for layer in Layer::ALL {
            self.validate_tree(self.tree(layer), layer)?;
        }
        self.validate_pair_cache()
    }
}
