//! Which entities changed since the last step, as far as change detection does not tell.

use core::marker::PhantomData;

use bevy_app::App;
use bevy_ecs::change_detection::ContiguousRef;
use bevy_ecs::entity::{EntityHashMap, EntityHashSet};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::query::ArchetypeFilter;
use bevy_ecs::system::SystemParam;

use crate::{
    BodyKind, Collider, CollisionEvents, CompoundBody, InWorld, Layers, Margin, PartContacts,
    Sensor, Space, Swept, Velocity,
};

/// The components without which a body is another one.
type All<V> = (
    (Collider<V>, CompoundBody, InWorld),
    (BodyKind, Layers, Margin, Velocity<V>),
    (Swept, PartContacts, Sensor, CollisionEvents),
);

/// Those that hold nothing that could change.
type Markers = (Swept, PartContacts, Sensor, CollisionEvents, CompoundBody);

/// Those that decide which body the colliders below an entity belong to or hang on, or whether they are there at all.
type Bonds<V> = (ChildOf, CompoundBody, Collider<V>, Disabled);

/// Entities that got or lost a component.
///
/// Removals come from observers, since the engine's own list of removals lives for two frames, and fixed steps may be
/// farther apart.
#[derive(Resource)]
pub(crate) struct Changes<V: Space> {
    pub(crate) entities: EntityHashSet,
    /// Entities whose descendants may belong to another body now.
    pub(crate) families: EntityHashSet,
    /// The order in which entities became colliders or compounds, which is that in which the game spawned them.
    ranks: EntityHashMap<u64>,
    next_rank: u64,
    space: PhantomData<V>,
}

impl<V: Space> Changes<V> {
    /// The place of an entity in the order of spawning; what was there before the plugin comes first.
    pub(crate) fn rank(&self, entity: Entity) -> u64 {
        self.ranks.get(&entity).copied().unwrap_or_default()
    }

    /// Forgets the place of an entity that is no collider any more.
    pub(crate) fn forget(&mut self, entity: Entity) {
        self.ranks.remove(&entity);
    }
}

/// Bodies without parents: these are where their transforms say.
pub(crate) type Roots<V> = (Without<ChildOf>, Bodies<V>);

/// Bodies and colliders with parents.
pub(crate) type Children<V> = (With<ChildOf>, Bodies<V>);

/// Entities that are bodies or colliders of one.
pub(crate) type Bodies<V> = Or<(With<Collider<V>>, With<CompoundBody>)>;

/// A component of some entities, of which the changes since the last step are asked.
#[derive(SystemParam)]
pub(crate) struct Watched<'w, 's, T: Component, F: ArchetypeFilter + 'static>(
    Query<'w, 's, (Entity, Ref<'static, T>), F>,
);

impl<T: Component, F: ArchetypeFilter + 'static> Watched<'_, '_, T, F> {
    /// Calls `visit` with all entities of which the component changed.
    ///
    /// [`Changed`] looks at each entity. Here a table in which nothing changed costs one comparison where the component has a
    /// summary tick, and a fraction of a nanosecond an entity where it has none.
    pub(crate) fn each_changed(&self, mut visit: impl FnMut(Entity, &T)) {
        let Ok(tables) = self.0.contiguous_iter() else {
            let changed = self.0.iter().filter(|(_, value)| value.is_changed());
            return changed.for_each(|(entity, value)| visit(entity, &value));
        };
        for (entities, values) in tables {
            let (values, ticks) = ContiguousRef::split(values);
            if ticks.summary_tick_is_changed() == Some(false) {
                continue;
            }
            let rows = entities.iter().zip(values).zip(ticks.is_changed_iter());
            for ((&entity, value), is_changed) in rows {
                if is_changed {
                    visit(entity, value);
                }
            }
        }
    }
}

/// The components of bodies that seldom change.
#[derive(SystemParam)]
pub(crate) struct Altered<'w, 's, V: Space> {
    collider: Watched<'w, 's, Collider<V>, ()>,
    kind: Watched<'w, 's, BodyKind, Bodies<V>>,
    layers: Watched<'w, 's, Layers, Bodies<V>>,
    margin: Watched<'w, 's, Margin, Bodies<V>>,
    world: Watched<'w, 's, InWorld, Bodies<V>>,
}

impl<V: Space> Altered<'_, '_, V> {
    /// Adds the bodies of which one of these changed since the last step.
    pub(crate) fn add_to(&self, changed: &mut Vec<Entity>) {
        self.collider.each_changed(|entity, _| changed.push(entity));
        self.kind.each_changed(|entity, _| changed.push(entity));
        self.layers.each_changed(|entity, _| changed.push(entity));
        self.margin.each_changed(|entity, _| changed.push(entity));
        self.world.each_changed(|entity, _| changed.push(entity));
    }
}

/// Starts to note what changes.
pub(crate) fn watch<V: Space>(app: &mut App) {
    app.insert_resource(Changes::<V> {
        entities: EntityHashSet::default(),
        families: EntityHashSet::default(),
        ranks: EntityHashMap::default(),
        next_rank: 1,
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
        |added: On<Add<(Collider<V>, CompoundBody)>>, mut changes: ResMut<Changes<V>>| {
            let next = changes.next_rank;
            let rank = *changes.ranks.entry(added.entity).or_insert(next);
            changes.next_rank += u64::from(rank == next);
        },
    );
    app.add_observer(
        |added: On<Insert<Bonds<V>>>, mut changes: ResMut<Changes<V>>| {
            changes.families.insert(added.entity);
        },
    );
    app.add_observer(
        |removed: On<Remove<Bonds<V>>>, mut changes: ResMut<Changes<V>>| {
            changes.families.insert(removed.entity);
        },
    );
}
