//! Groups, which decide what pairs bodies may make, wherever they are.

/// The groups of a body, and the groups that it makes pairs with; of a box in the broad phase, too.
///
/// Two bodies can make a pair if each is a member of a group that the other one meets. What other
/// engines call layer and mask are the memberships and the filter.
///
/// ```
/// use clearance::dim2::Groups;
///
/// const PLAYER: u32 = 1 << 0;
/// const PICKUP: u32 = 1 << 1;
/// let player = Groups::member_of(PLAYER);
/// let pickup = Groups::member_of(PICKUP).meeting(PLAYER);
/// assert!(player.pairs_with(pickup));
/// assert!(!pickup.pairs_with(pickup));
/// assert!(Groups::ALL.pairs_with(Groups::ALL) && !Groups::ALL.pairs_with(Groups::NONE));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[doc(alias("layers", "collision_layers", "collision_mask", "interaction_groups"))]
pub struct Groups {
    /// The groups that the body is a member of, one bit each.
    pub memberships: u32,
    /// The groups that it meets, one bit each.
    pub filter: u32,
}

impl Groups {
    /// Member of every group, meets every group: the default.
    pub const ALL: Self = Self {
        memberships: u32::MAX,
        filter: u32::MAX,
    };

    /// Member of no group: makes no contact.
    pub const NONE: Self = Self {
        memberships: 0,
        filter: 0,
    };

    /// Member of these groups, one bit each; meets every group.
    #[must_use]
    pub const fn member_of(memberships: u32) -> Self {
        Self {
            memberships,
            filter: u32::MAX,
        }
    }

    /// Keeps the memberships, and meets these groups alone, one bit each.
    #[must_use]
    pub const fn meeting(self, filter: u32) -> Self {
        Self { filter, ..self }
    }

    /// Keeps the memberships, and no longer meets these groups, one bit each.
    #[must_use]
    pub const fn not_meeting(self, groups: u32) -> Self {
        Self {
            filter: self.filter & !groups,
            ..self
        }
    }

    /// Whether a body of these groups can make a contact with a body of `other`; symmetric.
    #[inline]
    #[must_use]
    pub const fn pairs_with(self, other: Self) -> bool {
        (self.memberships & other.filter) != 0 && (other.memberships & self.filter) != 0
    }

    /// Whether a body of these groups can make no contact at all.
    #[inline]
    #[must_use]
    pub const fn excludes_all(self) -> bool {
        self.memberships == 0 || self.filter == 0
    }

    /// Groups that can meet whatever one of the two can.
    #[inline]
    pub(crate) const fn merged(self, other: Self) -> Self {
        Self {
            memberships: self.memberships | other.memberships,
            filter: self.filter | other.filter,
        }
    }
}

impl Default for Groups {
    fn default() -> Self {
        Self::ALL
    }
}
