//! Which entities changed since the last step, as far as change detection does not tell.

use core::marker::PhantomData;

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryFilter;
use bevy_transform::components::GlobalTransform;

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

/// Entities that got or lost a component.
///
/// Removals come from observers, since the engine's own list of removals lives for two frames, and fixed steps may be
/// farther apart.
#[derive(Resource)]
pub(crate) struct Changes<V: Space> {
    pub(crate) entities: Vec<Entity>,
    /// Entities whose descendants may belong to another body now.
    pub(crate) families: Vec<Entity>,
    space: PhantomData<V>,
}

/// Entities that were given another value since the last step.
#[derive(QueryFilter)]
pub(crate) struct Changed<V: Space> {
    is_collider: Or<(With<Collider<V>>, With<CompoundBody>)>,
    has_changed: Or<(
        bevy_ecs::query::Changed<Collider<V>>,
        bevy_ecs::query::Changed<Mobility>,
        bevy_ecs::query::Changed<Layers>,
        bevy_ecs::query::Changed<Margin>,
        bevy_ecs::query::Changed<Velocity<V>>,
        bevy_ecs::query::Changed<InWorld>,
    )>,
}

/// Entities that moved since the last step, or whose parents did.
#[derive(QueryFilter)]
pub(crate) struct Moved<V: Space> {
    is_collider: Or<(With<Collider<V>>, With<CompoundBody>)>,
    has_moved: bevy_ecs::query::Changed<GlobalTransform>,
}

/// Starts to note what changes.
pub(crate) fn watch<V: Space>(app: &mut App) {
    app.insert_resource(Changes::<V> {
        entities: Vec::new(),
        families: Vec::new(),
        space: PhantomData,
    });
    app.add_observer(
        |removed: On<Remove<All<V>>>, mut changes: ResMut<Changes<V>>| {
            changes.entities.push(removed.entity);
        },
    );
    app.add_observer(|added: On<Add<Markers>>, mut changes: ResMut<Changes<V>>| {
        changes.entities.push(added.entity);
    });
    app.add_observer(
        |added: On<Insert<(ChildOf, CompoundBody)>>, mut changes: ResMut<Changes<V>>| {
            changes.families.push(added.entity);
        },
    );
    app.add_observer(
        |removed: On<Remove<(ChildOf, CompoundBody)>>, mut changes: ResMut<Changes<V>>| {
            changes.families.push(removed.entity);
        },
    );
}
