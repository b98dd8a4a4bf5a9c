//! Questions about the world: rays, shapes in motion, what is near, and moves that slide.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_transform::components::Transform;
use clearance::generic::{
    Aabb, BodyCastHit, BodyRayHit, BodySeparation, Cast, CastHit, Placed, Ray, RayHit, Separation,
    Slide, SlideContact, SlideGround, SlideOptions, SlidingBody,
};
use clearance::{
    BatchError, BodyId, CastOptions, Nearest, QueryError, RayOptions, SlideError, generic,
};

use crate::world::is_written;
use crate::{CollisionWorld, InWorld, PlacementError, Space, SpatialFilter, WorldOrigin};

macro_rules! answers {
    ($($(#[$doc:meta])* $name:ident { $(#[$field_doc:meta])* $field:ident: $kind:ident })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq)]
            #[non_exhaustive]
            pub struct $name<V: Space> {
                /// The body.
                pub entity: Entity,
                /// The collider: the body itself, or a child of a compound.
                pub collider: Entity,
                $(#[$field_doc])*
                pub $field: $kind<V>,
            }
        )*
    };
}

answers! {
    /// Where a ray hits an entity.
    EntityRayHit {
        /// The distance with its bounds, the point and the normal.
        hit: RayHit
    }
    /// An entity that a shape in motion meets.
    EntityCastHit {
        /// When they meet, and where; a is the shape in motion, and b the body.
        hit: CastHit
    }
    /// An entity, and how far it is from what was asked about.
    EntitySeparation {
        /// Distance, closest points and normal; a is what was asked about, and b the body.
        separation: Separation
    }
    /// What a body that slides touched.
    EntityTouch {
        /// Normal, point and distance.
        contact: SlideContact
    }
}

/// A body that somebody steers: what [`SpatialQuery::move_and_slide`] moves.
#[derive(Clone, Copy, Debug)]
pub struct MoveAndSlide<V: Space> {
    /// The body.
    pub entity: Entity,
    /// Where it is: of an entity without parents its transform, of a child what its global one comes to
    /// ([`GlobalTransform::compute_transform`](bevy_transform::components::GlobalTransform::compute_transform)).
    pub transform: Transform,
    /// Where it is to go, in units of length: its velocity times the time of a frame. Gravity is part of it.
    pub motion: V,
    /// The ground of the answer before, which carries the body.
    pub ground: Option<SlideGround<V>>,
    /// Up, slopes, steps, skin.
    pub options: SlideOptions<V>,
}

impl<V: Space> MoveAndSlide<V> {
    /// A body that is to go somewhere from where it is now, by default options and carried by nothing.
    #[must_use]
    pub fn new(entity: Entity, transform: &Transform, motion: V) -> Self {
        let (ground, options) = (None, SlideOptions::default());
        Self {
            entity,
            transform: *transform,
            motion,
            ground,
            options,
        }
    }

    /// Carried by the ground of the answer before, if it stood.
    #[must_use]
    pub fn standing_on(self, ground: Option<SlideGround<V>>) -> Self {
        Self { ground, ..self }
    }

    /// With other options.
    #[must_use]
    pub fn with_options(self, options: SlideOptions<V>) -> Self {
        Self { options, ..self }
    }
}

/// Why a move was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MoveError {
    /// The transform puts the body nowhere.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// The world refused the move.
    #[error(transparent)]
    Slide(#[from] SlideError),
}

/// Where a body that slides went, and what it stands on.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EntitySlide<V: Space> {
    /// Pose, way and ground; [`slide.ground`](Slide::ground) is for the next move.
    pub slide: Slide<V>,
    /// The collider that it stands on.
    pub ground: Option<Entity>,
    /// What it touched, sorted by body and part.
    pub touched: Vec<EntityTouch<V>>,
    /// Where it is now, in the frame of the transforms.
    pub translation: V,
    /// Where it set out, in that frame.
    start: V,
}

impl<V: Space> EntitySlide<V> {
    /// Moves an entity without parents by the way that it went: it is there then, unless it was put elsewhere since it was
    /// asked. In the plane, its z stays.
    pub fn apply_to(&self, transform: &mut Transform) {
        let [from, to] =
            [self.start, self.translation].map(|place| place.with_depth(0.0).as_dvec3());
        // The difference has no rounding in double precision.
        let place = transform.translation.as_dvec3() + (to - from);
        transform.translation = place.as_vec3();
    }
}

/// Questions about the bodies, where the last step left them. Places are in the frame of the world, which is that of the
/// transforms unless there is a [`WorldOrigin`](crate::WorldOrigin).
///
/// Each is the method of [`Query`](clearance::generic::Query) with entities instead of bodies: see there for what it
/// costs and refuses. Batches run on the threads of the options of the plugin. It reads the [`WorldOrigin`], so what moves that is a
/// system of its own.
///
/// ```
/// use bevy_app::{App, FixedLast};
/// use bevy_clearance::SpatialFilter;
/// use bevy_clearance::dim2::{Collider, CollisionPlugin, SpatialQuery};
/// use bevy_ecs::prelude::*;
/// use bevy_time::{TimePlugin, TimeUpdateStrategy};
/// use bevy_transform::{TransformPlugin, components::Transform};
/// use clearance::RayOptions;
/// use clearance::dim2::{Ray, Vec2};
///
/// #[derive(Resource)]
/// struct Wall(Entity);
///
/// fn look(space: SpatialQuery, wall: Res<Wall>) -> Result {
///     let ray = Ray::new(Vec2::ZERO, Vec2::X)?;
///     let hit = space.cast_ray(&ray, RayOptions::default(), &SpatialFilter::new())?;
///     assert_eq!(hit.map(|hit| (hit.entity, hit.hit.distance)), Some((wall.0, 4.0)));
///     Ok(())
/// }
///
/// let mut app = App::new();
/// app.add_plugins((TimePlugin, TransformPlugin, CollisionPlugin::default()));
/// app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
/// let wall = app.world_mut().spawn((Collider::ball(1.0)?, Transform::from_xyz(5.0, 0.0, 0.0))).id();
/// app.insert_resource(Wall(wall)).add_systems(FixedLast, look);
/// app.update();
/// # app.update();
/// # Ok::<(), clearance::ShapeError>(())
/// ```
#[derive(SystemParam, Debug)]
#[doc(alias("raycast", "shapecast", "character_controller"))]
pub struct SpatialQuery<'w, V: Space> {
    world: Res<'w, CollisionWorld<V>>,
    origin: Res<'w, WorldOrigin<V>>,
    #[cfg(feature = "gizmos")]
    asked: Option<Res<'w, crate::gizmos::AskedRays<V>>>,
}

