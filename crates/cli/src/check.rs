//! `clearance check`: what is wrong with a scene: the first mistake of each shape and of each field of a body.

use std::io::{self, Write};
use std::path::PathBuf;

use clearance_scene::{AnyScene, FileVector, Problems, Scene};

use crate::failure::{Failure, Verdict};
use crate::{input, output};

const EXAMPLES: &str = "\
Examples:
  clearance check scene.json
    scene.json:12: bodies[3].shape.half_extents[1]: is -1, must be finite and > 0
  clearance generate city --count 1000 | clearance check -

Exit code: 0 if the scene is valid, 1 if it is not, 2 if it cannot be read.
docs/file-formats.md in the source code describes the format.";

/// Check a scene file and list the first mistake of each shape and of each field of a body, with its line and path.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A scene file, or - for standard input
    scene: PathBuf,
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Verdict, Failure> {
    let name = input::name_of(&arguments.scene);
    let result = input::scene(&arguments.scene)?;
    match write_result(&name, &result, output::standard()) {
        Ok(()) if result.is_ok() => Ok(Verdict::Fine),
        Ok(()) => Ok(Verdict::Flawed),
        Err(error) => Failure::of_output(error),
    }
}

fn write_result(
    name: &str,
    result: &Result<AnyScene, Problems>,
    mut out: impl Write,
) -> io::Result<()> {
    match result {
        Ok(scene) => writeln!(out, "{name}: valid, {}", summary(scene))?,
        Err(problems) => {
            for problem in problems.list() {
                writeln!(out, "{name}:{}: {problem}", problem.line)?;
            }
        }
    }
    out.flush()
}

fn summary(scene: &AnyScene) -> String {
    match scene {
        AnyScene::Plane(scene) => counts(scene),
        AnyScene::Space(scene) => counts(scene),
    }
}

fn counts<V: FileVector>(scene: &Scene<V>) -> String {
    let (bodies, shapes) = (scene.bodies.len(), scene.shapes.len());
    format!("{}D, {bodies} bodies, {shapes} named shapes", V::DIM)
}
