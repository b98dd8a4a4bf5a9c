//! How a command ended, or why it could not do its work.

use std::io::{self, Write};
use std::path::Path;

use clearance_clash::{
    BcfError, CheckError, EarlierError, OutputError, Refused, ReportError, RulesError,
};
use clearance_inspect::InspectError;
use clearance_recording::{EncodeError, OpenError};
use clearance_render::ImageError;
use clearance_scene::{Problems, RunError};

/// How a command that could do its work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Fine,
    /// Some of the input was not valid, and the output says what.
    Flawed,
    /// Ctrl-C ended it early, and the output covers the work until then.
    Interrupted,
}

/// The exit code of a command that Ctrl-C ended: 128 and the number of the signal, as shells have it.
pub(crate) const INTERRUPTED: u8 = 130;

/// Why a command could not do its work, and what to do about it: one sentence.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("cannot read {name}: {error}; check the path and its permissions")]
    Read { name: String, error: io::Error },
    #[error("cannot write {name}: {error}; check the path, its permissions and the disk")]
    Write { name: String, error: io::Error },
    #[error("{name} is not UTF-8 from byte {offset} on; save it as UTF-8")]
    NotUtf8 { name: String, offset: usize },
    #[error("{name} is empty; write one question a line")]
    Empty { name: String },
    #[error("{name} is not a valid scene: {first}{}", hint(*.count))]
    Scene {
        name: String,
        first: String,
        count: usize,
    },
    #[error("cannot write to {name}: it is the scene itself; choose another file")]
    Overwrites { name: String },
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error(
        "{name} is not a report of clashes in lines of JSON; give what `clearance clash` wrote with \
         --output"
    )]
    NoClashReport { name: String },
    #[error(transparent)]
    Earlier(#[from] EarlierError),
    #[error("cannot write {name} as BCF: {error}")]
    Bcf { name: String, error: BcfError },
    #[error("cannot write the scene to {name}: choose a file that ends in .json")]
    SceneName { name: String },
    #[error("cannot draw to {name}: choose a name that ends in {valid}")]
    PictureName { name: String, valid: &'static str },
    #[error(
        "cannot write both {first} and {second} to standard output; leave out one of them, or give \
         it a file"
    )]
    OutputTwice {
        first: &'static str,
        second: &'static str,
    },
    #[error("cannot write both contacts and a recording to {name}; choose two files")]
    SameOutput { name: String },
    #[error("cannot record the world: {0}")]
    Record(#[from] EncodeError),
    #[error("cannot play {name}: {error}")]
    Recording { name: String, error: OpenError },
    #[error(
        "cannot read both the scene and the questions from standard input; give one of them as a \
         file"
    )]
    InputTwice,
    #[error("cannot step the scene: {0}")]
    Run(#[from] RunError),
    #[error(
        "{name} is not a recording ({reason}), and neither a scene nor a file of pairs: it is not \
         UTF-8 from byte {offset} on"
    )]
    Unknown {
        name: String,
        reason: String,
        offset: usize,
    },
    #[error("{name} is empty; give a scene, a recording or a file of pairs")]
    NothingToView { name: String },
    #[error(
        "cannot listen at port {port} of 127.0.0.1: {error}; without --port a free one is taken"
    )]
    Listen { port: u16, error: io::Error },
    #[error("cannot serve the page: {error}")]
    Serve { error: io::Error },
    #[error("cannot start a thread: {error}")]
    Thread { error: io::Error },
    #[error(transparent)]
    Show(#[from] InspectError),
    #[error(
        "cannot draw to {name}: a picture of the plane (dimension 2) ends in .svg, one of space \
         (dimension 3) in .png"
    )]
    NoPicture { name: String },
    #[error(
        "cannot draw to {name}: the scene has dimension {dimension}; choose a name that ends in {valid}"
    )]
    OtherPicture {
        name: String,
        dimension: usize,
        valid: &'static str,
    },
    #[error("the scene has dimension 2 and no camera; leave out --from and --towards")]
    NoCamera,
    #[error("cannot draw the scene: {0}")]
    Image(#[from] ImageError),
    #[error("{name} holds no valid rules: {error}")]
    Rules { name: String, error: RulesError },
    #[error("{0}")]
    Refused(Refused),
    #[error(
        "{first}{}; mend it, or leave out what is not valid by --skip-invalid",
        others(*.count)
    )]
    RefusedParts { first: Refused, count: usize },
    #[error("there is no clash {number} to draw, the report has fewer")]
    NoClash { number: u64 },
    #[error(transparent)]
    Check(#[from] CheckError),
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error("cannot listen for Ctrl-C: {0}")]
    Signal(#[from] ctrlc::Error),
}

/// Where to find the problems that the message leaves out.
fn hint(count: usize) -> String {
    if count == 1 {
        return String::new();
    }
    format!("; `clearance check` lists all {count} problems")
}

fn others(count: usize) -> String {
    match count {
        1 => String::new(),
        _ => format!(" (and {} more)", count - 1),
    }
}

impl Failure {
    pub(crate) fn scene(name: String, problems: &Problems) -> Self {
        Self::Scene {
            name,
            first: problems.list()[0].to_string(),
            count: problems.list().len(),
        }
    }

    pub(crate) fn bcf(name: &Path, error: BcfError) -> Self {
        let name = name.display().to_string();
        Self::Bcf { name, error }
    }

    /// Whether it is that Ctrl-C ended the work.
    pub(crate) fn is_interrupted(&self) -> bool {
        let (Self::Report(ReportError::File { error, .. })
        | Self::Bcf {
            error: BcfError::File(error),
            ..
        }) = self
        else {
            return false;
        };
        error.kind() == io::ErrorKind::Interrupted
    }

    pub(crate) fn write(name: &Path, error: io::Error) -> Self {
        let name = name.display().to_string();
        Self::Write { name, error }
    }

    /// The result of a command that could not write to standard output: that the reader has closed
    /// it, as `head` does, is no failure.
    pub(crate) fn of_output(error: io::Error) -> Result<Verdict, Self> {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Ok(Verdict::Fine);
        }
        Err(Self::write(Path::new("standard output"), error))
    }

    pub(crate) fn show(&self) {
        // If standard error is closed, too, there is nowhere left to report to.
        let _ = writeln!(io::stderr(), "clearance: {self}");
    }
}
