//! Whole frames, on one thread: poses set, pairs found and measured, a list written. After each
//! measurement it is printed how slow the slow frames were.

#![allow(clippy::print_stdout, reason = "criterion does not report slow frames")]

use std::error::Error;

use clearance_math::{Vec2, Vec3};
use clearance_peers::{Compared, FilmKind, Once, Peer, Player, criterion, record};
use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = criterion();
    for kind in FilmKind::ALL {
        if kind.is_in_the_plane() {
            frames::<Vec2>(&mut criterion, kind)?;
        } else {
            frames::<Vec3>(&mut criterion, kind)?;
        }
    }
    criterion.final_summary();
    Ok(())
}

fn frames<V: Compared>(criterion: &mut Criterion, kind: FilmKind) -> Result<(), Box<dyn Error>> {
    let mut group = criterion.benchmark_group("frames");
    group.sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Elements(kind.body_count() as u64));
    let mut film = Once::default();
    for peer in Peer::on(kind) {
        let mut player = Player::default();
        let id = BenchmarkId::new(kind.name(), peer.name());
        group.bench_function(id, |bencher| {
            let Some(film) = film.get(|| record::<V>(kind)) else {
                return;
            };
            bencher.iter_custom(|iterations| {
                player.play(
                    film.frames(),
                    iterations,
                    || V::engine(peer, film),
                    |engine, poses| engine.frame(poses).map(|_| ()),
                )
            });
        });
        let times = player.times();
        if times.count() > 0 {
            println!("{times}");
        }
        player.outcome()?;
    }
    group.finish();
    film.outcome()
}
