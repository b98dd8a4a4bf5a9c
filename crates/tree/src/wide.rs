//! A tree with sixteen children a node, for queries that go down to a few leaves of a tree that never changes.
//!
//! It is made of a tree with four children a node, whose nodes and leaves it keeps together: fewer steps lead
//! down. What counts is how many nodes are visited one after the other: sixteen boxes are tested in little more time than
//! four.

use clearance_math::internal::MapEach;
use clearance_math::{Aabb, Real, Vector, tolerances};
use glam::Vec4;
use smallvec::SmallVec;

use crate::tree::alive;
use crate::{Child, Node, Tree, lanes};

/// The number of children of a wide node.
pub const WIDE: usize = 16;

/// The most levels of a wide tree. A tree that was built at once has fewer, because each level divides the leaves by
/// two at least, and mostly by sixteen; of a tree that single boxes were added to no wide nodes are made if it is deeper.
pub const MOST_LEVELS: usize = 32;

/// Coordinates up to this leave room for squares and quotients.
pub(crate) const MOST_COORDINATE: Real = tolerances::MOST_WIDE_SIZE as Real;

/// Up to sixteen children with their boxes by component.
///
/// The boxes of empty lanes are empty: the least coordinates are infinite, and the greatest negative infinite.
/// In 2D the third component is never read.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(128))]
pub struct WideNode {
    /// For each component the least coordinates of the lanes, and the greatest.
    pub planes: [[[Real; WIDE]; 2]; 3],
    /// What the lanes hold.
    pub children: [Child; WIDE],
}

impl WideNode {
    /// A node without children.
    #[must_use]
    pub fn new() -> Self {
        Self {
            planes: [[[Real::INFINITY; WIDE], [Real::NEG_INFINITY; WIDE]]; 3],
            children: [Child::EMPTY; WIDE],
        }
    }

    /// The box of a lane.
    #[inline]
    pub(crate) fn lane<V: Vector>(&self, lane: usize) -> Aabb<V> {
        let corner = |side: usize| V::from_fn(|k| self.planes[k][side][lane]);
        Aabb::new(corner(0), corner(1))
    }

    /// The box around all lanes.
    fn bounds<V: Vector>(&self) -> Aabb<V> {
        (0..WIDE).fold(self.lane(0), |around, lane| around.merged(&self.lane(lane)))
    }

    /// Gives a lane another box.
    fn set_box<V: Vector>(&mut self, lane: usize, bounds: &Aabb<V>) {
        for (k, planes) in self.planes.iter_mut().enumerate().take(V::DIM) {
            planes[0][lane] = bounds.min.component(k);
            planes[1][lane] = bounds.max.component(k);
        }
    }

    /// Puts a child into a lane, with the least and the greatest corner of its box.
    pub(crate) fn put(&mut self, lane: usize, child: Child, corners: [Vec4; 2]) {
        self.children[lane] = child;
        for (k, planes) in self.planes.iter_mut().enumerate() {
            planes[0][lane] = corners[0][k];
            planes[1][lane] = corners[1][k];
        }
    }

    /// Puts a child into a lane, with the box around some lanes of a node.
    fn set_lane(&mut self, lane: usize, child: Child, node: &Node, from: u32) {
        self.children[lane] = child;
        for (planes, (low, high)) in self.planes.iter_mut().zip(node.low.iter().zip(&node.high)) {
            for of in lanes(from) {
                planes[0][lane] = planes[0][lane].min(low[of]);
                planes[1][lane] = planes[1][lane].max(high[of]);
            }
        }
    }
}

impl Default for WideNode {
    fn default() -> Self {
        Self::new()
    }
}

/// The wide nodes over the leaves of `nodes`, the root first, and a parent always before its children.
///
/// In `nodes`, too, each parent must come before its children.
#[must_use]
pub fn wide_nodes(nodes: &[Node]) -> Vec<WideNode> {
    let mut made = WideBuilder::of(nodes, WideScratch::default()).made;
    made.shrink_to_fit();
    made
}

/// Memory to make wide nodes in, kept so that nothing is allocated anew.
#[derive(Debug, Default)]
pub struct WideScratch {
    /// Nodes that are no longer needed.
    pub nodes: Vec<WideNode>,
    /// The number of leaves below each node.
    leaves: Vec<usize>,
}

