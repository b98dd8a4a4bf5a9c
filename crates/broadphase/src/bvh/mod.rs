//! A bounding volume hierarchy of four-wide nodes, one for fixed and one for moving boxes.
//!
//! Nodes lie in a flat array, a parent always before its children; that order is what lets one
//! backward sweep refit the whole tree. `refresh` does all the work: few moved boxes are refitted,
//! or put elsewhere, one by one; many by a sweep, and once the tree fits badly enough it is built
//! anew.

mod insert;
mod node;
mod pairs;
#[cfg(test)]
mod quality;
mod query;
mod rebuild;
mod refit;
mod remove;
mod validate;

use clearance_math::{Aabb, Ray, Real, Vector};

use crate::broad_phase::{check_bounds, check_fresh};
use crate::table::{Home, Table, is_unbounded};
use crate::{BroadPhase, Key, Mobility};
use node::Node;
use pairs::PairScratch;
use rebuild::BuildScratch;

/// A dynamic bounding volume hierarchy: the backend for almost everything.
///
/// Fixed boxes have their own tree, so the cost of a frame follows what moves. Boxes with infinite
/// or huge sides (beyond 1e16) are kept aside and tested one by one. A steady frame allocates
/// nothing. `pairs` searches the whole moving tree in each frame, about 50 nanoseconds a box; no
/// pairs are kept. Memory: 32 bytes a key and 43 a box in 3D, about as much again for building, and
/// reserve.
#[derive(Clone, Debug)]
pub struct Bvh<V> {
    table: Table<V>,
    fixed: Tree,
    moving: Tree,
    build_scratch: BuildScratch<V>,
    pair_scratch: PairScratch,
    stale: bool,
}

/// One tree, without the boxes' table.
#[derive(Clone, Debug, Default)]
struct Tree {
    /// The root comes first; empty if the tree is.
    nodes: Vec<Node>,
    /// The number of leaves in the nodes.
    leaves: usize,
    /// Keys to be taken up; some may have been removed since.
    pending: Vec<Key>,
    /// Keys whose box changed; some may have been removed since.
    moved: Vec<Key>,
    /// Leaves put in, taken out or put elsewhere since the tree was built.
    changes: usize,
    /// What it cost to search this tree rather than a new one, frame by frame, in units of one
    /// search.
    regret: Real,
    /// Whether a path became too long, so that the tree must be built anew.
    too_deep: bool,
}

impl Tree {
    fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
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
            build_scratch: BuildScratch::default(),
            pair_scratch: PairScratch::default(),
            stale: false,
        }
    }

    fn tree_mut(&mut self, mobility: Mobility) -> &mut Tree {
        match mobility {
            Mobility::Fixed => &mut self.fixed,
            Mobility::Moving => &mut self.moving,
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
        if let Some(entry) = self.table.get(key) {
            if entry.mobility == mobility {
                self.set_bounds(key, bounds);
                return;
            }
            self.remove(key);
        }
        self.stale = true;
        if self.table.add(key, bounds, mobility) == Home::Tree {
            self.tree_mut(mobility).pending.push(key);
        }
    }

    fn remove(&mut self, key: Key) -> bool {
        let Some(&entry) = self.table.get(key) else {
            return false;
        };
        self.stale = true;
        if entry.home == Home::Tree {
            let tree = match entry.mobility {
                Mobility::Fixed => &mut self.fixed,
                Mobility::Moving => &mut self.moving,
            };
            tree.remove(entry.place, &mut self.table.entries);
        }
        self.table.forget(key);
        true
    }

    fn set_bounds(&mut self, key: Key, bounds: Aabb<V>) -> bool {
        check_bounds(&bounds);
        let Some(&entry) = self.table.get(key) else {
            return false;
        };
        if entry.bounds == bounds {
            return true;
        }
        self.stale = true;
        if (entry.home == Home::List) != is_unbounded(&bounds) {
            self.remove(key);
            self.insert(key, bounds, entry.mobility);
            return true;
        }
        let entry = &mut self.table.entries[key as usize];
        entry.bounds = bounds;
        if entry.home == Home::Tree && !entry.moved {
            entry.moved = true;
            let mobility = entry.mobility;
            self.tree_mut(mobility).moved.push(key);
        }
        true
    }

    fn refresh(&mut self) {
        let entries = &mut self.table.entries;
        self.fixed
            .refresh(Mobility::Fixed, entries, &mut self.build_scratch);
        self.moving
            .refresh(Mobility::Moving, entries, &mut self.build_scratch);
        self.stale = false;
    }

    fn bounds(&self, key: Key) -> Option<Aabb<V>> {
        self.table.get(key).map(|entry| entry.bounds)
    }

    fn len(&self) -> usize {
        self.table.len()
    }

    fn pairs(&mut self, pairs: &mut Vec<(Key, Key)>) {
        check_fresh(self.stale);
        self.collect_pairs(pairs);
    }

    fn query_box(&self, bounds: &Aabb<V>, visit: &mut dyn FnMut(Key)) {
        check_fresh(self.stale);
        self.table.query_box(bounds, visit);
        self.fixed.query_box(bounds, visit);
        self.moving.query_box(bounds, visit);
    }

    fn query_ray(&self, ray: &Ray<V>, max: Real, visit: &mut dyn FnMut(Key, Real) -> Real) {
        check_fresh(self.stale);
        let max = self.table.query_ray(ray, max, visit);
        let max = self.fixed.query_ray(ray, max, visit);
        self.moving.query_ray(ray, max, visit);
    }

    fn query_nearest(
        &self,
        point: V,
        max_distance: Real,
        visit: &mut dyn FnMut(Key, Real) -> Real,
    ) {
        check_fresh(self.stale);
        let radius = max_distance * max_distance;
        let radius = self.table.query_nearest(point, radius, visit);
        let radius = self.fixed.query_nearest(point, radius, visit);
        self.moving.query_nearest(point, radius, visit);
    }

    fn memory(&self) -> usize {
        self.table.memory()
            + self.fixed.memory()
            + self.moving.memory()
            + self.build_scratch.memory()
            + self.pair_scratch.memory()
    }

    fn validate(&self) -> Result<(), String> {
        self.table.validate()?;
        self.validate_tree(&self.fixed, Mobility::Fixed)?;
        self.validate_tree(&self.moving, Mobility::Moving)
    }
}
