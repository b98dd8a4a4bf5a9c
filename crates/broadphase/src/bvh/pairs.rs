//! The search for overlapping pairs: the moving tree against itself and against the fixed tree.

use core::ops::Range;

use clearance_math::Vector;

use super::node::{Child, LANES, Node, lanes};
use super::{Bvh, Tree};
use crate::key::{Layer, ordered};
use crate::{Key, PairFilter};

/// The least number of nodes to start from for which it pays to use another thread.
const MIN_NODES_PER_THREAD: usize = 1024;

/// Memory that the search reuses from frame to frame, so that a steady frame allocates nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct PairScratch {
    on_this_thread: Stacks,
    /// The stacks of the other threads, and the pairs that they found.
    on_others: Vec<(Stacks, Vec<(Key, Key)>)>,
}

/// What a search has yet to look at.
#[derive(Clone, Debug, Default)]
struct Stacks {
    /// Pairs of overlapping nodes; a node paired with itself stands for the pairs among its
    /// children.
    nodes: Vec<(u32, u32)>,
    /// Subtrees to be searched for the partners of one leaf.
    subtrees: Vec<u32>,
}

impl PairScratch {
    pub(super) fn memory(&self) -> usize {
        let others = self.on_others.iter();
        let others = others
            .map(|(stacks, found)| stacks.memory() + found.capacity() * size_of::<(Key, Key)>());
        self.on_this_thread.memory()
            + others.sum::<usize>()
            + self.on_others.capacity() * size_of::<(Stacks, Vec<(Key, Key)>)>()
    }
}

impl PairScratch {
    /// Releases capacity beyond this number of pairs.
    pub(super) fn shrink_to(&mut self, pairs: usize) {
        self.on_this_thread.shrink_to(pairs);
        for (stacks, found) in &mut self.on_others {
            stacks.shrink_to(pairs);
            found.shrink_to(pairs);
        }
    }
}

impl Stacks {
    fn shrink_to(&mut self, count: usize) {
        self.nodes.shrink_to(count);
        self.subtrees.shrink_to(count);
    }

    fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<(u32, u32)>()
            + self.subtrees.capacity() * size_of::<u32>()
    }
}

impl<V: Vector> Bvh<V> {
    /// Appends every pair whose outer predicted bounds overlap, in no particular order.
    pub(super) fn collect_pairs(&mut self, pairs: &mut Vec<(Key, Key)>) {
        self.table.pairs_of_unbounded(pairs);
        for layer in [Layer::Moving, Layer::Fixed] {
            for &key in self.table.unbounded(layer) {
                let bounds = self.table.entries[key as usize].bounds;
                let filter = self.table.filter(key);
                let mut visit = |other| pairs.push(ordered(key, other));
                self.moving.query_allowed(&bounds, filter, &mut visit);
                if layer == Layer::Moving {
                    self.fixed.query_allowed(&bounds, filter, &mut visit);
                }
            }
        }
        let mut join = Join::<V> {
            scratch: &mut self.pair_scratch.on_this_thread,
            pairs,
            dimension: std::marker::PhantomData,
        };
        join.tree_with_tree(&self.moving, &self.fixed);
        let count = self.moving.nodes.len();
        let pieces = self.workers.pieces(count, MIN_NODES_PER_THREAD);
        if pieces == 1 {
            join.tree_with_itself(&self.moving, 0..count);
            return;
        }
        let others = &mut self.pair_scratch.on_others;
        others.resize_with(pieces, Default::default);
        let length = count.div_ceil(pieces);
        let (tree, starts) = (&self.moving, (0..count).step_by(length));
        let work = |(start, (scratch, found)): (usize, &mut (Stacks, Vec<_>))| {
            let mut join = Join::<V> {
                scratch,
                pairs: found,
                dimension: std::marker::PhantomData,
            };
            join.tree_with_itself(tree, start..count.min(start + length));
        };
        self.workers.for_each(starts.zip(&mut *others), work);
        for (_, found) in others {
            pairs.append(found);
        }
    }
}

/// A simultaneous traversal of two trees, or of one tree with itself.
struct Join<'a, V> {
    scratch: &'a mut Stacks,
    pairs: &'a mut Vec<(Key, Key)>,
    dimension: std::marker::PhantomData<V>,
}

/// A node of one of the two trees.
#[derive(Clone, Copy)]
struct NodeRef<'a> {
    tree: &'a Tree,
    at: u32,
}

impl<'a> NodeRef<'a> {
    #[inline]
    fn node(self) -> &'a Node {
        &self.tree.nodes[self.at as usize]
    }

    /// A child that is known to be a node.
    #[inline]
    fn child(self, child: Child) -> Self {
        Self {
            tree: self.tree,
            at: child.raw(),
        }
    }
}

/// Among the sixteen pairs of lanes, with bit 4 i + j for the lanes i and j, those with i < j.
const GREATER_SECOND: u32 = 0b0000_1000_1100_1110;

/// The number of pairs of nodes that are tested before the results are used. The tests have no
/// branches, so the processor works on several of them at once and their waits for memory overlap.
const BATCH: usize = 64;

