//! Avian's whole step with our colliders.

use avian_clearance::{ClearanceColliderPlugin, ClearanceQueriesPlugin, Collider};
use avian3d::collision::hooks::CollisionHooks;
use avian3d::prelude::*;
use bevy::app::Plugins;
use bevy::ecs::system::{RunSystemOnce, SystemParam};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_clearance::dim3::{self, SpatialQuery};
use bevy_clearance::{Layers, SpatialFilter};
use clearance::dim3::{Ray, RayOptions, Shape};

fn made(shape: Result<Shape, clearance::ShapeError>) -> Collider {
    shape.expect("the numbers make a shape").into()
}

fn app_with<P, C>(physics: impl Plugins<P>, colliders: impl Plugins<C>) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin));
    app.add_plugins(physics).add_plugins(colliders);
    app.insert_resource(Time::<Fixed>::from_hz(60.0));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app
}

fn app() -> App {
    app_with(
        PhysicsPlugins::default(),
        ClearanceColliderPlugin::default(),
    )
}

fn steps(app: &mut App, count: usize) {
    (0..count).for_each(|_| app.update());
}

fn ground() -> impl Bundle {
    (RigidBody::Static, made(Shape::half_space(Vec3::Y)))
}

fn place(app: &App, entity: Entity) -> Vec3 {
    app.world().get::<Position>(entity).expect("it is a body").0
}

fn fall(app: &mut App, bundle: impl Bundle) -> Entity {
    let body = (RigidBody::Dynamic, Transform::from_xyz(0.0, 2.0, 0.0));
    app.world_mut().spawn((body, bundle)).id()
}

#[test]
fn bodies_fall_touch_and_fall_asleep() {
    let mut app = app();
    app.world_mut().spawn(ground());
    let load = made(Shape::cuboid(Vec3::splat(0.5)));
    let load = fall(&mut app, (load, CollisionEventsEnabled));
    app.add_observer(|start: On<CollisionStart>, mut commands: Commands| {
        commands.entity(start.collider1).insert(Name::new("hit"));
    });
    steps(&mut app, 180);
    assert!((place(&app, load).y - 0.5).abs() < 0.02);
    assert!(app.world().get::<Sleeping>(load).is_some());
    assert!(app.world().get::<Name>(load).is_some());
    let mass = app
        .world()
        .get::<ComputedMass>(load)
        .expect("it has a mass");
    assert!((mass.value() - 1.0).abs() < 1e-6);
}

#[test]
fn children_and_scale_count() {
    let mut app = app();
    app.world_mut().spawn(ground());
    // A ball of radius 1 at the end of a stick of length 1 that hangs from a body without a shape of its own.
    let scale = Transform::from_xyz(0.0, -1.0, 0.0).with_scale(Vec3::splat(2.0));
    let child = (made(Shape::ball(0.5)), scale);
    let body = fall(&mut app, (LockedAxes::ROTATION_LOCKED, children![child]));
    steps(&mut app, 120);
    assert!((place(&app, body).y - 2.0).abs() < 0.02);
}

/// A floor of small triangles in the plane y = 0.
fn floor() -> Collider {
    let (columns, rows) = (240_u16, 8_u16);
    let vertices: Vec<_> = (0..=rows)
        .flat_map(|z| (0..=columns).map(move |x| (x, z)))
        .map(|(x, z)| Vec3::new(0.37 * f32::from(x) - 2.0, 0.0, 0.41 * f32::from(z) - 1.7))
        .collect();
    let row = u32::from(columns) + 1;
    let corners = (0..u32::from(rows)).flat_map(|z| (0..row - 1).map(move |x| z * row + x));
    let triangles: Vec<_> = corners
        .flat_map(|k| [[k, k + row, k + 1], [k + 1, k + row, k + row + 1]])
        .collect();
    made(Shape::mesh(vertices, triangles))
}

/// The highest speed up or down of a body that slides over a floor at 15 m/s for four seconds, once it has settled.
fn bump(floor: Collider, slider: Collider) -> f32 {
    let mut app = app();
    let smooth = Friction::new(0.0);
    app.world_mut().spawn((RigidBody::Static, floor, smooth));
    let speed = LinearVelocity(Vec3::new(15.0, 0.0, 0.3));
    let start = Transform::from_xyz(0.0, 0.3, 0.0);
    let body = (RigidBody::Dynamic, slider, smooth, speed, start);
    let body = app.world_mut().spawn(body).id();
    let mut highest: f32 = 0.0;
    for step in 0..240 {
        app.update();
        let velocity = app.world().get::<LinearVelocity>(body).expect("a body").0;
        if step > 20 {
            highest = highest.max(velocity.y.abs());
        }
        assert!((velocity.x - 15.0).abs() < 0.01, "{velocity} at {step}");
    }
    highest
}

