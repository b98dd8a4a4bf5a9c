//! `clearance query`: one answer line for each pair line.

use std::path::PathBuf;

use clearance_scene::{MeshFiles, PairLine};

use crate::failure::{Failure, Verdict};
use crate::input;
use crate::lines::{self, Answered, Line};

const EXAMPLES: &str = "\
Input, one query a line:
  {\"id\": \"t1\", \"dimension\": 2, \"a\": {\"shape\": {\"type\": \"ball\", \"radius\": 1}}, \"b\": {\"shape\": {\"type\": \"cuboid\", \"half_extents\": [1, 1]}, \"pose\": {\"translation\": [3, 0]}}}
Output, one answer a line, in order:
  {\"id\":\"t1\",\"distance\":1.0,\"point_a\":[1.0,0.0],\"point_b\":[2.0,0.0],\"normal\":[1.0,-0.0],\"lower\":0.99999994,\"upper\":1.00000012,\"status\":\"exact\"}
A line that cannot be answered, and one of which not even the id can be read:
  {\"id\":\"t1\",\"error\":\"b.shape.radius: missing\"}
  {\"line\":7,\"error\":\"the line is not UTF-8\"}

`lower` and `upper` are proven bounds of the distance. They are rounded outwards, so that they are
bounds in whatever precision a program reads them.

A line asks for the distance unless its field `ask` names another question:
  distance  `a`, `b`: signed distance, closest points and normal
  contacts  `a`, `b`, `within` (0): all pairs of parts that are not farther apart than `within`
  manifold  `a`, `b`, `within` (0): the points in which two convex shapes touch
  ray       `origin`, `direction`, `max_distance`, `solid` (true), `b`: where a ray hits
  point     `point`, `b`: signed distance and closest point of a shape
  cast      `a`, `b`, `motion_a`, `motion_b` (rest), `within` (0): when two shapes in motion meet

Meshes, polylines, height fields and compounds are made of numbered parts, and the answer names the
part that it found. A mesh can be an OBJ or STL file, whose `path` is relative to the file that holds
the line, or to the current directory for standard input. Each file is read once.

Fields that do not belong to the question are ignored. If such a field has a name from elsewhere in
the formats, such as `margin`, a warning on standard error says so, once for each question.

Examples:
  clearance query pairs.jsonl > answers.jsonl
  clearance query - < pairs.jsonl | jq .distance

Exit code: 0 if every line was answered, 1 if some line was not, 2 if the input is empty or cannot
be read. docs/file-formats.md in the source code describes shapes and poses.";

/// Answer questions about two shapes: signed distance, contacts, manifolds, rays, points and casts.
///
/// A distance above 0 is a gap; below 0 it is minus the penetration depth. The normal points from
/// a to b. Memory use does not grow with the number of lines, only with that of mesh files.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A file of pair lines, or - for standard input
    #[arg(default_value = "-")]
    file: PathBuf,
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Verdict, Failure> {
    let files = input::mesh_files(&arguments.file);
    lines::answer_file(&arguments.file, |line| answer(line, &files))
}

/// What a line of a scene has and a pair line has not.
const BODIES: &[u8] = b"\"bodies\"";
const HINT: &str = "`bodies` is a field of scenes: `clearance run` steps a scene, and `clearance ask` \
                    answers questions to it";

pub(crate) fn answer(line: Line, files: &MeshFiles) -> Answered {
    let mut pair = PairLine::read(line.bytes, files);
    let ignored_fields = core::mem::take(&mut pair.ignored_fields);
    let ask = pair.ask;
    let answer = pair.answer().at_line(line.number);
    let is_refused = answer.is_refused();
    let names_bodies = || line.bytes.windows(BODIES.len()).any(|word| word == BODIES);
    Answered {
        ask,
        ignored_fields,
        is_refused,
        hint: (is_refused && names_bodies()).then_some(HINT),
        text: answer.to_string(),
    }
}
