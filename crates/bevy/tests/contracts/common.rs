//! Headless apps.

use bevy_app::App;
use bevy_clearance::{CollisionPlugin, CollisionWorld, Space, dim2, dim3};
use bevy_ecs::prelude::*;
use bevy_ecs::system::{RunSystemOnce, SystemState};
use bevy_math::{Vec2, Vec3};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::{TransformPlugin, components::Transform};
use clearance::Options;

/// An app that runs one fixed step in each update.
pub(crate) fn app_with<V: Space>(options: Options) -> App {
    let mut app = App::new();
    app.add_plugins((
        TimePlugin,
        TransformPlugin,
        CollisionPlugin::<V>::new(options),
    ));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    // Time begins with the first update, which runs no step.
    app.update();
    app
}

pub(crate) fn app2() -> App {
    app_with::<Vec2>(Options::default())
}

pub(crate) fn app3() -> App {
    app_with::<Vec3>(Options::default())
}

pub(crate) fn world2(app: &App) -> &dim2::CollisionWorld {
    app.world().resource::<CollisionWorld<Vec2>>()
}

pub(crate) fn world3(app: &App) -> &dim3::CollisionWorld {
    app.world().resource::<CollisionWorld<Vec3>>()
}

/// The contact of two entities as the first sees it.
pub(crate) fn between(app: &mut App, a: Entity, b: Entity) -> Option<dim2::EntityContact> {
    ask(app, move |contacts: dim2::Contacts| contacts.between(a, b))
}

pub(crate) fn between3(app: &mut App, a: Entity, b: Entity) -> Option<dim3::EntityContact> {
    ask(app, move |contacts: dim3::Contacts| contacts.between(a, b))
}

/// The answer of a system that runs once.
pub(crate) fn ask<T: 'static, M>(app: &mut App, system: impl IntoSystem<(), T, M> + 'static) -> T {
    app.world_mut()
        .run_system_once(system)
        .expect("its parameters are there")
}

/// What questions in the plane answer.
pub(crate) fn asked<T>(app: &mut App, ask: impl FnOnce(&dim2::SpatialQuery<'_>) -> T) -> T {
    let mut state = SystemState::<dim2::SpatialQuery<'_>>::new(app.world_mut());
    ask(&state.get(app.world()).expect("the plugin is there"))
}

pub(crate) fn spawn(app: &mut App, bundle: impl Bundle) -> Entity {
    app.world_mut().spawn(bundle).id()
}

pub(crate) fn insert(app: &mut App, entity: Entity, bundle: impl Bundle) {
    app.world_mut().entity_mut(entity).insert(bundle);
}

pub(crate) fn restore(app: &mut App, snapshot: &dim2::CollisionSnapshot) {
    let mut world = app.world_mut().resource_mut::<CollisionWorld<Vec2>>();
    world.restore(snapshot);
}

pub(crate) fn transform_of(app: &mut App, entity: Entity) -> Mut<'_, Transform> {
    let transform = app.world_mut().get_mut::<Transform>(entity);
    transform.expect("it has one")
}

pub(crate) fn ball(radius: f32) -> dim2::Collider {
    dim2::Collider::ball(radius).expect("the radius is positive")
}

pub(crate) fn at(x: f32, y: f32) -> Transform {
    Transform::from_xyz(x, y, 0.0)
}
