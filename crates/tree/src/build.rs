//! Building a tree from all its boxes.

use clearance_math::{Aabb, Real, Vector, compile_once};

use crate::node::half_surface;
use crate::split::{Halves, Point, extent_of, longest_axis, split_along};
use crate::{BuildError, Child, LANES, MAX_LEAVES, NONE, Node, Tree, Workers, place};

/// The unit of length is at least this fraction of the extent of the scene: where boxes are tiny,
/// nodes shaped like cubes are better than nodes shaped like the boxes.
const LEAST_UNIT: Real = 1e-3;

/// Centres farther out than this many units are moved to this distance, so that differences do not
/// overflow.
const MOST_UNITS: Real = 1e30;

/// The least number of boxes for which it pays to use another thread.
const MIN_POINTS_PER_THREAD: usize = 1024;

/// How many boxes of a node are looked at to decide whether they are in one place.
const SAMPLE: usize = 8;

/// A leaf of the new tree.
#[derive(Clone, Copy, Debug)]
struct Item<V> {
    bounds: Aabb<V>,
    number: u32,
}

/// Memory that building uses. Reused, it lets a steady frame allocate nothing.
#[derive(Clone, Debug)]
pub struct BuildScratch<V> {
    items: Vec<Item<V>>,
    points: Vec<Point<V>>,
    /// The group of each item; empty if they are not grouped.
    groups: Vec<u64>,
    /// By what the centres were multiplied to become points.
    scale: V,
}

/// What building a tree needs: memory to reuse, and threads.
#[derive(Debug)]
pub struct BuildTools<'a, V> {
    /// The memory.
    pub scratch: &'a mut BuildScratch<V>,
    /// The threads.
    pub workers: &'a Workers,
}

impl<V: Vector> Default for BuildScratch<V> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            points: Vec::new(),
            groups: Vec::new(),
            scale: V::splat(1.0),
        }
    }
}

/// The leaves of the next tree. For owners of trees that change; [`Tree::build`] needs none of it.
impl<V: Vector> BuildScratch<V> {
    /// Removes all leaves, and reserves memory for so many.
    pub fn start(&mut self, count: usize) {
        self.items.clear();
        self.groups.clear();
        self.items.reserve_exact(count);
    }

    /// Adds a leaf, whose box must be finite and not empty.
    #[inline]
    pub fn add(&mut self, number: u32, bounds: Aabb<V>) {
        self.items.push(Item { bounds, number });
    }

    /// The number of leaves.
    #[must_use]
    pub fn count(&self) -> usize {
        self.items.len()
    }

    /// Sets the group of each leaf by its number. Boxes that are so close together that their
    /// positions do not separate them are separated by their groups.
    pub fn set_groups(&mut self, group: impl Fn(u32) -> u64) {
        self.groups.clear();
        let groups = self.items.iter().map(|item| group(item.number));
        self.groups.extend(groups);
    }
}

