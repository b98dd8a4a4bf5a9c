//! Whole frames of a game of Bevy on one thread: `App::update` with the plugin of `bevy_clearance`, and with rapier's
//! `CollisionPipeline` in its place, fed by a query for the transforms that changed.
//!
//! `cargo bench -p clearance-peers --bench entities` prints, in milliseconds, the medians of 200 frames; frames of both apps take
//! turns. rapier leaves its contacts in its graph, and nobody asks for them; we list, sort and report ours.

#![allow(clippy::print_stdout, reason = "it prints what it measures")]

#[path = "../../../crates/bevy/examples/entities.rs"]
#[allow(dead_code, reason = "that program measures more")]
mod entities;

use std::time::{Duration, Instant};

use bevy_app::App;
use bevy_clearance::{CollisionPlugin, CollisionWorld, Space};
use bevy_math::{Vec2, Vec3};
use clearance::Options;
use clearance_scene::{AnyScene, FileVector, Scene, SceneKind, generate};
use entities::{game, median};

const FRAMES: usize = 200;

/// rapier of one dimension as a plugin.
macro_rules! pipeline {
    ($name:ident, $rapier:ident, $vector:ty, $form:ty, $pose:expr) => {
        mod $name {
            use bevy_app::{App, FixedPostUpdate};
            use bevy_clearance::{BodyKind, Collider};
            use bevy_ecs::prelude::*;
            use bevy_transform::components::Transform;
            use $rapier::prelude::{
                ActiveCollisionTypes, BroadPhaseBvh, ColliderBuilder, ColliderHandle, ColliderSet,
                CollisionPipeline, IslandManager, NarrowPhase, RigidBodySet,
            };

            #[derive(Component)]
            struct Handle(ColliderHandle);

            #[derive(Resource)]
            struct Rapier {
                margin: f32,
                bodies: RigidBodySet,
                colliders: ColliderSet,
                islands: IslandManager,
                broad_phase: BroadPhaseBvh,
                narrow_phase: NarrowPhase,
                pipeline: CollisionPipeline,
            }

            type New<'a> = (Entity, &'a Collider<$vector>, &'a Transform, &'a BodyKind);

            fn insert(
                new: Query<New<'_>, Without<Handle>>,
                mut rapier: ResMut<Rapier>,
                mut commands: Commands,
            ) {
                for (entity, collider, transform, mobility) in &new {
                    let form = <$form>::new(collider.shape()).expect("rapier has the shape");
                    let types = match mobility {
                        BodyKind::Moving => ActiveCollisionTypes::all(),
                        BodyKind::Fixed => ActiveCollisionTypes::empty(),
                    };
                    let collider = ColliderBuilder::new(form.shared())
                        .position($pose(transform))
                        .active_collision_types(types);
                    let handle = rapier.colliders.insert(collider);
                    commands.entity(entity).insert(Handle(handle));
                }
            }

            fn step(
                moved: Query<(&Handle, &Transform), Changed<Transform>>,
                mut rapier: ResMut<Rapier>,
            ) {
                let rapier = &mut *rapier;
                for (handle, transform) in &moved {
                    if let Some(collider) = rapier.colliders.get_mut(handle.0) {
                        collider.set_position($pose(transform));
                    }
                }
                rapier.pipeline.step(
                    rapier.margin,
                    &mut rapier.islands,
                    &mut rapier.broad_phase,
                    &mut rapier.narrow_phase,
                    &mut rapier.bodies,
                    &mut rapier.colliders,
                    &(),
                    &(),
                );
            }

            pub(super) fn add(app: &mut App, margin: f32) {
                app.insert_resource(Rapier {
                    margin,
                    bodies: RigidBodySet::new(),
                    colliders: ColliderSet::new(),
                    islands: IslandManager::new(),
                    broad_phase: BroadPhaseBvh::new(),
                    narrow_phase: NarrowPhase::new(),
                    pipeline: CollisionPipeline::new(),
                });
                app.add_systems(FixedPostUpdate, (insert, step).chain());
            }

            /// How many pairs are within the margin.
            pub(super) fn contacts(app: &App) -> usize {
                let rapier = app.world().resource::<Rapier>();
                let pairs = rapier.narrow_phase.contact_pairs();
                let is_near = |manifold: &$rapier::prelude::ContactManifold| {
                    let mut points = manifold.points.iter();
                    points.any(|point| point.dist <= rapier.margin)
                };
                pairs
                    .filter(|pair| pair.manifolds().iter().any(is_near))
                    .count()
            }
        }
    };
}

pipeline!(
    plane,
    rapier2d,
    bevy_math::Vec2,
    clearance_peers::plane::Form,
    |transform: &Transform| {
        let turn = transform.rotation;
        let (cos, sin) = (turn.w * turn.w - turn.z * turn.z, 2.0 * turn.z * turn.w);
        let turn = parry2d::math::Rot2::from_cos_sin_unchecked(cos, sin);
        parry2d::math::Pose::from_parts(transform.translation.truncate(), turn)
    }
);
pipeline!(
    space,
    rapier3d,
    bevy_math::Vec3,
    clearance_peers::space::Form,
    |transform: &Transform| {
        parry3d::math::Pose::from_parts(transform.translation, transform.rotation)
    }
);

/// What drives rapier in an app.
struct Peer {
    /// Adds it with a margin.
    add: fn(&mut App, f32),
    /// How many pairs are within the margin.
    contacts: fn(&App) -> usize,
}

/// Measures both apps, frame by frame in turn.
fn compare<V: Space + FileVector>(kind: SceneKind, scene: &Scene<V>, peer: &Peer) {
    let options = Options {
        margin: scene.margin,
        ..Options::default()
    };
    let plugin = CollisionPlugin::<V>::new(options);
    let mut ours = game(scene, true, |app| _ = app.add_plugins(plugin));
    let mut theirs = game(scene, true, |app| (peer.add)(app, scene.margin));
    let timed = |app: &mut App| -> Duration {
        let start = Instant::now();
        app.update();
        start.elapsed()
    };
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..FRAMES {
        times[0].push(timed(&mut ours));
        times[1].push(timed(&mut theirs));
    }
    let world = ours.world().resource::<CollisionWorld<V>>().world();
    let [own, other] = times.map(median);
    println!(
        "{:<8} {:>8} {:>8} {:>8} {own:>10.3} {other:>8.3} {:>6.2}",
        kind.name(),
        scene.bodies.len(),
        world.contacts().len(),
        (peer.contacts)(&theirs),
        other / own
    );
}

fn main() {
    println!("scene    entities contacts (rapier) clearance   rapier  ratio");
    for (kind, count) in [
        (SceneKind::Mixed, 10_000),
        (SceneKind::Balls2, 10_000),
        (SceneKind::City, 50_000),
    ] {
        match generate(kind, count, 7) {
            AnyScene::Plane(scene) => {
                compare::<Vec2>(
                    kind,
                    &scene,
                    &Peer {
                        add: plane::add,
                        contacts: plane::contacts,
                    },
                );
            }
            AnyScene::Space(scene) => {
                compare::<Vec3>(
                    kind,
                    &scene,
                    &Peer {
                        add: space::add,
                        contacts: space::contacts,
                    },
                );
            }
        }
    }
}
