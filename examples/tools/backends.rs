//! Three broad phases on the same scenes: they differ in speed, but report the same contacts.

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::error::Error;
use std::time::Instant;

use clearance::Backend;
use clearance_scene::{AnyScene, FileVector, RunOptions, Scene, SceneKind, SceneRunner, generate};

const FRAMES: usize = 20;
const BACKENDS: [Backend; 3] = [Backend::Bvh, Backend::RTree, Backend::BruteForce];

fn main() -> Result<(), Box<dyn Error>> {
    println!("scene     backend        pairs  contacts  milliseconds a frame");
    for kind in [SceneKind::Mixed, SceneKind::City, SceneKind::Pile2] {
        match generate(kind, 1000, 1) {
            AnyScene::Plane(scene) => compare(kind, &scene)?,
            AnyScene::Space(scene) => compare(kind, &scene)?,
        }
    }
    Ok(())
}

/// Steps the scene on each backend, side by side.
fn compare<V: FileVector>(kind: SceneKind, scene: &Scene<V>) -> Result<(), Box<dyn Error>> {
    let mut runners = Vec::new();
    for backend in BACKENDS {
        let options = RunOptions {
            backend,
            threads: 1,
        };
        runners.push((SceneRunner::new(scene, options)?, 0.0));
    }
    for _ in 0..FRAMES {
        for (runner, seconds) in &mut runners {
            let start = Instant::now();
            runner.step(1.0 / 60.0)?;
            *seconds += start.elapsed().as_secs_f64();
        }
        let first = runners[0].0.world();
        for (runner, _) in &runners[1..] {
            let world = runner.world();
            assert_eq!(world.profile().candidates, first.profile().candidates);
            assert_eq!(world.contacts(), first.contacts());
        }
    }
    for (runner, seconds) in &runners {
        let world = runner.world();
        println!(
            "{:<9} {:<10} {:>9} {:>9} {:>11.3}",
            kind.name(),
            format!("{:?}", world.options().backend),
            world.profile().candidates,
            world.contacts().len(),
            seconds * 1e3 / FRAMES as f64,
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn holds_what_it_says() -> Result<(), Box<dyn std::error::Error>> {
        super::main()
    }
}