impl<V: Vector> Join<'_, V> {
    /// Finds the pairs of leaves of one tree whose lowest common ancestor is in `nodes`.
    fn tree_with_itself(&mut self, tree: &Tree, nodes: Range<usize>) {
        let mut starts = nodes.filter(|&at| tree.nodes[at].alive);
        loop {
            let batch = starts.by_ref().take(BATCH);
            let batch = batch.map(|at| (at as u32, at as u32));
            self.scratch.nodes.extend(batch);
            if self.scratch.nodes.is_empty() {
                return;
            }
            self.search_in::<true>(tree, tree);
        }
    }

    /// Finds the pairs of a leaf of `a` and a leaf of `b`.
    fn tree_with_tree(&mut self, a: &Tree, b: &Tree) {
        if !a.nodes.is_empty() && !b.nodes.is_empty() {
            self.scratch.nodes.push((0, 0));
            self.search_in::<false>(a, b);
        }
    }

    fn search_in<const SAME: bool>(&mut self, a: &Tree, b: &Tree) {
        // After a refresh either both trees have filters, or neither.
        if a.filters.is_empty() || b.filters.is_empty() {
            self.search::<SAME, false>(a, b);
        } else {
            self.search::<SAME, true>(a, b);
        }
    }

    /// Works through the pairs of nodes on the stack. If both trees are the same, a node paired
    /// with itself stands for the pairs of different children; pairs within one child are found
    /// from other starts.
    fn search<const SAME: bool, const FILTERED: bool>(&mut self, a: &Tree, b: &Tree) {
        let mut found = [(0, 0, 0); BATCH];
        while !self.scratch.nodes.is_empty() {
            let rest = self.scratch.nodes.len().saturating_sub(BATCH);
            let mut count = 0;
            for &(at_a, at_b) in &self.scratch.nodes[rest..] {
                let mut hits = overlaps::<V>(&a.nodes[at_a as usize], &b.nodes[at_b as usize]);
                if SAME {
                    hits &= if at_a == at_b { GREATER_SECOND } else { 0xFFFF };
                }
                if FILTERED && hits != 0 {
                    let (a, b) = (&a.filters[at_a as usize], &b.filters[at_b as usize]);
                    hits &= a.allowed_pairs(b);
                }
                found[count] = (at_a, at_b, hits);
                count += usize::from(hits != 0);
            }
            self.scratch.nodes.truncate(rest);
            for &(at_a, at_b, hits) in &found[..count] {
                self.children::<FILTERED>(
                    NodeRef { tree: a, at: at_a },
                    NodeRef { tree: b, at: at_b },
                    hits,
                );
            }
        }
    }

    /// Continues with the pairs of children in `hits`, with bit 4 i + j for lane i of `a` and lane
    /// j of `b`.
    #[inline]
    fn children<const FILTERED: bool>(
        &mut self,
        ref_a: NodeRef<'_>,
        ref_b: NodeRef<'_>,
        hits: u32,
    ) {
        let (a, b) = (ref_a.node(), ref_b.node());
        for bit in lanes(hits) {
            let (lane_a, lane_b) = (bit / LANES, bit % LANES);
            let (child_a, child_b) = (a.children[lane_a], b.children[lane_b]);
            match (child_a.is_leaf_or_empty(), child_b.is_leaf_or_empty()) {
                (true, true) => {
                    let pair = ordered(child_a.raw_key(), child_b.raw_key());
                    self.pairs.push(pair);
                }
                (false, false) => self.scratch.nodes.push((child_a.raw(), child_b.raw())),
                (true, false) => {
                    self.leaf_with_subtree::<FILTERED>(ref_a, lane_a, ref_b.child(child_b));
                }
                (false, true) => {
                    self.leaf_with_subtree::<FILTERED>(ref_b, lane_b, ref_a.child(child_a));
                }
            }
        }
    }

    /// Finds the pairs of the leaf in a lane of `parent` with all leaves of a subtree.
    #[inline(never)]
    fn leaf_with_subtree<const FILTERED: bool>(
        &mut self,
        parent: NodeRef<'_>,
        lane: usize,
        subtree: NodeRef<'_>,
    ) {
        let node = parent.node();
        let filter = if FILTERED {
            parent.tree.filters[parent.at as usize].get(lane)
        } else {
            PairFilter::ALL
        };
        let key = node.children[lane].raw_key();
        let (low, high) = node.spread::<V>(lane);
        self.scratch.subtrees.clear();
        self.scratch.subtrees.push(subtree.at);
        let tree = subtree.tree;
        while let Some(at) = self.scratch.subtrees.pop() {
            let node = &tree.nodes[at as usize];
            let mut hits = node.overlapping::<V>(&low, &high);
            if FILTERED {
                hits &= tree.filters[at as usize].allowed(filter);
            }
            for lane in lanes(hits) {
                let child = node.children[lane];
                if child.is_leaf_or_empty() {
                    self.pairs.push(ordered(key, child.raw_key()));
                } else {
                    self.scratch.subtrees.push(child.raw());
                }
            }
        }
    }
}

/// The overlapping pairs of lanes of two nodes, with bit 4 i + j for lane i of `a` and lane j of
/// `b`.
#[inline]
fn overlaps<V: Vector>(a: &Node, b: &Node) -> u32 {
    (0..LANES).fold(0, |hits, lane| {
        let (low, high) = a.spread::<V>(lane);
        hits | b.overlapping::<V>(&low, &high) << (LANES * lane)
    })
}
