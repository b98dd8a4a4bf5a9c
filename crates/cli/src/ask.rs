//! `clearance ask`: one answer line for each question to a scene.

use std::path::PathBuf;

use clearance_math::Real;
use clearance_scene::{
    AnyScene, FileVector, MeshFiles, RunError, RunOptions, Scene, SceneLine, SceneRunner,
};
use clearance_world::World;

use crate::failure::{Failure, Verdict};
use crate::lines::{self, Answered, Line};
use crate::number::{any_whole, seconds};
use crate::{input, progress};

const EXAMPLES: &str = "\
Input, one question a line:
  {\"id\": \"sight\", \"ask\": \"ray\", \"origin\": [0, 2, 0], \"direction\": [1, 0, 0], \"max_distance\": 50}
Output, one answer a line, in order; a ray that hits nothing has no hits:
  {\"id\":\"sight\",\"hits\":[{\"body\":17,\"distance\":4.5,\"point\":[4.5,2.0,0.0],\"normal\":[-1.0,0.0,0.0],\"lower\":4.4999995,\"upper\":4.5000005,\"status\":\"exact\",\"part_b\":0}]}
A line that cannot be answered:
  {\"id\":\"sight\",\"error\":\"direction: is zero, must have a length\"}

`body` is the number of a body: its place in the scene, counted from 0. Each line names its question:
  ray      `origin`, `direction`, `max_distance`, `solid` (true), `all` (false): the first body that a
           ray hits, or all of them, sorted by distance, then by body
  cast     `a`, `motion_a`, `within` (0), `all` (false): the first body that a shape in motion
           meets, or all of them, sorted by time, then by body
  point    `point`, `within` (0): the bodies within a distance of a point, sorted by body
  overlap  `a`, `within` (0): the bodies within a distance of a placed shape, sorted by body
  nearest  `point` or `a`, `count` (1), `within`: the bodies nearest to a point or a placed shape,
           sorted by distance, then by body

Every question takes `groups`, as those of a body, and `exclude`, a list of bodies that are passed
over. An answer is that of asking each body alone, to the last bit. Other fields are ignored; if
such a field has a name from elsewhere in the formats, a warning on standard error says so.

Examples:
  clearance ask scene.json questions.jsonl > answers.jsonl
  clearance ask scene.json questions.jsonl --frame 60
  clearance generate level --count 5000 > level.json
  echo '{\"ask\": \"nearest\", \"point\": [0, 0, 0], \"count\": 3}' | clearance ask level.json | jq '.hits[].body'

Exit code: 0 if every line was answered, 1 if some line was not, 2 if there are no questions, or
the scene or the questions cannot be read. docs/file-formats.md in the source code describes scenes and questions.";

/// Answer questions to a scene: rays, bodies near a point or a shape, nearest bodies.
///
/// The questions are about all bodies of the scene at the end of a frame.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A scene file, or - for standard input
    scene: PathBuf,
    /// A file of questions, or - for standard input
    #[arg(default_value = "-")]
    questions: PathBuf,
    /// The frame at whose end the questions are asked; 0 is the scene as it is written
    #[arg(long, value_name = "N", default_value = "0", allow_hyphen_values = true, value_parser = any_whole)]
    frame: u64,
    /// Length of a frame in seconds [default: 1/60]
    #[arg(long, value_name = "S", default_value_t = 1.0 / 60.0, hide_default_value = true, allow_hyphen_values = true, value_parser = seconds)]
    dt: Real,
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Verdict, Failure> {
    if input::is_standard(&arguments.scene) && input::is_standard(&arguments.questions) {
        return Err(Failure::InputTwice);
    }
    match &input::valid_scene(&arguments.scene)? {
        AnyScene::Plane(scene) => answer_all(scene, arguments),
        AnyScene::Space(scene) => answer_all(scene, arguments),
    }
}

fn answer_all<V: FileVector>(scene: &Scene<V>, arguments: &Arguments) -> Result<Verdict, Failure> {
    let runner = runner_at(scene, arguments)?;
    let files = input::mesh_files(&arguments.questions);
    lines::answer_file(&arguments.questions, |line| {
        answer(line, runner.world(), &files)
    })
}

/// The scene at the end of the frame.
fn runner_at<V: FileVector>(
    scene: &Scene<V>,
    arguments: &Arguments,
) -> Result<SceneRunner<V>, RunError> {
    let mut runner = SceneRunner::new(scene, RunOptions::default())?;
    if arguments.frame == 0 {
        // Moves nothing, but sorts the bodies into a tree, without which every question would look
        // at all of them.
        runner.world_mut().step(0.0)?;
    }
    let bar = progress::of_frames(arguments.frame);
    for _ in 0..arguments.frame {
        runner.step(arguments.dt)?;
        bar.inc(1);
    }
    Ok(runner)
}

fn answer<V: FileVector>(line: Line, world: &World<V>, files: &MeshFiles) -> Answered {
    let mut asked = SceneLine::read(line.bytes, files, world.len());
    let ignored_fields = core::mem::take(&mut asked.ignored_fields);
    let ask = asked.ask;
    let answer = asked.answer(world).at_line(line.number);
    Answered {
        ask,
        ignored_fields,
        hint: None,
        is_refused: answer.is_refused(),
        text: answer.to_string(),
    }
}
