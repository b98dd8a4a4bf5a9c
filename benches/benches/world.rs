//! Whole frames: a world stepped, for every kind of scene.

use std::error::Error;

use clearance_benches::criterion;
use clearance_math::{Pose, Vec3};
use clearance_scene::{AnyScene, FileVector, RunOptions, Scene, SceneKind, SceneRunner, generate};
use clearance_shapes::Shape;
use clearance_world::{Body, BodyId, Options, Velocity, World};
use criterion::{BenchmarkId, Criterion, Throughput};

/// How many bodies a scene has.
const COUNT: usize = 2000;

/// Seconds a frame.
const STEP: f32 = 1.0 / 60.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = criterion();
    for kind in SceneKind::ALL {
        match generate(kind, COUNT, 1) {
            AnyScene::Plane(scene) => steps(&mut criterion, kind, &scene)?,
            AnyScene::Space(scene) => steps(&mut criterion, kind, &scene)?,
        }
    }
    rest(&mut criterion)?;
    churn(&mut criterion)?;
    criterion.final_summary();
    Ok(())
}

/// How many boxes the pile has of which all, few or none move.
const PILE: usize = 8000;

/// A pile that moves, one of which a body in a hundred moves, and one at rest.
fn rest(criterion: &mut Criterion) -> Result<(), Box<dyn Error>> {
    let AnyScene::Space(scene) = generate(SceneKind::Pile, PILE, 1) else {
        return Err("a pile is in space".into());
    };
    let runner = SceneRunner::new(&scene, RunOptions::default())?;
    let mut group = criterion.benchmark_group("world-rest");
    group.throughput(Throughput::Elements(PILE as u64));
    for (name, moving) in [
        ("all-move", 1),
        ("one-in-a-hundred-moves", 100),
        ("at-rest", 0),
    ] {
        let mut world = World::new(Options::default())?;
        for (number, body) in runner.world().bodies().enumerate() {
            let mut body = body.to_body();
            if moving == 0 || number % moving != 0 {
                body.velocity = Velocity::default();
            }
            world.insert(body)?;
        }
        let mut there_and_back = [STEP; 16].into_iter().chain([-STEP; 16]).cycle();
        let velocities: Vec<_> = world
            .bodies()
            .map(|body| (body.id(), body.velocity()))
            .collect();
        let mut refused = Ok(());
        group.bench_function(BenchmarkId::new("pile-8000", name), |bencher| {
            bencher.iter(|| {
                let step = there_and_back.next().unwrap_or(STEP);
                if let Err(error) = turn_round(&mut world, &velocities, step) {
                    refused = Err(error);
                }
            });
        });
        refused?;
    }
    group.finish();
    Ok(())
}

/// A step forwards, or backwards with all velocities turned round.
fn turn_round(
    world: &mut World<Vec3>,
    velocities: &[(BodyId, Velocity<Vec3>)],
    step: f32,
) -> Result<(), clearance_world::WorldError> {
    let sign = step.signum();
    for (id, velocity) in velocities {
        if *velocity != Velocity::default() {
            let turned = Velocity::new(velocity.linear * sign, velocity.angular * sign);
            world.body_mut(*id)?.set_velocity(turned)?;
        }
    }
    world.step(step.abs())
}

/// How many balls there are while others come and go.
const CROWD: usize = 5000;

/// How many balls come and go in a frame.
const CHURN: usize = 2000;

/// Bodies that are inserted and removed in each frame, beside others that stay.
fn churn(criterion: &mut Criterion) -> Result<(), Box<dyn Error>> {
    let mut world = World::<Vec3>::new(Options::default())?;
    let ball = Shape::ball(0.5)?;
    // A grid whose neighbours are in range of each other.
    let body = |number: usize| {
        let at = |step: usize| (number / step % 18) as f32;
        let translation = Vec3::new(at(1), at(18), at(18 * 18)) * 1.02;
        Body::moving(ball.clone(), Pose::<Vec3>::from_translation(translation))
    };
    for number in 0..CROWD {
        world.insert(body(number))?;
    }
    let mut ids: Vec<BodyId> = world.bodies().ids().collect();
    let mut frame = || {
        for _ in 0..CHURN {
            let id = ids.swap_remove(0);
            let body = world.remove(id)?;
            ids.push(world.insert(body)?);
        }
        world.step(STEP)
    };
    let mut group = criterion.benchmark_group("world-churn");
    group.throughput(Throughput::Elements(CHURN as u64));
    let mut refused = Ok(());
    group.bench_function("balls-2000-of-5000", |bencher| {
        bencher.iter(|| {
            if let Err(error) = frame() {
                refused = Err(error);
            }
        });
    });
    refused?;
    group.finish();
    Ok(())
}

fn steps<V: FileVector>(
    criterion: &mut Criterion,
    kind: SceneKind,
    scene: &Scene<V>,
) -> Result<(), Box<dyn Error>> {
    let mut group = criterion.benchmark_group("world-step");
    group.throughput(Throughput::Elements(COUNT as u64));
    for threads in [1, 2] {
        let options = RunOptions {
            threads,
            ..RunOptions::default()
        };
        let mut runner = SceneRunner::new(scene, options)?;
        let mut refused = Ok(());
        let id = BenchmarkId::new(format!("{kind}-{COUNT}"), format!("threads-{threads}"));
        group.bench_function(id, |bencher| {
            bencher.iter(|| {
                if let Err(error) = runner.step(STEP) {
                    refused = Err(error);
                }
            });
        });
        refused?;
    }
    group.finish();
    Ok(())
}
