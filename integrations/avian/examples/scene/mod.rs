//! A pile of mixed bodies that falls into a bowl of triangles.

use std::f32::consts::TAU;
use std::time::{Duration, Instant};

use avian3d::collision::CollisionDiagnostics;
use avian3d::prelude::*;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;

/// What a collider is made of, along the y axis where it has one.
pub(crate) enum Solid {
    Ball { radius: f32 },
    Cuboid { half_extents: Vec3 },
    Capsule { half_length: f32, radius: f32 },
    Cylinder { half_height: f32, radius: f32 },
    Cone { half_height: f32, radius: f32 },
    Hull { points: Vec<Vec3> },
}

/// A surface of triangles.
pub(crate) struct Surface {
    pub(crate) vertices: Vec<Vec3>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

/// Half the side of the bowl, in cells of a metre.
const HALF: i16 = 20;

fn height(x: f32, z: f32) -> f32 {
    0.012 * (x * x + z * z) + 0.15 * (x * 0.9).sin() * (z * 0.7).cos()
}

/// A bumpy bowl of 3,200 triangles.
pub(crate) fn bowl() -> Surface {
    let side = -HALF..=HALF;
    let vertices = side.clone().flat_map(|z| {
        side.clone().map(move |x| {
            let (x, z) = (f32::from(x), f32::from(z));
            Vec3::new(x, height(x, z), z)
        })
    });
    let row = 2 * HALF as u32 + 1;
    let corners = (0..row - 1).flat_map(|z| (0..row - 1).map(move |x| z * row + x));
    let triangles = corners.flat_map(|k| [[k, k + row, k + 1], [k + 1, k + row, k + row + 1]]);
    Surface {
        vertices: vertices.collect(),
        triangles: triangles.collect(),
    }
}

/// Six kinds in turn, of sizes that repeat after 35 bodies.
pub(crate) fn solid(number: u16) -> Solid {
    let size = 0.25 + 0.05 * f32::from(number % 7);
    match number % 6 {
        0 => Solid::Ball { radius: size },
        1 => Solid::Cuboid {
            half_extents: Vec3::new(size, 0.7 * size, 0.8 * size),
        },
        2 => Solid::Capsule {
            half_length: size,
            radius: 0.5 * size,
        },
        3 => Solid::Cylinder {
            half_height: 0.7 * size,
            radius: size,
        },
        4 => Solid::Cone {
            half_height: 0.8 * size,
            radius: size,
        },
        _ => Solid::Hull {
            points: gem(size).to_vec(),
        },
    }
}

/// Five corners above, five below and turned, and two tips.
fn gem(size: f32) -> [Vec3; 12] {
    std::array::from_fn(|k| match k {
        10 => Vec3::new(0.0, size, 0.0),
        11 => Vec3::new(0.0, -size, 0.0),
        _ => {
            let (angle, side) = (TAU * k as f32 / 10.0, 1.0 - 2.0 * (k % 2) as f32);
            Vec3::new(angle.cos(), 0.45 * side, angle.sin()) * size
        }
    })
}

/// Turned in some way or other, in layers of a hundred.
fn place(number: u16) -> Transform {
    let (layer, row, column) = (number / 100, number / 10 % 10, number % 10);
    let along = |k: u16| 1.4 * (f32::from(k) - 4.5) + 0.1 * f32::from(layer);
    let turn = Vec3::new(1.1, 0.7, 1.9) * f32::from(number % 23);
    let up = 3.5 + 1.5 * f32::from(layer);
    Transform::from_xyz(along(column), up, along(row)).with_rotation(Quat::from_scaled_axis(turn))
}

/// An app without a window that steps by a 60th of a second with each update, on one thread.
pub(crate) fn app(collisions: impl Plugin) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, PhysicsPlugins::default()));
    app.add_plugins(collisions);
    app.insert_resource(Time::<Fixed>::from_hz(60.0));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app
}

/// Spawns bodies above the bowl.
pub(crate) fn spawn<C: Component>(world: &mut World, bowl: C, bodies: impl IntoIterator<Item = C>) {
    world.spawn((RigidBody::Static, bowl));
    for (number, collider) in (0..).zip(bodies) {
        // Balls would roll for minutes.
        let drag = (LinearDamping(0.3), AngularDamping(1.5));
        world.spawn((RigidBody::Dynamic, collider, place(number), drag));
    }
}

/// What some steps took, in the mean.
#[derive(Default)]
pub(crate) struct Cost {
    pub(crate) step: Duration,
    pub(crate) narrow_phase: Duration,
}

/// Steps, and says what a step took.
pub(crate) fn steps(app: &mut App, count: u32) -> Cost {
    let mut cost = Cost::default();
    for _ in 0..count {
        let start = Instant::now();
        app.update();
        cost.step += start.elapsed() / count;
        let diagnostics = app.world().resource::<CollisionDiagnostics>();
        cost.narrow_phase += diagnostics.narrow_phase / count;
    }
    cost
}

/// How the pile is.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct State {
    pub(crate) bodies: usize,
    /// Faster than Avian lets bodies fall asleep, 0.15 m/s.
    pub(crate) moving: usize,
    pub(crate) asleep: usize,
    /// Bodies outside of the bowl or below its lowest point.
    pub(crate) lost: usize,
    pub(crate) fastest: f32,
}

/// Looks at all dynamic bodies.
///
/// # Panics
/// If a place or velocity is not finite.
pub(crate) fn state(app: &mut App) -> State {
    let mut state = State::default();
    let mut bodies = app
        .world_mut()
        .query::<(&RigidBody, &Position, &LinearVelocity, Has<Sleeping>)>();
    for (body, position, velocity, is_asleep) in bodies.iter(app.world()) {
        if !body.is_dynamic() {
            continue;
        }
        assert!(position.is_finite() && velocity.is_finite(), "{position:?}");
        let Vec3 { x, y, z } = position.0;
        let is_outside = x.abs().max(z.abs()) > f32::from(HALF) || y < height(x, z);
        state.bodies += 1;
        state.moving += usize::from(velocity.length() > 0.15);
        state.asleep += usize::from(is_asleep);
        state.lost += usize::from(is_outside);
        state.fastest = state.fastest.max(velocity.length());
    }
    state
}

/// Lets the pile fall and settle, and prints what it takes.
///
/// # Panics
/// If a body got lost, or if more than one in a hundred still moves after 20 seconds.
#[allow(clippy::print_stdout, reason = "an example prints what happens")]
pub(crate) fn fall_and_settle(app: &mut App) {
    println!("seconds  ms a step  narrow phase  moving  asleep  fastest");
    for second in 1..=20 {
        let cost = steps(app, 60);
        let state = state(app);
        let [step, narrow_phase] = [cost.step, cost.narrow_phase].map(|t| t.as_secs_f64() * 1e3);
        println!(
            "{second:7}  {step:9.3}  {narrow_phase:12.3}  {:6}  {:6}  {:7.3}",
            state.moving, state.asleep, state.fastest
        );
        assert_eq!(state.lost, 0, "nobody falls through the bowl");
    }
    let state = state(app);
    assert!(state.moving * 100 <= state.bodies, "at rest: {state:?}");
}
