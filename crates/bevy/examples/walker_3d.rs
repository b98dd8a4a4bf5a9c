//! A walker on the mesh of a level that loads late: who points at the level sends the hero there, up steps and around a wall's end.
//!
//! It runs without a window. To see it, a game adds `DefaultPlugins` of Bevy in place of the plugins of time, transforms and
//! assets, a `Camera3d`, a light, a material to each `Mesh3d`, and `DefaultPickingPlugins`, which make the rays that the
//! script of `main` puts into the `RayMap` here.

#![allow(clippy::print_stdout, reason = "an example prints what happens")]

use bevy_app::{App, FixedUpdate, Startup, Update};
use bevy_asset::{AssetPlugin, Assets, RenderAssetUsages};
use bevy_camera::Camera;
use bevy_clearance::dim3::*;
use bevy_clearance::{
    ColliderConstructor, ColliderConstructorPlugin, CollisionPickingSettings, MeshShape,
};
use bevy_ecs::prelude::*;
use bevy_math::{Dir3, Quat, Vec3};
use bevy_mesh::{Indices, Mesh, Mesh3d, PrimitiveTopology};
use bevy_picking::backend::PointerHits;
use bevy_picking::backend::ray::{RayId, RayMap};
use bevy_picking::pointer::PointerId;
use bevy_shape::Ray3d;
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;
use clearance::dim3::SlideGround;
use clearance_render::{ImageOptions, png};
use show::Show;

mod show;

const LEVEL: u32 = 1 << 0;
const HERO: u32 = 1 << 1;

#[derive(Component, Default)]
struct Hero {
    ground: Option<SlideGround>,
    goal: Option<Vec3>,
}

/// Adds the faces of a box that stands on its bottom, which is left out.
fn add_box(mesh: &mut (Vec<[f32; 3]>, Vec<u32>), ends: [Vec3; 2]) {
    let first = mesh.0.len() as u32;
    for bits in 0..8_usize {
        let corner = |axis: usize| ends[bits >> axis & 1][axis];
        mesh.0.push([0, 1, 2].map(corner));
    }
    let top_and_sides = [2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5, 0, 2, 3, 1, 4, 5, 7, 6];
    for side in top_and_sides.chunks_exact(4) {
        let corners = [0, 1, 2, 0, 2, 3].map(|corner| first + side[corner]);
        mesh.1.extend(corners);
    }
}

/// A floor of 20 x 20 squares, stairs of four steps with a landing, and a wall.
fn level() -> Mesh {
    let mut mesh = (Vec::new(), Vec::new());
    for z in 0..=20 {
        for x in 0..=20 {
            mesh.0.push([x as f32 - 10.0, 0.0, z as f32 - 10.0]);
        }
    }
    for k in (0..20).flat_map(|z| (0..20).map(move |x| z * 21 + x)) {
        mesh.1.extend([k, k + 21, k + 22, k, k + 22, k + 1]);
    }
    let wall = [Vec3::new(-4.0, 0.0, -6.0), Vec3::new(-3.5, 3.0, 3.0)];
    add_box(&mut mesh, wall);
    for step in 0..4 {
        let (near, top) = (2.0 + step as f32 * 0.5, 0.25 * (step + 1) as f32);
        let step = [Vec3::new(near, 0.0, -2.0), Vec3::new(9.0, top, 2.0)];
        add_box(&mut mesh, step);
    }
    let usages = RenderAssetUsages::default();
    let whole = Mesh::new(PrimitiveTopology::TriangleList, usages);
    let whole = whole.with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, mesh.0);
    whole.with_inserted_indices(Indices::U32(mesh.1))
}

fn spawn(mut commands: Commands, meshes: Res<Assets<Mesh>>) -> Result {
    // As an asset server gives it out: what it stands for comes later.
    let handle = meshes.reserve_handle();
    // Turned and moved as a whole, as a scene may be.
    let place = Transform::from_xyz(0.0, -1.0, 0.0)
        .with_rotation(Quat::from_rotation_y(core::f32::consts::PI));
    let level = (BodyKind::Fixed, Layers::member_of(LEVEL), place);
    commands.spawn((
        Mesh3d(handle),
        ColliderConstructor(MeshShape::Surface),
        level,
    ));
    let (hero, start) = (Layers::member_of(HERO), Transform::from_xyz(0.0, 1.0, 0.0));
    let hero = (Name::new("hero"), Hero::default(), hero);
    commands.spawn((hero, Collider::capsule(0.5, 0.4)?, start));
    commands.spawn(Camera::default());
    Ok(())
}

