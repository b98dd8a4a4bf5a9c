//! Snapshots: taken, restored, stored, for a thousand bodies.

use std::error::Error;
use std::io::Write;

use clearance_benches::criterion;
use clearance_math::Vec3;
use clearance_scene::{RunOptions, SceneKind, SceneRunner, generate};
use clearance_world::{Snapshot, World};
use criterion::{BenchmarkId, Criterion, Throughput};

const COUNT: usize = 1000;

/// Seconds a frame.
const STEP: f32 = 1.0 / 60.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = criterion();
    for kind in [SceneKind::Sparse, SceneKind::Mixed, SceneKind::Pile] {
        let scene = generate(kind, COUNT, 1).into_space();
        let scene = scene.ok_or("the scene is in space")?;
        let mut runner = SceneRunner::new(&scene, RunOptions::default())?;
        for _ in 0..10 {
            runner.step(STEP)?;
        }
        print_sizes(kind, runner.world())?;
        measure(&mut criterion, kind, runner.world_mut())?;
    }
    criterion.final_summary();
    Ok(())
}

fn print_sizes(kind: SceneKind, world: &World<Vec3>) -> Result<(), Box<dyn Error>> {
    let sizes = |snapshot: &Snapshot<Vec3>| {
        let stored = postcard::to_allocvec(snapshot)?.len();
        Ok::<_, postcard::Error>([snapshot.memory() / COUNT, stored / COUNT])
    };
    let contacts = world.contacts().len();
    let [held, stored] = sizes(&world.snapshot())?;
    let [lean_held, lean_stored] = sizes(&world.snapshot().without_contacts())?;
    let mut out = std::io::stdout();
    writeln!(
        out,
        "{kind}-{COUNT}: {contacts} contacts; bytes a body: {held} held, {stored} stored; \
         without contacts {lean_held} held, {lean_stored} stored"
    )?;
    Ok(())
}

fn measure(
    criterion: &mut Criterion,
    kind: SceneKind,
    world: &mut World<Vec3>,
) -> Result<(), Box<dyn Error>> {
    let mut group = criterion.benchmark_group("snapshot");
    group.throughput(Throughput::Elements(COUNT as u64));
    let id = |what: &str| BenchmarkId::new(format!("{kind}-{COUNT}"), what);
    let mut kept = world.snapshot();
    group.bench_function(id("take"), |bencher| bencher.iter(|| world.snapshot()));
    group.bench_function(id("take-again"), |bencher| {
        bencher.iter(|| world.snapshot_into(&mut kept));
    });
    group.bench_function(id("restore"), |bencher| {
        bencher.iter(|| world.restore(&kept))
    });
    let mut lean = world.snapshot().without_contacts();
    group.bench_function(id("take-again-lean"), |bencher| {
        bencher.iter(|| world.snapshot_into(&mut lean));
    });
    group.bench_function(id("restore-lean"), |bencher| {
        bencher.iter(|| world.restore(&lean))
    });
    let mut refused = Ok(());
    group.bench_function(id("restore-and-step"), |bencher| {
        bencher.iter(|| {
            world.restore(&kept);
            if let Err(error) = world.step(STEP) {
                refused = Err(error);
            }
        });
    });
    refused?;
    let bytes = postcard::to_allocvec(&kept)?;
    group.bench_function(id("store"), |bencher| {
        bencher.iter(|| postcard::to_allocvec(&kept));
    });
    group.bench_function(id("load"), |bencher| {
        bencher.iter(|| postcard::from_bytes::<Snapshot<Vec3>>(&bytes));
    });
    group.finish();
    Ok(())
}
