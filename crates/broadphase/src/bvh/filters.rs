//! Which pairs the children of a node may make: for each lane, the union of the filters below it.
//!
//! They are stored beside the nodes and only while some filter forbids pairs, so that a search
//! without filters reads nothing of them.

use clearance_math::{Aabb, Vector};
use clearance_tree::{JoinMask, LANES, LaneMask, Leaf, NONE, node_and_lane};

use super::DynamicTree;
use crate::table::Table;
use crate::{Groups, Key};

/// The filters of the four lanes of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LaneFilters {
    memberships: [u32; LANES],
    filters: [u32; LANES],
}

impl LaneFilters {
    fn set(&mut self, lane: usize, filter: Groups) {
        self.memberships[lane] = filter.memberships;
        self.filters[lane] = filter.filter;
    }

    pub(super) fn get(&self, lane: usize) -> Groups {
        Groups {
            memberships: self.memberships[lane],
            filter: self.filters[lane],
        }
    }

    /// The lanes that may make a pair with a box with this filter, as bits.
    #[inline]
    fn allowed(&self, other: Groups) -> u32 {
        let mut lanes = 0;
        for lane in 0..LANES {
            lanes |= u32::from(self.get(lane).pairs_with(other)) << lane;
        }
        lanes
    }

    /// The pairs of lanes that may make pairs, with bit 4 i + j for lane i of this node and lane j
    /// of the other.
    #[inline]
    fn allowed_pairs(&self, other: &Self) -> u32 {
        (0..LANES).fold(0, |pairs, lane| {
            pairs | other.allowed(self.get(lane)) << (LANES * lane)
        })
    }

    /// A filter that allows every pair that one of the lanes allows. Empty lanes allow none.
    fn merged(&self) -> Groups {
        (0..LANES).fold(Groups::NONE, |all, lane| all.merged(self.get(lane)))
    }
}

/// Allows the lanes that may make a pair with a box.
pub(super) struct FilterMask<'a> {
    pub(super) filters: &'a [LaneFilters],
    /// The filter of the box.
    pub(super) filter: Groups,
}

impl LaneMask for FilterMask<'_> {
    #[inline]
    fn allowed(&self, node: u32) -> u32 {
        self.filters[node as usize].allowed(self.filter)
    }
}

/// Allows the pairs of lanes that may make pairs; with the filters of the two trees of a join.
pub(super) struct FilterJoinMask<'a> {
    pub(super) first: &'a [LaneFilters],
    pub(super) second: &'a [LaneFilters],
}

impl JoinMask for FilterJoinMask<'_> {
    type Partners<'a>
        = FilterMask<'a>
    where
        Self: 'a;

    // Inlined, like the rest of the inner loop of the search.
    #[inline(always)]
    fn allowed_pairs(&self, a: u32, b: u32) -> u32 {
        self.first[a as usize].allowed_pairs(&self.second[b as usize])
    }

    #[inline]
    fn partners_of(&self, leaf: Leaf) -> FilterMask<'_> {
        let (own, filters) = if leaf.is_in_first {
            (self.first, self.second)
        } else {
            (self.second, self.first)
        };
        let filter = own[leaf.node as usize].get(leaf.lane);
        FilterMask { filters, filter }
    }
}

impl<V: Vector> DynamicTree<V> {
    /// Visits the leaves that overlap `bounds` and with which `filter` may allow a pair.
    pub(super) fn query_allowed(
        &self,
        bounds: &Aabb<V>,
        filter: Groups,
        visit: &mut dyn FnMut(Key),
    ) {
        if self.filters.is_empty() {
            self.tree.query_box(bounds, visit);
        } else {
            let filters = &self.filters;
            let mask = FilterMask { filters, filter };
            self.tree.query_box_masked(bounds, &mask, visit);
        }
    }

    /// The filters of a node, computed from its children.
    pub(super) fn filters_of(&self, at: usize, table: &Table<V>) -> LaneFilters {
        let mut filters = LaneFilters::default();
        for (lane, child) in self.tree.nodes[at].children.iter().enumerate() {
            if let Some(key) = child.number() {
                filters.set(lane, table.groups(key));
            } else if let Some(below) = child.index() {
                filters.set(lane, self.filters[below].merged());
            }
        }
        filters
    }

    /// Ends a refresh: computes the filters of all nodes if they are needed and missing, and
    /// removes them if they are not needed.
    pub(super) fn refresh_filters(&mut self, is_needed: bool, table: &Table<V>) {
        if !is_needed {
            self.filters = Vec::new();
        } else if self.filters.len() != self.tree.nodes.len() {
            self.filters.clear();
            let count = self.tree.nodes.len();
            self.filters.resize(count, LaneFilters::default());
            // Children come after their parents.
            for at in (0..count).rev().filter(|&at| self.tree.nodes[at].alive) {
                self.filters[at] = self.filters_of(at, table);
            }
        }
    }

    /// Updates the filters of a node and of the nodes above it, until nothing changes.
    ///
    /// Call it with the lowest node whose children changed, or the filters of whose leaves changed.
    pub(super) fn filters_changed_at(&mut self, mut at: usize, table: &Table<V>) {
        if self.filters.is_empty() {
            return;
        }
        self.filters
            .resize(self.tree.nodes.len(), LaneFilters::default());
        loop {
            let filters = self.filters_of(at, table);
            self.filters[at] = filters;
            let parent = self.tree.nodes[at].parent;
            if parent == NONE {
                return;
            }
            let (above, lane) = node_and_lane(parent);
            if self.filters[above].get(lane) == filters.merged() {
                return;
            }
            at = above;
        }
    }
}
