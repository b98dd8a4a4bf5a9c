//! Whole frames, on one thread: poses set, pairs found and measured, a list written.

use std::error::Error;

use clearance_math::{Vec2, Vec3};
use clearance_peers::{Compared, Engine, Film, Once, Peer, SCENES, criterion, name, record};
use clearance_scene::SceneKind;
use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = criterion();
    for (kind, count) in SCENES {
        match kind {
            SceneKind::Balls2 | SceneKind::Mixed2 | SceneKind::Pile2 => {
                frames::<Vec2>(&mut criterion, kind, count)?;
            }
            _ => frames::<Vec3>(&mut criterion, kind, count)?,
        }
    }
    criterion.final_summary();
    Ok(())
}

fn frames<V: Compared>(
    criterion: &mut Criterion,
    kind: SceneKind,
    count: usize,
) -> Result<(), Box<dyn Error>> {
    let mut group = criterion.benchmark_group("frames");
    group.sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Elements(count as u64));
    let mut film = Once::default();
    for peer in Peer::on(kind) {
        let mut engine = Once::default();
        let mut count_of_frames = 0;
        group.bench_function(
            BenchmarkId::new(name(kind, count), peer.name()),
            |bencher| {
                let Some(film) = film.get(|| record::<V>(kind, count)) else {
                    return;
                };
                if let Some(engine) = engine.get(|| V::engine(peer, film)) {
                    play(film, engine.as_mut(), &mut count_of_frames, bencher);
                }
            },
        );
        engine.outcome()?;
    }
    group.finish();
    film.outcome()
}

/// Goes on with the film where the last sample left it.
fn play<V: Compared>(
    film: &Film<V>,
    engine: &mut dyn Engine<V>,
    count: &mut usize,
    bencher: &mut criterion::Bencher<'_>,
) {
    bencher.iter(|| {
        *count += 1;
        engine.frame(film.frame(*count)).ok()
    });
}
