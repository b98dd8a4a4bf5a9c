//! `clearance run`: steps a scene and says what it cost.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::ValueEnum;
use clearance_math::Real;
use clearance_scene::{
    AnyScene, ContactLine, FileVector, Recorder, Report, RunError, RunOptions, Scene, SceneRunner,
};
use clearance_world::Backend;
use indicatif::{ProgressBar, ProgressStyle};

use crate::failure::Failure;
use crate::{Verdict, input, output};

const EXAMPLES: &str = "\
Examples:
  clearance run scene.json
  clearance run scene.json --frames 1000 --dt 0.01 --threads 4
  clearance run scene.json --frames 60 --contacts contacts.jsonl --backend brute
  clearance generate mixed --count 10000 | clearance run - --json | jq .frames_per_second

--contacts writes one line a frame:
  {\"frame\":1,\"contacts\":[{\"a\":0,\"b\":7,\"distance\":0.01,\"point_a\":[...],...}]}
where a < b are the numbers of the bodies in the scene, counted from 0.
The time of writing them is not part of the table. Contacts depend neither on the backend nor on
the number of threads: see for yourself, or compare two machines, by
  clearance run scene.json --hash --threads 4 | sha256sum

--hash prints, instead of the table, one line a frame: its number, counted from 1, and a hash of
64 bits, in hexadecimal digits, of every bit of its contacts.";

/// Step a scene frame by frame and print what it cost.
///
/// Ctrl-C stops the run and prints the table of the frames so far.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A scene file, or - for standard input
    scene: PathBuf,
    /// How many frames to step
    #[arg(long, value_name = "N", default_value_t = 300)]
    frames: u64,
    /// Seconds a frame
    #[arg(long, value_name = "S", default_value_t = 1.0 / 60.0, value_parser = seconds)]
    dt: Real,
    /// What finds the pairs whose boxes overlap
    #[arg(long, value_name = "NAME", default_value = "bvh")]
    backend: BackendName,
    /// How many threads a step uses
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads)]
    threads: usize,
    /// Write all contacts to this file, one line of JSON a frame
    #[arg(long, value_name = "FILE")]
    contacts: Option<PathBuf>,
    /// Print a hash of the contacts of each frame instead of the table
    #[arg(long)]
    hash: bool,
    /// Print JSON: the table, times in milliseconds; with --hash one object a frame
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum BackendName {
    /// A bounding volume hierarchy, the fastest
    Bvh,
    /// An R-tree
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

fn seconds(word: &str) -> Result<Real, String> {
    match word.parse::<Real>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
        _ => Err("must be a number of seconds >= 0, such as 0.01".to_owned()),
    }
}

fn threads(word: &str) -> Result<usize, String> {
    const MOST: usize = 1024;
    match word.parse::<usize>() {
        Ok(value) if (1..=MOST).contains(&value) => Ok(value),
        _ => Err(format!("must be a number from 1 to {MOST}")),
    }
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Verdict, Failure> {
    let scene = input::scene(&arguments.scene)?.map_err(|problems| Failure::Scene {
        name: input::name_of(&arguments.scene),
        first: problems.list()[0].to_string(),
        count: problems.list().len(),
    })?;
    let report = match &scene {
        AnyScene::Plane(scene) => step_all(scene, arguments)?,
        AnyScene::Space(scene) => step_all(scene, arguments)?,
    };
    let printed = match report {
        Ran::Measured(report) => write_report(&report, arguments.json, output::standard()),
        Ran::Hashed(printed) => printed,
    };
    match printed {
        Ok(()) => Ok(Verdict::Fine),
        Err(error) => Failure::of_output(error),
    }
}

/// What a run leaves to be done.
enum Ran {
    /// A table to be printed.
    Measured(Report),
    /// Nothing: the hashes were printed, or could not be.
    Hashed(io::Result<()>),
}

fn step_all<V: FileVector>(scene: &Scene<V>, arguments: &Arguments) -> Result<Ran, Failure> {
    let options = RunOptions {
        backend: arguments.backend.into(),
        threads: arguments.threads,
    };
    let mut runner = SceneRunner::new(scene, options)?;
    runner.set_profiling(true);
    let path = arguments.contacts.as_deref();
    let mut contacts = path.map(ContactFile::create).transpose()?;
    let stop = stop_on_interrupt()?;
    let bar = progress_bar(arguments.frames);
    let mut recorder = Recorder::default();
    let mut hashes = arguments.hash.then(|| HashLines::new(arguments.json));
    for frame in 1..=arguments.frames {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        runner.step(arguments.dt).map_err(RunError::World)?;
        recorder.record(&runner);
        if let Some(file) = &mut contacts {
            let world = runner.world();
            file.write(&ContactLine { frame, world })?;
        }
        if let Some(lines) = &mut hashes {
            lines.write(frame, runner.world().contacts_hash());
            if lines.written.is_err() && contacts.is_none() {
                break;
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if let Some(file) = contacts {
        file.finish()?;
    }
    Ok(match hashes {
        Some(lines) => Ran::Hashed(lines.finish()),
        None => Ran::Measured(recorder.report(&runner)),
    })
}

/// The hashes of the contacts, a line a frame, on standard output.
struct HashLines {
    out: Box<dyn Write>,
    as_json: bool,
    /// The first error in writing. The run goes on after it if it writes a file of contacts, too.
    written: io::Result<()>,
}

impl HashLines {
    fn new(as_json: bool) -> Self {
        Self {
            out: Box::new(output::standard()),
            as_json,
            written: Ok(()),
        }
    }

    /// A number of 64 bits does not survive every reader of JSON: there it is a text, too.
    fn write(&mut self, frame: u64, hash: u64) {
        if self.written.is_ok() {
            self.written = self.write_line(frame, hash);
        }
    }

    fn finish(mut self) -> io::Result<()> {
        self.written?;
        self.out.flush()
    }

    fn write_line(&mut self, frame: u64, hash: u64) -> io::Result<()> {
        if self.as_json {
            writeln!(self.out, "{{\"frame\":{frame},\"hash\":\"{hash:016x}\"}}")
        } else {
            writeln!(self.out, "{frame} {hash:016x}")
        }
    }
}

/// A flag that Ctrl-C sets. Who presses it again cannot wait for the end of the frame.
fn stop_on_interrupt() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })?;
    Ok(stop)
}

/// Drawn on a terminal only.
fn progress_bar(frames: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} frames, {eta} left");
    ProgressBar::new(frames).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
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

/// The file that contacts are written to.
struct ContactFile<'p> {
    path: &'p Path,
    out: BufWriter<File>,
}

impl<'p> ContactFile<'p> {
    fn create(path: &'p Path) -> Result<Self, Failure> {
        let file = File::create(path).map_err(|error| Failure::write(path, error))?;
        let out = BufWriter::with_capacity(1 << 16, file);
        Ok(Self { path, out })
    }

    fn write<V: FileVector>(&mut self, line: &ContactLine<V>) -> Result<(), Failure> {
        serde_json::to_writer(&mut self.out, line)
            .map_err(io::Error::from)
            .and_then(|()| self.out.write_all(b"\n"))
            .map_err(|error| Failure::write(self.path, error))
    }

    fn finish(mut self) -> Result<(), Failure> {
        self.out
            .flush()
            .map_err(|error| Failure::write(self.path, error))
    }
}