#[test]
fn nothing_trips_on_the_seams_of_a_flat_floor() {
    let sliders = [
        Shape::cuboid(Vec3::new(0.5, 0.3, 0.4)),
        Shape::cylinder(0.3, 0.5),
        Shape::ball(0.3),
    ];
    for slider in sliders.map(made) {
        let bump = bump(floor(), slider.clone());
        assert!(bump < 0.01, "{bump} m/s, {:?}", slider.shape());
    }
}

#[test]
fn bullets_with_speculative_contacts_do_not_pass_through_a_mesh() {
    let mut app = app();
    app.world_mut().spawn((RigidBody::Static, floor()));
    let bullet = |k: u16| {
        let start = Transform::from_xyz(0.613 * f32::from(k), 8.0 + 0.21 * f32::from(k), 0.0);
        let speed = LinearVelocity(Vec3::new(0.0, -200.0, 0.0));
        let shape = made(Shape::ball(0.05));
        (RigidBody::Dynamic, shape, start, speed, SpeculativeCcd::MAX)
    };
    let bullets = (0..16).map(bullet);
    let bullets: Vec<_> = bullets
        .map(|body| app.world_mut().spawn(body).id())
        .collect();
    steps(&mut app, 10);
    for bullet in bullets {
        let place = place(&app, bullet);
        assert!(place.y > 0.0 && place.y < 1.0, "{place}");
    }
}

#[derive(SystemParam)]
struct Ghosts<'w, 's> {
    ghosts: Query<'w, 's, (), With<Ghost>>,
}

#[derive(Component)]
struct Ghost;

impl CollisionHooks for Ghosts<'_, '_> {
    fn filter_pairs(&self, collider1: Entity, collider2: Entity, _: &mut Commands) -> bool {
        !self.ghosts.contains(collider1) && !self.ghosts.contains(collider2)
    }
}

#[test]
fn hooks_are_asked() {
    let hooks = PhysicsPlugins::default().with_collision_hooks::<Ghosts>();
    let colliders = ClearanceColliderPlugin::<Ghosts>::new(FixedPostUpdate);
    let mut app = app_with(hooks, colliders);
    app.world_mut().spawn(ground());
    let ball = || (made(Shape::ball(0.5)), ActiveCollisionHooks::FILTER_PAIRS);
    let (solid, ghost) = (fall(&mut app, ball()), fall(&mut app, (ball(), Ghost)));
    steps(&mut app, 90);
    assert!((place(&app, solid).y - 0.5).abs() < 0.02);
    assert!(place(&app, ghost).y < -1.0);
}

/// What a ray from above meets among those with the layers, and how far below.
fn look_down(app: &mut App, layers: u32) -> Option<(Entity, f32)> {
    let look = move |space: SpatialQuery| {
        let ray = Ray::new(Vec3::Y * 10.0, Vec3::NEG_Y).expect("it is a ray");
        let filter = SpatialFilter::new().with_layers(Layers::of(layers));
        let hit = space.cast_ray(&ray, RayOptions::default(), &filter);
        let hit = hit.expect("it is a question");
        hit.map(|hit| (hit.entity, hit.hit.distance))
    };
    let looked = app.world_mut().run_system_once(look);
    looked.expect("its parameters are there")
}

#[test]
fn queries_see_what_avian_moves() {
    let plugins = (ClearanceColliderPlugin::default(), ClearanceQueriesPlugin);
    let mut app = app_with(PhysicsPlugins::default(), plugins);
    let ground = app.world_mut().spawn(ground()).id();
    let high = CollisionLayers::new(2, LayerMask::ALL);
    let ball = fall(&mut app, (made(Shape::ball(0.5)), high));
    // The first update runs no step.
    steps(&mut app, 2);
    let (seen, before) = look_down(&mut app, u32::MAX).expect("a ball in the air");
    assert_eq!(seen, ball);
    assert!((before - 7.5).abs() < 0.01);
    steps(&mut app, 120);
    let (seen, now) = look_down(&mut app, u32::MAX).expect("the ball on the ground");
    assert_eq!(seen, ball);
    assert!((now - (10.0 - place(&app, ball).y - 0.5)).abs() < 1e-5);
    assert!((now - 9.0).abs() < 0.02);
    // By layers, and when it is gone.
    assert_eq!(look_down(&mut app, 1), Some((ground, 10.0)));
    app.world_mut().entity_mut(ball).insert(Sensor);
    assert!(app.world().get::<dim3::Sensor>(ball).is_some());
    app.world_mut().entity_mut(ball).remove::<Sensor>();
    assert!(app.world().get::<dim3::Sensor>(ball).is_none());
    app.world_mut().despawn(ball);
    steps(&mut app, 1);
    assert_eq!(look_down(&mut app, u32::MAX), Some((ground, 10.0)));
}
