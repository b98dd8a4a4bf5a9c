//! The worlds of the engine, and which entity each of their bodies is.

use std::collections::BTreeMap;
use std::sync::Arc;

use bevy_ecs::entity::EntityHashMap;
use bevy_ecs::prelude::*;
use bevy_math::Affine3A;
use clearance::generic::{Body, Pose, Shape, World};
use clearance::{BodyId, Options, WorldError};

use crate::problem::{Cause, ColliderProblem};
use crate::{InWorld, Placement, Space, Velocity};

/// The worlds of all entities with a [`Collider`](crate::Collider) of this dimension.
///
/// [`Contacts`](crate::Contacts) and [`SpatialQuery`](crate::SpatialQuery) answer with entities. What they do not have
/// is asked of [`world`](Self::world) itself, where an entity is the body [`body`](Self::body), and the user data of a body
/// are the bits of its entity.
#[derive(Resource, Debug)]
pub struct CollisionWorld<V: Space> {
    options: Options,
    worlds: Vec<World<V>>,
    pub(crate) records: Records<V>,
    problems: BTreeMap<Entity, ColliderProblem>,
    /// Bodies that were removed before the last step and that its events may name.
    departed: EntityHashMap<Record<V>>,
    /// How many bodies want events.
    listeners: usize,
    /// How many bodies have velocities.
    movers: usize,
    /// In how many steps something can happen: in that after a change, and in the next, in which nothing begins any more.
    awake: u8,
    /// Entities that may differ from their bodies though they did not change.
    suspects: Vec<Entity>,
    /// Where the origin of the transforms was in the last step.
    pub(crate) origin: V::Precise,
}

/// See [`CollisionWorld::needs_step`].
const AWAKE: u8 = 2;

/// What is kept of a body beside what its world has.
#[derive(Clone, Debug)]
pub(crate) struct Record<V: Space> {
    pub(crate) entity: Entity,
    pub(crate) body: BodyId,
    pub(crate) world: InWorld,
    /// By what the shape was scaled.
    pub(crate) scale: V,
    pub(crate) traits: Traits,
    /// The colliders of a compound, in the order of their parts.
    pub(crate) members: Option<Arc<[Member]>>,
}

/// What the engine does not know of a body.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Traits {
    pub(crate) is_sensor: bool,
    pub(crate) wants_events: bool,
    pub(crate) has_velocity: bool,
}

/// A collider of a compound.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) first_part: u32,
    pub(crate) collider: Entity,
    /// Its frame in that of the compound.
    pub(crate) frame: Affine3A,
}

/// The records of all bodies, by the index of their entities.
#[derive(Clone, Debug)]
pub(crate) struct Records<V: Space> {
    dense: Vec<Option<Record<V>>>,
    /// The bodies of colliders that are not the entities of their bodies.
    owners: EntityHashMap<Entity>,
}

/// All that a body is to be.
pub(crate) struct Description<V: Space> {
    pub(crate) entity: Entity,
    pub(crate) world: InWorld,
    pub(crate) body: Body<V>,
    pub(crate) scale: V,
    pub(crate) traits: Traits,
    pub(crate) members: Option<Arc<[Member]>>,
}

impl<V: Space> Records<V> {
    fn new() -> Self {
        Self {
            dense: Vec::new(),
            owners: EntityHashMap::default(),
        }
    }

    pub(crate) fn get(&self, entity: Entity) -> Option<&Record<V>> {
        let record = self.dense.get(entity.index_u32() as usize)?.as_ref()?;
        (record.entity == entity).then_some(record)
    }

    /// The entity of the body that a collider belongs to.
    pub(crate) fn owner(&self, collider: Entity) -> Option<Entity> {
        let itself = self.get(collider).map(|record| record.entity);
        itself.or_else(|| self.owners.get(&collider).copied())
    }

