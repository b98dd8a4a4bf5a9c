//! The overlapping pairs of two trees, or of one tree with itself.

use core::ops::Range;
use std::marker::PhantomData;

use clearance_math::Vector;

use crate::{AllLanes, Child, JoinMask, LANES, LaneMask, Leaf, Node, Tree, lanes};

/// What a join has yet to look at. Reused, it lets a join allocate nothing.
#[derive(Clone, Debug, Default)]
pub struct JoinStacks {
    /// Pairs of overlapping nodes; a node paired with itself stands for the pairs among its
    /// children.
    nodes: Vec<(u32, u32)>,
    /// Subtrees to be searched for the partners of one leaf.
    subtrees: Vec<u32>,
}

impl JoinStacks {
    /// Releases capacity beyond this number of pairs.
    pub fn shrink_to(&mut self, count: usize) {
        self.nodes.shrink_to(count);
        self.subtrees.shrink_to(count);
    }

    /// How many bytes are allocated.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<(u32, u32)>()
            + self.subtrees.capacity() * size_of::<u32>()
    }
}

/// A simultaneous traversal of two trees, or of one tree with itself: `visit` is called with the
/// numbers of each pair of leaves whose boxes overlap, in no particular order.
///
/// Everything is compiled where it is used, for the type of `visit`.
pub struct Join<'a, V, F, M = AllLanes> {
    stacks: &'a mut JoinStacks,
    mask: M,
    visit: F,
    dimension: PhantomData<V>,
}

impl<V, F, M> core::fmt::Debug for Join<'_, V, F, M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Join")
    }
}

/// A node of one of the two trees.
struct NodeRef<'a, V> {
    tree: &'a Tree<V>,
    at: u32,
    /// Whether this is the first of the two trees.
    is_first: bool,
}

impl<V: Vector> NodeRef<'_, V> {
    #[inline]
    fn node(&self) -> &Node {
        &self.tree.nodes[self.at as usize]
    }

    /// A child that is known to be a node.
    #[inline]
    fn child(&self, child: Child) -> Self {
        Self {
            tree: self.tree,
            at: child.known_index(),
            is_first: self.is_first,
        }
    }
}

/// Among the sixteen pairs of lanes, with bit 4 i + j for the lanes i and j, those with i < j.
const GREATER_SECOND: u32 = 0b0000_1000_1100_1110;

/// The number of pairs of nodes that are tested before the results are used. The tests have no
/// branches, so the processor works on several of them at once and their waits for memory overlap.
const BATCH: usize = 64;

impl<'a, V: Vector, F: FnMut(u32, u32)> Join<'a, V, F> {
    /// A join that finds all overlapping pairs.
    pub fn new(stacks: &'a mut JoinStacks, visit: F) -> Self {
        Self::masked(stacks, AllLanes, visit)
    }
}

impl<'a, V: Vector, F: FnMut(u32, u32), M: JoinMask> Join<'a, V, F, M> {
    /// A join that skips the pairs which `mask` does not allow.
    pub fn masked(stacks: &'a mut JoinStacks, mask: M, visit: F) -> Self {
        Self {
            stacks,
            mask,
            visit,
            dimension: PhantomData,
        }
    }

    /// Finds the pairs of different leaves of one tree, each of them once.
    pub fn tree_with_itself(&mut self, tree: &Tree<V>) {
        self.part_with_itself(tree, 0..tree.nodes.len());
    }

    /// Finds the pairs of leaves of one tree whose lowest common ancestor is in `nodes`, so that
    /// several threads can share the work.
    pub fn part_with_itself(&mut self, tree: &Tree<V>, nodes: Range<usize>) {
        let mut starts = nodes.filter(|&at| tree.nodes[at].alive);
        loop {
            let batch = starts.by_ref().take(BATCH);
            let batch = batch.map(|at| (at as u32, at as u32));
            self.stacks.nodes.extend(batch);
            if self.stacks.nodes.is_empty() {
                return;
            }
            self.search::<true>(tree, tree);
        }
    }

