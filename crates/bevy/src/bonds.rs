//! Which bodies never meet: those that hang on one body, and those of which the game says so. And how what hangs on a body
//! moves along with it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bevy_ecs::prelude::*;
use clearance::generic::{Pose, Velocity};
use clearance::math::{PoseResidual, RelativePose, VelocityStep};
use clearance::{BodyId, BodyKind};

use crate::records::Record;
use crate::{CollisionWorld, InWorld, Space};

/// What a body hangs on that is below others in the hierarchy of entities.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bond {
    /// Bodies of one family never meet: the compound that the body is, or is in, or else the uppermost body above it.
    pub(crate) family: Entity,
    /// The bodies above it, the nearest first.
    pub(crate) above: Vec<Entity>,
}

/// The pairs of entities that the game lets make no contact, whether or not they are bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ignored {
    /// Each pair in both orders.
    partners: BTreeMap<Entity, BTreeSet<Entity>>,
}

impl Bond {
    /// This bond with other names of entities.
    pub(crate) fn renamed(&self, name: &mut dyn FnMut(Entity) -> Entity) -> Arc<Self> {
        Arc::new(Self {
            family: name(self.family),
            above: self.above.iter().map(|&entity| name(entity)).collect(),
        })
    }
}

impl Ignored {
    fn of(&self, entity: Entity) -> impl Iterator<Item = Entity> {
        self.partners.get(&entity).into_iter().flatten().copied()
    }

    fn insert(&mut self, a: Entity, b: Entity) {
        self.partners.entry(a).or_default().insert(b);
        self.partners.entry(b).or_default().insert(a);
    }

    fn remove(&mut self, a: Entity, b: Entity) {
        for (one, other) in [(a, b), (b, a)] {
            if let Some(partners) = self.partners.get_mut(&one) {
                partners.remove(&other);
                if partners.is_empty() {
                    self.partners.remove(&one);
                }
            }
        }
    }

    /// Forgets an entity that is gone.
    pub(crate) fn forget(&mut self, entity: Entity) {
        let partners: Vec<Entity> = self.of(entity).collect();
        for partner in partners {
            self.remove(entity, partner);
        }
    }

    /// These pairs with other names of entities.
    pub(crate) fn renamed(&self, name: &mut dyn FnMut(Entity) -> Entity) -> Self {
        let mut renamed = Self::default();
        for (&one, partners) in &self.partners {
            for &other in partners.range(one..) {
                renamed.insert(name(one), name(other));
            }
        }
        renamed
    }
}

impl<V: Space> CollisionWorld<V> {
    /// Lets two bodies make no contact from the next step on, until [`unignore_pair`](Self::unignore_pair) or until one of the
    /// entities is despawned. It is remembered: one may become a body later, or cease to be one and come back. A collider of a
    /// compound stands for its body. `false` if both are one entity.
    ///
    /// ```
    /// use bevy_clearance::dim2::CollisionWorld;
    /// use bevy_ecs::prelude::*;
    ///
    /// // The entity of a bullet, which is spawned when the commands run: no body yet.
    /// fn shoot(mut commands: Commands, mut world: ResMut<CollisionWorld>, shooter: In<Entity>) {
    ///     let bullet = commands.spawn_empty().id();
    ///     assert!(world.ignore_pair(*shooter, bullet));
    /// }
    /// # let mut world = World::new();
    /// # world.insert_resource(CollisionWorld::new(clearance::Options::default()).unwrap());
    /// # let shooter = world.spawn_empty().id();
    /// # world.run_system_cached_with(|shooter: In<Entity>, commands: Commands, world: ResMut<CollisionWorld>| shoot(commands, world, shooter), shooter).unwrap();
    /// ```
    pub fn ignore_pair(&mut self, a: Entity, b: Entity) -> bool {
        if a == b {
            return false;
        }
        self.ignored.insert(a, b);
        if let Some((world, a, b)) = self.pair(a, b) {
            // Colliders of one compound have one body, which does not meet itself.
            _ = self.get_mut(world).ignore_pair(a, b);
        }
        true
    }

    /// Undoes [`ignore_pair`](Self::ignore_pair). What hangs on one body makes no contacts all the same.
    pub fn unignore_pair(&mut self, a: Entity, b: Entity) {
        self.ignored.remove(a, b);
        let Some((world, body_a, body_b)) = self.pair(a, b) else {
            return;
        };
        _ = self.get_mut(world).unignore_pair(body_a, body_b);
        // Other pairs may stand for the same bodies.
        for owner in [a, b].map(|entity| self.records.owner(entity)) {
            owner.into_iter().for_each(|owner| self.keep_apart(owner));
        }
    }

    /// The bodies of two entities, if both are in one world.
    fn pair(&self, a: Entity, b: Entity) -> Option<(InWorld, BodyId, BodyId)> {
        let ((world, a), (other, b)) = (self.body(a)?, self.body(b)?);
        (world == other).then_some((world, a, b))
    }

