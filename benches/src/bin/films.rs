//! Plays recorded films in our world and prints what a frame costs: the median, and how slow the
//! slow ones are. Words on the command line choose films by their names; without any, the simulated
//! films are played.
//!
//! ```text
//! cargo run --profile bench -p clearance-benches --bin films
//! cargo run --profile bench -p clearance-benches --bin films -- settling mixed-10000
//! ```

#![allow(clippy::print_stdout, reason = "the table is the output")]

use std::error::Error;
use std::time::{Duration, Instant};

use clearance_benches::{AnyFilm, Film, FilmKind, FrameTimes};
use clearance_scene::{FileVector, RunOptions, SceneRunner};
use clearance_world::{BodyId, Velocity, World};

/// How often a film is played, each time in a new world. Of each frame the least time counts.
const PLAYS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    println!("| film | frames | contacts | median | 99th percentile | above three medians | all |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for kind in FilmKind::ALL {
        let name = kind.name();
        let is_chosen = match words[..] {
            [] => kind.is_simulated(),
            _ => words.iter().any(|word| name.contains(word)),
        };
        if is_chosen {
            match kind.record()? {
                AnyFilm::Plane(film) => row(&name, &film)?,
                AnyFilm::Space(film) => row(&name, &film)?,
            }
        }
    }
    Ok(())
}

/// Milliseconds.
fn written(time: Duration) -> String {
    format!("{:.3} ms", time.as_secs_f64() * 1e3)
}

fn row<V: FileVector>(name: &str, film: &Film<V>) -> Result<(), Box<dyn Error>> {
    let (mut times, mut contacts) = (FrameTimes::default(), 0);
    for _ in 0..PLAYS {
        let played = play(film)?;
        times.take_smaller(&played.times);
        contacts = played.contacts;
    }
    println!(
        "| {name} | {} | {} | {} | {} | {} | {} |",
        times.count(),
        contacts / times.count().max(1),
        written(times.median()),
        written(times.quantile(0.99)),
        times.slow_count(),
        written(times.total()),
    );
    Ok(())
}

/// A film that was played.
struct Played {
    times: FrameTimes,
    /// Of all frames together.
    contacts: usize,
}

/// Plays a film from its first to its last frame in a new world. The first frame is not timed,
/// since it builds the trees.
fn play<V: FileVector>(film: &Film<V>) -> Result<Played, Box<dyn Error>> {
    let mut world: World<V> = SceneRunner::new(film.scene(), RunOptions::default())?
        .world()
        .clone();
    let ids: Vec<BodyId> = world.bodies().ids().collect();
    for &id in &ids {
        world.body_mut(id)?.set_velocity(Velocity::default())?;
    }
    let movers: Vec<_> = film
        .movers()
        .iter()
        .map(|&mover| ids[mover as usize])
        .collect();
    let mut played = Played {
        times: FrameTimes::default(),
        contacts: 0,
    };
    for (number, poses) in film.frames().iter().enumerate() {
        let start = Instant::now();
        for (&id, pose) in movers.iter().zip(poses) {
            world.body_mut(id)?.set_pose(*pose)?;
        }
        world.step(0.0)?;
        if number > 0 {
            played.times.push(start.elapsed());
            played.contacts += world.contacts().len();
        }
    }
    Ok(played)
}
