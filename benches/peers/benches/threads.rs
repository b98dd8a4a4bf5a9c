//! Clearance on one and on two threads, on the films whose frames take milliseconds.

use std::error::Error;

use clearance_math::{Vec2, Vec3};
use clearance_peers::{Clearance, Compared, Engine, FilmKind, Once, Player, criterion, record};
use clearance_scene::SceneKind;
use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};

const FILMS: [FilmKind; 8] = [
    FilmKind::Generated(SceneKind::Mixed, 10_000),
    FilmKind::Generated(SceneKind::Hulls, 3000),
    FilmKind::Generated(SceneKind::Pile, 8000),
    FilmKind::Generated(SceneKind::Sparse, 100_000),
    FilmKind::Generated(SceneKind::Mixed2, 10_000),
    FilmKind::Generated(SceneKind::Pile2, 10_000),
    FilmKind::SettlingPile,
    FilmKind::ShakenBox,
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = criterion();
    for kind in FILMS {
        if kind.is_in_the_plane() {
            threads::<Vec2>(&mut criterion, kind)?;
        } else {
            threads::<Vec3>(&mut criterion, kind)?;
        }
    }
    criterion.final_summary();
    Ok(())
}

fn threads<V: Compared>(criterion: &mut Criterion, kind: FilmKind) -> Result<(), Box<dyn Error>> {
    let mut group = criterion.benchmark_group("threads");
    group.sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Elements(kind.body_count() as u64));
    let mut film = Once::default();
    for threads in [1, 2] {
        let mut player = Player::default();
        group.bench_function(BenchmarkId::new(kind.name(), threads), |bencher| {
            let Some(film) = film.get(|| record::<V>(kind)) else {
                return;
            };
            bencher.iter_custom(|iterations| {
                player.play(
                    film.frames(),
                    iterations,
                    || Clearance::new(film, threads),
                    |engine, poses| engine.frame(poses).map(|_| ()),
                )
            });
        });
        player.outcome()?;
    }
    group.finish();
    film.outcome()
}
