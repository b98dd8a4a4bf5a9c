//! The broad phase alone: the boxes of moving bodies set, overlapping pairs listed.

use core::hint::black_box;
use std::error::Error;

use clearance_math::Vec3;
use clearance_peers::boxes::{BoxFilm, Structure};
use clearance_peers::{FilmKind, Once, Player, criterion, record};
use clearance_scene::SceneKind;
use criterion::{BenchmarkId, SamplingMode, Throughput};

const FILMS: [FilmKind; 7] = [
    FilmKind::Generated(SceneKind::Balls, 10_000),
    FilmKind::Generated(SceneKind::Mixed, 10_000),
    FilmKind::Generated(SceneKind::Pile, 8000),
    FilmKind::Generated(SceneKind::City, 50_000),
    FilmKind::Generated(SceneKind::Sparse, 100_000),
    FilmKind::SettlingPile,
    FilmKind::ShakenBox,
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = criterion();
    let mut group = criterion.benchmark_group("broad");
    group.sampling_mode(SamplingMode::Flat);
    for kind in FILMS {
        group.throughput(Throughput::Elements(kind.body_count() as u64));
        let mut film = Once::default();
        for structure in Structure::ALL {
            let id = BenchmarkId::new(kind.name(), structure.name());
            let mut player = Player::default();
            group.bench_function(id, |bencher| {
                let Some(film) = film.get(|| BoxFilm::new(&record::<Vec3>(kind)?)) else {
                    return;
                };
                bencher.iter_custom(|iterations| {
                    player.play(
                        film.frames(),
                        iterations,
                        || Ok(structure.start(film)),
                        |boxes, frame| {
                            black_box(boxes.frame(frame));
                            Ok(())
                        },
                    )
                });
            });
            player.outcome()?;
        }
        film.outcome()?;
    }
    group.finish();
    criterion.final_summary();
    Ok(())
}
