//! Checks of all invariants of the trees and of the pair cache, for tests.

use clearance_math::{Aabb, Vector};
use clearance_tree::{LANES, place};

use super::dynamic_tree::DynamicTree;
use super::hierarchy::Bvh;
use crate::key::{BodyKind, Key, Layer};
use crate::predicted_bounds::PredictedBounds;
use crate::table::{NO_PLACE, Storage};

impl<V: Vector> Bvh<V> {
    /// Checks the candidates if they are up to date: they are sorted, none has an absent key, and
    /// every pair of overlapping boxes is among them; O(n²).
    pub(super) fn validate_pair_cache(&self) -> Result<(), String> {
        let cache = &self.pair_cache;
        if self.stale || !cache.is_complete() {
            return Ok(());
        }
        let pairs: Vec<_> = cache.candidate_pairs().collect();
        if let Some(two) = pairs.windows(2).find(|two| two[0] >= two[1]) {
            return Err(format!("{:?} is not before {:?}", two[0], two[1]));
        }
        if !cache.is_consistent() {
            return Err("the overlapping pairs contradict the uncertain ones".into());
        }
        let entries = &self.table.entries;
        for (a, first) in (0..).zip(entries) {
            for (b, second) in (a + 1..).zip(&entries[a as usize + 1..]) {
                let is_present =
                    first.storage != Storage::Absent && second.storage != Storage::Absent;
                let can_meet = [first.kind, second.kind].contains(&BodyKind::Moving)
                    && self.table.groups(a).pairs_with(self.table.groups(b));
                let is_pair = is_present && can_meet && first.bounds.overlaps(&second.bounds);
                let is_candidate = pairs.binary_search(&(a, b)).is_ok();
                let is_outdated = cache.is_outdated(a) || cache.is_outdated(b);
                let is_certain = cache.is_certain((a, b));
                if !is_outdated && is_certain && !is_pair {
                    return Err(format!("{a} and {b} are certain to overlap, but do not"));
                }
                if !is_outdated
                    && (is_pair && !is_candidate || is_candidate && !(is_present && can_meet))
                {
                    return Err(format!(
                        "{a} and {b}: candidate {is_candidate}, but pair {is_pair}"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Checks nodes, places and counts, and that boxes fit exactly where nothing awaits a refresh.
    pub(super) fn validate_tree(&self, tree: &DynamicTree<V>, layer: Layer) -> Result<(), String> {
        tree.tree
            .validate()
            .map_err(|problem| format!("the {layer:?} tree: {problem}"))?;
        for (at, node) in tree.tree.nodes().iter().enumerate() {
            for lane in (0..LANES).filter(|_| node.alive) {
                if let Some(key) = node.children[lane].number() {
                    self.validate_leaf(key, place(at, lane), &node.lane(lane))?;
                }
            }
        }
        self.validate_filters(tree, layer)?;
        let leaves = tree.tree.len();
        let entries = self.table.entries.iter();
        let own = entries.filter(|entry| entry.is_of_tree(layer));
        let placed = own.filter(|entry| entry.place != NO_PLACE).count();
        if placed != leaves {
            return Err(format!("{leaves} leaves for {placed} placed boxes"));
        }
        for (key, entry) in self.table.entries.iter().enumerate() {
            let is_outdated = entry.is_of_tree(layer) && entry.place == NO_PLACE;
            if is_outdated && !tree.pending.contains(&(key as u32)) {
                return Err(format!("key {key} is neither in the tree nor pending"));
            }
        }
        Ok(())
    }

    /// Checks that no node forbids a pair that its leaves allow.
    fn validate_filters(&self, tree: &DynamicTree<V>, layer: Layer) -> Result<(), String> {
        let is_needed = !self.stale && layer != Layer::QueryOnly && self.table.is_filtered();
        if is_needed && tree.filters.len() != tree.tree.nodes().len() {
            return Err(format!("the {layer:?} tree lacks filters"));
        }
        for at in (0..tree.filters.len()).filter(|&at| tree.tree.nodes()[at].alive) {
            if tree.filters[at] != tree.filters_of(at, &self.table) {
                return Err(format!("the filters of node {at} are out of date"));
            }
        }
        Ok(())
    }

    /// Checks that a key knows the place of its leaf, and that the leaf holds its predicted bounds.
    fn validate_leaf(&self, key: Key, at: u32, bounds: &Aabb<V>) -> Result<(), String> {
        let Some(entry) = self.table.get(key) else {
            return Err(format!("a leaf holds the absent key {key}"));
        };
        if entry.place != at {
            return Err(format!("key {key} does not know its place"));
        }
        let predicted = self.table.predicted_bounds[key as usize];
        if !entry.moved && predicted.outer != *bounds {
            return Err(format!(
                "the node of key {key} does not fit its predicted bounds"
            ));
        }
        if !entry.moved && !predicted.contains(&entry.bounds) {
            return Err(format!(
                "key {key} left its predicted bounds without notice"
            ));
        }
        if !entry.moved
            && entry.layer != Layer::Moving
            && predicted != PredictedBounds::exact(entry.bounds)
        {
            return Err(format!(
                "key {key} is fixed, but its predicted is not its box"
            ));
        }
        Ok(())
    }
}