/// Where the pointer hits the level is where the hero goes.
fn point(mut hits: MessageReader<PointerHits>, mut hero: Single<&mut Hero>) {
    let picks = hits.read().flat_map(|hits| &hits.picks);
    if let Some((_, nearest)) = picks.min_by(|a, b| a.1.depth.total_cmp(&b.1.depth)) {
        hero.goal = nearest.position;
    }
}

fn walk(
    hero: Single<(Entity, &mut Hero, &mut Transform)>,
    space: SpatialQuery,
    time: Res<Time>,
) -> Result {
    let (entity, mut hero, mut transform) = hero.into_inner();
    let seconds = time.delta_secs();
    let way = hero
        .goal
        .map_or(Vec3::ZERO, |goal| goal - transform.translation);
    let pace = way.with_y(0.0).clamp_length_max(4.0 * seconds);
    // Falls at one speed, and walks down stairs without falling.
    let motion = pace - Vec3::Y * 5.0 * seconds;
    let step = MoveAndSlide::new(entity, &transform, motion).standing_on(hero.ground);
    let Some(slide) = space.move_and_slide(&step, &SpatialFilter::new())? else {
        return Ok(());
    };
    hero.ground = slide.slide.ground;
    slide.apply_to(&mut transform);
    Ok(())
}

fn game() -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin, AssetPlugin::default()));
    app.add_plugins((
        CollisionPlugin::default(),
        ColliderConstructorPlugin::default(),
    ));
    app.add_plugins(CollisionPickingPlugin::default());
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    let layers = Layers::of(LEVEL);
    app.insert_resource(CollisionPickingSettings { layers });
    app.init_resource::<RayMap>().add_message::<PointerHits>();
    app.add_systems(Startup, spawn).add_systems(Update, point);
    // Nobody falls before the level is there.
    app.add_systems(
        FixedUpdate,
        walk.run_if(|world: Res<CollisionWorld>| world.world().len() > 1),
    );
    app
}

/// Points from an eye at a place, waits, and says where the hero is then.
fn point_and_wait(app: &mut App, [origin, target]: [Vec3; 2]) -> Vec3 {
    let mut cameras = app.world_mut().query_filtered::<Entity, With<Camera>>();
    let camera = cameras.single(app.world()).expect("there is one");
    let direction = Dir3::new(target - origin).expect("it points somewhere");
    let mut rays = app.world_mut().resource_mut::<RayMap>();
    let mouse = RayId::new(camera, PointerId::Mouse);
    rays.map.insert(mouse, Ray3d { origin, direction });
    (0..2).for_each(|_| app.update());
    app.world_mut().resource_mut::<RayMap>().map.clear();
    (0..240).for_each(|_| app.update());
    let mut heroes = app.world_mut().query_filtered::<&Transform, With<Hero>>();
    heroes
        .single(app.world())
        .expect("there is one")
        .translation
}

fn play(app: &mut App) -> [Vec3; 4] {
    (0..10).for_each(|_| app.update());
    let mut levels = app.world_mut().query::<&Mesh3d>();
    let handle = levels.single(app.world()).expect("there is one").0.clone();
    let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
    meshes
        .insert(&handle, level())
        .expect("the handle was reserved");
    let eye = Vec3::new(0.0, 12.0, 14.0);
    // The last is behind the wall, which the hero slides along and does not get through.
    let ways = [
        [eye, Vec3::new(0.0, -1.0, 3.0)],
        [eye, Vec3::new(-6.0, 0.0, 0.5)],
        [eye, Vec3::new(0.0, -1.0, 0.0)],
        [Vec3::new(8.0, 12.0, 0.0), Vec3::new(6.0, -1.0, 1.0)],
    ];
    ways.map(|way| point_and_wait(app, way))
}

fn main() {
    let show = Show {
        app: game(),
        play: |app| println!("the hero was at {:?}", play(app)),
        draw: |world| png(world, &ImageOptions::default()).expect("a size that can be"),
    };
    show.run();
}

#[test]
fn the_hero_goes_where_the_pointer_points() {
    // The middle of the hero is 0.9 and a skin above its feet: on the floor, the landing, and before the wall.
    let x = [0.0, -6.0, 0.0, 3.092];
    let y = [-0.092, 0.908, -0.092, -0.092];
    let z = [3.0, 0.5, 0.0, 1.0];
    for (k, found) in play(&mut game()).into_iter().enumerate() {
        let away = found - Vec3::new(x[k], y[k], z[k]);
        assert!(away.length() < 0.05, "{k}: {found}");
    }
}
