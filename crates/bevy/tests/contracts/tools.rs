//! Picking, gizmos, diagnostics and the inspector, without a window.

use crate::common::{app_with, app2, app3, ask, insert, spawn, transform_of};
use bevy_app::App;
use bevy_asset::{AssetPlugin, Assets};
use bevy_camera::Camera;
use bevy_clearance::{
    CollisionGizmos, CollisionPickingLayers, CollisionPickingSettings, Layers, Space,
    SpatialFilter, dim2, dim3, internal::PickingSpace,
};
use bevy_diagnostic::{DiagnosticsPlugin, DiagnosticsStore};
use bevy_ecs::prelude::*;
use bevy_gizmos::config::{GizmoConfig, GizmoConfigStore};
use bevy_gizmos::{GizmoAsset, GizmoPlugin};
use bevy_math::{Dir3, Vec2, Vec3};
use bevy_picking::Pickable;
use bevy_picking::backend::PointerHits;
use bevy_picking::backend::ray::{RayId, RayMap};
use bevy_picking::pointer::PointerId;
use bevy_shape::Ray3d;
use bevy_transform::components::Transform;
use clearance::RayOptions;

/// An app with a camera and a ray of the mouse, and that camera.
fn with_ray<V: PickingSpace>(ray: Ray3d) -> (App, Entity) {
    let mut app = app_with::<V>(clearance::Options::default());
    app.init_resource::<RayMap>();
    app.add_message::<PointerHits>();
    app.add_plugins(bevy_clearance::CollisionPickingPlugin::<V>::default());
    let camera = spawn(&mut app, Camera::default());
    app.world_mut()
        .resource_mut::<RayMap>()
        .map
        .insert(RayId::new(camera, PointerId::Mouse), ray);
    (app, camera)
}

/// What is picked, the nearest first.
fn picked(app: &mut App) -> Vec<(Entity, f32)> {
    app.update();
    app.world_mut()
        .resource_mut::<Messages<PointerHits>>()
        .clear();
    app.update();
    let mut messages = app.world_mut().resource_mut::<Messages<PointerHits>>();
    let mut picks: Vec<_> = messages
        .drain()
        .flat_map(|hits| hits.picks)
        .map(|(entity, hit)| (entity, hit.depth))
        .collect();
    picks.sort_by(|a, b| a.1.total_cmp(&b.1));
    picks
}

#[test]
fn an_ignored_part_hides_nothing_of_its_compound() {
    let (mut app, _) = with_ray::<Vec3>(Ray3d {
        origin: Vec3::Z * 10.0,
        direction: Dir3::NEG_Z,
    });
    let ball = || dim3::Collider::ball(1.0).expect("it has a size");
    let body = spawn(&mut app, dim3::CompoundBody);
    let place = Transform::from_xyz(0.0, 0.0, 3.0);
    spawn(&mut app, (ball(), place, Pickable::IGNORE, ChildOf(body)));
    let behind = spawn(&mut app, (ball(), ChildOf(body)));
    assert_eq!(picked(&mut app), [(behind, 9.0)]);
}

#[test]
fn rays_pick_colliders_by_layers() {
    let (mut app, camera) = with_ray::<Vec3>(Ray3d {
        origin: Vec3::Z * 10.0,
        direction: Dir3::NEG_Z,
    });
    let ball = || dim3::Collider::ball(1.0).expect("it has a size");
    let near = spawn(&mut app, (ball(), Transform::from_xyz(0.0, 0.0, 3.0)));
    let body = spawn(&mut app, (dim3::CompoundBody, Layers::member_of(2)));
    let child = spawn(&mut app, (ball(), ChildOf(body)));
    let ignored = spawn(&mut app, (ball(), Pickable::IGNORE));
    assert_eq!(picked(&mut app), [(near, 6.0), (child, 9.0)]);
    app.insert_resource(CollisionPickingSettings {
        layers: Layers::of(2),
    });
    insert(&mut app, near, Layers::member_of(1));
    assert_eq!(picked(&mut app), [(child, 9.0)]);
    insert(&mut app, camera, CollisionPickingLayers(Layers::of(1)));
    app.world_mut().despawn(ignored);
    assert_eq!(picked(&mut app), [(near, 6.0)]);
}

