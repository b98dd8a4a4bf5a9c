//! Snapshots of worlds, to go back to.

use bevy_ecs::prelude::*;
use clearance::generic::{Snapshot, World};

use crate::bonds::Ignored;
use crate::records::Records;
use crate::{CollisionWorld, Space};

/// The state of the worlds of one dimension, and which entity each body is.
///
/// It is for games that rewind and predict again: `bevy_ggrs`, say, registers it by `rollback_resource_with_clone` after a
/// system at the end of a frame has put the present one there, or saves it by itself. The game brings back its components;
/// the next step finds no difference where both are of one frame, and goes on with the same bits.
#[derive(Resource, Clone, Debug)]
#[doc(alias("rollback", "ggrs", "save"))]
pub struct CollisionSnapshot<V: Space> {
    worlds: Vec<Snapshot<V>>,
    records: Records<V>,
    ignored: Ignored,
    origin: V::Precise,
}

impl<V: Space> CollisionWorld<V> {
    /// The present state. It is taken after a step and before entities change.
    #[must_use]
    pub fn snapshot(&self) -> CollisionSnapshot<V> {
        CollisionSnapshot {
            worlds: self.worlds().map(World::snapshot).collect(),
            records: self.records.clone(),
            ignored: self.ignored.clone(),
            origin: self.origin,
        }
    }

    /// Comes back to a snapshot. Entities are those of that time; the next step compares all of them with their
    /// components, as they are then.
    pub fn restore(&mut self, snapshot: &CollisionSnapshot<V>) {
        self.restore_mapped(snapshot, |entity| entity);
    }

    /// Comes back to a snapshot whose entities have other names now, as those that were despawned and spawned again.
    pub fn restore_mapped(
        &mut self,
        snapshot: &CollisionSnapshot<V>,
        mut name: impl FnMut(Entity) -> Entity,
    ) {
        self.replace((&snapshot.worlds, &snapshot.records), &mut name);
        self.ignored = snapshot.ignored.renamed(&mut name);
        self.origin = snapshot.origin;
    }

    /// A number that two equal states have in common, of all worlds; what peers compare. Peers may have other entities for the
    /// same bodies.
    ///
    /// Bodies are numbered as their entities get their colliders, whatever other entities there are. A [`BodyOrder`](crate::BodyOrder)
    /// decides where that order may differ between peers: where systems that may run in any order spawn bodies in one step, or
    /// assets load at different times.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        // Each world counts by its place, too.
        self.worlds().fold(0, |hash, world| {
            hash.rotate_left(1) ^ world.state_hash_by(&|_| 0)
        })
    }
}