    /// Finds the pairs of a leaf of `a` and a leaf of `b`, in this order.
    pub fn tree_with_tree(&mut self, a: &Tree<V>, b: &Tree<V>) {
        if !a.nodes.is_empty() && !b.nodes.is_empty() {
            self.stacks.nodes.push((0, 0));
            self.search::<false>(a, b);
        }
    }

    /// Works through the pairs of nodes on the stack. If both trees are the same, a node paired
    /// with itself stands for the pairs of different children; pairs within one child are found
    /// from other starts.
    fn search<const SAME: bool>(&mut self, a: &Tree<V>, b: &Tree<V>) {
        let mut found = [(0, 0, 0); BATCH];
        while !self.stacks.nodes.is_empty() {
            let rest = self.stacks.nodes.len().saturating_sub(BATCH);
            let mut count = 0;
            for &(at_a, at_b) in &self.stacks.nodes[rest..] {
                let node_b = &b.nodes[at_b as usize];
                let mut hits = a.nodes[at_a as usize].overlapping_pairs::<V>(node_b);
                if SAME {
                    hits &= if at_a == at_b { GREATER_SECOND } else { 0xFFFF };
                }
                if hits != 0 {
                    hits &= self.mask.allowed_pairs(at_a, at_b);
                }
                found[count] = (at_a, at_b, hits);
                count += usize::from(hits != 0);
            }
            self.stacks.nodes.truncate(rest);
            for &(at_a, at_b, hits) in &found[..count] {
                let in_a = NodeRef {
                    tree: a,
                    at: at_a,
                    is_first: true,
                };
                let in_b = NodeRef {
                    tree: b,
                    at: at_b,
                    is_first: false,
                };
                self.children(&in_a, &in_b, hits);
            }
        }
    }

    /// Continues with the pairs of children in `hits`, with bit 4 i + j for lane i of `a` and lane
    /// j of `b`. Inlined: it is the inner loop of the search.
    #[inline(always)]
    fn children(&mut self, in_a: &NodeRef<'_, V>, in_b: &NodeRef<'_, V>, hits: u32) {
        let (a, b) = (in_a.node(), in_b.node());
        for bit in lanes(hits) {
            let (lane_a, lane_b) = (bit / LANES, bit % LANES);
            let (child_a, child_b) = (a.children[lane_a], b.children[lane_b]);
            match (child_a.is_leaf_or_empty(), child_b.is_leaf_or_empty()) {
                (true, true) => (self.visit)(child_a.known_number(), child_b.known_number()),
                (false, false) => {
                    let both = (child_a.known_index(), child_b.known_index());
                    self.stacks.nodes.push(both);
                }
                (true, false) => self.leaf_with_subtree(in_a, lane_a, &in_b.child(child_b)),
                (false, true) => self.leaf_with_subtree(in_b, lane_b, &in_a.child(child_a)),
            }
        }
    }

    /// Finds the pairs of the leaf in a lane of `parent` with all leaves of a subtree.
    #[inline(never)]
    fn leaf_with_subtree(
        &mut self,
        parent: &NodeRef<'_, V>,
        lane: usize,
        subtree: &NodeRef<'_, V>,
    ) {
        let node = parent.node();
        let mask = self.mask.partners_of(Leaf {
            is_in_first: parent.is_first,
            node: parent.at,
            lane,
        });
        let number = node.children[lane].known_number();
        let (low, high) = node.spread::<V>(lane);
        self.stacks.subtrees.clear();
        self.stacks.subtrees.push(subtree.at);
        let tree = subtree.tree;
        while let Some(at) = self.stacks.subtrees.pop() {
            let node = &tree.nodes[at as usize];
            let hits = node.overlapping::<V>(&low, &high) & mask.allowed(at);
            for lane in lanes(hits) {
                let child = node.children[lane];
                if !child.is_leaf_or_empty() {
                    self.stacks.subtrees.push(child.known_index());
                } else if parent.is_first {
                    (self.visit)(number, child.known_number());
                } else {
                    (self.visit)(child.known_number(), number);
                }
            }
        }
    }
}