impl WideScratch {
    /// Bytes held.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<WideNode>() + self.leaves.capacity() * size_of::<usize>()
    }
}

/// Many times more nodes than are needed are given back.
const EXCESS: usize = 4;

/// [`wide_nodes`] of a tree that may have changed since it was built; `None` if it is too deep, or if its boxes
/// are farther out than [`MOST_COORDINATE`].
///
/// The leaves get the boxes of `bounds_of`, which those in the tree contain, and all nodes fit them.
pub(crate) fn widened<V: Vector>(
    tree: &Tree<V>,
    bounds_of: &mut dyn FnMut(u32) -> Aabb<V>,
    scratch: &mut WideScratch,
) -> Option<Vec<WideNode>> {
    let bounds = tree.bounds();
    let is_near = |k: usize| {
        -MOST_COORDINATE <= bounds.min.component(k) && bounds.max.component(k) <= MOST_COORDINATE
    };
    if !(0..V::DIM).all(is_near) {
        return None;
    }
    if scratch.nodes.capacity() > EXCESS * (tree.nodes.len() + WIDE) {
        *scratch = WideScratch::default();
    }
    let WideBuilder {
        mut made,
        leaves,
        levels,
        ..
    } = WideBuilder::of(&tree.nodes, core::mem::take(scratch));
    scratch.leaves = leaves;
    if levels > MOST_LEVELS {
        scratch.nodes = made;
        return None;
    }
    fit(&mut made, bounds_of);
    Some(made)
}

/// Gives the leaves the boxes of `bounds_of`, and each node the box around its lanes.
fn fit<V: Vector>(nodes: &mut [WideNode], bounds_of: &mut dyn FnMut(u32) -> Aabb<V>) {
    // A parent comes before its children.
    for index in (0..nodes.len()).rev() {
        for lane in 0..WIDE {
            let child = nodes[index].children[lane];
            let bounds = match (child.index(), child.number()) {
                (Some(below), _) => nodes[below].bounds(),
                (None, Some(number)) => bounds_of(number),
                (None, None) => continue,
            };
            nodes[index].set_box(lane, &bounds);
        }
    }
}

/// Counts the leaves below each node.
fn count_leaves(nodes: &[Node], leaves: &mut Vec<usize>) {
    leaves.clear();
    leaves.resize(nodes.len(), 0);
    for (index, node) in alive(nodes).rev() {
        let below = node.children.iter().map(|child| match child.index() {
            Some(below) => leaves[below],
            None => usize::from(!child.is_empty()),
        });
        leaves[index] = below.sum();
    }
}

/// Some lanes of a node.
#[derive(Clone, Copy, Debug)]
struct LaneGroup {
    node: usize,
    mask: u32,
}

impl LaneGroup {
    /// The lower and the upper half of at least two lanes. A node divides its leaves in this order.
    fn halves(self) -> [Self; 2] {
        let count = self.mask.count_ones() / 2;
        let lower = lanes(self.mask)
            .take(count as usize)
            .fold(0, |lower, lane| lower | 1 << lane);
        [lower, self.mask & !lower].map_each(|mask| Self { mask, ..self })
    }

    /// The only lane, if there is one lane.
    fn only_lane(self) -> Option<usize> {
        (self.mask.count_ones() == 1).then(|| self.mask.trailing_zeros() as usize)
    }
}

struct WideBuilder<'a> {
    nodes: &'a [Node],
    /// The number of leaves below each node.
    leaves: Vec<usize>,
    made: Vec<WideNode>,
    /// The number of levels made.
    levels: usize,
}

impl<'a> WideBuilder<'a> {
    /// Makes the wide nodes of a tree.
    fn of(nodes: &'a [Node], scratch: WideScratch) -> Self {
        let mut builder = Self {
            nodes,
            leaves: scratch.leaves,
            made: scratch.nodes,
            levels: 0,
        };
        count_leaves(nodes, &mut builder.leaves);
        builder.made.clear();
        builder.made.reserve(nodes.len() / 2 + 1);
        if let Some(root) = nodes.first() {
            let mask = root.occupied_lanes();
            builder.make(LaneGroup { node: 0, mask }, 1);
        }
        builder
    }

