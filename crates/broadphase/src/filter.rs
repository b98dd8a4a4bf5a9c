//! Which boxes may make pairs with which, whatever their places.

/// Two words of bits that decide whether a box may make a pair with another.
///
/// Two boxes may make a pair if each is a member of a group that the other lets through.
///
/// ```
/// use clearance_broadphase::PairFilter;
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
    /// The groups that it makes pairs with, one bit each.
    pub filter: u32,
}

impl PairFilter {
    /// Member of every group, pairs with every group: the default.
    pub const ALL: Self = Self {
        memberships: u32::MAX,
        filter: u32::MAX,
    };

    /// Member of no group: makes no pair.
    pub const NONE: Self = Self {
        memberships: 0,
        filter: 0,
    };

    /// Whether a box with this filter may make a pair with one of `other`; symmetric.
    #[inline]
    #[must_use]
    pub const fn allows(self, other: Self) -> bool {
        (self.memberships & other.filter) != 0 && (other.memberships & self.filter) != 0
    }

    /// Whether no other filter allows a pair with this one.
    #[inline]
    #[must_use]
    pub const fn excludes_all(self) -> bool {
        self.memberships == 0 || self.filter == 0
    }

    /// Allows every pair that one of the two allows.
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
