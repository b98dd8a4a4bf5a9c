//! `clearance query`: one answer line for each pair line.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;

use clearance_scene::answer_line;

use crate::failure::Failure;
use crate::{Verdict, input, output};

const EXAMPLES: &str = "\
Input, one query a line:
  {\"id\": \"t1\", \"dimension\": 2, \"a\": {\"shape\": {\"type\": \"ball\", \"radius\": 1}},
   \"b\": {\"shape\": {\"type\": \"cuboid\", \"half_extents\": [1, 1]}, \"pose\": {\"translation\": [3, 0]}}}
Output, one answer a line, in order:
  {\"id\":\"t1\",\"distance\":1.0,\"point_a\":[1.0,0.0],\"point_b\":[2.0,0.0],\"normal\":[1.0,0.0],...}
A line that cannot be answered:
  {\"id\":\"t1\",\"error\":\"b.shape.radius: missing\"}

Examples:
  clearance query pairs.jsonl > answers.jsonl
  generate-pairs | clearance query | jq .distance

Exit code: 0 if every line was answered, 1 if some line was not, 2 if there was nothing to read.";

/// Answer pair lines: signed distance, closest points and normal of two shapes.
///
/// A distance above 0 is a gap; below 0 it is minus the penetration depth. The normal points from
/// a to b. Memory does not grow with the number of lines.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A file of pair lines, or - for standard input
    #[arg(default_value = "-")]
    file: PathBuf,
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Verdict, Failure> {
    let input = input::open(&arguments.file)?;
    match answer_all(input, output::standard()) {
        Ok(verdict) => Ok(verdict),
        Err(Broken::Input(error)) => Err(input::unreadable(&arguments.file, error)),
        Err(Broken::Output(error)) => Failure::of_output(error),
    }
}

#[derive(Debug)]
enum Broken {
    Input(io::Error),
    Output(io::Error),
}

/// Answers line by line; a line is what stands before a line feed or the end, empty ones included.
fn answer_all(input: impl Read, mut output: impl Write) -> Result<Verdict, Broken> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut verdict = Verdict::Fine;
    let mut line = Vec::new();
    loop {
        // Whoever waits for an answer before writing the next line must get it.
        if input.buffer().is_empty() {
            output.flush().map_err(Broken::Output)?;
        }
        line.clear();
        let length = input.read_until(b'\n', &mut line).map_err(Broken::Input)?;
        if length == 0 {
            return Ok(verdict);
        }
        let answer = answer_line(&line);
        if answer.is_refused() {
            verdict = Verdict::Flawed;
        }
        writeln!(output, "{answer}").map_err(Broken::Output)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(input: &[u8]) -> (String, Verdict) {
        let mut output = Vec::new();
        let verdict = answer_all(input, &mut output).unwrap();
        (String::from_utf8(output).unwrap(), verdict)
    }

    #[test]
    fn every_line_gets_its_line() {
        let (text, verdict) = answers(b"{\"id\":\"a\"}\r\n\n\xff\n{\"id\":7");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(verdict, Verdict::Flawed);
        assert_eq!(lines.len(), 4);
        assert_eq!(lines[0], r#"{"id":"a","error":"dimension: missing"}"#);
        assert_eq!(
            lines[1],
            r#"{"error":"empty, must be an object (column 1)"}"#
        );
        assert_eq!(lines[2], r#"{"error":"the line is not UTF-8"}"#);
        assert!(lines[3].starts_with(r#"{"id":7,"error":"#), "{}", lines[3]);
        assert_eq!(answers(b""), (String::new(), Verdict::Fine));
    }
}
