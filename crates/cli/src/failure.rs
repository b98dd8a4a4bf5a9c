//! Why a command could not do its work.

use std::io::{self, Write};
use std::path::Path;

use clearance_scene::RunError;

use crate::Verdict;

/// Why a command could not do its work, and what to do about it: one sentence.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("cannot read {name}: {error}; check the path and its permissions")]
    Read { name: String, error: io::Error },
    #[error("cannot write {name}: {error}; check the path, its permissions and the disk")]
    Write { name: String, error: io::Error },
    #[error("{name} is not UTF-8 from byte {offset} on; save it as UTF-8")]
    NotUtf8 { name: String, offset: usize },
    #[error("{name} is not a valid scene: {first}; `clearance check` lists all {count} problems")]
    Scene {
        name: String,
        first: String,
        count: usize,
    },
    #[error("cannot step the scene: {0}")]
    Run(#[from] RunError),
    #[error("cannot watch for Ctrl-C: {0}")]
    Signal(#[from] ctrlc::Error),
}

impl Failure {
    pub(crate) fn write(name: &Path, error: io::Error) -> Self {
        let name = name.display().to_string();
        Self::Write { name, error }
    }

    /// What standard output's refusal means: a reader that has seen enough is no failure.
    pub(crate) fn of_output(error: io::Error) -> Result<Verdict, Self> {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Ok(Verdict::Fine);
        }
        Err(Self::write(Path::new("standard output"), error))
    }

    pub(crate) fn show(&self) {
        // There is nowhere left to complain if standard error is gone, too.
        let _ = writeln!(io::stderr(), "clearance: {self}");
    }
}
