//! Which entity each body of a world is, and what is kept of it beside what its world has.

use std::sync::Arc;

use bevy_ecs::entity::EntityHashMap;
use bevy_ecs::prelude::*;
use bevy_math::Affine3A;
use clearance::BodyId;

use crate::bonds::Bond;
use crate::{InWorld, Space};

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
    /// What the body hangs on, if it is below another one.
    pub(crate) bond: Option<Arc<Bond>>,
}

/// What the engine does not know of a body.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Traits {
    pub(crate) is_sensor: bool,
    pub(crate) wants_events: bool,
    pub(crate) has_velocity: bool,
}

/// A collider of a compound.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Member {
    pub(crate) first_part: u32,
    pub(crate) collider: Entity,
    /// Its frame in that of the compound.
    pub(crate) frame: Affine3A,
}

/// The records of all bodies.
#[derive(Clone, Debug)]
pub(crate) struct Records<V: Space> {
    list: Vec<Record<V>>,
    /// Where in the list the record of an entity is, by the index of the entity.
    places: Vec<u32>,
    /// The bodies of colliders that are not the entities of their bodies.
    owners: EntityHashMap<Entity>,
    /// The bodies that hang on others, by their families.
    hanging: EntityHashMap<Vec<Entity>>,
}

/// The place of what is not in the list.
const NOWHERE: u32 = u32::MAX;

impl<V: Space> Records<V> {
    pub(crate) fn new() -> Self {
        Self {
            list: Vec::new(),
            places: Vec::new(),
            owners: EntityHashMap::default(),
            hanging: EntityHashMap::default(),
        }
    }

    pub(crate) fn get(&self, entity: Entity) -> Option<&Record<V>> {
        let place = *self.places.get(entity.index_u32() as usize)?;
        let record = self.list.get(place as usize)?;
        (record.entity == entity).then_some(record)
    }

    /// The entity of the body that a collider belongs to.
    pub(crate) fn owner(&self, collider: Entity) -> Option<Entity> {
        let itself = self.get(collider).map(|record| record.entity);
        itself.or_else(|| self.owners.get(&collider).copied())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Record<V>> {
        self.list.iter()
    }

    /// Adds a record, and returns that of another entity with the same index, which is gone.
    pub(crate) fn put(&mut self, record: Record<V>) -> Option<Record<V>> {
        let index = record.entity.index_u32() as usize;
        if self.places.len() <= index {
            self.places.resize(index + 1, NOWHERE);
        }
        let before = self.list.get(self.places[index] as usize);
        let replaced = before
            .map(|before| before.entity)
            .and_then(|entity| self.take(entity));
        for member in record.members() {
            self.owners.insert(member.collider, record.entity);
        }
        if let Some(bond) = &record.bond {
            let family = self.hanging.entry(bond.family).or_default();
            family.push(record.entity);
        }
        self.places[index] = self.list.len() as u32;
        self.list.push(record);
        replaced
    }

    pub(crate) fn take(&mut self, entity: Entity) -> Option<Record<V>> {
        self.get(entity)?;
        let index = entity.index_u32() as usize;
        let place = core::mem::replace(&mut self.places[index], NOWHERE);
        let record = self.list.swap_remove(place as usize);
        if let Some(last) = self.list.get(place as usize) {
            self.places[last.entity.index_u32() as usize] = place;
        }
        for member in record.members() {
            // Another body may have taken it over in the meantime.
            if self.owners.get(&member.collider) == Some(&entity) {
                self.owners.remove(&member.collider);
            }
        }
        if let Some(bond) = &record.bond
            && let Some(family) = self.hanging.get_mut(&bond.family)
        {
            family.retain(|&other| other != entity);
            if family.is_empty() {
                self.hanging.remove(&bond.family);
            }
        }
        Some(record)
    }

    /// The bodies that hang on one, or on one that it hangs on itself, without that.
    pub(crate) fn hanging_on(&self, family: Entity) -> &[Entity] {
        self.hanging.get(&family).map_or(&[], Vec::as_slice)
    }

    /// All bodies that hang on others, of each family in the order in which they came.
    pub(crate) fn hanging(&self) -> impl Iterator<Item = &Record<V>> {
        let entities = self.hanging.values().flatten();
        entities.filter_map(|&entity| self.get(entity))
    }
}

impl<V: Space> Record<V> {
    /// The colliders of a compound.
    pub(crate) fn members(&self) -> &[Member] {
        self.members.as_deref().unwrap_or_default()
    }

    /// This record with other names of entities.
    pub(crate) fn renamed(&self, name: &mut dyn FnMut(Entity) -> Entity) -> Self {
        let members = self.members.as_ref().map(|members| {
            let renamed = members.iter().map(|member| Member {
                collider: name(member.collider),
                ..*member
            });
            renamed.collect()
        });
        Self {
            entity: name(self.entity),
            members,
            bond: self.bond.as_ref().map(|bond| bond.renamed(name)),
            ..*self
        }
    }

    /// The collider that a part of the body belongs to.
    pub(crate) fn collider(&self, part: u32) -> Entity {
        let members = self.members();
        let after = members.partition_point(|member| member.first_part <= part);
        after
            .checked_sub(1)
            .map_or(self.entity, |place| members[place].collider)
    }
}
