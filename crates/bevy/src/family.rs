//! What entities are as bodies: which body a collider belongs to, what it hangs on, and all that the body is to be.

use std::sync::Arc;

use bevy_ecs::entity::{Entities, EntityHashMap};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::query::{Allow, QueryData};
use bevy_ecs::system::SystemParam;
use bevy_math::Affine3A;
use bevy_transform::components::{GlobalTransform, Transform};
use clearance::generic::{Body, CompoundPart, Pose, Shape};

use crate::bonds::Bond;
use crate::changes::{Bodies, Changes};
use crate::problem::{Cause, ColliderProblem};
use crate::records::{Member, Record, Traits};
use crate::world::{CollisionWorld, Description, part_count};
use crate::{
    BodyKind, BodyOrder, Collider, CollisionEvents, CompoundBody, InWorld, Layers, Margin,
    PartContacts, Placement, Sensor, Space, Swept, Velocity,
};

/// All that is read of the entity of a body.
#[derive(QueryData)]
struct Parts<V: Space> {
    entity: Entity,
    collider: Option<&'static Collider<V>>,
    transform: &'static Transform,
    global: &'static GlobalTransform,
    parent: Option<&'static ChildOf>,
    kind: Option<&'static BodyKind>,
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
    sensors: Query<'w, 's, (), With<Sensor>>,
    worlds: Query<'w, 's, &'static InWorld>,
    orders: Query<'w, 's, &'static BodyOrder>,
    transforms: Query<'w, 's, &'static Transform>,
    parents: Query<'w, 's, &'static ChildOf>,
    children: Query<'w, 's, &'static Children>,
    pub(crate) alive: Query<'w, 's, ()>,
    pub(crate) entities: &'w Entities,
    /// All that are or could be bodies, also the disabled ones.
    pub(crate) ranked: Query<'w, 's, (), (Bodies<V>, Allow<Disabled>)>,
}

/// What is known from the steps before.
pub(crate) struct Past<'a, V: Space> {
    pub(crate) world: &'a CollisionWorld<V>,
    pub(crate) changes: &'a Changes<V>,
}

impl<V: Space> Family<'_, '_, V> {
    /// The entity of the body that an entity belongs to, if it is a collider or a compound.
    pub(crate) fn owner(&self, entity: Entity) -> Option<Entity> {
        if self.compounds.contains(entity) {
            return Some(entity);
        }
        self.colliders.get(entity).ok()?;
        if self.sensors.contains(entity) {
            return Some(entity);
        }
        let mut ancestors = self.parents.iter_ancestors(entity);
        Some(
            ancestors
                .find(|&ancestor| self.compounds.contains(ancestor))
                .unwrap_or(entity),
        )
    }

    /// The entity and all of its descendants that are colliders.
    pub(crate) fn colliders_below(&self, entity: Entity, found: &mut Vec<Entity>) {
        let below = self.children.iter_descendants(entity);
        found.extend(below.filter(|&descendant| self.colliders.contains(descendant)));
        found.push(entity);
    }

    /// What a body hangs on; `None` if there is no body above it.
    fn bond(&self, entity: Entity) -> Option<Arc<Bond>> {
        let ancestors = self.parents.iter_ancestors(entity);
        let above: Vec<Entity> = ancestors
            .filter(|&above| self.owner(above) == Some(above))
            .collect();
        let mut from_here = core::iter::once(&entity).chain(&above);
        let compound = from_here.find(|&&body| self.compounds.contains(body));
        let family = *compound.or(above.last())?;
        (!above.is_empty()).then(|| Arc::new(Bond { family, above }))
    }

    /// The world of a body: that of what it hangs on if it has none of its own.
    fn world_of(&self, entity: Entity, bond: Option<&Bond>) -> InWorld {
        let above = bond.into_iter().flat_map(|bond| &bond.above);
        let mut from_here = core::iter::once(&entity).chain(above);
        let world = from_here.find_map(|&body| self.worlds.get(body).ok());
        world.copied().unwrap_or_default()
    }

    /// By what entities are sorted: first those that are known, then those that come as the game says, or as it spawned them.
    pub(crate) fn order<P: Ord>(
        &self,
        entity: Entity,
        known: Option<P>,
        changes: &Changes<V>,
    ) -> impl Ord + use<V, P> {
        let given = self.orders.get(entity).copied().unwrap_or_default();
        (known.is_none(), known, given, changes.rank(entity), entity)
    }

    /// The frame of a collider in that of its compound, by transforms alone: no rounding of where the compound is.
    pub(crate) fn frame(&self, collider: Entity, owner: Entity) -> Affine3A {
        let way = core::iter::once(collider).chain(self.parents.iter_ancestors(collider));
        let transforms = way
            .take_while(|&entity| entity != owner)
            .filter_map(|entity| self.transforms.get(entity).ok());
        transforms.fold(Affine3A::IDENTITY, |frame, transform| {
            transform.compute_affine() * frame
        })
    }