    /// The family of a body.
    fn family(&self, entity: Entity) -> Entity {
        let record = self.records.get(entity);
        let bond = record.and_then(|record| record.bond.as_ref());
        bond.map_or(entity, |bond| bond.family)
    }

    /// The other bodies of a family; some may be in no world.
    fn relatives(&self, entity: Entity) -> impl Iterator<Item = Entity> {
        let family = self.family(entity);
        let hanging = self.records.hanging_on(family).iter().copied();
        hanging
            .chain([family])
            .filter(move |&other| other != entity)
    }

    /// Lets a body that is new, or has changed, make no contact with whom it must not meet.
    pub(crate) fn keep_apart(&mut self, entity: Entity) {
        let Some(record) = self.records.get(entity) else {
            return;
        };
        let (world, body) = (record.world, record.body);
        let of_world = &self.worlds[usize::from(world.0)];
        let is_fixed = |body| {
            of_world
                .body(body)
                .is_ok_and(|body| body.kind() == BodyKind::Fixed)
        };
        let own_is_fixed = is_fixed(body);
        let id = |entity| self.body(entity).filter(|(of, _)| *of == world);
        // Fixed bodies do not meet anyway: levels may hang on one entity.
        let relatives = self.relatives(entity).filter_map(id);
        let relatives = relatives.filter(|&(_, other)| !(own_is_fixed && is_fixed(other)));
        let members = record.members().iter().map(|member| member.collider);
        let ignored = core::iter::once(entity).chain(members);
        let ignored = ignored.flat_map(|collider| self.ignored.of(collider));
        let partners: Vec<_> = relatives.chain(ignored.filter_map(id)).collect();
        for (_, partner) in partners {
            _ = self.worlds[usize::from(world.0)].ignore_pair(body, partner);
        }
    }

    /// Lets a body meet its family, before it leaves that.
    pub(crate) fn leave_family(&mut self, entity: Entity) {
        let relatives: Vec<Entity> = self.relatives(entity).collect();
        for relative in relatives {
            if let Some((world, body, other)) = self.pair(entity, relative) {
                _ = self.get_mut(world).unignore_pair(body, other);
            }
        }
    }

    /// Whether the body of an entity is an area that stops nobody.
    pub(crate) fn is_sensor(&self, entity: Entity) -> bool {
        let record = self.records.get(entity);
        record.is_some_and(|record| record.traits.is_sensor)
    }

    /// Whether a body that slides passes by another one: by areas, and by what hangs on it.
    pub(crate) fn slides_past(&self, slider: Entity, other: Entity) -> bool {
        let Some(record) = self.records.get(other) else {
            return false;
        };
        let hangs = |bond: &Arc<Bond>| bond.above.contains(&slider);
        record.traits.is_sensor
            || record.bond.as_ref().is_some_and(hangs)
            || self.family(slider) == self.family(other)
    }

    /// Gives what hangs on bodies with velocities the velocities by which a step moves it along.
    pub(crate) fn carry(&mut self, seconds: f32) {
        let hanging = self.records.hanging();
        let carried = hanging.filter(|record| !record.traits.has_velocity);
        let carried: Vec<_> = carried
            .map(|record| (record.world, record.body, self.carried(record, seconds)))
            .collect();
        for (world, body, velocity) in carried {
            // One that leaves the range of numbers is that of a body which the step takes out.
            let velocity = velocity.unwrap_or_default();
            let body = self.worlds[usize::from(world.0)].body_mut(body);
            _ = body.and_then(|mut body| body.set_velocity(velocity));
        }
    }

    /// The velocity of what hangs on a body that the step moves; `None` if nothing moves it.
    fn carried(&self, record: &Record<V>, seconds: f32) -> Option<Velocity<V>> {
        let above = record.bond.as_ref()?.above.iter();
        let mut movers = above.filter_map(|&above| self.records.get(above));
        let mover = movers.find(|mover| mover.traits.has_velocity)?;
        let world = self
            .get(record.world)
            .filter(|_| mover.world == record.world)?;
        let (mover, hanging) = (world.body(mover.body).ok()?, world.body(record.body).ok()?);
        let are_moving = [mover, hanging]
            .iter()
            .all(|body| body.kind() == BodyKind::Moving);
        if !are_moving || !(seconds > 0.0) {
            return None;
        }
        let velocity @ Velocity { linear, angular } = mover.velocity();
        if velocity == Velocity::default() {
            return None;
        }
        let step = VelocityStep {
            linear,
            angular,
            dt: seconds,
        };
        let after: Pose<V> = mover.pose().moved(&PoseResidual::none(), &step).0;
        let [before, after] = [mover.pose(), &after].map(RelativePose::from_pose);
        let place = hanging.pose().position();
        let target = after.transform_point(before.inverse_transform_point(place));
        let linear = V::from_precise((target - place) / f64::from(seconds));
        Some(Velocity::new(linear, angular))
    }
}
