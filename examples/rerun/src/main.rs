//! Writes 300 frames of a generated scene to a file of the rerun viewer.

mod logger;

use std::error::Error;

use clearance_scene::{RunOptions, SceneKind, SceneRunner, generate};
use logger::WorldLogger;
use rerun::RecordingStreamBuilder;

const FRAMES: u32 = 300;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or("mixed.rrd".to_owned());
    let scene = generate(SceneKind::Mixed, 200, 1)
        .into_space()
        .ok_or("a scene of space was asked for")?;
    let mut runner = SceneRunner::new(&scene, RunOptions::default())?;
    let mut logger = WorldLogger::new(RecordingStreamBuilder::new("clearance").save(path)?);
    for _ in 0..FRAMES {
        runner.step(1.0 / 60.0)?;
        logger.frame(runner.world())?;
    }
    Ok(())
}
