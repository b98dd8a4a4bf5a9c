//! From entities to bodies: what changed since the last step is sent to the worlds.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bevy_ecs::system::SystemParam;
use bevy_math::Affine3A;
use bevy_transform::components::{GlobalTransform, Transform};
use clearance::generic::{Body, CompoundPart, Pose, Shape};

use crate::changes::{self, Altered, Changes, Watched};
use crate::problem::{Cause, ColliderProblem};
use crate::world::{CollisionWorld, Description, Followed, Member, Record, Traits, part_count};
use crate::{
    Collider, CollisionEvents, CompoundBody, InWorld, Layers, Margin, Mobility, PartContacts,
    Placement, Sensor, Space, Swept, Velocity, WorldOrigin,
};

/// All that is read of the entity of a body.
#[derive(QueryData)]
pub(crate) struct Parts<V: Space> {
    collider: Option<&'static Collider<V>>,
    transform: &'static Transform,
    global: &'static GlobalTransform,
    parent: Option<&'static ChildOf>,
    mobility: Option<&'static Mobility>,
    layers: Option<&'static Layers>,
    margin: Option<&'static Margin>,
    velocity: Option<&'static Velocity<V>>,
    world: Option<&'static InWorld>,
    is_compound: Has<CompoundBody>,
    is_swept: Has<Swept>,
    wants_parts: Has<PartContacts>,
    is_sensor: Has<Sensor>,
    wants_events: Has<CollisionEvents>,
}

/// The entities that bodies are made of.
#[derive(SystemParam)]
pub(crate) struct Family<'w, 's, V: Space> {
    bodies: Query<'w, 's, Parts<V>>,
    colliders: Query<'w, 's, &'static Collider<V>>,
    compounds: Query<'w, 's, (), With<CompoundBody>>,
    transforms: Query<'w, 's, &'static Transform>,
    parents: Query<'w, 's, &'static ChildOf>,
    children: Query<'w, 's, &'static Children>,
    alive: Query<'w, 's, ()>,
}

/// What changed.
#[derive(SystemParam)]
pub(crate) struct News<'w, 's, V: Space> {
    changes: ResMut<'w, Changes<V>>,
    altered: Altered<'w, 's, V>,
    roots: Watched<'w, 's, Transform, changes::Roots<V>>,
    children: Watched<'w, 's, GlobalTransform, changes::Children<V>>,
    velocities: Watched<'w, 's, Velocity<V>, changes::Bodies<V>>,
    origin: Res<'w, WorldOrigin<V>>,
}

impl<V: Space> Family<'_, '_, V> {
    /// The entity of the body that an entity belongs to, if it is a collider or a compound.
    fn owner(&self, entity: Entity) -> Option<Entity> {
        if self.compounds.contains(entity) {
            return Some(entity);
        }
        self.colliders.get(entity).ok()?;
        let mut ancestors = self.parents.iter_ancestors(entity);
        Some(
            ancestors
                .find(|&ancestor| self.compounds.contains(ancestor))
                .unwrap_or(entity),
        )
    }

    /// The entity and all of its descendants that are colliders.
    fn colliders_below(&self, entity: Entity, found: &mut Vec<Entity>) {
        let below = self.children.iter_descendants(entity);
        found.extend(below.filter(|&descendant| self.colliders.contains(descendant)));
        found.push(entity);
    }

    /// The frame of a collider in that of its compound, by transforms alone: no rounding of where the compound is.
    fn frame(&self, collider: Entity, owner: Entity) -> Affine3A {
        let way = core::iter::once(collider).chain(self.parents.iter_ancestors(collider));
        let transforms = way
            .take_while(|&entity| entity != owner)
            .filter_map(|entity| self.transforms.get(entity).ok());
        transforms.fold(Affine3A::IDENTITY, |frame, transform| {
            transform.compute_affine() * frame
        })
    }