impl<V: Space> SpatialQuery<'_, V> {
    /// The worlds that are asked.
    #[must_use]
    pub fn world(&self) -> &CollisionWorld<V> {
        &self.world
    }

    /// The first entity that a ray hits.
    ///
    /// # Errors
    /// A `max_distance` that is negative or NaN.
    #[doc(alias("raycast"))]
    pub fn cast_ray(
        &self,
        ray: &Ray<V>,
        options: RayOptions,
        filter: &SpatialFilter<'_>,
    ) -> Result<Option<EntityRayHit<V>>, QueryError> {
        self.note(ray);
        let hit = self.ask(filter, |query| query.cast_ray(ray, options));
        let hit = hit.transpose()?.flatten();
        Ok(hit.and_then(|hit| self.ray_hit(filter.world, hit)))
    }

    /// The hits of all entities on a ray, one a body, sorted by distance.
    ///
    /// # Errors
    /// A `max_distance` that is negative or NaN.
    pub fn cast_ray_all(
        &self,
        ray: &Ray<V>,
        options: RayOptions,
        filter: &SpatialFilter<'_>,
    ) -> Result<Vec<EntityRayHit<V>>, QueryError> {
        self.note(ray);
        let hits = self.ask_all(filter, |query| query.cast_ray_all(ray, options))?;
        let named = hits.into_iter();
        Ok(named
            .filter_map(|hit| self.ray_hit(filter.world, hit))
            .collect())
    }

    /// The first hit of each ray, in the order of the rays.
    ///
    /// # Errors
    /// A `max_distance` that is negative or NaN.
    pub fn cast_ray_each(
        &self,
        rays: &[Ray<V>],
        options: RayOptions,
        filter: &SpatialFilter<'_>,
    ) -> Result<Vec<Option<EntityRayHit<V>>>, BatchError> {
        rays.iter().for_each(|ray| self.note(ray));
        let mut hits = self.ask_all(filter, |query| query.cast_ray_each(rays, options))?;
        hits.resize(rays.len(), None);
        let named = hits.into_iter();
        Ok(named.map(|hit| self.ray_hit(filter.world, hit?)).collect())
    }

    /// The first entity that a shape in motion meets.
    ///
    /// # Errors
    /// A pose or a motion that is not valid, or a `within` that is negative or not finite.
    #[doc(alias("shapecast", "sweep"))]
    pub fn cast_shape(
        &self,
        shape: Cast<'_, V>,
        options: CastOptions,
        filter: &SpatialFilter<'_>,
    ) -> Result<Option<EntityCastHit<V>>, QueryError> {
        let hit = self.ask(filter, |query| query.cast_shape(shape, options));
        let hit = hit.transpose()?.flatten();
        Ok(hit.and_then(|hit| self.cast_hit(filter.world, hit)))
    }

    /// All entities that a shape in motion meets, sorted by time.
    ///
    /// # Errors
    /// As [`cast_shape`](Self::cast_shape).
    pub fn cast_shape_all(
        &self,
        shape: Cast<'_, V>,
        options: CastOptions,
        filter: &SpatialFilter<'_>,
    ) -> Result<Vec<EntityCastHit<V>>, QueryError> {
        let hits = self.ask_all(filter, |query| query.cast_shape_all(shape, options))?;
        let named = hits.into_iter();
        Ok(named
            .filter_map(|hit| self.cast_hit(filter.world, hit))
            .collect())
    }

    /// The first entity that each shape in motion meets, in the order of the casts.
    ///
    /// # Errors
    /// As [`cast_shape`](Self::cast_shape), for any of the casts.
    pub fn cast_shape_each(
        &self,
        casts: &[Cast<'_, V>],
        options: CastOptions,
        filter: &SpatialFilter<'_>,
    ) -> Result<Vec<Option<EntityCastHit<V>>>, BatchError> {
        let mut hits = self.ask_all(filter, |query| query.cast_shape_each(casts, options))?;
        hits.resize(casts.len(), None);
        let named = hits.into_iter();
        Ok(named.map(|hit| self.cast_hit(filter.world, hit?)).collect())
    }

    /// The entities within a distance of a placed shape, sorted by the ids of their bodies. With 0 for `within` those that overlap it.
    ///
    /// # Errors
    /// A pose that is not valid, or a `within` that is NaN.
    #[doc(alias("intersections_with_shape", "overlap"))]
    pub fn near(
        &self,
        shape: Placed<'_, V>,
        within: f32,
        filter: &SpatialFilter<'_>,
    ) -> Result<Vec<EntitySeparation<V>>, QueryError> {
        self.separations(filter, |query| query.near(shape, within))
    }

    /// The entities within a distance of a point.
    ///
    /// # Errors
    /// A coordinate that is not finite, or a `within` that is NaN.
    pub fn near_point(
        &self,
        point: impl Into<V::Precise>,
        within: f32,
        filter: &SpatialFilter<'_>,
    ) -> Result<Vec<EntitySeparation<V>>, QueryError> {
        self.separations(filter, |query| query.near_point(point, within))
    }

    /// The entities nearest to a placed shape, the nearest first.
    ///
    /// # Errors
    /// A pose that is not valid, or a `within` that is NaN.
    pub fn nearest(
        &self,
        shape: Placed<'_, V>,
        nearest: Nearest,
        filter: &SpatialFilter<'_>,
    ) -> Result<Vec<EntitySeparation<V>>, QueryError> {
        self.separations(filter, |query| query.nearest(shape, nearest))
    }

    /// The entities nearest to each point, with the place of the point in the list: sorted by point, the nearest first.
    ///
    /// # Errors
    /// A point that is not finite, or a `within` that is NaN.
    #[doc(alias("project_point", "closest_point"))]
    pub fn nearest_to_point_each(
        &self,
        points: &[V],
        nearest: Nearest,
        filter: &SpatialFilter<'_>,
    ) -> Result<Vec<(usize, EntitySeparation<V>)>, BatchError> {
        let found = self.ask_all(filter, |query| query.nearest_to_point_each(points, nearest))?;
        let named = found.into_iter().filter_map(|near| {
            let separation = self.separation(filter.world, near.found)?;
            Some((near.question, separation))
        });
        Ok(named.collect())
    }

    /// The bodies whose bounding boxes overlap a box.
    #[must_use]
    pub fn in_box(&self, bounds: &Aabb<V>, filter: &SpatialFilter<'_>) -> Vec<Entity> {
        let bodies = self.ask(filter, |query| query.in_box(bounds));
        let entity = |body| self.world.entity(filter.world, body);
        bodies.into_iter().flatten().filter_map(entity).collect()
    }

    /// Moves a body as somebody steers it, and lets it slide along what it meets, past what its layers exclude, past
    /// [sensors](crate::Sensor), and past what hangs on it. It sets out from the transform that is given, so the game may put it
    /// elsewhere at any time. Nothing changes: put it where the answer says.
    /// `None` if the entity has no body in the world of the filter, as before the first step after it was spawned.
    ///
    /// ```
    /// use bevy_clearance::dim2::{MoveAndSlide, SpatialQuery};
    /// use bevy_clearance::SpatialFilter;
    /// use bevy_ecs::prelude::*;
    /// use bevy_time::Time;
    /// use bevy_transform::components::Transform;
    /// use clearance::dim2::{SlideGround, Vec2};
    ///
    /// #[derive(Component, Default)]
    /// struct Hero {
    ///     velocity: Vec2,
    ///     ground: Option<SlideGround>,
    /// }
    ///
    /// fn walk(heroes: Query<(Entity, &mut Hero, &mut Transform)>, space: SpatialQuery, time: Res<Time>) -> Result {
    ///     for (entity, mut hero, mut transform) in heroes {
    ///         let motion = hero.velocity * time.delta_secs();
    ///         let step = MoveAndSlide::new(entity, &transform, motion).standing_on(hero.ground);
    ///         let Some(slide) = space.move_and_slide(&step, &SpatialFilter::new())? else {
    ///             continue;
    ///         };
    ///         hero.ground = slide.slide.ground;
    ///         slide.apply_to(&mut transform);
    ///     }
    ///     Ok(())
    /// }
    /// # bevy_app::App::new().add_systems(bevy_app::FixedUpdate, walk);
    /// ```
    ///
    /// # Errors
    /// A transform that puts nothing anywhere, and what [`Query::slide`](clearance::generic::Query::slide) refuses.
    pub fn move_and_slide(
        &self,
        asked: &MoveAndSlide<V>,
        filter: &SpatialFilter<'_>,
    ) -> Result<Option<EntitySlide<V>>, MoveError> {
        let origin = self.origin.position;
        let told = V::place(&asked.transform)?;
        let record = self.world.records.owner(asked.entity);
        let record = record.and_then(|owner| self.world.records.get(owner));
        let Some(record) = record.filter(|record| record.world == filter.world) else {
            return Ok(None);
        };
        let (world, body, pose) = (record.world, record.body, told.pose(origin));
        let mut touched = Vec::new();
        let asking = (filter, Some(record.entity));
        let of_world = self.world.get(world);
        let slide = self.world.ask(asking, |query| {
            let is_there = |body| is_written(&body, &pose, origin);
            let sliding = SlidingBody {
                // What the step wrote was rounded.
                start: (!of_world
                    .and_then(|world| world.body(body).ok())
                    .is_some_and(is_there))
                .then_some(pose),
                ..SlidingBody::new(body, asked.motion).standing_on(asked.ground)
            };
            query.slide_body_into(sliding, asked.options, &mut touched)
        });
        let Some(slide) = slide.transpose()? else {
            return Ok(None);
        };
        let touched = touched.into_iter().filter_map(|contact| {
            let (entity, collider) = self.named(world, contact.body, contact.part)?;
            Some(EntityTouch {
                entity,
                collider,
                contact,
            })
        });
        Ok(Some(EntitySlide {
            slide,
            ground: slide
                .ground
                .and_then(|ground| Some(self.named(world, ground.body, ground.part)?.1)),
            touched: touched.collect(),
            translation: V::from_precise(slide.pose.position() - origin),
            start: told.translation,
        }))
    }

    fn ask<T>(
        &self,
        filter: &SpatialFilter<'_>,
        question: impl FnOnce(generic::Query<'_, V>) -> T,
    ) -> Option<T> {
        self.world.ask((filter, None), question)
    }

    /// What a question finds that gives a list; nothing where there is no such world.
    fn ask_all<T, E>(
        &self,
        filter: &SpatialFilter<'_>,
        question: impl FnOnce(generic::Query<'_, V>) -> Result<Vec<T>, E>,
    ) -> Result<Vec<T>, E> {
        self.ask(filter, question).unwrap_or_else(|| Ok(Vec::new()))
    }

    fn separations(
        &self,
        filter: &SpatialFilter<'_>,
        question: impl FnOnce(generic::Query<'_, V>) -> Result<Vec<BodySeparation<V>>, QueryError>,
    ) -> Result<Vec<EntitySeparation<V>>, QueryError> {
        let found = self.ask_all(filter, question)?.into_iter();
        Ok(found
            .filter_map(|near| self.separation(filter.world, near))
            .collect())
    }

    /// Body and collider of a part.
    fn named(&self, world: InWorld, body: BodyId, part: u32) -> Option<(Entity, Entity)> {
        let entity = self.world.entity(world, body)?;
        Some((entity, self.world.collider(entity, part)))
    }

    fn ray_hit(&self, world: InWorld, found: BodyRayHit<V>) -> Option<EntityRayHit<V>> {
        let hit = found.hit;
        let (entity, collider) = self.named(world, found.body, hit.part)?;
        Some(EntityRayHit {
            entity,
            collider,
            hit,
        })
    }

    fn cast_hit(&self, world: InWorld, found: BodyCastHit<V>) -> Option<EntityCastHit<V>> {
        let hit = found.hit;
        let (entity, collider) = self.named(world, found.body, hit.separation.part_b)?;
        Some(EntityCastHit {
            entity,
            collider,
            hit,
        })
    }

    fn separation(&self, world: InWorld, found: BodySeparation<V>) -> Option<EntitySeparation<V>> {
        let separation = found.separation;
        let (entity, collider) = self.named(world, found.body, separation.part_b)?;
        Some(EntitySeparation {
            entity,
            collider,
            separation,
        })
    }

    /// Keeps a ray for gizmos to draw.
    fn note(&self, ray: &Ray<V>) {
        #[cfg(feature = "gizmos")]
        if let Some(asked) = &self.asked {
            asked.push(*ray);
        }
        #[cfg(not(feature = "gizmos"))]
        let _ = ray;
    }
}
