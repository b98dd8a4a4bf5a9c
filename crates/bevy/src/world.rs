//! The worlds of the engine, and which entity each of their bodies is.

use core::fmt;
use std::collections::BTreeMap;
use std::sync::Arc;

use bevy_ecs::entity::{EntityHashMap, EntityIndexSet};
use bevy_ecs::prelude::*;
use clearance::generic::{Body, BodyRef, Pose, Shape, Snapshot, World};
use clearance::{BodyId, Options, WorldError};

use crate::bonds::{Bond, Ignored};
use crate::problem::ColliderProblem;
use crate::records::{Member, Record, Records, Traits};
use crate::{InWorld, Placement, PlacementError, Space, Velocity};

/// The worlds of all entities with a [`Collider`](crate::Collider) of this dimension.
///
/// [`Contacts`](crate::Contacts) and [`SpatialQuery`](crate::SpatialQuery) answer with entities. What they do not have
/// is asked of [`world`](Self::world) itself, where an entity is the body [`body`](Self::body), and the user data of a body
/// are the bits of its entity.
#[derive(Resource)]
pub struct CollisionWorld<V: Space> {
    options: Options,
    pub(crate) worlds: Vec<World<V>>,
    pub(crate) records: Records<V>,
    /// By the entities of bodies.
    problems: BTreeMap<Entity, Vec<ColliderProblem>>,
    /// The pairs that the game lets make no contact.
    pub(crate) ignored: Ignored,
    /// Bodies that were removed or made of other colliders before the last step, as its events may still name them.
    departed: EntityHashMap<Record<V>>,
    /// How many bodies want events.
    listeners: usize,
    /// Bodies that want events since the last step, and were there before it.
    pub(crate) newcomers: EntityIndexSet,
    /// How many bodies have velocities.
    movers: usize,
    /// How many more steps are run: the one after a change, and one more, in which what began has begun.
    awake: u8,
    /// How many steps there were.
    pub(crate) steps: u64,
    /// The worlds that made a step in this run of the schedule.
    pub(crate) stepped: Vec<InWorld>,
    /// Entities that may differ from their bodies though they did not change.
    suspects: Vec<Entity>,
    /// Where the origin of the transforms was in the last step.
    pub(crate) origin: V::Precise,
}

/// How much there is of everything in each world.
impl<V: Space> fmt::Debug for CollisionWorld<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CollisionWorld")
            .field("worlds", &self.worlds)
            .field("problems", &self.problems.len())
            .field("steps", &self.steps)
            .finish_non_exhaustive()
    }
}

/// See [`CollisionWorld::needs_step`].
const AWAKE: u8 = 2;

/// What became of a body that was to follow its transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Followed {
    /// It is where it is to be.
    Whole,
    /// So is the origin of a compound, whose parts may have moved in it.
    Compound,
    /// More than its pose has changed.
    Not,
}

/// All that a body is to be.
pub(crate) struct Description<V: Space> {
    pub(crate) entity: Entity,
    pub(crate) world: InWorld,
    pub(crate) body: Body<V>,
    pub(crate) scale: V,
    pub(crate) traits: Traits,
    pub(crate) members: Option<Arc<[Member]>>,
    pub(crate) bond: Option<Arc<Bond>>,
    /// What does not count though somebody has set it.
    pub(crate) notes: Vec<ColliderProblem>,
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
            ignored: Ignored::default(),
            departed: EntityHashMap::default(),
            listeners: 0,
            newcomers: EntityIndexSet::default(),
            movers: 0,
            awake: AWAKE,
            steps: 0,
            stepped: Vec::new(),
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
    /// change, also a removal, and what is inserted here has no entity.
    pub fn world_mut(&mut self) -> &mut World<V> {
        self.awake = AWAKE;
        &mut self.worlds[0]
    }

    /// One of several worlds: see [`InWorld`]. `None` if no body ever was in it.
    #[must_use]
    pub fn get(&self, world: InWorld) -> Option<&World<V>> {
        self.worlds.get(usize::from(world.0))
    }

    /// One of several worlds, to change it as [`world_mut`](Self::world_mut). It is made if it was not there, and so are all
    /// of smaller numbers.
    pub fn get_mut(&mut self, world: InWorld) -> &mut World<V> {
        self.awake = AWAKE;
        while self.worlds.len() <= usize::from(world.0) {
            self.worlds.push(empty(self.options));
        }
        &mut self.worlds[usize::from(world.0)]
    }

