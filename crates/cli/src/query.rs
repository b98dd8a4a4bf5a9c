//! `clearance query`: one answer line for each pair line.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;

use clearance_scene::{MeshFiles, PairLine};

use crate::failure::Failure;
use crate::{Verdict, input, output};

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
  ray       `origin`, `direction`, `max_distance`, `solid` (true), `b`: where a ray hits
  point     `point`, `b`: signed distance and closest point of a shape

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

/// Answer questions about two shapes: signed distance, contacts, rays and points.
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
    let input = input::open(&arguments.file)?;
    let files = input::mesh_files(&arguments.file);
    let streams = Streams {
        input,
        output: output::standard(),
        warnings: io::stderr(),
    };
    match answer_all(streams, &files) {
        Ok(verdict) => Ok(verdict),
        Err(Stopped::Empty) => Err(Failure::Empty {
            name: input::name_of(&arguments.file),
        }),
        Err(Stopped::Input(error)) => Err(input::unreadable(&arguments.file, error)),
        Err(Stopped::Output(error)) => Failure::of_output(error),
    }
}

/// Why not all lines were answered.
#[derive(Debug)]
enum Stopped {
    Empty,
    Input(io::Error),
    Output(io::Error),
}

/// Where lines come from, and where answers and warnings go.
struct Streams<I, O, W> {
    input: I,
    output: O,
    warnings: W,
}

/// Answers line by line; a line ends at a line feed or at the end of the input, and may be empty.
fn answer_all<I: Read, O: Write, W: Write>(
    streams: Streams<I, O, W>,
    files: &MeshFiles,
) -> Result<Verdict, Stopped> {
    let mut input = BufReader::with_capacity(1 << 16, streams.input);
    let mut output = streams.output;
    let mut warnings = Warnings::new(streams.warnings);
    let mut verdict = Verdict::Fine;
    let mut line = Vec::new();
    let mut number = 0;
    loop {
        // A program that waits for an answer before it writes the next line must get it.
        if input.buffer().is_empty() {
            output.flush().map_err(Stopped::Output)?;
        }
        line.clear();
        let length = input.read_until(b'\n', &mut line).map_err(Stopped::Input)?;
        if length == 0 {
            break;
        }
        number += 1;
        let pair = PairLine::read(&line, files);
        for field in &pair.ignored_fields {
            warnings.ignored(field, pair.ask, number);
        }
        let answer = pair.answer().at_line(number);
        if answer.is_refused() {
            verdict = Verdict::Flawed;
        }
        writeln!(output, "{answer}").map_err(Stopped::Output)?;
    }
    if number == 0 {
        return Err(Stopped::Empty);
    }
    Ok(verdict)
}

/// Warnings about fields without effect, one for each name and question.
struct Warnings<W> {
    out: W,
    named: BTreeSet<(&'static str, String)>,
}

impl<W: Write> Warnings<W> {
    fn new(out: W) -> Self {
        Self {
            out,
            named: BTreeSet::new(),
        }
    }

    fn ignored(&mut self, field: &str, ask: &'static str, line: u64) {
        if self.named.insert((ask, field.to_owned())) {
            // The answers matter more than a warning that cannot be written.
            let _ = writeln!(
                self.out,
                "clearance: warning: line {line}: the field {field:?} has no effect on the question \
                 {ask:?} and is ignored, here and in later lines that ask it"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Answered {
        lines: Vec<String>,
        warnings: String,
        verdict: Verdict,
    }

    fn answers(input: &[u8]) -> Answered {
        let (mut output, mut warnings) = (Vec::new(), Vec::new());
        let streams = Streams {
            input,
            output: &mut output,
            warnings: &mut warnings,
        };
        let verdict = answer_all(streams, &MeshFiles::none()).unwrap();
        let text = String::from_utf8(output).unwrap();
        Answered {
            lines: text.lines().map(str::to_owned).collect(),
            warnings: String::from_utf8(warnings).unwrap(),
            verdict,
        }
    }

    #[test]
    fn every_line_gets_its_line() {
        let Answered { lines, verdict, .. } = answers(b"{\"id\":\"a\"}\r\n\n\xff\n{\"id\":7");
        assert_eq!((verdict, lines.len()), (Verdict::Flawed, 4));
        assert_eq!(lines[0], r#"{"id":"a","error":"dimension: missing"}"#);
        assert_eq!(
            lines[1],
            r#"{"line":2,"error":"empty, must be an object (column 1)"}"#
        );
        assert_eq!(lines[2], r#"{"line":3,"error":"the line is not UTF-8"}"#);
        assert!(lines[3].starts_with(r#"{"id":7,"error":"#), "{}", lines[3]);
    }

    #[test]
    fn input_without_lines_is_empty() {
        let streams = Streams {
            input: &b""[..],
            output: Vec::new(),
            warnings: Vec::new(),
        };
        let ended = answer_all(streams, &MeshFiles::none());
        assert!(matches!(ended, Err(Stopped::Empty)));
    }

    #[test]
    fn each_ignored_field_is_named_once() {
        let line = br#"{"within": 1, "note": 2, "Margin": 3, "mine": 4, "ID": 5}
{"within": 1, "kind": 6}
{"ask": "contacts", "within": 1, "kind": 7}
"#;
        let warnings = answers(line).warnings;
        let names: Vec<&str> = warnings
            .lines()
            .map(|line| line.split('"').nth(1).unwrap())
            .collect();
        assert_eq!(names, ["within", "Margin", "ID", "kind", "kind"]);
        assert!(warnings.lines().last().unwrap().contains("line 3"));
    }
}
