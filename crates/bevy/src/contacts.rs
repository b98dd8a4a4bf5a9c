//! The contacts of the last step, by entity.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use clearance::generic::{CastHit, Contact, ContactView, Manifold, World};

use crate::{CollisionWorld, InWorld, Space};

/// A contact as one of its two entities sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct EntityContact<V: Space> {
    /// The body that looks.
    pub entity: Entity,
    /// The body that it sees.
    pub other: Entity,
    /// The collider of the body: the body itself, or a child of a compound.
    pub collider: Entity,
    /// The collider of the other.
    pub other_collider: Entity,
    /// The gap if positive, the negated penetration depth if negative; in units of length.
    pub distance: f32,
    /// Unit vector from the body to the other: moving the other along it increases the distance.
    pub normal: V,
    /// The point of the body that is nearest to the other, or deepest inside it, in the frame of the world, in double
    /// precision. [`CollisionWorld::local`] gives it in the frame of the transforms.
    pub position: V::Precise,
    /// The point of the other that is nearest to the body, or deepest inside it.
    pub other_position: V::Precise,
    /// The number of the part of the shape of the body.
    pub part: u32,
    /// The number of the part of the shape of the other.
    pub other_part: u32,
}

impl<V: Space> EntityContact<V> {
    /// Whether the bodies touch or overlap; otherwise they are within the margin.
    #[must_use]
    pub fn is_touching(&self) -> bool {
        self.distance <= 0.0
    }

    /// The point of the body that is nearest to the other, rounded to single precision.
    #[must_use]
    pub fn point(&self) -> V {
        V::from_precise(self.position)
    }

    /// The point of the other that is nearest to the body, rounded to single precision.
    #[must_use]
    pub fn other_point(&self) -> V {
        V::from_precise(self.other_position)
    }

    /// The contact as the other sees it.
    #[must_use]
    pub fn flipped(&self) -> Self {
        Self {
            entity: self.other,
            other: self.entity,
            collider: self.other_collider,
            other_collider: self.collider,
            normal: -self.normal,
            position: self.other_position,
            other_position: self.position,
            part: self.other_part,
            other_part: self.part,
            ..*self
        }
    }
}

/// Two bodies that met within the last step, of which one is [`Swept`](crate::Swept).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct EntityImpact<V: Space> {
    /// A body.
    pub a: Entity,
    /// The other.
    pub b: Entity,
    /// When they met, from 0 for the beginning of the step to 1 for its end, and where; the normal leads from a to b.
    pub hit: CastHit<V>,
}

impl<V: Space> EntityImpact<V> {
    /// The other body, or `None` if `entity` is not one of the two.
    #[must_use]
    pub fn other(&self, entity: Entity) -> Option<Entity> {
        (entity == self.a)
            .then_some(self.b)
            .or_else(|| (entity == self.b).then_some(self.a))
    }
}

/// The points in which two bodies, or a part of each, touch or face each other.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EntityManifold<V: Space> {
    /// A body.
    pub a: Entity,
    /// The other.
    pub b: Entity,
    /// Points, and the normal from a to b.
    pub manifold: Manifold<V>,
    /// For each point which one of the last step it goes on from, if the options of the plugin ask for manifolds: see
    /// [`BodyManifold::points_before`](clearance::generic::BodyManifold#structfield.points_before).
    pub points_before: [Option<u8>; 4],
}

