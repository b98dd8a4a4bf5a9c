//! A broad phase that uses the R-tree of the crate rstar.

use std::cell::Cell;

use clearance_math::Inconsistent;
use clearance_math::{Aabb, Real, Vector};
use clearance_tree::ray_box::{self, RayLine};
use rstar::{AABB, PointDistance, RTreeObject, SelectionFunction};

use crate::broad_phase::{BroadPhase, check_bounds, check_fresh};
use crate::capacity::{SpareCapacity, capacity_for};
use crate::groups::Groups;
use crate::key::{BodyKind, Key, Layer, PairRules, ordered};
use crate::table::{Storage, Table, is_unbounded};

type Point = [Real; 3];

/// Boxes in three R-trees: fixed boxes, moving boxes, and boxes that can make no pair. A tree is
/// rebuilt at the `refresh` after a change.
///
/// An independent implementation to compare [`Bvh`](crate::Bvh) with. It is slower where boxes
/// move, and each rebuild allocates and takes O(n log n). Trees are built by Lee and Lee, "OMT:
/// Overlap Minimizing Top-down Bulk Loading Algorithm for R-tree" (2003); pairs come from the join
/// of rstar.
#[derive(Clone, Debug, Default)]
pub struct RTree<V: Vector> {
    table: Table<V>,
    /// The trees by layer.
    trees: [rstar::RTree<Leaf<V>>; 3],
    pairs: Vec<(Key, Key)>,
    spare: SpareCapacity,
    /// For each layer whether its tree is out of date.
    stale: [bool; 3],
}

/// A box with its key, as rstar stores it.
#[derive(Clone, Debug)]
struct Leaf<V> {
    bounds: Aabb<V>,
    key: Key,
}

impl<V: Vector> RTreeObject for Leaf<V> {
    type Envelope = AABB<Point>;

    fn envelope(&self) -> AABB<Point> {
        envelope(&self.bounds)
    }
}

impl<V: Vector> PointDistance for Leaf<V> {
    fn distance_2(&self, point: &Point) -> Real {
        self.bounds.squared_distance(from_point(point))
    }
}

/// Selects what a ray hits before a parameter that shrinks during the search.
struct HitBy<'a, V> {
    line: &'a RayLine<V>,
    max: &'a Cell<Real>,
}

impl<V: Vector> SelectionFunction<Leaf<V>> for HitBy<'_, V> {
    fn should_unpack_parent(&self, around: &AABB<Point>) -> bool {
        let bounds = Aabb::new(from_point(&around.lower()), from_point(&around.upper()));
        ray_box::entry(self.line, &bounds, self.max.get()).is_some()
    }

    fn should_unpack_leaf(&self, leaf: &Leaf<V>) -> bool {
        ray_box::entry(self.line, &leaf.bounds, self.max.get()).is_some()
    }
}

fn to_point<V: Vector>(vector: V) -> Point {
    let mut point = [0.0; 3];
    for (k, component) in point.iter_mut().enumerate().take(V::DIM) {
        *component = vector.component(k);
    }
    point
}

fn from_point<V: Vector>(point: &Point) -> V {
    V::from_fn(|k| point[k])
}

fn envelope<V: Vector>(bounds: &Aabb<V>) -> AABB<Point> {
    AABB::from_corners(to_point(bounds.min), to_point(bounds.max))
}

impl<V: Vector> RTree<V> {
    /// An empty set of boxes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn load(&self, layer: Layer) -> rstar::RTree<Leaf<V>> {
        let entries = self.table.entries.iter().enumerate();
        let own = entries.filter(|(_, e)| e.storage == Storage::Tree && e.layer == layer);
        let leaves = own.map(|(key, entry)| Leaf {
            bounds: entry.bounds,
            key: key as Key,
        });
        rstar::RTree::bulk_load(leaves.collect())
    }

    fn tree(&self, layer: Layer) -> &rstar::RTree<Leaf<V>> {
        &self.trees[layer as usize]
    }

    fn add(&mut self, key: Key, bounds: Aabb<V>, rules: PairRules) {
        self.table.add(key, bounds, rules);
        self.stale[Layer::of(rules) as usize] = true;
    }

    fn is_stale(&self) -> bool {
        self.stale.contains(&true)
    }
}

impl<V: Vector> BroadPhase<V> for RTree<V> {
    fn insert(&mut self, key: Key, bounds: Aabb<V>, kind: BodyKind) {
        let groups = self.groups(key).unwrap_or_default();
        self.remove(key);
        self.add(key, bounds, PairRules { kind, groups });
    }

    fn remove(&mut self, key: Key) -> bool {
        let Some(entry) = self.table.get(key) else {
            return false;
        };
        self.stale[entry.layer as usize] = true;
        self.table.remove(key);
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
        if (entry.storage == Storage::UnboundedList) == is_unbounded(&bounds) {
            self.table.entries[key as usize].bounds = bounds;
            self.stale[entry.layer as usize] = true;
        } else {
            self.insert(key, bounds, entry.kind);
        }
        true
    }

    fn refresh(&mut self) {
        for layer in Layer::ALL {
            if core::mem::take(&mut self.stale[layer as usize]) {
                self.trees[layer as usize] = self.load(layer);
            }
        }
    }

