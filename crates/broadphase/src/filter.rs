//! Filters, which decide what pairs boxes may make, wherever they are.

/// The groups of a box, and the groups that it makes pairs with.
///
/// Two boxes may make a pair if each is a member of a group that is in the filter of the other.
///
/// ```
/// use clearance::broadphase::PairFilter;
///
/// let player = PairFilter { memberships: 0b01, filter: 0b10 };
/// let pickup = PairFilter { memberships: 0b10, filter: 0b01 };
/// assert!(player.allows(pickup) && !pickup.allows(pickup));
/// assert!(!PairFilter::NONE.allows(PairFilter::ALL));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PairFilter {
    /// The groups that the box is a member of, one bit each.
    pub memberships: u32,
    /// The groups that the box may make pairs with, one bit each.
    pub filter: u32,
}

impl PairFilter {
    /// Member of every group, pairs with every group; the default.
    pub const ALL: Self = Self {
        memberships: u32::MAX,
        filter: u32::MAX,
    };

    /// Member of no group: makes no pairs.
    pub const NONE: Self = Self {
        memberships: 0,
        filter: 0,
    };

    /// Whether two boxes with these filters may make a pair. Symmetric.
    #[inline]
    #[must_use]
    pub const fn allows(self, other: Self) -> bool {
        (self.memberships & other.filter) != 0 && (other.memberships & self.filter) != 0
    }

    /// Whether a box with this filter can make no pair at all.
    #[inline]
    #[must_use]
    pub const fn excludes_all(self) -> bool {
        self.memberships == 0 || self.filter == 0
    }

    /// A filter that allows every pair that one of the two allows.
    #[inline]
    pub(crate) const fn merged(self, other: Self) -> Self {
        Self {
            memberships: self.memberships | other.memberships,
            filter: self.filter | other.filter,
        }
    }
}

impl Default for PairFilter {
    fn default() -> Self {
        Self::ALL
    }
}
