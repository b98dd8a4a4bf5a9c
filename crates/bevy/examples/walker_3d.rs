//! A walker on the mesh of a level that loads late: who points at the level sends the hero there, up steps and around a wall's end.
//!
//! It runs without a window. To see it, a game adds `DefaultPlugins` of Bevy in place of the plugins of time, transforms and
//! assets, a `Camera3d`, a light, a material to each `Mesh3d`, and `DefaultPickingPlugins`, which make the rays that the
//! script of `main` puts into the `RayMap` here.

#![allow(clippy::print_stdout, reason = "an example prints what happens")]

use bevy_app::{App, FixedUpdate, Startup, Update};
use bevy_asset::{AssetPlugin, Assets, Handle, RenderAssetUsages};
use bevy_camera::Camera;
use bevy_clearance::dim3::*;
use bevy_clearance::{ColliderConstructor, ColliderConstructorPlugin, MeshShape};
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

const LEVEL: u32 = 1 << 0;
const HERO: u32 = 1 << 1;
const GRAVITY: f32 = 20.0;

#[derive(Component, Default)]
struct Hero {
    fall: f32,
    ground: Option<SlideGround>,
    goal: Option<Vec3>,
}

#[derive(Resource)]
struct LevelMesh(Handle<Mesh>);

/// Adds the faces of a box that stands on its bottom, which is left out.
fn add_box(mesh: &mut (Vec<[f32; 3]>, Vec<u32>), min: Vec3, max: Vec3) {
    let first = mesh.0.len() as u32;
    for bits in 0..8_u32 {
        let corner = |axis: u32| {
            if bits >> axis & 1 == 1 {
                max[axis as usize]
            } else {
                min[axis as usize]
            }
        };
        mesh.0.push([corner(0), corner(1), corner(2)]);
    }
    for [a, b, c, d] in [
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ] {
        mesh.1
            .extend([a, b, c, a, c, d].map(|corner| first + corner));
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
    for step in 0..4 {
        let (near, top) = (2.0 + step as f32 * 0.5, 0.25 * (step + 1) as f32);
        add_box(
            &mut mesh,
            Vec3::new(near, 0.0, -2.0),
            Vec3::new(9.0, top, 2.0),
        );
    }
    add_box(
        &mut mesh,
        Vec3::new(-4.0, 0.0, -6.0),
        Vec3::new(-3.5, 3.0, 3.0),
    );
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, mesh.0)
    .with_inserted_indices(Indices::U32(mesh.1))
}

fn spawn(mut commands: Commands, meshes: Res<Assets<Mesh>>) -> Result {
    // As an asset server gives it out: what it stands for comes later.
    let handle = meshes.reserve_handle();
    commands.insert_resource(LevelMesh(handle.clone()));
    // Turned and moved as a whole, as a scene may be.
    let place = Transform::from_xyz(0.0, -1.0, 0.0)
        .with_rotation(Quat::from_rotation_y(core::f32::consts::PI));
    let layers = Layers::member_of(LEVEL);
    commands.spawn((
        Mesh3d(handle),
        ColliderConstructor(MeshShape::Surface),
        Mobility::Fixed,
        layers,
        place,
    ));
    let hero = (
        Hero::default(),
        Collider::capsule(0.5, 0.4)?,
        Layers::member_of(HERO),
    );
    commands.spawn((hero, Transform::from_xyz(0.0, 1.0, 0.0)));
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
        .map_or(Vec3::ZERO, |goal| goal - transform.translation)
        .with_y(0.0);
    let pace = way.clamp_length_max(4.0 * seconds);
    hero.fall = if hero.ground.is_some() {
        -GRAVITY * seconds
    } else {
        hero.fall - GRAVITY * seconds
    };
    let motion = pace + Vec3::Y * hero.fall * seconds;
    let step = MoveAndSlide {
        ground: hero.ground,
        ..MoveAndSlide::new(entity, motion)
    };
    let slide = space.move_and_slide(&step, &SpatialFilter::default())?;
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
        CollisionPickingPlugin::default(),
    ));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.insert_resource(bevy_clearance::CollisionPickingSettings {
        layers: Layers::of(LEVEL),
    });
    app.init_resource::<RayMap>().add_message::<PointerHits>();
    app.add_systems(Startup, spawn).add_systems(Update, point);
    // Nobody falls before the level is there.
    app.add_systems(
        FixedUpdate,
        walk.run_if(|world: Res<CollisionWorld>| world.world().len() > 1),
    );
    app
}

/// Points at the level from a place, waits, and says where the hero is then.
fn point_and_wait(app: &mut App, (eye, target): (Vec3, Vec3), updates: usize) -> Vec3 {
    let camera = app
        .world_mut()
        .query_filtered::<Entity, With<Camera>>()
        .single(app.world())
        .expect("there is a camera");
    let ray = Ray3d {
        origin: eye,
        direction: Dir3::new(target - eye).expect("it points somewhere"),
    };
    let id = RayId::new(camera, PointerId::Mouse);
    app.world_mut().resource_mut::<RayMap>().map.insert(id, ray);
    (0..2).for_each(|_| app.update());
    app.world_mut().resource_mut::<RayMap>().map.clear();
    (0..updates).for_each(|_| app.update());
    let mut heroes = app.world_mut().query_filtered::<&Transform, With<Hero>>();
    heroes
        .single(app.world())
        .expect("there is one hero")
        .translation
}

fn play() -> [Vec3; 4] {
    let mut app = game();
    (0..10).for_each(|_| app.update());
    let handle = app.world().resource::<LevelMesh>().0.clone();
    app.world_mut()
        .resource_mut::<Assets<Mesh>>()
        .insert(&handle, level())
        .expect("the handle was reserved");
    let eye = Vec3::new(0.0, 12.0, 14.0);
    [
        point_and_wait(&mut app, (eye, Vec3::new(0.0, -1.0, 3.0)), 120),
        point_and_wait(&mut app, (eye, Vec3::new(-6.0, 0.0, 0.5)), 240),
        point_and_wait(&mut app, (eye, Vec3::new(0.0, -1.0, 0.0)), 240),
        // Behind the wall, which the hero slides along and does not get through.
        point_and_wait(
            &mut app,
            (Vec3::new(8.0, 12.0, 0.0), Vec3::new(6.0, -1.0, 1.0)),
            240,
        ),
    ]
}

fn main() {
    for place in play() {
        println!("the hero is at {place}");
    }
}

#[test]
fn the_hero_goes_where_the_pointer_points() {
    let places = play();
    println!("{places:?}");
    let [floor, landing, back, wall] = places;
    // The middle of the hero is 0.9 and a skin above its feet.
    assert!(
        (floor - Vec3::new(0.0, -0.092, 3.0)).length() < 0.05,
        "{floor}"
    );
    assert!(
        (landing - Vec3::new(-6.0, 0.908, 0.5)).length() < 0.05,
        "{landing}"
    );
    assert!(
        (back - Vec3::new(0.0, -0.092, 0.0)).length() < 0.05,
        "{back}"
    );
    assert!(
        (wall - Vec3::new(3.092, -0.092, 1.0)).length() < 0.05,
        "{wall}"
    );
}