impl<V: Vector> BuildScratch<V> {
    /// How many bytes are allocated.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.items.capacity() * size_of::<Item<V>>()
            + self.points.capacity() * size_of::<Point<V>>()
            + self.groups.capacity() * size_of::<u64>()
    }

    /// Releases capacity beyond this number of leaves.
    pub fn shrink_to(&mut self, count: usize) {
        self.points.clear();
        self.groups.clear();
        self.items.shrink_to(count);
        self.points.shrink_to(count);
        self.groups.shrink_to(count);
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
        self.scale = scale;
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

impl<V: Vector> Tree<V> {
    /// Builds a tree over `boxes`, which are numbered by their places in the slice; O(n log n). Its
    /// memory is as small as its nodes allow.
    ///
    /// The boxes are split at the median along the longest side, again and again, as in a k-d tree
    /// (Bentley, "Multidimensional Binary Search Trees Used for Associative Searching", 1975), but
    /// at the nearest count that fills all nodes. Building takes longer than packing nodes in
    /// Morton order, but the search for pairs takes half as long, and trees stay good for many
    /// frames.
    ///
    /// # Errors
    /// [`BuildError`] if a box is empty or not finite, or if there are more than [`MAX_LEAVES`].
    pub fn build(boxes: &[Aabb<V>], tools: BuildTools<'_, V>) -> Result<Self, BuildError> {
        let count = boxes.len();
        if count > MAX_LEAVES {
            return Err(BuildError::TooMany { count });
        }
        Self::build_numbered((0..).zip(boxes.iter().copied()), tools)
    }

    /// [`Tree::build`] for boxes with numbers of their own, all of them less than [`MAX_LEAVES`].
    pub fn build_numbered(
        boxes: impl Iterator<Item = (u32, Aabb<V>)>,
        tools: BuildTools<'_, V>,
    ) -> Result<Self, BuildError> {
        tools.scratch.start(boxes.size_hint().0);
        for (leaf, bounds) in boxes {
            let number = leaf as usize;
            if !bounds.is_finite() {
                return Err(BuildError::NotFinite { number });
            }
            if bounds.is_empty() {
                return Err(BuildError::Empty { number });
            }
            tools.scratch.add(leaf, bounds);
        }
        let mut tree = Self::default();
        tree.rebuild(tools);
        Ok(tree)
    }

    /// Builds the tree from the leaves in the scratch, in the memory that it has if that is enough.
    pub fn rebuild(&mut self, tools: BuildTools<'_, V>) {
        rebuild(self, tools);
    }
}

compile_once! {
    fn rebuild<'a, V>(tree: &'a mut Tree<V>, tools: BuildTools<'a, V>) {
        let BuildTools { scratch, workers } = tools;
        scratch.place_points();
        tree.leaves = scratch.items.len();
        tree.nodes.clear();
        if tree.leaves == 0 {
            return;
        }
        let count = node_count(tree.leaves).max(1);
        tree.nodes.reserve_exact(count);
        tree.nodes.resize(count, Node::new(NONE));
        let BuildScratch { items, points, groups, scale } = scratch;
        let builder = Builder { items, groups, scale: *scale, workers };
        let slots = NodeSlots { nodes: &mut tree.nodes, first: 0 };
        builder.build(points, slots, NONE);
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
    groups: &'a [u64],
    scale: V,
    workers: &'a Workers,
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
                Some((Child::leaf(item.number), item.bounds))
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
    /// or by their groups if the boxes are so close together that their positions do not separate
    /// them.
    fn split<'p>(&self, points: &'p mut [Point<V>], count: usize) -> Halves<'p, V> {
        let group = |point: &Point<V>| self.groups[point.item as usize];
        let is_mixed = |points: &[Point<V>]| {
            let first = points.first().map(group);
            points.iter().any(|point| Some(group(point)) != first)
        };
        if count >= points.len() {
            return points.split_at_mut(points.len());
        }
        let extent = extent_of(points);
        if self.groups.is_empty() || !self.are_in_one_place(points, extent) || !is_mixed(points) {
            return split_along(longest_axis(extent), points, count);
        }
        points.select_nth_unstable_by_key(count, group);
        points.split_at_mut(count)
    }

    /// Whether most boxes with their centres at these points overlap each other: most of a sample
    /// are at least as large as the extent of the points.
    fn are_in_one_place(&self, points: &[Point<V>], extent: V) -> bool {
        let covers = |point: &Point<V>| {
            let bounds = &self.items[point.item as usize].bounds;
            (0..V::DIM).all(|k| {
                // Halved, because differences cannot overflow then.
                let half = bounds.max.component(k) * 0.5 - bounds.min.component(k) * 0.5;
                half * self.scale.component(k) * 2.0 >= extent.component(k)
            })
        };
        let sample = points.iter().step_by(points.len() / SAMPLE + 1);
        let tolerated = (sample.len() - 1) / 2;
        let small = sample.filter(|point| !covers(point));
        small.take(tolerated + 1).count() <= tolerated
    }
}
