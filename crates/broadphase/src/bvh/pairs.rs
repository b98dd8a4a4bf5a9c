//! The search for overlapping pairs: the moving tree against itself and against the fixed tree.

use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};

use clearance_math::Vector;
use clearance_tree::{Join, JoinStacks};

use super::dynamic_tree::DynamicTree;
use super::filters::FilterJoinMask;
use super::hierarchy::Bvh;
use super::pair_cache::{PairCache, is_uncertain, pair_of, retain_uncertain};
use super::sort::insert_sorted;
use super::uncertain_pairs::Candidates;
use crate::capacity::capacity_for;
use crate::key::{Key, Layer, ordered};

/// If the predicted bounds of at most one box in this many changed, the list of overlapping pairs
/// is patched; else it is rebuilt.
const PATCH_DIVISOR: usize = 64;

/// The least number of pairs for which it pays to use another thread.
const MIN_PAIRS_PER_THREAD: usize = 4096;

/// The least number of nodes to start from for which it pays to use another thread.
const MIN_NODES_PER_THREAD: usize = 128;

impl<V: Vector> Bvh<V> {
    /// Brings candidates and overlapping pairs up to date, and returns the latter.
    pub(super) fn cached_pairs(&mut self) -> &[(Key, Key)] {
        if !self.pair_cache.is_current {
            if !self.pair_cache.is_complete {
                self.search_all();
            } else if !self.pair_cache.changed.is_empty() {
                self.search_for_changed();
            }
            let mut cache = core::mem::take(&mut self.pair_cache);
            if !cache.overlapping.update(&self.table) {
                let candidates = Candidates {
                    pairs: &cache.candidates,
                    uncertain_count: cache.uncertain_count,
                };
                cache
                    .overlapping
                    .rebuild(candidates, &self.table, &self.workers);
            }
            cache.is_current = true;
            self.pair_cache = cache;
        }
        if self.pair_cache.release_excess() {
            let found = capacity_for(self.pair_cache.len());
            self.pair_scratch.shrink_to(found);
        }
        &self.pair_cache.overlapping.pairs
    }

    /// Searches the trees for all candidates.
    fn search_all(&mut self) {
        let mut candidates = core::mem::take(&mut self.pair_cache.candidates);
        candidates.clear();
        self.collect_pairs(&mut candidates);
        let greatest = self.table.entries.len().saturating_sub(1);
        self.pair_cache.sorter.sort(&mut candidates, greatest);
        self.pair_cache.uncertain_count = self.classify(&mut candidates);
        self.pair_cache.candidates = candidates;
        self.pair_cache.is_complete = true;
        self.pair_cache.overlapping.is_tracking = false;
    }

    /// Replaces the candidates of the changed keys by those that they have now.
    fn search_for_changed(&mut self) {
        let mut cache = core::mem::take(&mut self.pair_cache);
        cache.flag_changed(self.table.entries.len());
        cache.overlapping.is_tracking &=
            cache.changed.len() <= self.tree(Layer::Moving).tree.len() / PATCH_DIVISOR;
        cache.remove_changed_pairs();
        self.insert_changed_pairs(&mut cache);
        for key in cache.changed.drain(..) {
            cache.changed_flags[key as usize] = false;
        }
        self.pair_cache = cache;
    }

    /// Searches for the candidates of the changed keys, and inserts them.
    fn insert_changed_pairs(&self, cache: &mut PairCache) {
        let is_changed = |key: Key| cache.changed_flags[key as usize];
        cache.found.clear();
        for &key in &cache.changed {
            self.partners(key, &mut |other| {
                // A pair of two changed keys is found twice; the search for the smaller key adds
                // it.
                if other != key && !(is_changed(other) && other < key) {
                    cache.found.push(ordered(key, other));
                }
            });
        }
        let greatest = self.table.entries.len().saturating_sub(1);
        cache.sorter.sort(&mut cache.found, greatest);
        cache.uncertain_count += self.classify(&mut cache.found);
        insert_sorted(&mut cache.candidates, &cache.found);
        if cache.overlapping.is_tracking {
            let certain = cache.found.iter().filter(|&pair| !is_uncertain(pair));
            cache.overlapping.begun.clear();
            cache.overlapping.begun.extend(certain.map(pair_of));
            insert_sorted(&mut cache.overlapping.pairs, &cache.overlapping.begun);
            // Uncertain pairs are inserted as not overlapping; the next test corrects that.
            retain_uncertain(&mut cache.found);
            insert_sorted(&mut cache.overlapping.uncertain, &cache.found);
        }
    }

    /// Sets the flags of pairs: those whose inner bounds overlap are certain, all others are
    /// uncertain. Returns the number of uncertain ones.
    fn classify(&self, pairs: &mut [(Key, u32)]) -> usize {
        let inner = |key: Key| &self.table.predicted_bounds[key as usize].inner;
        let pieces = self.workers.pieces(pairs.len(), MIN_PAIRS_PER_THREAD);
        let length = pairs.len().div_ceil(pieces).max(1);
        let uncertain = AtomicUsize::new(0);
        self.workers
            .for_each(pairs.chunks_mut(length), |pairs: &mut [(Key, u32)]| {
                let mut found_here = 0;
                for (a, b) in pairs {
                    let uncertain_bit = u32::from(!inner(*a).overlaps(inner(*b)));
                    *b = *b << 1 | uncertain_bit;
                    found_here += uncertain_bit as usize;
                }
                uncertain.fetch_add(found_here, Ordering::Relaxed);
            });
        uncertain.into_inner()
    }

    /// Appends every pair whose outer predicted bounds overlap, in no particular order.
    fn collect_pairs(&mut self, pairs: &mut Vec<(Key, Key)>) {
        self.table.pairs_of_unbounded(pairs);
        for layer in [Layer::Moving, Layer::Fixed] {
            for &key in self.table.unbounded(layer) {
                let bounds = self.table.entries[key as usize].bounds;
                let groups = self.table.groups(key);
                let mut visit = |other| pairs.push(ordered(key, other));
                self.tree(Layer::Moving)
                    .query_allowed(&bounds, groups, &mut visit);
                if layer == Layer::Moving {
                    self.tree(Layer::Fixed)
                        .query_allowed(&bounds, groups, &mut visit);
                }
            }
        }
        self.pairs_with_fixed(pairs);
        self.pairs_among_moving(pairs);
    }

    /// Appends the pairs of a moving and a fixed box.
    fn pairs_with_fixed(&mut self, pairs: &mut Vec<(Key, Key)>) {
        let [fixed, moving, _] = &self.trees;
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
        let tree = &self.trees[Layer::Moving as usize];
        let count = tree.tree.nodes().len();
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