    /// The body of an entity, or `None` if it is none.
    pub(crate) fn describe(
        &self,
        entity: Entity,
        past: &Past<'_, V>,
    ) -> Option<Result<Description<V>, ColliderProblem>> {
        let parts = self.bodies.get(entity).ok()?;
        if self.owner(entity) != Some(entity) {
            return None;
        }
        let problem = |cause: Cause| ColliderProblem::new(entity, cause);
        let known = past.world.records.get(entity);
        let known = known.map_or(V::splat(1.0), |record| record.scale);
        let placement = match parts.placement() {
            Ok(placement) => placement.settled(V::splat(1.0)).settled(known),
            Err(cause) => return Some(Err(problem(cause))),
        };
        let (shape, members) = if parts.is_compound {
            let colliders = self.members(entity, past);
            match self.compound(entity, colliders, placement.scale)? {
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
            .body(shape, placement.pose(past.world.origin))
            .with_user_data(entity.to_bits());
        let bond = parts.parent.and_then(|_| self.bond(entity));
        Some(Ok(Description {
            entity,
            world: self.world_of(entity, bond.as_deref()),
            body,
            scale: placement.scale,
            traits: parts.traits(),
            notes: self.notes(&parts, members.as_deref()),
            members,
            bond,
        }))
    }

    /// The colliders of a compound in order: those of before stay where they are, so that restored worlds are equal.
    fn members(&self, owner: Entity, past: &Past<'_, V>) -> Vec<Entity> {
        let mut colliders = Vec::new();
        self.colliders_below(owner, &mut colliders);
        colliders.retain(|&collider| {
            self.colliders.contains(collider) && self.owner(collider) == Some(owner)
        });
        let before = past.world.records.get(owner);
        let before = before.into_iter().flat_map(Record::members);
        let places: EntityHashMap<usize> = before
            .zip(0..)
            .map(|(member, place)| (member.collider, place))
            .collect();
        colliders.sort_by_cached_key(|&collider| {
            self.order(collider, places.get(&collider), past.changes)
        });
        colliders
    }

    /// What the children of a compound have set that does not count.
    fn notes(
        &self,
        owner: &PartsItem<'_, '_, V>,
        members: Option<&[Member]>,
    ) -> Vec<ColliderProblem> {
        let mut notes = Vec::new();
        for member in members.unwrap_or_default() {
            let Ok(child) = self.bodies.get(member.collider) else {
                continue;
            };
            let (entity, body) = (child.entity, owner.entity);
            if entity != body {
                let causes = child.without_effect(owner);
                let cause = |setting| Cause::OfCompound { setting, body };
                notes.extend(causes.map(|setting| ColliderProblem::new(entity, cause(setting))));
            }
        }
        notes
    }

    /// The shape of a compound of colliders and its members; `None` if it has no colliders.
    #[expect(clippy::type_complexity, reason = "used once")]
    fn compound(
        &self,
        owner: Entity,
        colliders: Vec<Entity>,
        scale: V,
    ) -> Option<Result<(Shape<V>, Arc<[Member]>), ColliderProblem>> {
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
                Err(cause) => return Some(Err(ColliderProblem::new(collider, cause))),
            }
        }
        if parts.is_empty() {
            return None;
        }
        let shape = Shape::compound(parts).map(|shape| (shape, members.into()));
        Some(shape.map_err(|error| ColliderProblem::new(owner, error)))
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
        body.kind = self.kind.copied().unwrap_or_default().into();
        body.groups = self.layers.copied().unwrap_or_default().into();
        body.extra_margin = self.margin.copied().unwrap_or_default().0;
        body.velocity = self.velocity.copied().unwrap_or_default().into();
        body.part_contacts = self.wants_parts;
        body.swept = self.is_swept;
        body
    }

    /// The settings that have no effect on a part of a compound, as they differ from those of its body.
    fn without_effect(
        &self,
        body: &PartsItem<'_, '_, V>,
    ) -> impl Iterator<Item = &'static str> + use<V> {
        // The first two are there on every collider.
        let layers = self.layers.copied().unwrap_or_default();
        let kind = self.kind.copied().unwrap_or_default();
        let is_own = |mine: bool, of_body: bool| mine && !of_body;
        let settings = [
            (
                "Layers",
                is_own(layers != Layers::default(), body.layers == Some(&layers)),
            ),
            (
                "BodyKind",
                is_own(kind != BodyKind::default(), body.kind == Some(&kind)),
            ),
            (
                "Margin",
                is_own(self.margin.is_some(), body.margin == self.margin),
            ),
            (
                "InWorld",
                is_own(self.world.is_some(), body.world == self.world),
            ),
            ("Swept", is_own(self.is_swept, body.is_swept)),
            ("PartContacts", is_own(self.wants_parts, body.wants_parts)),
            ("Velocity", self.velocity.is_some()),
            ("CollisionEvents", self.wants_events),
        ];
        let without = settings.into_iter().filter(|(_, has_none)| *has_none);
        without.map(|(setting, _)| setting)
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
    Ok(CompoundPart::new(scaled(shape, placement.scale)?, pose))
}