    /// The worlds in order of their numbers.
    pub fn worlds(&self) -> impl Iterator<Item = &World<V>> {
        self.worlds.iter()
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

    /// The collider that a part belonged to before the last step.
    pub(crate) fn past_collider(&self, entity: Entity, part: u32) -> Entity {
        let record = self
            .departed
            .get(&entity)
            .or_else(|| self.records.get(entity));
        record.map_or(entity, |record| record.collider(part))
    }

    /// A position in the frame of the transforms: those of contacts and answers are in the frame of the world, which
    /// differs by the [`WorldOrigin`](crate::WorldOrigin).
    #[must_use]
    pub fn local(&self, position: V::Precise) -> V {
        V::from_precise(position - self.origin)
    }

    /// What is wrong with colliders, sorted by the entities of their bodies: those that are in no world, and those with settings
    /// that do not count. Each is logged once, when it comes up.
    pub fn problems(&self) -> impl Iterator<Item = &ColliderProblem> {
        self.problems.values().flatten()
    }

    /// Whether a step can change anything: not where nobody moves and nothing was sent for two steps.
    pub(crate) fn needs_step(&mut self) -> bool {
        let is_awake = self.awake > 0 || self.movers > 0;
        self.awake = self.awake.saturating_sub(1);
        is_awake
    }

    /// Steps one of the worlds, which is no change by the game: see [`Self::needs_step`].
    pub(crate) fn step_world(&mut self, world: InWorld, seconds: f32) -> Result<(), WorldError> {
        self.worlds[usize::from(world.0)].step(seconds)
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

    /// After a step was reported: what came and went before it is the past.
    pub(crate) fn forget_departed(&mut self) {
        self.departed.clear();
        self.newcomers.clear();
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
    pub(crate) fn put(&mut self, mut description: Description<V>) {
        let entity = description.entity;
        let notes = core::mem::take(&mut description.notes);
        let put = match self.records.get(entity) {
            Some(record) if record.world == description.world => self.update(description),
            Some(_) => {
                self.remove(entity);
                self.insert(description)
            }
            None => self.insert(description),
        };
        match put {
            Ok(()) => self.tell(entity, notes),
            Err(error) => self.refuse(entity, ColliderProblem::new(entity, error)),
        }
    }

    fn insert(&mut self, description: Description<V>) -> Result<(), WorldError> {
        let body = self.get_mut(description.world).insert(description.body)?;
        let Description {
            entity,
            world,
            scale,
            traits,
            members,
            bond,
            ..
        } = description;
        self.count(traits, true);
        self.records.put(Record {
            entity,
            body,
            world,
            scale,
            traits,
            members,
            bond,
        });
        self.keep_apart(entity);
        Ok(())
    }

    fn update(&mut self, mut description: Description<V>) -> Result<(), WorldError> {
        let entity = description.entity;
        let present = self.records.get(entity);
        if present.is_some_and(|present| present.bond != description.bond) {
            self.leave_family(entity);
        }
        let Some(before) = self.records.take(entity) else {
            return Ok(());
        };
        if description.traits.wants_events && !before.traits.wants_events {
            self.newcomers.insert(entity);
        }
        self.count(before.traits, false);
        let world = &mut self.worlds[usize::from(before.world.0)];
        let Ok(present) = world.body(before.body) else {
            // The game removed it by itself.
            return self.insert(description);
        };
        let meets_the_same = present.kind() == description.body.kind
            && before.bond == description.bond
            && before.members == description.members;
        let told = &description.body.pose;
        if description.traits.has_velocity && is_written(&present, told, self.origin) {
            description.body.pose = *present.pose();
        }
        // What the game told the world by itself.
        description.body.manifolds = present.wants_manifolds();
        let after = Record {
            scale: description.scale,
            traits: description.traits,
            members: description.members,
            bond: description.bond,
            ..before
        };
        self.count(after.traits, true);
        if before.members != after.members {
            self.departed.insert(entity, before);
        }
        let id = after.body;
        self.records.put(after);
        let world = &mut self.worlds[usize::from(description.world.0)];
        let updated = world
            .body_mut(id)
            .and_then(|mut body| body.set_all(description.body));
        if !meets_the_same {
            self.keep_apart(entity);
        }
        updated
    }

    /// Moves the body of an entity to where its transform says; `None` if it has no body.
    pub(crate) fn follow(
        &mut self,
        entity: Entity,
        place: impl FnOnce() -> Result<Placement<V>, PlacementError>,
    ) -> Option<Followed> {
        let record = self.records.get(entity)?;
        let placement = place().ok().map(|placed| placed.settled(record.scale));
        let Some(placement) = placement.filter(|placed| placed.scale == record.scale) else {
            return Some(Followed::Not);
        };
        let (body, pose) = (record.body, placement.pose(self.origin));
        let world = &mut self.worlds[usize::from(record.world.0)];
        let written = |body| is_written(&body, &pose, self.origin);
        if !(record.traits.has_velocity && world.body(body).is_ok_and(written)) {
            self.awake = AWAKE;
            let moved = world.body_mut(body);
            if moved.and_then(|mut body| body.set_pose(pose)).is_err() {
                return Some(Followed::Not);
            }
        }
        Some(match record.members {
            None => Followed::Whole,
            Some(_) => Followed::Compound,
        })
    }

    /// Changes the velocity of a body that had one; `false` if it had none, or this one is not valid.
    pub(crate) fn accelerate(&mut self, entity: Entity, velocity: Velocity<V>) -> bool {
        let known = self
            .records
            .get(entity)
            .filter(|record| record.traits.has_velocity);
        known.is_some_and(|record| {
            let world = &mut self.worlds[usize::from(record.world.0)];
            let body = world.body_mut(record.body);
            body.and_then(|mut body| body.set_velocity(velocity.into()))
                .is_ok()
        })
    }

    /// Takes a body out of its world; the next step has the events.
    pub(crate) fn remove(&mut self, entity: Entity) {
        // What is wrong with a mesh stays so while there is no collider.
        if let Some(problems) = self.problems.get_mut(&entity) {
            problems.retain(|problem| problem.cause.is_of_mesh());
        }
        let Some(record) = self.records.take(entity) else {
            return;
        };
        self.count(record.traits, false);
        // It is gone already if the game removed it by itself.
        _ = self.worlds[usize::from(record.world.0)].remove(record.body);
        self.departed.insert(entity, record);
    }

    /// Forgets the problems that have ended, and those of entities that are gone.
    pub(crate) fn forget_problems(&mut self, is_alive: impl Fn(Entity) -> bool) {
        self.problems
            .retain(|&owner, problems| !problems.is_empty() && is_alive(owner));
    }

    /// The entities of bodies that are in no world: their problem may have ended with a collider of theirs.
    pub(crate) fn troubled(&self) -> impl Iterator<Item = Entity> {
        let owners = self.problems.keys().copied();
        owners.filter(|&owner| self.records.get(owner).is_none())
    }

    /// Takes a body out of its world because of a problem.
    pub(crate) fn refuse(&mut self, owner: Entity, problem: ColliderProblem) {
        self.tell(owner, vec![problem]);
        let problems = self.problems.remove(&owner);
        self.remove(owner);
        self.problems
            .extend(problems.map(|problems| (owner, problems)));
    }

    /// Says what is wrong with a body now, and logs what was not before.
    fn tell(&mut self, owner: Entity, problems: Vec<ColliderProblem>) {
        let words = |problem: &ColliderProblem| (problem.entity, problem.cause.words());
        let before = self.problems.remove(&owner).unwrap_or_default();
        let before: Vec<_> = before.iter().map(words).collect();
        for problem in &problems {
            if !before.contains(&words(problem)) {
                log::error!("{problem}");
            }
        }
        if !problems.is_empty() {
            self.problems.insert(owner, problems);
        }
    }

    /// Comes back to worlds and records of a snapshot, whose entities may have other names now. All that are or were bodies
    /// are looked at in the next step.
    pub(crate) fn replace(
        &mut self,
        (snapshots, records): (&[Snapshot<V>], &Records<V>),
        name: &mut dyn FnMut(Entity) -> Entity,
    ) {
        let before = core::mem::replace(&mut self.records, Records::new());
        self.suspects
            .extend(before.iter().map(|record| record.entity));
        (self.listeners, self.movers, self.awake) = (0, 0, AWAKE);
        self.forget_departed();
        let none = empty(self.options).snapshot();
        for number in 0..self.worlds.len().max(snapshots.len()) {
            // What the game has set of a world that was not there stays.
            let snapshot = snapshots.get(number).unwrap_or(&none);
            self.get_mut(InWorld(number as u8)).restore(snapshot);
        }
        for record in records.iter() {
            let record = record.renamed(name);
            let (entity, body, world) = (record.entity, record.body, record.world);
            self.suspects.push(entity);
            self.count(record.traits, true);
            let named = self.get_mut(world).body_mut(body);
            debug_assert!(named.is_ok(), "the body is in the snapshot");
            _ = named.map(|mut body| body.set_user_data(entity.to_bits()));
            // Of two entities with one index at most one is alive.
            if let Some(replaced) = self.records.put(record) {
                self.count(replaced.traits, false);
                _ = self.get_mut(replaced.world).remove(replaced.body);
            }
        }
    }

    pub(crate) fn take_suspects(&mut self) -> Vec<Entity> {
        core::mem::take(&mut self.suspects)
    }
}

/// A world of options that made one before.
fn empty<V: Space>(options: Options) -> World<V> {
    World::new(options).unwrap_or_default()
}

/// Whether the pose that transforms tell of a body is the one that the step wrote to them, which was rounded.
pub(crate) fn is_written<V: Space>(
    body: &BodyRef<'_, V>,
    told: &Pose<V>,
    origin: V::Precise,
) -> bool {
    let local = |pose: &Pose<V>| V::from_precise(pose.position() - origin);
    let present = body.pose();
    local(present) == local(told) && V::is_same_turn(present.rotation, told.rotation)
}

/// How many parts a shape has.
pub(crate) fn part_count<V: Space>(shape: &Shape<V>) -> u32 {
    match shape {
        Shape::Composite(composite) => composite.part_count(),
        _ => 1,
    }
}