    /// These records with other names of entities.
    pub(crate) fn renamed(&self, name: &mut dyn FnMut(Entity) -> Entity) -> Self {
        let mut renamed = Self::new();
        for record in self.iter() {
            let members = record.members.as_ref().map(|members| {
                let renamed = members.iter().map(|member| Member {
                    collider: name(member.collider),
                    ..*member
                });
                renamed.collect()
            });
            renamed.put(Record {
                entity: name(record.entity),
                members,
                ..*record
            });
        }
        renamed
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Record<V>> {
        self.dense.iter().flatten()
    }

    fn put(&mut self, record: Record<V>) {
        let index = record.entity.index_u32() as usize;
        if self.dense.len() <= index {
            self.dense.resize_with(index + 1, || None);
        }
        for member in record.members.iter().flat_map(|members| members.iter()) {
            self.owners.insert(member.collider, record.entity);
        }
        self.dense[index] = Some(record);
    }

    fn take(&mut self, entity: Entity) -> Option<Record<V>> {
        self.get(entity)?;
        let record = self.dense[entity.index_u32() as usize].take()?;
        for member in record.members.iter().flat_map(|members| members.iter()) {
            // Another body may have taken it over in the meantime.
            if self.owners.get(&member.collider) == Some(&entity) {
                self.owners.remove(&member.collider);
            }
        }
        Some(record)
    }
}

impl<V: Space> Record<V> {
    /// The collider that a part of the body belongs to.
    pub(crate) fn collider(&self, part: u32) -> Entity {
        let Some(members) = &self.members else {
            return self.entity;
        };
        let after = members.partition_point(|member| member.first_part <= part);
        after
            .checked_sub(1)
            .map_or(self.entity, |place| members[place].collider)
    }
}

impl<V: Space> CollisionWorld<V> {
    /// Without bodies.
    ///
    /// # Errors
    /// Options that [`World::new`] refuses.
    pub fn new(options: Options) -> Result<Self, WorldError> {
        Ok(Self {
            options,
            worlds: vec![World::new(options)?],
            records: Records::new(),
            problems: BTreeMap::new(),
            departed: EntityHashMap::default(),
            listeners: 0,
            movers: 0,
            awake: AWAKE,
            suspects: Vec::new(),
            origin: V::ZERO.to_precise(),
        })
    }

    /// World 0, in which bodies are that do not say otherwise.
    #[must_use]
    pub fn world(&self) -> &World<V> {
        &self.worlds[0]
    }

    /// World 0, to set margins, filters of pairs and ignored pairs.
    ///
    /// Bodies come, go and change with their entities alone: what is done to them here is undone when their entities
    /// change, and what is inserted here has no entity.
    pub fn world_mut(&mut self) -> &mut World<V> {
        self.awake = AWAKE;
        &mut self.worlds[0]
    }

    /// One of several worlds: see [`InWorld`]. `None` if no body ever was in it.
    #[must_use]
    pub fn get(&self, world: InWorld) -> Option<&World<V>> {
        self.worlds.get(usize::from(world.0))
    }

    /// One of several worlds, to change it as [`world_mut`](Self::world_mut).
    pub fn get_mut(&mut self, world: InWorld) -> Option<&mut World<V>> {
        self.awake = AWAKE;
        self.worlds.get_mut(usize::from(world.0))
    }

    /// The worlds in order of their numbers.
    pub fn worlds(&self) -> impl Iterator<Item = &World<V>> {
        self.worlds.iter()
    }

    pub(crate) fn worlds_mut(&mut self) -> &mut Vec<World<V>> {
        &mut self.worlds
    }

    /// The world and the id of an entity that is a body, or a collider of one.
    #[must_use]
    pub fn body(&self, entity: Entity) -> Option<(InWorld, BodyId)> {
        let record = self.records.get(self.records.owner(entity)?)?;
        Some((record.world, record.body))
    }

    /// The entity of a body of a world, also of one that was removed and that events may name.
    #[must_use]
    pub fn entity(&self, world: InWorld, body: BodyId) -> Option<Entity> {
        Entity::try_from_bits(self.get(world)?.user_data(body)?)
    }