#[test]
fn in_the_plane_what_is_in_front_is_nearer() {
    let ray = Ray3d {
        origin: Vec3::new(3.0, 4.0, 10.0),
        direction: Dir3::NEG_Z,
    };
    let (mut app, _) = with_ray::<Vec2>(ray);
    let card = || dim2::Collider::cuboid(Vec2::ONE).expect("it has a size");
    let back = spawn(&mut app, (card(), Transform::from_xyz(3.5, 4.5, 0.0)));
    let front = spawn(&mut app, (card(), Transform::from_xyz(2.5, 3.5, 2.0)));
    spawn(&mut app, (card(), Transform::from_xyz(9.0, 4.0, 3.0)));
    assert_eq!(picked(&mut app), [(front, 8.0), (back, 10.0)]);
}

/// How many ends of lines gizmos have.
fn line_ends(app: &App) -> usize {
    let assets = app.world().resource::<Assets<GizmoAsset>>();
    assets
        .iter()
        .map(|(_, asset)| asset.buffer().list_positions.len())
        .sum()
}

/// Switches something on.
type Choose = fn(&mut CollisionGizmos);

#[test]
fn gizmos_draw_what_the_config_says() {
    let mut app = app2();
    app.add_plugins((
        AssetPlugin::default(),
        GizmoPlugin,
        dim2::CollisionGizmosPlugin::default(),
    ));
    for x in [0.0, 0.75] {
        let tile = dim2::Collider::cuboid(Vec2::splat(0.5)).expect("it has a size");
        spawn(&mut app, (tile, Transform::from_xyz(x, 0.0, 0.0)));
    }
    let set = |app: &mut App, group: CollisionGizmos| {
        app.world_mut()
            .resource_mut::<GizmoConfigStore>()
            .insert(GizmoConfig::default(), group);
        app.update();
        ask(app, |space: dim2::SpatialQuery| {
            let ray = clearance::dim2::Ray::new(Vec2::ZERO, Vec2::X).expect("it has a direction");
            space
                .cast_ray(&ray, RayOptions::default(), &SpatialFilter::default())
                .expect("the options are valid");
        });
        app.update();
        line_ends(app)
    };
    let none = CollisionGizmos {
        shapes: false,
        contacts: false,
        ..CollisionGizmos::default()
    };
    assert_eq!(set(&mut app, none.clone()), 0);
    // Four edges a tile, a distance and a normal, four sides a box, and the ray: two ends each.
    let cases: [(Choose, usize); 4] = [
        (|group| group.shapes = true, 16),
        (|group| group.contacts = true, 4),
        (|group| group.boxes = true, 16),
        (|group| group.rays = true, 2),
    ];
    for (place, (choose, ends)) in cases.into_iter().enumerate() {
        let mut group = none.clone();
        choose(&mut group);
        assert_eq!(set(&mut app, group), ends, "case {place}");
    }
}

#[test]
fn diagnostics_have_times_and_counts() {
    let mut app = app3();
    app.add_plugins((
        DiagnosticsPlugin,
        dim3::CollisionDiagnosticsPlugin::default(),
    ));
    for _ in 0..2 {
        spawn(&mut app, dim3::Collider::default());
    }
    for _ in 0..3 {
        app.update();
        for entity in app
            .world_mut()
            .query_filtered::<Entity, With<dim3::Collider>>()
            .iter(app.world())
            .collect::<Vec<_>>()
        {
            transform_of(&mut app, entity).translation.x += 0.125;
        }
    }
    let value = |name| {
        let path = dim3::CollisionDiagnosticsPlugin::path(name);
        app.world()
            .resource::<DiagnosticsStore>()
            .get(&path)
            .and_then(|diagnostic| diagnostic.value())
    };
    assert_eq!((value("bodies"), value("contacts")), (Some(2.0), Some(1.0)));
    assert!(value("step").is_some_and(|step| step > 0.0) && value("measure").is_some());
    // After a change there are two steps, and none at rest.
    let steps = [0; 4].map(|_| {
        app.update();
        let path = dim3::CollisionDiagnosticsPlugin::path("step");
        let diagnostics = app.world().resource::<DiagnosticsStore>();
        diagnostics.get(&path).map(|steps| steps.history_len())
    });
    assert_eq!(steps, [4, 5, 5, 5].map(Some));
}

#[test]
fn the_inspector_serves_while_the_game_runs() {
    fn check<V: Space>(mut app: App) {
        app.add_plugins(bevy_clearance::CollisionInspectorPlugin::<V>::at(
            "127.0.0.1:0",
        ));
        app.update();
        let inspector = app
            .world()
            .resource::<bevy_clearance::CollisionInspector<V>>();
        assert_eq!(inspector.viewers(), 0);
        assert!(std::net::TcpStream::connect(inspector.address()).is_ok());
        app.update();
    }
    check::<Vec2>(app2());
    check::<Vec3>(app3());
}
