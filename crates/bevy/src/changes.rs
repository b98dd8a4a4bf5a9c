//! Which entities changed since the last step, as far as change detection does not tell.

use core::marker::PhantomData;

use bevy_app::App;
use bevy_ecs::entity::EntityHashSet;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_transform::components::{GlobalTransform, Transform};

use crate::{
    Collider, CollisionEvents, CompoundBody, InWorld, Layers, Margin, Mobility, PartContacts,
    Sensor, Space, Swept, Velocity,
};

/// The components without which a body is another one.
type All<V> = (
    (Collider<V>, CompoundBody, InWorld),
    (Mobility, Layers, Margin, Velocity<V>),
    (Swept, PartContacts, Sensor, CollisionEvents),
);

/// Those that hold nothing that could change.
type Markers = (Swept, PartContacts, Sensor, CollisionEvents, CompoundBody);

/// Those that decide which body the colliders below an entity belong to, or whether they are there at all.
type Bonds = (ChildOf, CompoundBody, Disabled);

/// Entities that got or lost a component.
///
/// Removals come from observers, since the engine's own list of removals lives for two frames, and fixed steps may be
/// farther apart.
#[derive(Resource)]
pub(crate) struct Changes<V: Space> {
    pub(crate) entities: EntityHashSet,
    /// Entities whose descendants may belong to another body now.
    pub(crate) families: EntityHashSet,
    space: PhantomData<V>,
}

/// Bodies without parents that moved since the last step: these are where their transforms say.
pub(crate) type MovedRoots<V> = (Changed<Transform>, Without<ChildOf>, Bodies<V>);

/// Bodies and colliders with parents that moved, or whose parents did.
pub(crate) type MovedChildren<V> = (Changed<GlobalTransform>, With<ChildOf>, Bodies<V>);

/// Bodies with another velocity.
pub(crate) type Accelerated<V> = (Changed<Velocity<V>>, Bodies<V>);

/// Entities that are bodies or colliders of one.
type Bodies<V> = Or<(With<Collider<V>>, With<CompoundBody>)>;

/// Bodies of which a value was changed since the last step.
///
/// A query for each component: one for all of them takes several times as long where nothing changed.
#[derive(SystemParam)]
pub(crate) struct Altered<'w, 's, V: Space> {
    collider: Query<'w, 's, Entity, Changed<Collider<V>>>,
    mobility: Query<'w, 's, Entity, (Changed<Mobility>, Bodies<V>)>,
    layers: Query<'w, 's, Entity, (Changed<Layers>, Bodies<V>)>,
    margin: Query<'w, 's, Entity, (Changed<Margin>, Bodies<V>)>,
    world: Query<'w, 's, Entity, (Changed<InWorld>, Bodies<V>)>,
}

impl<V: Space> Altered<'_, '_, V> {
    pub(crate) fn iter(&self) -> impl Iterator<Item = Entity> {
        let first = self
            .collider
            .iter()
            .chain(&self.mobility)
            .chain(&self.layers);
        first.chain(&self.margin).chain(&self.world)
    }
}

/// Starts to note what changes.
pub(crate) fn watch<V: Space>(app: &mut App) {
    app.insert_resource(Changes::<V> {
        entities: EntityHashSet::default(),
        families: EntityHashSet::default(),
        space: PhantomData,
    });
    app.add_observer(
        |removed: On<Remove<All<V>>>, mut changes: ResMut<Changes<V>>| {
            changes.entities.insert(removed.entity);
        },
    );
    app.add_observer(|added: On<Add<Markers>>, mut changes: ResMut<Changes<V>>| {
        changes.entities.insert(added.entity);
    });
    app.add_observer(
        |added: On<Insert<Bonds>>, mut changes: ResMut<Changes<V>>| {
            changes.families.insert(added.entity);
        },
    );
    app.add_observer(
        |removed: On<Remove<Bonds>>, mut changes: ResMut<Changes<V>>| {
            changes.families.insert(removed.entity);
        },
    );
}