/// The contacts of the last step: pairs of bodies that are no farther apart than their margins allow.
///
/// Those of bodies that despawned since are left out. A contact of an entity is seen from it; of lists of pairs, from the
/// body that has the smaller id in its world.
///
/// ```
/// use bevy_app::{App, FixedLast};
/// use bevy_clearance::dim2::{Collider, CollisionPlugin, Contacts};
/// use bevy_ecs::prelude::*;
/// use bevy_time::{TimePlugin, TimeUpdateStrategy};
/// use bevy_transform::{TransformPlugin, components::Transform};
/// use clearance::dim2::Vec2;
///
/// #[derive(Component)]
/// struct Hero;
///
/// fn stand(hero: Single<Entity, With<Hero>>, contacts: Contacts) {
///     let floor = contacts.of(*hero).next().expect("it stands on the floor");
///     assert_eq!((floor.distance, floor.normal), (-0.25, -Vec2::Y));
/// }
///
/// let mut app = App::new();
/// app.add_plugins((TimePlugin, TransformPlugin, CollisionPlugin::default()));
/// app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
/// app.add_systems(FixedLast, stand);
/// app.world_mut().spawn(Collider::half_space(Vec2::Y)?);
/// app.world_mut().spawn((Hero, Collider::ball(0.5)?, Transform::from_xyz(3.0, 0.25, 0.0)));
/// app.update();
/// # app.update();
/// # Ok::<(), clearance::ShapeError>(())
/// ```
#[derive(SystemParam, Debug)]
pub struct Contacts<'w, V: Space> {
    world: Res<'w, CollisionWorld<V>>,
}

impl<V: Space> Contacts<'_, V> {
    /// The contacts of a body, sorted by the id of the other one. A collider of a compound has those of its own parts
    /// alone; two bodies have one contact, that of their nearest parts, and [`parts`](Self::parts) has the others.
    pub fn of(&self, entity: Entity) -> impl Iterator<Item = EntityContact<V>> {
        let place = self.place(entity);
        let contacts = place.into_iter().flat_map(move |(number, world, body)| {
            let seen = world
                .contacts_of(body)
                .filter_map(move |contact| contact.seen_from(body));
            seen.map(move |view| self.world.seen(number, &view))
        });
        contacts.filter(move |contact| is_of(contact, entity))
    }

    /// The contact of two bodies, or of colliders of compounds, as the first sees it, or `None` if they make none.
    #[must_use]
    pub fn between(&self, a: Entity, b: Entity) -> Option<EntityContact<V>> {
        let ((number, world, body_a), (other, _, body_b)) = (self.place(a)?, self.place(b)?);
        let contact = world
            .contact_between(body_a, body_b)
            .filter(|_| number == other)?;
        let seen = self.world.seen(number, &contact.seen_from(body_a)?);
        Some(seen).filter(|seen| is_of(seen, a) && is_of(&seen.flipped(), b))
    }

    /// Whether two bodies touch or overlap.
    #[must_use]
    pub fn are_touching(&self, a: Entity, b: Entity) -> bool {
        self.between(a, b)
            .is_some_and(|contact| contact.is_touching())
    }

    /// All contacts, of all worlds.
    pub fn all(&self) -> impl Iterator<Item = EntityContact<V>> {
        self.each(World::contacts)
    }

    /// The contacts of parts, such as triangles and tiles, of bodies with [`PartContacts`](crate::PartContacts), or of all
    /// if the options of the plugin say so: see [`World::part_contacts`].
    pub fn parts(&self) -> impl Iterator<Item = EntityContact<V>> {
        self.each(World::part_contacts)
    }

    /// The contacts of parts of two bodies, or of colliders of compounds, as the first sees them.
    pub fn parts_between(&self, a: Entity, b: Entity) -> impl Iterator<Item = EntityContact<V>> {
        let places = self.place(a).zip(self.place(b)).filter(|(a, b)| a.0 == b.0);
        let contacts = places
            .into_iter()
            .flat_map(move |((number, world, a), (_, _, b))| {
                let contacts = world.part_contacts_between(a, b).iter();
                let views = contacts.filter_map(move |contact| contact.seen_from(a));
                views.map(move |view| self.world.seen(number, &view))
            });
        contacts.filter(move |seen| is_of(seen, a) && is_of(&seen.flipped(), b))
    }

    /// The contacts of parts without the ghosts of seams, if the options of the plugin ask for surface contacts: see
    /// [`World::surface_contacts`].
    pub fn surface(&self) -> impl Iterator<Item = EntityContact<V>> {
        self.each(World::surface_contacts)
    }

    /// What swept bodies met within the last step, and when.
    pub fn impacts(&self) -> impl Iterator<Item = EntityImpact<V>> {
        self.world.numbered().flat_map(move |(number, world)| {
            world.impacts().filter_map(move |impact| {
                let entity = |body| self.world.entity(number, body);
                Some(EntityImpact {
                    a: entity(impact.a)?,
                    b: entity(impact.b)?,
                    hit: impact.hit,
                })
            })
        })
    }

    /// What a body met within the last step, the first one first.
    #[must_use]
    pub fn impacts_of(&self, entity: Entity) -> Vec<EntityImpact<V>> {
        let mut impacts: Vec<_> = self
            .impacts()
            .filter(|impact| impact.other(entity).is_some())
            .collect();
        // Stable: those of one time stay in the order of their bodies.
        impacts.sort_by(|a, b| a.hit.time.total_cmp(&b.hit.time));
        impacts
    }

    /// The points of all contacts, for solvers: see [`Query::manifolds`](clearance::generic::Query::manifolds). If the options of the plugin ask for manifolds, the
    /// step has found them; otherwise they are measured now.
    #[must_use]
    pub fn manifolds(&self) -> Vec<EntityManifold<V>> {
        let (mut all, mut of_world) = (Vec::new(), Vec::new());
        for (number, world) in self.world.numbered() {
            world.query().manifolds_into(&mut of_world);
            let entity = |body| self.world.entity(number, body);
            all.extend(of_world.drain(..).filter_map(|found| {
                Some(EntityManifold {
                    a: entity(found.a)?,
                    b: entity(found.b)?,
                    manifold: found.manifold,
                    points_before: found.points_before,
                })
            }));
        }
        all
    }

    fn place(&self, entity: Entity) -> Option<(InWorld, &World<V>, clearance::BodyId)> {
        let (number, body) = self.world.body(entity)?;
        Some((number, self.world.get(number)?, body))
    }

    fn each<'a, L: IntoIterator<Item = &'a Contact<V>>>(
        &'a self,
        list: fn(&'a World<V>) -> L,
    ) -> impl Iterator<Item = EntityContact<V>> {
        self.world.numbered().flat_map(move |(number, world)| {
            let contacts = list(world).into_iter();
            let views = contacts.filter_map(|contact| contact.seen_from(contact.a));
            views.map(move |view| self.world.seen(number, &view))
        })
    }
}