    /// The body of an entity, or `None` if it is none.
    fn describe(
        &self,
        entity: Entity,
        world: &CollisionWorld<V>,
    ) -> Option<Result<Description<V>, ColliderProblem>> {
        let parts = self.bodies.get(entity).ok()?;
        if self.owner(entity) != Some(entity) {
            return None;
        }
        let problem = |cause| ColliderProblem { entity, cause };
        let known = world
            .records
            .get(entity)
            .map_or(V::splat(1.0), |record| record.scale);
        let placement = match parts.placement() {
            Ok(placement) => placement.settled(V::splat(1.0)).settled(known),
            Err(cause) => return Some(Err(problem(cause))),
        };
        let (shape, members) = if parts.is_compound {
            match self.compound(entity, placement.scale)? {
                Ok((shape, members)) => (shape, Some(members)),
                Err(problem) => return Some(Err(problem)),
            }
        } else {
            match scaled(parts.collider?.shape(), placement.scale) {
                Ok(shape) => (shape, None),
                Err(cause) => return Some(Err(problem(cause))),
            }
        };
        let body = parts
            .body(shape, placement.pose(world.origin))
            .with_user_data(entity.to_bits());
        let (world, traits) = (parts.world.copied().unwrap_or_default(), parts.traits());
        Some(Ok(Description {
            entity,
            world,
            body,
            scale: placement.scale,
            traits,
            members,
        }))
    }

    /// The shape of a compound and its members; `None` if it has no colliders.
    #[expect(clippy::type_complexity, reason = "used once")]
    fn compound(
        &self,
        owner: Entity,
        scale: V,
    ) -> Option<Result<(Shape<V>, Arc<[Member]>), ColliderProblem>> {
        let mut colliders = Vec::new();
        self.colliders_below(owner, &mut colliders);
        colliders.retain(|&collider| {
            self.colliders.contains(collider) && self.owner(collider) == Some(owner)
        });
        // In the order of entities, which does not depend on the order of hierarchies.
        sort(&mut colliders);
        let (mut parts, mut members, mut first_part) = (Vec::new(), Vec::new(), 0);
        for collider in colliders {
            let (frame, shape) = (
                self.frame(collider, owner),
                self.colliders.get(collider).ok()?.shape(),
            );
            match placed(shape, &frame, scale) {
                Ok(part) => {
                    members.push(Member {
                        first_part,
                        collider,
                        frame,
                    });
                    first_part += part_count(&part.shape);
                    parts.push(part);
                }
                Err(cause) => {
                    return Some(Err(ColliderProblem {
                        entity: collider,
                        cause,
                    }));
                }
            }
        }
        if parts.is_empty() {
            return None;
        }
        let shape = Shape::compound(parts).map(|shape| (shape, members.into()));
        Some(shape.map_err(|error| ColliderProblem {
            entity: owner,
            cause: error.into(),
        }))
    }
}

impl<V: Space> PartsItem<'_, '_, V> {
    fn placement(&self) -> Result<Placement<V>, Cause> {
        // Where there is no parent, the transform has the numbers as they were given.
        let placement = match self.parent {
            None => V::place(self.transform),
            Some(_) => V::place_affine(&self.global.affine()),
        };
        Ok(placement?)
    }

    fn body(&self, shape: Shape<V>, pose: Pose<V>) -> Body<V> {
        let mut body = Body::fixed(shape, pose);
        body.kind = self.mobility.copied().unwrap_or_default().into();
        body.groups = self.layers.copied().unwrap_or_default().into();
        body.extra_margin = self.margin.copied().unwrap_or_default().0;
        body.velocity = self.velocity.copied().unwrap_or_default().into();
        body.part_contacts = self.wants_parts;
        body.swept = self.is_swept;
        body
    }

    fn traits(&self) -> Traits {
        Traits {
            is_sensor: self.is_sensor,
            wants_events: self.wants_events,
            has_velocity: self.velocity.is_some(),
        }
    }
}

fn scaled<V: Space>(shape: &Shape<V>, scale: V) -> Result<Shape<V>, Cause> {
    if scale == V::splat(1.0) {
        return Ok(shape.clone());
    }
    Ok(shape.scaled_by(scale)?)
}

