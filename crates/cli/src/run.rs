//! `clearance run`: steps a scene and reports what the frames cost.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use clap::ValueEnum;
use clearance_math::Real;
use clearance_scene::{
    AnyScene, FileVector, Recorder, Report, RunError, RunOptions, Scene, SceneRunner,
};
use clearance_world::{Backend, MAX_THREADS};

use crate::failure::{Failure, Verdict};
use crate::hashes::HashLines;
use crate::interrupt::stop_on_interrupt;
use crate::number::{any_whole, seconds, whole};
use crate::output_file::OutputFile;
use crate::run_outputs::{RecordingFile, RunOutputs};
use crate::{input, output, progress};

const EXAMPLES: &str = "\
Examples:
  clearance run scene.json
  clearance run scene.json --frames 1000 --dt 0.01 --threads 4
  clearance run scene.json --frames 60 --contacts contacts.jsonl --backend brute
  clearance run scene.json --frames 60 --contacts - | jq '.contacts | length'
  clearance run scene.json --frames 600 --record run.clrec
  clearance generate mixed --count 10000 | clearance run - --json | jq .frames_per_second

--contacts writes one line of JSON a frame:
  {\"frame\":1,\"contacts\":[{\"a\":0,\"b\":7,\"distance\":0.01,\"point_a\":[...],...}]}
where a < b are the numbers of the bodies in the scene, counted from 0. With `--contacts -` the
contacts go to standard output and the table goes to standard error. The times in the table do not
include the writing.

--record writes what the world was given, and a hash of the contacts of each frame: a few bytes a
body, or none for bodies that rest or move by their velocities. `clearance replay` computes the
frames again and says whether the contacts are the same. With `--record -` the recording goes to
standard output and the table goes to standard error.

--hash prints one line a frame instead of the table: the number of the frame, counted from 1, and
a 64-bit hash of its contacts, in hexadecimal. Contacts do not depend on the backend or on the
number of threads, down to the last bit. To verify that, or to compare two machines:
  clearance run scene.json --hash --threads 4 | sha256sum

Percentiles are accurate to a ten-thousandth.

Exit code: 0 if the run ended by itself, 2 if it failed, 130 if Ctrl-C ended it.
docs/file-formats.md in the source code describes scenes and contacts.";

/// Step a scene frame by frame and print what the frames cost.
///
/// Ctrl-C ends the run early; the table then covers the frames so far, and the exit code is 130.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A scene file, or - for standard input
    scene: PathBuf,
    /// Number of frames to step
    #[arg(long, value_name = "N", default_value = "300", allow_hyphen_values = true, value_parser = any_whole)]
    frames: u64,
    /// Length of a frame in seconds [default: 1/60]
    #[arg(long, value_name = "S", default_value_t = 1.0 / 60.0, hide_default_value = true, allow_hyphen_values = true, value_parser = seconds)]
    dt: Real,
    #[command(flatten)]
    stepping: Stepping,
    /// Write all contacts to this file, or to standard output if it is -
    #[arg(long, value_name = "FILE")]
    contacts: Option<PathBuf>,
    /// Write a recording to this file, or to standard output if it is -
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Print a hash of the contacts of each frame instead of the table
    #[arg(long)]
    hash: bool,
    /// Print JSON: the table with times in milliseconds, or with --hash one object a frame
    #[arg(long)]
    json: bool,
}

/// How worlds are stepped, which does not change what is found.
#[derive(clap::Args)]
pub(crate) struct Stepping {
    /// Broad phase that finds the pairs of overlapping bounding boxes
    #[arg(long, value_name = "NAME", default_value = "bvh")]
    pub(crate) backend: BackendName,
    /// Number of threads that a step uses
    #[arg(long, value_name = "N", default_value = "1", allow_hyphen_values = true, value_parser = threads)]
    pub(crate) threads: u64,
}

