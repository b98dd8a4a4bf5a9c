//! How the cost of a step grows with the number of bodies, motion included.
//!
//! A million bodies take a gigabyte and a minute: they are measured if the environment has
//! `CLEARANCE_MILLION`.

use std::error::Error;

use clearance_math::Vec3;
use clearance_peers::{Once, criterion};
use clearance_scene::{BodyKind, RunOptions, Scene, SceneKind, SceneRunner, generate};
use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};

/// Seconds a step.
const STEP: f32 = 1.0 / 60.0;

/// How many bodies move in the city, and how many buildings there are to each.
const MOVERS: usize = 5000;
const BUILDINGS: [usize; 2] = [9, 90];

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = criterion();
    let mut counts = vec![1000, 10_000, 100_000];
    if std::env::var_os("CLEARANCE_MILLION").is_some() {
        counts.push(1_000_000);
    }
    for kind in [SceneKind::Sparse, SceneKind::Mixed] {
        for &count in &counts {
            steps(&mut criterion, kind.name(), count, || scene(kind, count))?;
        }
    }
    for buildings in BUILDINGS {
        let fixed = buildings * MOVERS;
        steps(&mut criterion, "city-fixed", fixed, || city(fixed))?;
    }
    criterion.final_summary();
    Ok(())
}

fn scene(kind: SceneKind, count: usize) -> Result<Scene<Vec3>, Box<dyn Error>> {
    let scene = generate(kind, count, 1).into_space();
    Ok(scene.ok_or("not in space")?)
}

/// So many buildings, and the movers of the smallest city, which stay over its ground.
fn city(fixed: usize) -> Result<Scene<Vec3>, Box<dyn Error>> {
    let mut small = scene(SceneKind::City, MOVERS * (BUILDINGS[0] + 1))?;
    let mut large = scene(SceneKind::City, fixed / 9 * 10)?;
    large.bodies.retain(|body| body.kind == BodyKind::Fixed);
    small.bodies.retain(|body| body.kind == BodyKind::Moving);
    if large.shapes != small.shapes {
        return Err("cities of the same seed have the same shapes".into());
    }
    large.bodies.append(&mut small.bodies);
    large.bounds = small.bounds;
    Ok(large)
}

fn steps(
    criterion: &mut Criterion,
    what: &str,
    count: usize,
    scene: impl Fn() -> Result<Scene<Vec3>, Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let mut group = criterion.benchmark_group("growth");
    group.sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Elements(count as u64));
    let mut runner = Once::default();
    group.bench_function(BenchmarkId::new(what, count), |bencher| {
        let made = || Ok(SceneRunner::new(&scene()?, RunOptions::default())?);
        if let Some(runner) = runner.get(made) {
            bencher.iter(|| runner.step(STEP).is_ok());
        }
    });
    group.finish();
    runner.outcome()
}
