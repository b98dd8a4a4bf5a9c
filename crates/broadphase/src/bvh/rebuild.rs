//! Building a tree from all its boxes.

use clearance_math::{Aabb, Real, Vector};

use super::Tree;
use super::node::{Child, LANES, NONE, Node, half_surface, place};
use super::refit::is_of_tree;
use super::split::{Halves, Point, are_in_one_place, split};
use crate::capacity::capacity_for;
use crate::key::Layer;
use crate::table::{NO_PLACE, Table};
use crate::workers::Workers;
use crate::{Key, PairFilter};

/// The place of an entry whose box is about to be put into the new tree.
const GATHERED: u32 = NO_PLACE - 1;

/// The unit of length is at least this fraction of the extent of the scene: where boxes are tiny,
/// nodes shaped like cubes are better than nodes shaped like the boxes.
const LEAST_UNIT: Real = 1e-3;

/// Centres farther out than this many units are moved to this distance, so that differences do not
/// overflow.
const MOST_UNITS: Real = 1e30;

/// The least number of boxes for which it pays to use another thread.
const MIN_POINTS_PER_THREAD: usize = 4096;

/// A leaf of the new tree: a key and its outer predicted bounds.
#[derive(Clone, Copy, Debug)]
struct Item<V> {
    bounds: Aabb<V>,
    key: Key,
}

/// Memory that building reuses, so that a steady frame allocates nothing.
#[derive(Clone, Debug)]
pub(super) struct BuildScratch<V> {
    items: Vec<Item<V>>,
    points: Vec<Point<V>>,
    /// The filter of each item; empty while no filter forbids pairs.
    filters: Vec<PairFilter>,
}

/// What building a tree needs: reused memory, and threads.
pub(super) struct BuildTools<'a, V> {
    pub(super) scratch: &'a mut BuildScratch<V>,
    pub(super) workers: Workers,
}

impl<V> Default for BuildScratch<V> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            points: Vec::new(),
            filters: Vec::new(),
        }
    }
}

impl<V: Vector> BuildScratch<V> {
    pub(super) fn memory(&self) -> usize {
        self.items.capacity() * size_of::<Item<V>>()
            + self.points.capacity() * size_of::<Point<V>>()
            + self.filters.capacity() * size_of::<PairFilter>()
    }

    fn shrink_to(&mut self, count: usize) {
        self.points.clear();
        self.filters.clear();
        self.items.shrink_to(count);
        self.points.shrink_to(count);
        self.filters.shrink_to(count);
    }

    /// Computes the points of the items.
    fn place_points(&mut self) {
        let centers = self.items.iter().map(|item| item.bounds.center());
        let around = centers.clone().fold(Aabb::empty(), |around, center| {
            around.merged(&Aabb::new(center, center))
        });
        // Half extents, because their differences cannot overflow.
        let extent = around.half_extents();
        let size = self.mean_half_size(extent);
        let longest = (0..V::DIM).fold(0.0, |most, k| extent.component(k).max(most));
        let mut scale = V::splat(1.0);
        for k in 0..V::DIM {
            let unit = size.component(k) + longest * LEAST_UNIT;
            if unit > Real::MIN_POSITIVE {
                scale = scale.with_component(k, 0.5 / unit);
            }
        }
        self.points.clear();
        self.points.reserve_exact(self.items.len());
        self.points.extend(centers.zip(0..).map(|(center, item)| {
            // Measured from the origin: measured from a corner of the scene, boxes far out would
            // cost the others their precision.
            let mut scaled = center;
            for k in 0..V::DIM {
                let units = center.component(k) * scale.component(k);
                scaled = scaled.with_component(k, units.clamp(-MOST_UNITS, MOST_UNITS));
            }
            Point {
                center: scaled,
                item,
            }
        }));
    }

    /// Half the mean size of the boxes, from a sample. No box counts for more than `extent`, which
    /// is half the extent of the centres.
    fn mean_half_size(&self, extent: V) -> V {
        let step = self.items.len() / 256 + 1;
        let sample = self.items.iter().step_by(step);
        let weight = 1.0 / sample.len().max(1) as Real;
        sample.fold(V::ZERO, |mean, item| {
            mean + item.bounds.half_extents().min(extent) * weight
        })
    }
}

