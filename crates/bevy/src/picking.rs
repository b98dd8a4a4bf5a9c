//! A backend of `bevy_picking`: which entities are below a pointer.

use core::marker::PhantomData;

use bevy_app::{App, Plugin, PreUpdate};
use bevy_camera::Camera;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::{Vec2, Vec3};
use bevy_picking::backend::ray::RayMap;
use bevy_picking::backend::{HitData, PointerHits};
use bevy_picking::{Pickable, PickingSystems};
use bevy_reflect::prelude::*;
use bevy_shape::Ray3d;
use bevy_transform::components::GlobalTransform;
use clearance::RayOptions;
use clearance::generic::Ray;
use clearance::math::{compiled_in_plane, compiled_in_space};

use crate::{EntityPart, Layers, Space, SpatialFilter, SpatialQuery};

/// Picks the colliders of one dimension by the rays of all cameras: in space what a ray hits, in the plane what is where the
/// ray crosses z = 0, and its depth is the distance to there less the z of the entity.
///
/// Hits are of colliders, of a compound the nearest child alone, and events of picking go up to their parents. What is hidden, or in other
/// render layers than the camera, is picked as well: see [`CollisionPickingLayers`] and [`Pickable::IGNORE`].
#[derive(Clone, Copy, Debug, Default)]
pub struct CollisionPickingPlugin<V: Space>(PhantomData<V>);

/// What is picked: the layers of all rays, by default all. A [`CollisionPickingLayers`] on a camera replaces them.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Resource, Debug, Default, PartialEq, Clone)]
pub struct CollisionPickingSettings {
    /// The layers, as if a body with these asked.
    pub layers: Layers,
}

/// What the rays of a camera pick.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
pub struct CollisionPickingLayers(pub Layers);

impl<V: PickingSpace> Plugin for CollisionPickingPlugin<V> {
    fn build(&self, app: &mut App) {
        app.init_resource::<CollisionPickingSettings>();
        app.register_type::<CollisionPickingSettings>()
            .register_type::<CollisionPickingLayers>();
        app.add_systems(PreUpdate, pick::<V>.in_set(PickingSystems::Backend));
    }
}

/// How rays of space pick in a dimension.
pub trait PickingSpace: Space {
    /// The colliders on a ray with what is known of each.
    fn picks(space: &SpatialQuery<'_, Self>, ray: &Ray3d, filter: &SpatialFilter<'_>) -> Vec<Pick>;
}

/// A collider on a ray.
#[derive(Clone, Copy, Debug)]
pub struct Pick {
    collider: Entity,
    /// How far from the camera; in the plane, where the plane is.
    depth: f32,
    position: Vec3,
    normal: Option<Vec3>,
}

impl PickingSpace for Vec3 {
    compiled_in_space! {
        fn picks(
            space: &SpatialQuery<'_, Self>,
            ray: &Ray3d,
            filter: &SpatialFilter<'_>,
        ) -> Vec<Pick> {
            let origin = space.world().origin + ray.origin.as_dvec3();
            let hits = Ray::new(origin, *ray.direction).ok();
            let hits = hits
                .and_then(|ray| space.cast_ray_all(&ray, RayOptions::default(), filter).ok())
                .unwrap_or_default();
            let pick = |hit: crate::EntityRayHit<Self>| Pick {
                collider: hit.collider,
                depth: hit.hit.distance,
                position: space.world().local(hit.hit.position),
                normal: hit.hit.normal,
            };
            hits.into_iter().map(pick).collect()
        }
    }
}

impl PickingSpace for Vec2 {
    compiled_in_plane! {
        fn picks(
            space: &SpatialQuery<'_, Self>,
            ray: &Ray3d,
            filter: &SpatialFilter<'_>,
        ) -> Vec<Pick> {
            let distance = -ray.origin.z / ray.direction.z;
            if !(distance.is_finite() && distance >= 0.0) {
                return Vec::new();
            }
            let position = ray.origin + *ray.direction * distance;
            let place = space.world().origin + position.truncate().as_dvec2();
            let found = space.near_point(place, 0.0, filter).unwrap_or_default();
            let pick = |near: crate::EntitySeparation<Self>| Pick {
                collider: near.collider,
                depth: distance,
                position,
                normal: None,
            };
            found.into_iter().map(pick).collect()
        }
    }
}

/// What a backend looks at.
#[derive(SystemParam)]
struct Seen<'w, 's> {
    settings: Res<'w, CollisionPickingSettings>,
    cameras: Query<'w, 's, (&'static Camera, Option<&'static CollisionPickingLayers>)>,
    pickables: Query<'w, 's, &'static Pickable>,
    places: Query<'w, 's, &'static GlobalTransform>,
}

fn pick<V: PickingSpace>(
    space: SpatialQuery<'_, V>,
    rays: Res<RayMap>,
    seen: Seen<'_, '_>,
    mut hits: MessageWriter<PointerHits>,
) {
    for (id, ray) in rays.iter() {
        let Ok((camera, layers)) = seen.cameras.get(id.camera) else {
            continue;
        };
        let is_picked = |part: EntityPart| {
            let pickable = seen.pickables.get(part.collider);
            pickable.map_or(true, |pickable| *pickable != Pickable::IGNORE)
        };
        let filter = SpatialFilter {
            layers: layers.map_or(seen.settings.layers, |layers| layers.0),
            parts: (!seen.pickables.is_empty()).then_some(&is_picked),
            ..SpatialFilter::default()
        };
        let picks = V::picks(&space, ray, &filter);
        let named = picks.into_iter().map(|pick| {
            // What is drawn in front in the plane is nearer.
            let height = seen
                .places
                .get(pick.collider)
                .map_or(0.0, |place| place.translation().z);
            let depth = if V::DIM == 2 {
                pick.depth - height
            } else {
                pick.depth
            };
            (
                pick.collider,
                HitData::new(id.camera, depth, Some(pick.position), pick.normal),
            )
        });
        let picks: Vec<_> = named.collect();
        if !picks.is_empty() {
            hits.write(PointerHits::new(id.pointer, picks, camera.order as f32));
        }
    }
}
