//! What the plugin adds to the steps of the engine: scenes of the benchmarks as entities, whose transforms a system moves.
//!
//! `cargo run --release -p bevy_clearance --example entities` prints, in milliseconds of the median frame: `update`, all of `App::update`;
//! `step`, `World::step` in it; `without`, the same app without the plugin: the system that moves, and Bevy's own work; and
//! `added`, the rest, also as a share of `step`.

#![allow(clippy::print_stdout, reason = "an example prints what it measures")]

use std::time::{Duration, Instant};

use bevy_app::{App, FixedUpdate};
use bevy_clearance::{BodyKind, Collider, CollisionPlugin, CollisionWorld, Space};
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;
use clearance::generic::Rotation as _;
use clearance::{Options, Profile};
use clearance_scene::{AnyScene, FileVector, Scene, SceneBody, SceneKind, generate};

/// Moves straight on and turns, back and forth.
#[derive(Component)]
struct Mover {
    linear: Vec3,
    turn: Quat,
}

fn move_all(movers: Query<(&mut Mover, &mut Transform)>, time: Res<Time>, mut frame: Local<u32>) {
    *frame += 1;
    let seconds = if *frame % 128 < 64 {
        time.delta_secs()
    } else {
        -time.delta_secs()
    };
    for (mover, mut transform) in movers {
        transform.translation += mover.linear * seconds;
        transform.rotation = (mover.turn * transform.rotation).normalize();
    }
}

fn spawn<V: Space + FileVector>(app: &mut App, scene: &Scene<V>, body: &SceneBody<V>, moves: bool) {
    let shape = scene.shape_of(body).expect("the scene is whole").clone();
    let transform = Transform {
        translation: body.pose.translation().with_depth(0.0),
        rotation: V::quaternion(body.pose.rotation),
        ..Transform::IDENTITY
    };
    let mut entity = app.world_mut().spawn((Collider::from(shape), transform));
    if body.kind == BodyKind::Fixed.into() {
        entity.insert(BodyKind::Fixed);
    } else if moves {
        let turn = V::Rotation::angular_in_space(body.velocity.angular) / 64.0;
        entity.insert(Mover {
            linear: body.velocity.linear.with_depth(0.0),
            turn: Quat::from_scaled_axis(turn),
        });
    }
}

/// Times of a frame.
#[derive(Clone, Copy, Default)]
struct Frame {
    update: Duration,
    step: Duration,
}

pub(crate) fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e3
}

struct Setting {
    kind: SceneKind,
    count: usize,
    frames: usize,
    moves: bool,
}

/// An app with the bodies of a scene after some frames, and with what is added to it.
pub(crate) fn game<V: Space + FileVector>(
    scene: &Scene<V>,
    moves: bool,
    add: impl FnOnce(&mut App),
) -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.add_systems(FixedUpdate, move_all);
    add(&mut app);
    for body in &scene.bodies {
        spawn(&mut app, scene, body, moves);
    }
    // Time begins with the first update, and the second sends all bodies.
    (0..4).for_each(|_| app.update());
    app
}

/// The frames of an app, and how many contacts there are at the end.
fn frames<V: Space + FileVector>(
    scene: &Scene<V>,
    setting: &Setting,
    has_plugin: bool,
) -> (Vec<Frame>, usize) {
    let mut app = game(scene, setting.moves, |app| {
        if has_plugin {
            app.add_plugins(CollisionPlugin::<V>::new(Options {
                margin: scene.margin,
                ..Options::default()
            }));
            let mut world = app.world_mut().resource_mut::<CollisionWorld<V>>();
            world
                .world_mut()
                .set_profiling(Some(Profile::standard_clock));
        }
    });
    let mut frames = Vec::new();
    for _ in 0..setting.frames {
        let start = Instant::now();
        app.update();
        let update = start.elapsed();
        let world = app.world().get_resource::<CollisionWorld<V>>();
        let stages = world.map(|world| world.world().profile().stages());
        let step = stages.into_iter().flatten().map(|stage| stage.time).sum();
        frames.push(Frame { update, step });
    }
    let world = app.world().get_resource::<CollisionWorld<V>>();
    let contacts = world.map_or(0, |world| world.world().contacts().len());
    (frames, contacts)
}

/// A row of the table, and the number of contacts.
fn row<V: Space + FileVector>(scene: &Scene<V>, setting: &Setting) -> (String, usize) {
    let (with, contacts) = frames(scene, setting, true);
    let (without, _) = frames(scene, setting, false);
    let update = median(with.iter().map(|frame| frame.update).collect());
    let step = median(with.iter().map(|frame| frame.step).collect());
    let without = median(without.iter().map(|frame| frame.update).collect());
    // What rests is not stepped, and the profile is that of the last step.
    let step = if setting.moves { step } else { 0.0 };
    let rest = if setting.moves { "" } else { " at rest" };
    let name = format!("{}{rest}", setting.kind);
    let added = update - step - without;
    let share = 100.0 * added / step.max(1e-9);
    let share = if setting.moves {
        format!("{share:6.1} %")
    } else {
        String::from("       -")
    };
    let entities = setting.count;
    let row = format!(
        "{name:<14} {entities:>8} {contacts:>8} {update:>8.3} {step:>8.3} {without:>8.3} {added:>8.3} {share}"
    );
    (row, contacts)
}

fn play(settings: &[Setting]) -> usize {
    println!("scene          entities contacts   update     step  without    added    share");
    let mut all = 0;
    for setting in settings {
        let (row, contacts) = match generate(setting.kind, setting.count, 7) {
            AnyScene::Plane(scene) => row(&scene, setting),
            AnyScene::Space(scene) => row(&scene, setting),
        };
        println!("{row}");
        all += contacts;
    }
    all
}

fn main() {
    let setting = |kind, count, moves| Setting {
        kind,
        count,
        frames: 200,
        moves,
    };
    play(&[
        setting(SceneKind::Mixed, 10_000, true),
        setting(SceneKind::Balls2, 10_000, true),
        setting(SceneKind::City, 50_000, true),
        setting(SceneKind::Sparse, 100_000, false),
    ]);
}

#[test]
fn scenes_have_contacts_as_entities() {
    let setting = |kind| Setting {
        kind,
        count: 300,
        frames: 3,
        moves: true,
    };
    assert!(play(&[setting(SceneKind::Mixed), setting(SceneKind::Balls2)]) > 100);
}