impl Tree {
    /// Builds the tree from all its boxes, pending ones included; O(n log n).
    ///
    /// The boxes are split at the median along the longest side, again and again, as in a k-d tree
    /// (Bentley, "Multidimensional Binary Search Trees Used for Associative Searching", 1975), but
    /// at the nearest count that fills all nodes. Building takes longer than packing nodes in
    /// Morton order, but the search for pairs takes half as long, and trees stay good for many
    /// frames.
    pub(super) fn rebuild<V: Vector>(
        &mut self,
        layer: Layer,
        table: &mut Table<V>,
        tools: BuildTools<'_, V>,
    ) {
        let BuildTools { scratch, workers } = tools;
        self.gather(layer, table, scratch);
        scratch.place_points();
        self.leaves = scratch.items.len();
        self.changes = 0;
        self.quality_loss = 0.0;
        self.too_deep = false;
        self.nodes.clear();
        self.filters.clear();
        // Capacity for full nodes, and for one node on each level that is not full.
        let capacity = self.leaves / (LANES - 1) + 16;
        self.nodes.reserve_exact(capacity);
        self.nodes.shrink_to(2 * capacity_for(capacity));
        if self.leaves > 0 {
            let count = node_count(self.leaves).max(1);
            self.nodes.resize(count, Node::new(NONE));
            let BuildScratch {
                items,
                points,
                filters,
            } = scratch;
            let builder = Builder {
                items,
                filters,
                workers,
            };
            let slots = NodeSlots {
                nodes: &mut self.nodes,
                first: 0,
            };
            builder.build(points, slots, NONE);
        }
        for (at, node) in self.nodes.iter().enumerate() {
            for (lane, child) in node.children.iter().enumerate() {
                if let Some(key) = child.key() {
                    table.entries[key as usize].place = place(at, lane);
                }
            }
        }
    }

    /// Collects the boxes of the tree in the order of the old tree, which is nearly the order in
    /// which they will be read.
    fn gather<V: Vector>(
        &mut self,
        layer: Layer,
        table: &mut Table<V>,
        scratch: &mut BuildScratch<V>,
    ) {
        let total = self.leaves + self.pending.len();
        scratch.items.clear();
        scratch.items.reserve_exact(total);
        // All trees share the scratch: a small one must not take away what a large one needs.
        scratch.shrink_to(2 * capacity_for(table.len()));
        let mut take = |table: &mut Table<V>, key: Key| {
            let entry = &mut table.entries[key as usize];
            entry.moved = false;
            entry.place = GATHERED;
            let bounds = table.predicted_bounds[key as usize].outer;
            scratch.items.push(Item { bounds, key });
        };
        let leaves = self.nodes.iter().filter(|node| node.alive);
        let leaves = leaves.flat_map(|node| node.children.iter().filter_map(|child| child.key()));
        leaves.for_each(|key| take(table, key));
        for &key in &self.pending {
            let entry = &table.entries[key as usize];
            if is_of_tree(entry, layer) && entry.place == NO_PLACE {
                take(table, key);
            }
        }
        self.pending.clear();
        self.moved.clear();
        scratch.filters.clear();
        if layer != Layer::QueryOnly && table.is_filtered() {
            let filters = scratch.items.iter().map(|item| table.filter(item.key));
            scratch.filters.extend(filters);
        }
    }
}

/// The number of nodes above so many leaves. All children of a node but the last are full trees.
fn node_count(leaves: usize) -> usize {
    if leaves < 2 {
        return 0;
    }
    let full = largest_full(leaves);
    let parts = leaves.div_ceil(full);
    let rest = leaves - full * (parts - 1);
    // Full trees of 1, 4 and 16 leaves have 0, 1 and 5 nodes.
    1 + (parts - 1) * ((full - 1) / (LANES - 1)) + node_count(rest)
}

/// The number of leaves of the largest full tree that is a proper part of a tree of so many leaves.
fn largest_full(leaves: usize) -> usize {
    let mut full = 1;
    while full * LANES < leaves {
        full *= LANES;
    }
    full
}

/// Makes nodes, a parent before its children.
#[derive(Clone, Copy)]
struct Builder<'a, V> {
    items: &'a [Item<V>],
    filters: &'a [PairFilter],
    workers: Workers,
}

