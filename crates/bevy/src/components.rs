//! What a game puts on entities beside a [`Collider`](crate::Collider).

use bevy_ecs::prelude::*;
use bevy_reflect::prelude::*;
use bevy_transform::components::Transform;
use clearance::Groups;

use crate::Space;

/// Whether a body is of those that move. Two fixed bodies make no contact with each other, and are not even looked at.
///
/// This is about contacts: the [`Transform`] of a fixed body may change, too, but a platform that moves is better
/// marked as moving.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Reflect)]
#[component(summary_tick)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[doc(alias("RigidBody", "static", "kinematic"))]
pub enum BodyKind {
    /// Walls and floors.
    Fixed,
    /// Players, crates, platforms: everything else.
    #[default]
    Moving,
}

impl From<BodyKind> for clearance::BodyKind {
    fn from(kind: BodyKind) -> Self {
        match kind {
            BodyKind::Fixed => Self::Fixed,
            BodyKind::Moving => Self::Moving,
        }
    }
}

/// Who meets whom: two bodies can make a contact if each is a member of a layer that the other one meets.
///
/// ```
/// use bevy_clearance::Layers;
///
/// const PLAYER: u32 = 1 << 0;
/// const COIN: u32 = 1 << 1;
/// let (player, coin) = (Layers::member_of(PLAYER), Layers::member_of(COIN).meeting(PLAYER));
/// assert!(player.meets(coin) && !coin.meets(coin));
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash, Reflect)]
#[component(summary_tick)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
pub struct Layers {
    /// The layers that the body is in, a bit for each.
    pub memberships: u32,
    /// The layers that it meets.
    pub filter: u32,
}

impl Layers {
    /// In all layers, meeting all.
    pub const ALL: Self = Self {
        memberships: u32::MAX,
        filter: u32::MAX,
    };

    /// In the given layers, meeting all.
    #[must_use]
    pub const fn member_of(memberships: u32) -> Self {
        Self {
            memberships,
            filter: u32::MAX,
        }
    }

    /// In all layers, meeting the given ones: what most questions ask for.
    #[must_use]
    pub const fn of(filter: u32) -> Self {
        Self {
            memberships: u32::MAX,
            filter,
        }
    }

    /// Replaces the layers that are met.
    #[must_use]
    pub const fn meeting(self, filter: u32) -> Self {
        Self { filter, ..self }
    }

    /// Whether bodies with these layers can make a contact.
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        Groups::from(self).pairs_with(other.into())
    }
}

impl Default for Layers {
    fn default() -> Self {
        Self::ALL
    }
}

impl From<Layers> for Groups {
    fn from(
        Layers {
            memberships,
            filter,
        }: Layers,
    ) -> Self {
        Self {
            memberships,
            filter,
        }
    }
}

/// Added to the margin of the world for the contacts of this body: >= 0, in units of length.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[component(summary_tick)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
pub struct Margin(pub f32);

/// Makes steps look at the whole way of the body, so that it meets nothing unnoticed, nor what it starts in: see
/// [`Velocity`] and [`Contacts::impacts`](crate::Contacts::impacts).
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
pub struct Swept;

/// Lets the pairs of this body give the contacts of their parts, such as triangles, too.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
pub struct PartContacts;

/// Marks what nobody is stopped by: an area. It makes contacts and events like all others, is found by questions, and
/// [`SpatialQuery::move_and_slide`](crate::SpatialQuery::move_and_slide) passes through it.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
pub struct Sensor;

/// Asks for messages and entity events of the contacts of this body: see [`CollisionStarted`](crate::CollisionStarted). What
/// already touches when this component is added starts then.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
pub struct CollisionEvents;

/// Makes one body of the colliders of this entity and its descendants, as far as these are not below another compound.
///
/// Kind, layers and all else are those of this entity; what a child has of its own does not count, and
/// [`CollisionWorld::problems`](crate::CollisionWorld::problems) says so. Contacts tell which child they are of.
///
/// A child that is a [`Sensor`] is no part of the body, but an area that moves along with it: with layers, events and contacts of
/// its own, and none with the body or with what else hangs on it.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[require(Transform, BodyKind, Layers)]
pub struct CompoundBody;

/// The world that the body is in, of several that know nothing of each other. World 0 without this component.
/// All worlds of smaller numbers are made as well: count from 0.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Reflect)]
#[component(summary_tick)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
pub struct InWorld(pub u8);

/// The place of a body among those that come into their world in one step, the least first: by it they are numbered, and peers
/// whose bodies have equal numbers have equal [hashes](crate::CollisionWorld::state_hash). In a compound, that of a collider among
/// those that come with it.
///
/// Without it, 0; where that is equal, those come first that got their colliders first. It is for games on several machines where
/// this may differ: where systems that may run in any order spawn in one step, or assets load at different times.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Reflect)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
pub struct BodyOrder(pub u64);

/// How fast the step moves the body, in units of length and radians a second. The step writes its [`Transform`].
///
/// Bodies without it are moved by the game, which writes their transforms. Those with it may be moved so, too.
/// Fixed bodies do not move by it.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
pub struct Velocity<V: Space> {
    /// Of the origin of the entity, along the axes of the world.
    pub linear: V,
    /// Counter-clockwise in the plane; along the axis in space.
    pub angular: V::Angular,
}

impl<V: Space> Velocity<V> {
    /// Moving without turning.
    #[must_use]
    pub fn linear(linear: V) -> Self {
        Self {
            linear,
            angular: V::Angular::default(),
        }
    }
}

impl<V: Space> From<Velocity<V>> for clearance::generic::Velocity<V> {
    fn from(Velocity { linear, angular }: Velocity<V>) -> Self {
        Self::new(linear, angular)
    }
}

/// The place that the origin of all transforms has in the world, in double precision: (0, 0, 0) by default.
///
/// Games with large worlds keep the camera near the origin of the transforms: they move all entities back and this
/// origin on, by the same way. Then places in worlds, contacts and questions stay as they are.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Resource, Debug, Default, PartialEq, Clone)]
pub struct WorldOrigin<V: Space> {
    /// Where it is.
    pub position: V::Precise,
}

impl<V: Space> Default for WorldOrigin<V> {
    fn default() -> Self {
        Self {
            position: V::ZERO.to_precise(),
        }
    }
}