/// A collider as a part of a compound that is scaled.
fn placed<V: Space>(
    shape: &Shape<V>,
    frame: &Affine3A,
    scale: V,
) -> Result<CompoundPart<V>, Cause> {
    let scale = Affine3A::from_scale(scale.with_depth(1.0));
    let placement = V::place_affine(&(scale * *frame))?.settled(V::splat(1.0));
    let pose = placement.pose(V::ZERO.to_precise());
    Ok(CompoundPart {
        shape: scaled(shape, placement.scale)?,
        pose,
    })
}

/// Sorts by index and generation, the order in which a game spawned them if it never despawned any.
fn sort(entities: &mut Vec<Entity>) {
    entities.sort_unstable_by_key(|entity| (entity.index_u32(), entity.generation().to_bits()));
    entities.dedup();
}

/// Sends what changed to the worlds.
pub(crate) fn collect<V: Space>(
    mut news: News<'_, '_, V>,
    family: Family<'_, '_, V>,
    mut world: ResMut<CollisionWorld<V>>,
) {
    let world = &mut *world;
    world.forget_problems(|entity| family.alive.contains(entity));
    let mut changed: Vec<Entity> = news.changes.entities.drain().collect();
    for entity in news.changes.families.drain() {
        family.colliders_below(entity, &mut changed);
    }
    news.altered.add_to(&mut changed);
    changed.extend(world.take_suspects());
    if world.origin != news.origin.position {
        world.origin = news.origin.position;
        changed.extend(world.records.iter().map(|record| record.entity));
    }
    news.velocities.each_changed(|entity, &velocity| {
        if !world.accelerate(entity, velocity) {
            changed.push(entity);
        }
    });
    follow(world, &news, &family, &mut changed);
    if !changed.is_empty() {
        renew(world, &family, &changed);
    }
}

/// Moves the bodies that moved, and adds those to `changed` of which more than the pose did.
fn follow<V: Space>(
    world: &mut CollisionWorld<V>,
    news: &News<'_, '_, V>,
    family: &Family<'_, '_, V>,
    changed: &mut Vec<Entity>,
) {
    // Compounds of which a part may have moved in them.
    let mut compounds = Vec::new();
    let mut note = |entity, has_followed| match has_followed {
        Some(Followed::Whole) => {}
        Some(Followed::Compound) => compounds.push(entity),
        // What was not sent yet will be found to be new, and what was refused may be all right now.
        Some(Followed::Not) | None => changed.push(entity),
    };
    news.roots.each_changed(|entity, transform| {
        note(entity, world.follow(entity, || V::place(transform)));
    });
    news.children.each_changed(|entity, global| {
        let followed = world.follow(entity, || V::place_affine(&global.affine()));
        match world.records.owner(entity).filter(|_| followed.is_none()) {
            Some(owner) => note(owner, Some(Followed::Compound)),
            None => note(entity, followed),
        }
    });
    sort(&mut compounds);
    for owner in compounds {
        let record = world.records.get(owner);
        let mut members = record.into_iter().flat_map(Record::members);
        if members.any(|member| member.frame != family.frame(member.collider, owner)) {
            changed.push(owner);
        }
    }
}

/// Makes the bodies anew to which entities belong or belonged: first those that go, then the others in order.
fn renew<V: Space>(world: &mut CollisionWorld<V>, family: &Family<'_, '_, V>, changed: &[Entity]) {
    let mut owners = Vec::with_capacity(changed.len());
    for &entity in changed {
        owners.extend(family.owner(entity));
        owners.extend(world.records.owner(entity));
        owners.push(entity);
    }
    owners.extend(world.troubled());
    sort(&mut owners);
    let mut stay = Vec::with_capacity(owners.len());
    for owner in owners {
        match family.describe(owner, world) {
            Some(Ok(description)) => stay.push(description),
            Some(Err(problem)) => world.refuse(owner, problem),
            None => world.remove(owner),
        }
    }
    for description in stay {
        world.put(description);
    }
}