/// The memory for the nodes of a subtree, and the index of its first node.
struct NodeSlots<'a> {
    nodes: &'a mut [Node],
    first: usize,
}

/// One of the parts into which the points of a node are divided, with the memory for its nodes.
struct Part<'a, 'p, V> {
    points: &'p mut [Point<V>],
    slots: NodeSlots<'a>,
    parent: u32,
}

impl<V: Vector> Builder<'_, V> {
    /// Makes the node that holds `points`, and all nodes below it; returns its box. The depth of
    /// the recursion is the logarithm of the number of points to base 4.
    fn build(&self, points: &mut [Point<V>], slots: NodeSlots<'_>, parent: u32) -> Aabb<V> {
        let NodeSlots { nodes, first: at } = slots;
        let is_shared = self.workers.pieces(points.len(), MIN_POINTS_PER_THREAD) > 1;
        let Some((node, mut nodes)) = nodes.split_first_mut() else {
            return Aabb::empty();
        };
        let mut next = at + 1;
        let mut lane = 0;
        let parts = self.quarters(points).map(|points| {
            let count = node_count(points.len());
            let slots = NodeSlots {
                nodes: nodes.split_off_mut(..count).unwrap_or_default(),
                first: next,
            };
            let parent = place(at, lane);
            next += count;
            lane += usize::from(!points.is_empty());
            Part {
                points,
                slots,
                parent,
            }
        });
        *node = Node::new(parent);
        let mut around = Aabb::empty();
        let mut add = |lane: usize, (child, bounds): (Child, Aabb<V>)| {
            node.children[lane] = child;
            node.set_lane(lane, &bounds);
            around = around.merged(&bounds);
        };
        if is_shared {
            let [a, b, c, d] = parts;
            let both = |a, b| self.workers.both(|| self.part(a), || self.part(b));
            let (first, second) = self.workers.both(|| both(a, b), || both(c, d));
            let made = [first.0, first.1, second.0, second.1];
            let made = made.into_iter().flatten().enumerate();
            made.for_each(|(lane, child)| add(lane, child));
        } else {
            let made = parts.into_iter().filter_map(|part| self.part(part));
            made.enumerate().for_each(|(lane, child)| add(lane, child));
        }
        node.made_surface = half_surface(&around);
        around
    }

    /// Makes a child of a node, and returns it with its box; `None` if it has no points.
    #[inline]
    fn part(&self, part: Part<'_, '_, V>) -> Option<(Child, Aabb<V>)> {
        match part.points {
            [] => None,
            [point] => {
                let item = &self.items[point.item as usize];
                Some((Child::leaf(item.key), item.bounds))
            }
            points => {
                let index = part.slots.first as u32;
                let bounds = self.build(points, part.slots, part.parent);
                Some((Child::node(index), bounds))
            }
        }
    }
}

impl<V: Vector> Builder<'_, V> {
    /// Divides points into the four children of a node. All children but the last one that is not
    /// empty are full.
    fn quarters<'p>(&self, points: &'p mut [Point<V>]) -> [&'p mut [Point<V>]; LANES] {
        let full = largest_full(points.len());
        let parts = points.len().div_ceil(full);
        let (left, right) = self.split(points, full * (parts / 2).max(1));
        let (left_parts, right_parts) = (left.len() / full, right.len().div_ceil(full));
        let (first, second) = self.split(left, full * (left_parts / 2).max(1));
        let (third, fourth) = self.split(right, full * (right_parts / 2).max(1));
        [first, second, third, fourth]
    }

    /// Moves `count` of the points, or all if there are fewer, to the left: along the longest side,
    /// or by their filters if the boxes are so close together that their positions do not separate
    /// them.
    fn split<'p>(&self, points: &'p mut [Point<V>], count: usize) -> Halves<'p, V> {
        let filter = |point: &Point<V>| self.filters[point.item as usize];
        let is_mixed = |points: &[Point<V>]| {
            let first = points.first().map(filter);
            points.iter().any(|point| Some(filter(point)) != first)
        };
        let is_whole = count >= points.len();
        if is_whole || self.filters.is_empty() || !are_in_one_place(points) || !is_mixed(points) {
            return split(points, count);
        }
        points.select_nth_unstable_by_key(count, filter);
        points.split_at_mut(count)
    }
}
