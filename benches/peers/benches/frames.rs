//! Whole frames, on one thread: poses set, pairs found and measured, a list written.

use std::error::Error;

use clearance_math::{Vec2, Vec3};
use clearance_peers::{Compared, Film, Peer, SCENES, criterion, name, record};
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
    // Recorded when the first measurement asks for it: a filter may leave all of them out.
    let mut recorded: Option<Film<V>> = None;
    for peer in Peer::on(kind) {
        let mut outcome = Ok(());
        let id = BenchmarkId::new(name(kind, count), peer.name());
        group.bench_function(id, |bencher| {
            let film = match &recorded {
                Some(film) => film,
                None => match record(kind, count) {
                    Ok(film) => recorded.insert(film),
                    Err(error) => {
                        outcome = Err(error);
                        return;
                    }
                },
            };
            outcome = play(film, peer, bencher);
        });
        outcome?;
    }
    group.finish();
    Ok(())
}

fn play<V: Compared>(
    film: &Film<V>,
    peer: Peer,
    bencher: &mut criterion::Bencher<'_>,
) -> Result<(), Box<dyn Error>> {
    let mut engine = V::engine(peer, film)?;
    let mut count = 0;
    let mut outcome = Ok(0);
    bencher.iter(|| {
        count += 1;
        match engine.frame(film.frame(count)) {
            Ok(contacts) => contacts,
            Err(error) => {
                outcome = Err(error);
                0
            }
        }
    });
    outcome.map(|_| ())
}
