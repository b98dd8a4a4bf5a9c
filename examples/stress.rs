//! 10,000 moving bodies of every convex kind, and where the time of a frame goes.
//!
//! ```text
//! cargo run --release --example stress -- --kind hulls --count 20000 --threads 2
//! ```

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::error::Error;

use clap::Parser;
use clearance_scene::{
    AnyScene, FileVector, Recorder, Report, RunOptions, Scene, SceneKind, SceneRunner, generate,
};

/// Steps a made-up scene and prints what a frame costs.
#[derive(Parser)]
struct Arguments {
    /// balls, mixed, hulls, pile, sparse, sizes, city, terrain, level, assembly, voxels, balls2, mixed2, pile2 or tiles2
    #[arg(long, default_value_t = SceneKind::Mixed)]
    kind: SceneKind,
    /// How many bodies
    #[arg(long, default_value_t = 10_000)]
    count: usize,
    /// How many frames of a 60th of a second
    #[arg(long, default_value_t = 120)]
    frames: usize,
    /// How many threads a step uses
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let Arguments {
        kind,
        count,
        threads,
        ..
    } = arguments;
    println!(
        "{kind}: {}; {count} bodies on {threads} thread(s)\n",
        kind.summary()
    );
    println!("{}", stress(&arguments)?);
    Ok(())
}

fn stress(arguments: &Arguments) -> Result<Report, Box<dyn Error>> {
    match generate(arguments.kind, arguments.count, 1) {
        AnyScene::Plane(scene) => step_all(&scene, arguments),
        AnyScene::Space(scene) => step_all(&scene, arguments),
    }
}

fn step_all<V: FileVector>(
    scene: &Scene<V>,
    arguments: &Arguments,
) -> Result<Report, Box<dyn Error>> {
    let options = RunOptions {
        threads: arguments.threads,
        ..RunOptions::default()
    };
    let mut runner = SceneRunner::new(scene, options)?;
    runner.set_profiling(true);
    let mut recorder = Recorder::default();
    for _ in 0..arguments.frames {
        runner.step(1.0 / 60.0)?;
        recorder.record(&runner);
    }
    Ok(recorder.report(&runner))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_runs_and_has_contacts() -> Result<(), Box<dyn Error>> {
        for kind in SceneKind::ALL {
            let arguments = Arguments {
                kind,
                count: 300,
                frames: 10,
                threads: 1,
            };
            let report = stress(&arguments)?;
            assert_eq!((report.bodies, report.frames), (300, 10));
            assert!(report.bytes_per_body > 0);
            let expects_contacts = !matches!(kind, SceneKind::Sparse | SceneKind::City);
            assert!(
                !expects_contacts || report.contacts.median > 100,
                "{kind}\n{report}"
            );
        }
        Ok(())
    }
}
