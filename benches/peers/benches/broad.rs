//! The broad phase alone: the boxes of moving bodies set, overlapping pairs listed.

use std::error::Error;

use clearance_math::Vec3;
use clearance_peers::boxes::{BoxFilm, Structure};
use clearance_peers::{Once, criterion, name, record};
use clearance_scene::SceneKind;
use criterion::{BenchmarkId, SamplingMode, Throughput};

const SCENES: [(SceneKind, usize); 5] = [
    (SceneKind::Balls, 10_000),
    (SceneKind::Mixed, 10_000),
    (SceneKind::Pile, 8000),
    (SceneKind::City, 50_000),
    (SceneKind::Sparse, 100_000),
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = criterion();
    let mut group = criterion.benchmark_group("broad");
    group.sampling_mode(SamplingMode::Flat);
    for (kind, count) in SCENES {
        group.throughput(Throughput::Elements(count as u64));
        let mut film = Once::default();
        for structure in Structure::ALL {
            let id = BenchmarkId::new(name(kind, count), structure.name());
            let mut boxes = Once::default();
            let mut frames = 0;
            group.bench_function(id, |bencher| {
                let Some(film) = film.get(|| BoxFilm::new(&record::<Vec3>(kind, count)?)) else {
                    return;
                };
                if let Some(boxes) = boxes.get(|| Ok(structure.start(film))) {
                    bencher.iter(|| {
                        frames += 1;
                        boxes.frame(film.frame(frames))
                    });
                }
            });
        }
        film.outcome()?;
    }
    group.finish();
    criterion.final_summary();
    Ok(())
}
