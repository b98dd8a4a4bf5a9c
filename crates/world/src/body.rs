//! What a body is made of.

use clearance_math::{Pose, Real, Vector};
use clearance_shapes::Shape;

/// Whether a step moves a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Stays where it is put; costs nothing in a step, and makes no pair with another fixed body.
    Fixed,
    /// Moved by its velocity in each step.
    Moving,
}

/// Which bodies a body can make pairs with.
///
/// Two bodies can make a pair if each is a member of a group that the other lets through.
///
/// ```
/// use clearance_world::Groups;
///
/// let player = Groups { memberships: 0b01, filter: 0b10 };
/// let pickup = Groups { memberships: 0b10, filter: 0b01 };
/// assert!(player.pairs_with(pickup));
/// assert!(!pickup.pairs_with(pickup));
/// assert!(Groups::ALL.pairs_with(Groups::ALL) && !Groups::ALL.pairs_with(Groups::NONE));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Groups {
    /// The groups that the body is a member of, one bit each.
    pub memberships: u32,
    /// The groups that it makes pairs with, one bit each.
    pub filter: u32,
}

impl Groups {
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

    /// Whether a body of these groups can make a pair with one of `other`; symmetric.
    #[inline]
    #[must_use]
    pub const fn pairs_with(self, other: Self) -> bool {
        (self.memberships & other.filter) != 0 && (other.memberships & self.filter) != 0
    }
}

impl Default for Groups {
    fn default() -> Self {
        Self::ALL
    }
}

/// How fast a body moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Velocity<V: Vector> {
    /// Of the origin of the body: units of length a second, world axes.
    pub linear: V,
    /// About the origin of the body: radians a second, counter-clockwise (2D) or world axes (3D).
    pub angular: V::Angular,
}

impl<V: Vector> Velocity<V> {
    /// Moving at `linear` units of length a second and turning at `angular` radians a second.
    #[must_use]
    pub fn new(linear: V, angular: V::Angular) -> Self {
        Self { linear, angular }
    }

    /// Moving at `linear` units of length a second without turning.
    #[must_use]
    pub fn from_linear(linear: V) -> Self {
        Self::new(linear, V::Angular::default())
    }
}

/// The description of a body: what [`crate::World::insert`] takes and [`crate::World::remove`]
/// gives back.
#[derive(Clone, Debug, PartialEq)]
pub struct Body<V: Vector> {
    /// The shape, in the frame of the body.
    pub shape: Shape<V>,
    /// Where the body is, in the world.
    pub pose: Pose<V>,
    /// How it moves; kept but not applied while the body is fixed.
    pub velocity: Velocity<V>,
    /// Whether a step moves it.
    pub kind: Kind,
    /// Which bodies it can make pairs with.
    pub groups: Groups,
    /// How much farther than the world's margin its contacts reach, >= 0, in units of length.
    pub extra_margin: Real,
}

impl<V: Vector> Body<V> {
    /// A body that stays at `pose`.
    #[must_use]
    pub fn fixed(shape: Shape<V>, pose: Pose<V>) -> Self {
        Self {
            shape,
            pose,
            velocity: Velocity::default(),
            kind: Kind::Fixed,
            groups: Groups::ALL,
            extra_margin: 0.0,
        }
    }

    /// A body that a step moves: at rest until it is given a velocity.
    #[must_use]
    pub fn moving(shape: Shape<V>, pose: Pose<V>) -> Self {
        Self {
            kind: Kind::Moving,
            ..Self::fixed(shape, pose)
        }
    }

    /// The same body with another velocity.
    #[must_use]
    pub fn with_velocity(self, velocity: Velocity<V>) -> Self {
        Self { velocity, ..self }
    }

    /// The same body in other groups.
    #[must_use]
    pub fn with_groups(self, groups: Groups) -> Self {
        Self { groups, ..self }
    }

    /// The same body with another extra margin.
    #[must_use]
    pub fn with_extra_margin(self, extra_margin: Real) -> Self {
        Self {
            extra_margin,
            ..self
        }
    }
}