impl Stepping {
    pub(crate) fn run_options(&self) -> RunOptions {
        RunOptions {
            backend: self.backend.into(),
            threads: self.threads as usize,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum BackendName {
    /// Bounding volume hierarchy, the fastest
    Bvh,
    /// R-tree
    Rtree,
    /// Every box against every other
    Brute,
}

impl From<BackendName> for Backend {
    fn from(name: BackendName) -> Self {
        match name {
            BackendName::Bvh => Self::Bvh,
            BackendName::Rtree => Self::RTree,
            BackendName::Brute => Self::BruteForce,
        }
    }
}

fn threads(word: &str) -> Result<u64, String> {
    whole(word, 1..=MAX_THREADS as u64)
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Verdict, Failure> {
    arguments.check_outputs()?;
    match &input::valid_scene(&arguments.scene)? {
        AnyScene::Plane(scene) => step_all(scene, arguments),
        AnyScene::Space(scene) => step_all(scene, arguments),
    }
}

impl Arguments {
    /// What goes to standard output instead of the table, or beside the hashes.
    fn on_standard_output(&self) -> impl Iterator<Item = &'static str> {
        let is_standard = |path: &Option<PathBuf>| path.as_deref().is_some_and(input::is_standard);
        let outputs = [
            (is_standard(&self.contacts), "contacts"),
            (is_standard(&self.record), "a recording"),
        ];
        outputs
            .into_iter()
            .filter_map(|(is_standard, what)| is_standard.then_some(what))
    }

    fn check_outputs(&self) -> Result<(), Failure> {
        let hashes = self.hash.then_some("hashes");
        let mut outputs = hashes.into_iter().chain(self.on_standard_output());
        if let (Some(first), Some(second)) = (outputs.next(), outputs.next()) {
            return Err(Failure::OutputTwice { first, second });
        }
        match &self.record {
            Some(path) if self.record == self.contacts => {
                let name = path.display().to_string();
                Err(Failure::SameOutput { name })
            }
            _ => Ok(()),
        }
    }

    fn outputs<V: FileVector>(&self) -> Result<RunOutputs<'_, V>, Failure> {
        let contacts = self.contacts.as_deref();
        let contacts = contacts.map(|path| OutputFile::create(path, &self.scene));
        let recording = self.record.as_deref();
        let recording = recording.map(|path| RecordingFile::create(path, &self.scene));
        Ok(RunOutputs {
            contacts: contacts.transpose()?,
            recording: recording.transpose()?,
            hashes: self.hash.then(|| HashLines::new(self.json)),
        })
    }
}

fn step_all<V: FileVector>(scene: &Scene<V>, arguments: &Arguments) -> Result<Verdict, Failure> {
    let mut runner = SceneRunner::new(scene, arguments.stepping.run_options())?;
    runner.set_profiling(true);
    let mut outputs = arguments.outputs()?;
    let stop = stop_on_interrupt()?;
    let bar = progress::of_frames(arguments.frames);
    let mut recorder = Recorder::default();
    let mut verdict = Verdict::Fine;
    for frame in 1..=arguments.frames {
        if stop.load(Ordering::Relaxed) {
            verdict = Verdict::Interrupted;
            break;
        }
        runner.step(arguments.dt).map_err(RunError::World)?;
        recorder.record(&runner);
        if let ControlFlow::Break(end) = outputs.write(frame, runner.world()) {
            return end;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if let ControlFlow::Break(end) = outputs.finish() {
        return end;
    }
    let printed = match outputs.hashes {
        Some(lines) => lines.finish(),
        None => print_report(&recorder.report(&runner), arguments),
    };
    printed.map_or_else(Failure::of_output, |()| Ok(verdict))
}

fn print_report(report: &Report, arguments: &Arguments) -> io::Result<()> {
    if arguments.on_standard_output().next().is_some() {
        // What was asked for is written; a table that nobody reads is not missed.
        let _ = write_report(report, arguments.json, io::stderr());
        return Ok(());
    }
    write_report(report, arguments.json, output::standard())
}

fn write_report(report: &Report, as_json: bool, mut out: impl Write) -> io::Result<()> {
    if as_json {
        serde_json::to_writer(&mut out, report)?;
        writeln!(out)?;
    } else {
        writeln!(out, "{report}")?;
    }
    out.flush()
}
