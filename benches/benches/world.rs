//! Whole frames: a world stepped, for every kind of scene.

use std::error::Error;

use clearance_benches::criterion;
use clearance_scene::{AnyScene, FileVector, RunOptions, Scene, SceneKind, SceneRunner, generate};
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
    criterion.final_summary();
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
