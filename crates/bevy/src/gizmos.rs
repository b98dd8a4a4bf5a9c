//! Shapes, boxes, contacts and rays as gizmos.

use core::marker::PhantomData;
use std::sync::Mutex;

use bevy_app::{App, Plugin, PostUpdate};
use bevy_color::Color;
use bevy_ecs::prelude::*;
use bevy_gizmos::AppGizmoBuilder;
use bevy_gizmos::config::GizmoConfigGroup;
use bevy_gizmos::gizmos::Gizmos;
use bevy_math::{Quat, Vec3};
use bevy_reflect::prelude::*;
use clearance::generic::{BodyRef, Ray};
use clearance_render::{Tessellation, tessellate};

use crate::{CollisionWorld, Contacts, Space};

/// What is drawn. All of it is off by default but shapes and contacts.
///
/// ```
/// use bevy_clearance::CollisionGizmos;
///
/// let boxes_too = CollisionGizmos { boxes: true, ..CollisionGizmos::default() };
/// assert!(boxes_too.shapes && !boxes_too.rays);
/// ```
#[derive(Clone, Debug, PartialEq, Reflect, GizmoConfigGroup)]
#[reflect(Default, Clone, Debug, PartialEq)]
pub struct CollisionGizmos {
    /// The edges of shapes where the last step has them; of what is round, the facets.
    pub shapes: bool,
    /// The bounding boxes of bodies.
    pub boxes: bool,
    /// The closest points of each contact, a line between them, and the normal: red where bodies overlap.
    pub contacts: bool,
    /// The rays that were asked by [`SpatialQuery`](crate::SpatialQuery) in this frame.
    pub rays: bool,
    /// The length of drawn rays, in units of length; normals of contacts are a hundredth of it.
    pub reach: f32,
}

impl Default for CollisionGizmos {
    fn default() -> Self {
        Self {
            shapes: true,
            boxes: false,
            contacts: true,
            rays: false,
            reach: 50.0,
        }
    }
}

/// Draws the worlds of one dimension. Bevy's `GizmoPlugin` and a renderer show it; [`CollisionGizmos`] in the
/// `GizmoConfigStore` says what is drawn.
///
/// Shapes are divided into edges in each frame: it is for looking, not for playing.
#[derive(Clone, Copy, Debug, Default)]
pub struct CollisionGizmosPlugin<V: Space>(PhantomData<V>);

impl<V: Space> Plugin for CollisionGizmosPlugin<V> {
    fn build(&self, app: &mut App) {
        app.init_gizmo_group::<CollisionGizmos>();
        app.insert_resource(AskedRays::<V> {
            rays: Mutex::new(Vec::new()),
            are_drawn: false,
        });
        app.add_systems(
            PostUpdate,
            (draw_bodies::<V>, draw_contacts::<V>, draw_rays::<V>),
        );
    }
}

/// The rays that were asked since gizmos were drawn.
#[derive(Resource, Debug)]
pub(crate) struct AskedRays<V: Space> {
    rays: Mutex<Vec<Ray<V>>>,
    /// Whether the last frame drew them.
    are_drawn: bool,
}

impl<V: Space> AskedRays<V> {
    pub(crate) fn push(&self, ray: Ray<V>) {
        if self.are_drawn
            && let Ok(mut rays) = self.rays.lock()
        {
            rays.push(ray);
        }
    }
}

type Pen<'w, 's> = Gizmos<'w, 's, CollisionGizmos>;

fn draw_bodies<V: Space>(world: Res<CollisionWorld<V>>, mut pen: Pen<'_, '_>) {
    if !pen.config.enabled {
        return;
    }
    for body in world.worlds().flat_map(|world| world.bodies()) {
        if pen.config_ext.shapes {
            draw_shape(&world, body, &mut pen);
        }
        let bounds = body.bounds();
        if pen.config_ext.boxes && bounds.is_finite() {
            draw_box(
                world.local(bounds.min.to_precise()),
                world.local(bounds.max.to_precise()),
                &mut pen,
            );
        }
    }
}

fn draw_shape<V: Space>(world: &CollisionWorld<V>, body: BodyRef<'_, V>, pen: &mut Pen<'_, '_>) {
    let color = match body.kind() {
        clearance::BodyKind::Fixed => Color::srgb(0.5, 0.5, 0.55),
        clearance::BodyKind::Moving => Color::srgb(0.3, 0.7, 1.0),
    };
    let (rotation, place): (Quat, Vec3) = (
        V::quaternion(body.pose().rotation),
        world.local(body.pose().position()).with_depth(0.0),
    );
    let Tessellation {
        vertices,
        triangles,
        edges,
    } = tessellate(body.shape());
    let placed = |index: u32| place + rotation * vertices[index as usize];
    for &[a, b] in &edges {
        pen.line(placed(a), placed(b), color);
    }
    // What is round has no edges.
    for &[a, b, c] in triangles.iter().filter(|_| edges.is_empty()) {
        pen.linestrip([a, b, c, a].map(placed), color);
    }
}

fn draw_box<V: Space>(min: V, max: V, pen: &mut Pen<'_, '_>) {
    let corner = |bits: usize| {
        let ends = [min, max];
        V::from_fn(|axis| ends[bits >> axis & 1].component(axis))
    };
    for bits in 0..1_usize << V::DIM {
        for axis in (0..V::DIM).filter(|axis| bits >> axis & 1 == 0) {
            let (a, b) = (
                corner(bits).with_depth(0.0),
                corner(bits | 1 << axis).with_depth(0.0),
            );
            pen.line(a, b, Color::srgba(1.0, 1.0, 1.0, 0.3));
        }
    }
}

fn draw_contacts<V: Space>(
    contacts: Contacts<'_, V>,
    world: Res<CollisionWorld<V>>,
    mut pen: Pen<'_, '_>,
) {
    if !pen.config_ext.contacts {
        return;
    }
    let normal_length = pen.config_ext.reach * 0.01;
    for contact in contacts.all() {
        let color = if contact.is_touching() {
            Color::srgb(1.0, 0.2, 0.2)
        } else {
            Color::srgb(0.3, 0.9, 0.3)
        };
        let [from, to] = [contact.position, contact.other_position]
            .map(|place| world.local(place).with_depth(0.0));
        pen.line(from, to, color);
        pen.line(
            to,
            to + contact.normal.with_depth(0.0) * normal_length,
            Color::WHITE,
        );
    }
}

fn draw_rays<V: Space>(
    mut asked: ResMut<AskedRays<V>>,
    world: Res<CollisionWorld<V>>,
    mut pen: Pen<'_, '_>,
) {
    asked.are_drawn = pen.config.enabled && pen.config_ext.rays;
    let rays = asked.rays.get_mut().map(core::mem::take);
    let reach = pen.config_ext.reach;
    for ray in rays.unwrap_or_default() {
        let origin = world.local(ray.origin()).with_depth(0.0);
        pen.line(
            origin,
            origin + ray.direction().with_depth(0.0) * reach,
            Color::srgb(1.0, 0.9, 0.2),
        );
    }
}
