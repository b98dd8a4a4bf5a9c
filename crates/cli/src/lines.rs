//! Questions answered line by line, from a file or standard input to standard output.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use indicatif::ProgressBar;

use crate::failure::{Failure, Verdict};
use crate::{input, output, progress};

/// A line of the input.
pub(crate) struct Line<'l> {
    /// The line with its end.
    pub(crate) bytes: &'l [u8],
    /// Counted from 1.
    pub(crate) number: u64,
}

/// A line that was answered or refused.
pub(crate) struct Answered {
    /// The name of its question.
    pub(crate) ask: &'static str,
    /// Fields without effect on this question that have one elsewhere.
    pub(crate) ignored_fields: Vec<String>,
    pub(crate) is_refused: bool,
    /// What was perhaps meant by a line that was refused; said once, at the end.
    pub(crate) hint: Option<&'static str>,
    /// The answer without the end of its line.
    pub(crate) text: String,
}

/// Answers the lines of the file at `path`.
pub(crate) fn answer_file(
    path: &Path,
    answer: impl FnMut(Line) -> Answered,
) -> Result<Verdict, Failure> {
    let streams = Streams {
        progress: progress::of_answers(input::length(path)),
        input: input::open(path)?,
        output: output::standard(),
        warnings: io::stderr(),
    };
    match answer_all(streams, answer) {
        Ok(verdict) => Ok(verdict),
        Err(Stopped::Empty) => Err(Failure::Empty {
            name: input::name_of(path),
        }),
        Err(Stopped::Input(error)) => Err(input::unreadable(path, error)),
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
    /// Counts the bytes of the input.
    progress: ProgressBar,
}

/// Answers line by line; a line ends at a line feed or at the end of the input, and may be empty.
fn answer_all<I: Read, O: Write, W: Write>(
    streams: Streams<I, O, W>,
    mut answer: impl FnMut(Line) -> Answered,
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
        let answered = answer(Line {
            bytes: &line,
            number,
        });
        streams.progress.inc(length as u64);
        streams
            .progress
            .suspend(|| warnings.all_of(&answered, number));
        if answered.is_refused {
            verdict = Verdict::Flawed;
        }
        writeln!(output, "{}", answered.text).map_err(Stopped::Output)?;
    }
    output.flush().map_err(Stopped::Output)?;
    warnings.say_hints();
    if number == 0 {
        return Err(Stopped::Empty);
    }
    Ok(verdict)
}

/// Warnings about fields without effect, one for each name and question, and hints.
struct Warnings<W> {
    out: W,
    named: BTreeSet<(&'static str, String)>,
    /// With the first line that gave one.
    hints: BTreeMap<&'static str, u64>,
}

impl<W: Write> Warnings<W> {
    fn new(out: W) -> Self {
        Self {
            out,
            named: BTreeSet::new(),
            hints: BTreeMap::new(),
        }
    }

    fn all_of(&mut self, answered: &Answered, line: u64) {
        for field in &answered.ignored_fields {
            self.ignored(field, answered.ask, line);
        }
        if let Some(hint) = answered.hint {
            self.hints.entry(hint).or_insert(line);
        }
    }

    /// Hints come last, where a person looks who has seen many answers go by.
    fn say_hints(&mut self) {
        for (hint, line) in &self.hints {
            let _ = writeln!(self.out, "clearance: line {line}: {hint}");
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
mod tests;