    fn leaves_of(&self, part: LaneGroup) -> usize {
        let children = &self.nodes[part.node].children;
        let below = |lane: usize| children[lane].index().map_or(1, |index| self.leaves[index]);
        lanes(part.mask).map(below).sum()
    }

    /// The two halves of a part, which has more than one leaf.
    fn halves(&self, mut part: LaneGroup) -> [LaneGroup; 2] {
        while let Some(lane) = part.only_lane()
            && let Some(node) = self.nodes[part.node].children[lane].index()
        {
            part = LaneGroup {
                node,
                mask: self.nodes[node].occupied_lanes(),
            };
        }
        part.halves()
    }

    /// Divides a part into the children of a wide node: full trees, as far as the halves allow.
    fn children(&self, part: LaneGroup) -> SmallVec<[LaneGroup; WIDE]> {
        let mut full = 1;
        while full * WIDE < self.leaves_of(part) {
            full *= WIDE;
        }
        let mut parts = SmallVec::from_slice(&[part]);
        while parts.len() < WIDE {
            let large = parts.iter().position(|&part| self.leaves_of(part) > full);
            let Some(large) = large else { break };
            let [lower, upper] = self.halves(parts[large]);
            parts[large] = lower;
            parts.insert(large + 1, upper);
        }
        parts
    }

    /// Makes the node over a part, and all nodes below it; returns its index.
    fn make(&mut self, part: LaneGroup, level: usize) -> u32 {
        self.levels = self.levels.max(level);
        let index = self.made.len();
        self.made.push(WideNode::new());
        if level > MOST_LEVELS {
            return index as u32;
        }
        for (lane, part) in self.children(part).into_iter().enumerate() {
            let node = &self.nodes[part.node];
            let only = part.only_lane().map(|lane| node.children[lane]);
            let child = match only {
                Some(leaf) if leaf.is_leaf_or_empty() => leaf,
                _ => Child::node(self.make(part, level + 1)),
            };
            self.made[index].set_lane(lane, child, node, part.mask);
        }
        index as u32
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::{Aabb, Vec3};

    use super::*;
    use crate::{BuildScratch, BuildTools, Tree, Workers};

    /// Boxes in a row that is neither straight nor even.
    fn boxes(count: usize) -> Vec<Aabb<Vec3>> {
        let corner = |k: usize| {
            let x = k as Real;
            Vec3::new(x, (k * 7 % 11) as Real, (k * k % 13) as Real)
        };
        (0..count)
            .map(|k| Aabb::new(corner(k), corner(k) + Vec3::splat(1.5)))
            .collect()
    }

    #[test]
    fn every_leaf_is_in_one_lane_whose_box_and_those_above_contain_it() {
        for count in [1, 2, 5, 8, 9, 63, 64, 65, 300, 513, 4096, 5000, 8192] {
            let boxes = boxes(count);
            let tools = BuildTools {
                scratch: &mut BuildScratch::default(),
                workers: &Workers::alone(),
            };
            let tree = Tree::build(&boxes, tools).unwrap();
            let wide = wide_nodes(tree.nodes());
            let mut found = vec![0; count];
            let mut pending = vec![(0, 0, Aabb::new(Vec3::NEG_INFINITY, Vec3::INFINITY))];
            while let Some((index, level, around)) = pending.pop() {
                assert!(level < MOST_LEVELS);
                let node: &WideNode = &wide[index];
                for lane in 0..WIDE {
                    let corner = |side: usize| {
                        Vec3::from_array([0, 1, 2].map(|k| node.planes[k][side][lane]))
                    };
                    let bounds = Aabb::new(corner(0), corner(1));
                    let child = node.children[lane];
                    if child.is_empty() {
                        assert!(bounds.is_empty());
                        continue;
                    }
                    assert_eq!(bounds.merged(&around), around);
                    if let Some(number) = child.number() {
                        assert_eq!(bounds, boxes[number as usize]);
                        found[number as usize] += 1;
                    } else if let Some(below) = child.index() {
                        assert!(below > index);
                        pending.push((below, level + 1, bounds));
                    }
                }
            }
            assert!(found.iter().all(|&times| times == 1), "{count} leaves");
            assert!(wide.len() <= 1 + count / 8, "{} nodes", wide.len());
        }
    }
}