    fn set_groups(&mut self, key: Key, groups: Groups) -> bool {
        let Some(&entry) = self.table.get(key) else {
            return false;
        };
        let rules = PairRules {
            kind: entry.kind,
            groups,
        };
        if Layer::of(rules) == entry.layer {
            self.table.set_groups(key, groups);
        } else {
            self.remove(key);
            self.add(key, entry.bounds, rules);
        }
        true
    }

    fn groups(&self, key: Key) -> Option<Groups> {
        self.table.get(key).map(|_| self.table.groups(key))
    }

    fn bounds(&self, key: Key) -> Option<Aabb<V>> {
        self.table.get(key).map(|entry| entry.bounds)
    }

    fn len(&self) -> usize {
        self.table.len()
    }

    fn pairs(&mut self) -> &[(Key, Key)] {
        check_fresh(self.is_stale());
        let mut pairs = core::mem::take(&mut self.pairs);
        let capacity = pairs.capacity();
        pairs.clear();
        self.table.pairs_of_unbounded(&mut pairs);
        let table = &self.table;
        let (fixed, moving) = (self.tree(Layer::Fixed), self.tree(Layer::Moving));
        let mut add = |a: Key, b: Key| {
            if table.allows(a, b) {
                pairs.push(ordered(a, b));
            }
        };
        for layer in [Layer::Moving, Layer::Fixed] {
            for &key in table.unbounded(layer) {
                let around = envelope(&table.entries[key as usize].bounds);
                let found = moving.locate_in_envelope_intersecting(around);
                found.for_each(|leaf| add(key, leaf.key));
                if layer == Layer::Moving {
                    let found = fixed.locate_in_envelope_intersecting(around);
                    found.for_each(|leaf| add(key, leaf.key));
                }
            }
        }
        let joined = moving.intersection_candidates_with_other_tree(moving);
        // Joining a tree with itself yields each pair twice, in both orders.
        let once = joined.filter(|(a, b)| a.key < b.key);
        once.for_each(|(a, b)| add(a.key, b.key));
        let joined = moving.intersection_candidates_with_other_tree(fixed);
        joined.for_each(|(a, b)| add(a.key, b.key));
        pairs.sort_unstable();
        if self.spare.is_excess(pairs.len(), capacity) {
            pairs.shrink_to(capacity_for(pairs.len()));
        }
        self.pairs = pairs;
        &self.pairs
    }

    fn query_box(&self, bounds: &Aabb<V>, visit: &mut dyn FnMut(Key)) {
        check_fresh(self.is_stale());
        self.table.query_box(bounds, visit);
        for tree in &self.trees {
            for leaf in tree.locate_in_envelope_intersecting(envelope(bounds)) {
                visit(leaf.key);
            }
        }
    }

    fn query_ray(&self, line: &RayLine<V>, max: Real, visit: &mut dyn FnMut(Key, Real) -> Real) {
        check_fresh(self.is_stale());
        let max = Cell::new(self.table.query_ray(line, max, visit));
        for tree in &self.trees {
            let selection = HitBy { line, max: &max };
            for leaf in tree.locate_with_selection_function(selection) {
                // The parameter may have shrunk since the selection.
                if let Some(entry) = ray_box::entry(line, &leaf.bounds, max.get()) {
                    max.set(max.get().min(visit(leaf.key, entry)));
                }
            }
        }
    }

    fn query_nearest(
        &self,
        point: V,
        max_distance: Real,
        visit: &mut dyn FnMut(Key, Real) -> Real,
    ) {
        check_fresh(self.is_stale());
        let radius = max_distance * max_distance;
        let mut radius = self.table.query_nearest(point, radius, visit);
        for tree in &self.trees {
            for (leaf, distance) in tree.nearest_neighbor_iter_with_distance_2(to_point(point)) {
                if !(distance <= radius) {
                    break;
                }
                radius = radius.min(visit(leaf.key, distance));
            }
        }
    }

    fn memory(&self) -> usize {
        // rstar does not report its memory. A tree built at once has nearly full nodes with six
        // children, so one node for every four leaves is more than it has.
        let leaves = self.trees.iter().map(rstar::RTree::size).sum::<usize>();
        self.table.memory()
            + self.pairs.capacity() * size_of::<(Key, Key)>()
            + (leaves + leaves / 4) * size_of::<rstar::RTreeNode<Leaf<V>>>()
    }

    fn validate(&self) -> Result<(), Inconsistent> {
        self.table.validate()?;
        for layer in Layer::ALL {
            if self.stale[layer as usize] {
                continue;
            }
            let tree = self.tree(layer);
            let entries = self.table.entries.iter();
            let own = entries.filter(|e| e.storage == Storage::Tree && e.layer == layer);
            if own.count() != tree.size() {
                return Err(format!("the {layer:?} tree has {} leaves", tree.size()).into());
            }
            for leaf in tree {
                if self.bounds(leaf.key) != Some(leaf.bounds) {
                    return Err(format!("the leaf of key {} does not fit", leaf.key).into());
                }
            }
        }
        Ok(())
    }
}
