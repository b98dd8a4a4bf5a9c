//! Which pairs the children of a node may make: for each lane, the union of the filters below it.
//!
//! They are stored beside the nodes and only while some filter forbids pairs, so that a search
//! without filters reads nothing of them.

use clearance_tree::{JoinMask, LANES, LaneMask, Leaf};

use crate::groups::Groups;

/// The filters of the four lanes of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LaneFilters {
    memberships: [u32; LANES],
    filters: [u32; LANES],
}

impl LaneFilters {
    pub(super) fn set(&mut self, lane: usize, filter: Groups) {
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
    pub(super) fn merged(&self) -> Groups {
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