    /// The collider that a part of the shape of a body belongs to: the entity itself, or a child of a compound.
    #[must_use]
    pub fn collider(&self, entity: Entity, part: u32) -> Entity {
        let record = self
            .records
            .get(entity)
            .or_else(|| self.departed.get(&entity));
        record.map_or(entity, |record| record.collider(part))
    }

    /// A position in the frame of the transforms: those of contacts and answers are in the frame of the world, which
    /// differs by the [`WorldOrigin`](crate::WorldOrigin).
    #[must_use]
    pub fn local(&self, position: V::Precise) -> V {
        V::from_precise(position - self.origin)
    }

    /// What is wrong with colliders that are in no world, sorted by entity. Each is logged once, when it comes up.
    pub fn problems(&self) -> impl Iterator<Item = &ColliderProblem> {
        self.problems.values()
    }

    /// Lets two bodies make no contact. `false` if one of them is none, or both are not in one world.
    pub fn ignore_pair(&mut self, a: Entity, b: Entity) -> bool {
        let (Some((world, a)), Some((other, b))) = (self.body(a), self.body(b)) else {
            return false;
        };
        let world = self.get_mut(world).filter(|_| world == other);
        world.is_some_and(|world| world.ignore_pair(a, b).is_ok())
    }

    /// Whether a step can change anything: not where nobody moves and nothing was sent for two steps.
    pub(crate) fn needs_step(&mut self) -> bool {
        let is_awake = self.awake > 0 || self.movers > 0;
        self.awake = self.awake.saturating_sub(1);
        is_awake
    }

    pub(crate) fn record_of(&self, world: InWorld, body: BodyId) -> Option<&Record<V>> {
        let entity = self.entity(world, body)?;
        self.records
            .get(entity)
            .or_else(|| self.departed.get(&entity))
    }

    /// Whether any event can be wanted.
    pub(crate) fn has_listeners(&self) -> bool {
        self.listeners > 0 || !self.departed.is_empty()
    }

    pub(crate) fn forget_departed(&mut self) {
        self.departed.clear();
    }

    /// Counts what a body wants, or no longer wants.
    fn count(&mut self, traits: Traits, is_there: bool) {
        self.awake = AWAKE;
        for (count, wants) in [
            (&mut self.listeners, traits.wants_events),
            (&mut self.movers, traits.has_velocity),
        ] {
            match is_there {
                true => *count += usize::from(wants),
                false => *count -= usize::from(wants),
            }
        }
    }

    /// Makes a body what it is to be.
    pub(crate) fn put(&mut self, description: Description<V>) {
        let entity = description.entity;
        let put = match self.records.get(entity) {
            Some(record) if record.world == description.world => self.update(description),
            Some(_) => {
                self.remove(entity);
                self.insert(description)
            }
            None => self.insert(description),
        };
        match put {
            Ok(()) => _ = self.problems.remove(&entity),
            Err(error) => self.refuse(
                entity,
                ColliderProblem {
                    entity,
                    cause: Cause::World(error),
                },
            ),
        }
    }

    fn insert(&mut self, description: Description<V>) -> Result<(), WorldError> {
        let Description {
            entity,
            world,
            body,
            scale,
            traits,
            members,
        } = description;
        while self.worlds.len() <= usize::from(world.0) {
            self.worlds.push(World::new(self.options)?);
        }
        let body = self.worlds[usize::from(world.0)].insert(body)?;
        self.count(traits, true);
        self.records.put(Record {
            entity,
            body,
            world,
            scale,
            traits,
            members,
        });
        Ok(())
    }

    fn update(&mut self, description: Description<V>) -> Result<(), WorldError> {
        let Description {
            entity,
            world,
            mut body,
            scale,
            traits,
            members,
        } = description;
        let Some(before) = self.records.take(entity) else {
            return Ok(());
        };
        let id = before.body;
        self.count(traits, true);
        self.count(before.traits, false);
        self.records.put(Record {
            entity,
            body: id,
            world,
            scale,
            traits,
            members,
        });
        let world = &mut self.worlds[usize::from(world.0)];
        if traits.has_velocity
            && is_written(world, id, &body.pose, self.origin)
            && let Some(present) = world.get(id)
        {
            body.pose = *present.pose();
        }
        update_body(world, id, body)
    }

