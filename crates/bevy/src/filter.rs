//! Which entities a question is about.

use core::fmt;

use bevy_ecs::prelude::*;
use clearance::BodyId;
use clearance::generic::BodyRef;

use crate::{CollisionWorld, InWorld, Layers, Space};

/// A function that decides whether a question is about a body.
type Decide<'f> = dyn Fn(Entity) -> bool + Sync + 'f;

/// A function that decides whether a question is about a part of a body.
type DecidePart<'f> = dyn Fn(EntityPart) -> bool + Sync + 'f;

/// A part of the shape of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct EntityPart {
    /// The body.
    pub entity: Entity,
    /// The collider that the part is of: the body itself, or a child of a compound.
    pub collider: Entity,
    /// The number of the part in the shape of the body.
    pub part: u32,
}

/// Whether a question is about sensors: see [`Sensor`](crate::Sensor).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Sensors {
    /// About them and all else.
    #[default]
    Met,
    /// About all else: a ray that sees what stops somebody.
    Skipped,
    /// About nothing else: the areas that somebody is in.
    Alone,
}

/// Which entities a question is about; by default all of world 0.
///
/// ```
/// use bevy_clearance::{Layers, SpatialFilter};
/// use bevy_ecs::prelude::*;
///
/// #[derive(Component)]
/// struct Enemy;
///
/// const WALLS: u32 = 1;
/// const CHARACTERS: u32 = 2;
///
/// fn look(own: Entity, enemies: Query<(), With<Enemy>>) {
///     let (own, is_enemy) = ([own], |entity| enemies.contains(entity));
///     let filter = SpatialFilter::new()
///         .with_layers(Layers::of(WALLS | CHARACTERS))
///         .without(&own)
///         .with_predicate(&is_enemy);
///     assert!(format!("{filter:?}").contains("excluded"));
/// }
/// # let mut world = World::new();
/// # let enemy = world.spawn(Enemy).id();
/// # world.run_system_cached_with(|own: In<Entity>, enemies: Query<(), With<Enemy>>| look(*own, enemies), enemy).unwrap();
/// ```
#[derive(Clone, Copy, Default)]
pub struct SpatialFilter<'f> {
    /// The layers of the question, as if a body with these asked.
    pub layers: Layers,
    /// Bodies that are passed over, such as the one that asks.
    pub excluded: &'f [Entity],
    /// Bodies for which it returns false are passed over. A query of the game tells what a body has.
    pub predicate: Option<&'f Decide<'f>>,
    /// Parts for which it returns false are passed over: the colliders of a compound, the tiles of a map.
    pub parts: Option<&'f DecidePart<'f>>,
    /// Whether sensors are passed over, or all else. Bodies that slide pass them anyway.
    pub sensors: Sensors,
    /// The world that is asked.
    pub world: InWorld,
}

impl<'f> SpatialFilter<'f> {
    /// All bodies of world 0.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces the layers.
    #[must_use]
    pub fn with_layers(self, layers: Layers) -> Self {
        Self { layers, ..self }
    }

    /// Replaces the bodies that are passed over.
    #[must_use]
    pub fn without(self, excluded: &'f [Entity]) -> Self {
        Self { excluded, ..self }
    }

    /// Replaces the function that decides about bodies.
    #[must_use]
    pub fn with_predicate(self, predicate: &'f Decide<'f>) -> Self {
        let predicate = Some(predicate);
        Self { predicate, ..self }
    }

    /// Replaces the function that decides about parts.
    #[must_use]
    pub fn with_parts(self, parts: &'f DecidePart<'f>) -> Self {
        let parts = Some(parts);
        Self { parts, ..self }
    }

    /// Passes over sensors, or over all else.
    #[must_use]
    pub fn with_sensors(self, sensors: Sensors) -> Self {
        Self { sensors, ..self }
    }

    /// Replaces the world.
    #[must_use]
    pub fn in_world(self, world: InWorld) -> Self {
        Self { world, ..self }
    }
}

impl fmt::Debug for SpatialFilter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SpatialFilter")
            .field("layers", &self.layers)
            .field("excluded", &self.excluded)
            .field("predicate", &self.predicate.is_some())
            .field("parts", &self.parts.is_some())
            .field("sensors", &self.sensors)
            .field("world", &self.world)
            .finish()
    }
}

impl<V: Space> CollisionWorld<V> {
    /// Asks the world of a filter about what it leaves, for a body that slides if there is one; `None` if there is no
    /// such world.
    pub(crate) fn ask<T>(
        &self,
        (filter, slider): (&SpatialFilter<'_>, Option<Entity>),
        question: impl FnOnce(clearance::generic::Query<'_, V>) -> T,
    ) -> Option<T> {
        let world = self.get(filter.world)?;
        let entity = |body: BodyRef<'_, V>| Entity::try_from_bits(body.user_data());
        let accepts = |body: BodyRef<'_, V>| {
            entity(body).is_none_or(|entity| {
                let is_right_sort = match filter.sensors {
                    Sensors::Met => true,
                    Sensors::Skipped => !self.is_sensor(entity),
                    Sensors::Alone => self.is_sensor(entity),
                };
                is_right_sort
                    && filter.predicate.is_none_or(|accepts| accepts(entity))
                    && slider.is_none_or(|slider| !self.slides_past(slider, entity))
            })
        };
        let accepts_part = |body: BodyRef<'_, V>, part| {
            let part = entity(body).map(|entity| EntityPart {
                entity,
                collider: self.collider(entity, part),
                part,
            });
            part.zip(filter.parts)
                .is_none_or(|(part, accepts)| accepts(part))
        };
        let excluded: Vec<BodyId> = filter
            .excluded
            .iter()
            .filter_map(|&entity| Some(self.body(entity)?.1))
            .collect();
        let mut query = world
            .query()
            .groups(filter.layers.into())
            .exclude(&excluded);
        let picks_sensors = filter.sensors != Sensors::Met;
        if picks_sensors || filter.predicate.is_some() || slider.is_some() {
            query = query.predicate(&accepts);
        }
        if filter.parts.is_some() {
            query = query.parts(&accepts_part);
        }
        Some(question(query))
    }
}
