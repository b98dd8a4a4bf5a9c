//! The search for overlapping pairs: the moving tree against itself and against the fixed tree.

use core::ops::Range;

use clearance_math::Vector;
use clearance_tree::{Join, JoinStacks};

use super::filters::FilterJoinMask;
use super::{Bvh, DynamicTree};
use crate::Key;
use crate::key::{Layer, ordered};

/// The least number of nodes to start from for which it pays to use another thread.
const MIN_NODES_PER_THREAD: usize = 128;

/// Memory that the search reuses from frame to frame, so that a steady frame allocates nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct PairScratch {
    on_this_thread: JoinStacks,
    /// The stacks of the other threads, and the pairs that they found.
    on_others: Vec<(JoinStacks, Vec<(Key, Key)>)>,
}

impl PairScratch {
    pub(super) fn memory(&self) -> usize {
        let others = self.on_others.iter();
        let others = others
            .map(|(stacks, found)| stacks.memory() + found.capacity() * size_of::<(Key, Key)>());
        self.on_this_thread.memory()
            + others.sum::<usize>()
            + self.on_others.capacity() * size_of::<(JoinStacks, Vec<(Key, Key)>)>()
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

impl<V: Vector> Bvh<V> {
    /// Appends every pair whose outer predicted bounds overlap, in no particular order.
    pub(super) fn collect_pairs(&mut self, pairs: &mut Vec<(Key, Key)>) {
        self.table.pairs_of_unbounded(pairs);
        for layer in [Layer::Moving, Layer::Fixed] {
            for &key in self.table.unbounded(layer) {
                let bounds = self.table.entries[key as usize].bounds;
                let groups = self.table.groups(key);
                let mut visit = |other| pairs.push(ordered(key, other));
                self.moving.query_allowed(&bounds, groups, &mut visit);
                if layer == Layer::Moving {
                    self.fixed.query_allowed(&bounds, groups, &mut visit);
                }
            }
        }
        self.pairs_with_fixed(pairs);
        self.pairs_among_moving(pairs);
    }

    /// Appends the pairs of a moving and a fixed box.
    fn pairs_with_fixed(&mut self, pairs: &mut Vec<(Key, Key)>) {
        let (moving, fixed) = (&self.moving, &self.fixed);
        let stacks = &mut self.pair_scratch.on_this_thread;
        // After a refresh either both trees have filters, or neither, or one has no nodes.
        if moving.filters.is_empty() || fixed.filters.is_empty() {
            Join::new(stacks, append_to(pairs)).tree_with_tree(&moving.tree, &fixed.tree);
        } else {
            let mask = FilterJoinMask {
                first: &moving.filters,
                second: &fixed.filters,
            };
            let mut join = Join::masked(stacks, mask, append_to(pairs));
            join.tree_with_tree(&moving.tree, &fixed.tree);
        }
    }

    /// Appends the pairs of two moving boxes.
    fn pairs_among_moving(&mut self, pairs: &mut Vec<(Key, Key)>) {
        let tree = &self.moving;
        let count = tree.tree.nodes.len();
        let pieces = self.workers.pieces(count, MIN_NODES_PER_THREAD);
        if pieces == 1 {
            tree.pairs_below(0..count, &mut self.pair_scratch.on_this_thread, pairs);
            return;
        }
        let others = &mut self.pair_scratch.on_others;
        others.resize_with(pieces, Default::default);
        let length = count.div_ceil(pieces);
        let starts = (0..count).step_by(length);
        let work = |(start, (stacks, found)): (usize, &mut (JoinStacks, Vec<_>))| {
            tree.pairs_below(start..count.min(start + length), stacks, found);
        };
        self.workers.for_each(starts.zip(&mut *others), work);
        for (_, found) in others {
            pairs.append(found);
        }
    }
}

impl<V: Vector> DynamicTree<V> {
    /// Appends the pairs of leaves whose lowest common ancestor is in `nodes`.
    fn pairs_below(
        &self,
        nodes: Range<usize>,
        stacks: &mut JoinStacks,
        pairs: &mut Vec<(Key, Key)>,
    ) {
        if self.filters.is_empty() {
            Join::new(stacks, append_to(pairs)).part_with_itself(&self.tree, nodes);
        } else {
            let mask = FilterJoinMask {
                first: &self.filters,
                second: &self.filters,
            };
            Join::masked(stacks, mask, append_to(pairs)).part_with_itself(&self.tree, nodes);
        }
    }
}

/// Appends pairs to a list, the smaller key first.
fn append_to(pairs: &mut Vec<(Key, Key)>) -> impl FnMut(Key, Key) {
    |a, b| pairs.push(ordered(a, b))
}