    /// Moves a body whose shape stays as it is.
    pub(crate) fn move_to(
        &mut self,
        entity: Entity,
        placement: &Placement<V>,
    ) -> Result<(), WorldError> {
        let Some(record) = self.records.get(entity) else {
            return Ok(());
        };
        let (body, pose) = (record.body, placement.pose(self.origin));
        let world = &mut self.worlds[usize::from(record.world.0)];
        if record.traits.has_velocity && is_written(world, body, &pose, self.origin) {
            return Ok(());
        }
        self.awake = AWAKE;
        world.set_pose(body, pose)
    }

    /// Changes the velocity of a body that had one; `false` if it had none, or this one is not valid.
    pub(crate) fn accelerate(&mut self, entity: Entity, velocity: Velocity<V>) -> bool {
        let known = self
            .records
            .get(entity)
            .filter(|record| record.traits.has_velocity);
        known.is_some_and(|record| {
            let world = &mut self.worlds[usize::from(record.world.0)];
            world.set_velocity(record.body, velocity.into()).is_ok()
        })
    }

    /// Takes a body out of its world; the next step has the events.
    pub(crate) fn remove(&mut self, entity: Entity) {
        self.problems.remove(&entity);
        let Some(record) = self.records.take(entity) else {
            return;
        };
        self.count(record.traits, false);
        let removed = self.worlds[usize::from(record.world.0)].remove(record.body);
        debug_assert!(removed.is_ok(), "only this crate removes bodies");
        self.departed.insert(entity, record);
    }

    /// Takes a body out of its world because of a problem, which is logged unless it was there before.
    pub(crate) fn refuse(&mut self, owner: Entity, problem: ColliderProblem) {
        let before = self.problems.get(&owner).map(|before| before.cause.words());
        if before != Some(problem.cause.words()) {
            log::error!("{problem}");
        }
        self.remove(owner);
        self.problems.insert(owner, problem);
    }

    /// Replaces the records by those of a snapshot. All that are or were bodies are looked at in the next step.
    pub(crate) fn replace_records(&mut self, records: Records<V>) {
        self.suspects
            .extend(self.records.iter().map(|record| record.entity));
        self.suspects
            .extend(records.iter().map(|record| record.entity));
        (self.listeners, self.movers, self.awake) = (0, 0, AWAKE);
        records
            .iter()
            .for_each(|record| self.count(record.traits, true));
        self.records = records;
        self.departed.clear();
    }

    pub(crate) fn take_suspects(&mut self) -> Vec<Entity> {
        core::mem::take(&mut self.suspects)
    }

    pub(crate) fn options(&self) -> Options {
        self.options
    }
}

/// Whether the pose that transforms tell of a body is the one that the step wrote to them, which was rounded.
fn is_written<V: Space>(
    world: &World<V>,
    body: BodyId,
    told: &Pose<V>,
    origin: V::Precise,
) -> bool {
    let local = |pose: &Pose<V>| V::from_precise(pose.position() - origin);
    world.get(body).is_some_and(|body| {
        let present = body.pose();
        local(present) == local(told) && V::is_same_turn(present.rotation, told.rotation)
    })
}

/// Sets all of a body; what is as before costs nothing.
fn update_body<V: Space>(
    world: &mut World<V>,
    id: BodyId,
    body: Body<V>,
) -> Result<(), WorldError> {
    world.set_pose(id, body.pose)?;
    world.set_shape(id, body.shape)?;
    world.set_velocity(id, body.velocity)?;
    world.set_kind(id, body.kind)?;
    world.set_groups(id, body.groups)?;
    world.set_extra_margin(id, body.extra_margin)?;
    world.set_part_contacts(id, body.part_contacts)?;
    world.set_swept(id, body.swept)
}

/// How many parts a shape has.
pub(crate) fn part_count<V: Space>(shape: &Shape<V>) -> u32 {
    match shape {
        Shape::Composite(composite) => composite.part_count(),
        _ => 1,
    }
}
