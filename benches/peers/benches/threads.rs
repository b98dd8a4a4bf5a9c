//! Clearance on one and on two threads, on the scenes whose frames take milliseconds.

use std::error::Error;

use clearance_math::{Vec2, Vec3};
use clearance_peers::{Clearance, Compared, Engine, Once, criterion, name, record};
use clearance_scene::SceneKind;
use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = criterion();
    for (kind, count) in [
        (SceneKind::Mixed, 10_000),
        (SceneKind::Hulls, 3000),
        (SceneKind::Pile, 8000),
        (SceneKind::Sparse, 100_000),
    ] {
        threads::<Vec3>(&mut criterion, kind, count)?;
    }
    for kind in [SceneKind::Mixed2, SceneKind::Pile2] {
        threads::<Vec2>(&mut criterion, kind, 10_000)?;
    }
    criterion.final_summary();
    Ok(())
}

fn threads<V: Compared>(
    criterion: &mut Criterion,
    kind: SceneKind,
    count: usize,
) -> Result<(), Box<dyn Error>> {
    let mut group = criterion.benchmark_group("threads");
    group.sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Elements(count as u64));
    let mut film = Once::default();
    for threads in [1, 2] {
        let mut engine = Once::default();
        let mut frames = 0;
        group.bench_function(BenchmarkId::new(name(kind, count), threads), |bencher| {
            let Some(film) = film.get(|| record::<V>(kind, count)) else {
                return;
            };
            if let Some(engine) = engine.get(|| Clearance::new(film, threads)) {
                bencher.iter(|| {
                    frames += 1;
                    engine.frame(film.frame(frames)).ok()
                });
            }
        });
        engine.outcome()?;
    }
    group.finish();
    film.outcome()
}