/// Whether a contact is of a body, or of a collider of one, that looks.
fn is_of<V: Space>(contact: &EntityContact<V>, entity: Entity) -> bool {
    contact.entity == entity || contact.collider == entity
}

impl<V: Space> CollisionWorld<V> {
    fn numbered(&self) -> impl Iterator<Item = (InWorld, &World<V>)> {
        (0..=u8::MAX).map(InWorld).zip(self.worlds())
    }

    /// A contact with entities instead of bodies.
    pub(crate) fn seen(&self, world: InWorld, view: &ContactView<V>) -> EntityContact<V> {
        self.seen_by(world, view, |entity, part| self.collider(entity, part))
    }

    /// A contact of the step before, when bodies may have been made of other colliders.
    pub(crate) fn seen_in_the_past(
        &self,
        world: InWorld,
        view: &ContactView<V>,
    ) -> EntityContact<V> {
        self.seen_by(world, view, |entity, part| self.past_collider(entity, part))
    }

    fn seen_by(
        &self,
        world: InWorld,
        view: &ContactView<V>,
        collider: impl Fn(Entity, u32) -> Entity,
    ) -> EntityContact<V> {
        let entity = |body| self.entity(world, body).unwrap_or(Entity::PLACEHOLDER);
        let (entity, other) = (entity(view.body), entity(view.other));
        EntityContact {
            entity,
            other,
            collider: collider(entity, view.part),
            other_collider: collider(other, view.other_part),
            distance: view.distance,
            normal: view.normal,
            position: view.position,
            other_position: view.other_position,
            part: view.part,
            other_part: view.other_part,
        }
    }
}
