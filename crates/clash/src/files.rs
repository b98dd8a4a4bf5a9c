//! Files that a check reads and writes.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::report::ReportWriter;

/// Endings of issues.
const BCF: [&str; 2] = ["bcf", "bcfzip"];
/// Endings of reports: lines of JSON, and a table. Any other name is a mistake.
const REPORTS: [&str; 2] = ["jsonl", "csv"];
/// The ending of what a shard measured.
const SHARDS: [&str; 1] = ["shard"];

/// Whether a file has the ending of issues.
pub(crate) fn is_bcf(path: &Path) -> bool {
    ends_in(path, &BCF)
}

/// Whether a file has one of some endings, in letters of either case.
#[must_use]
pub fn ends_in(path: &Path, endings: &[&str]) -> bool {
    let own = path.extension();
    let is_own = |ending: &&str| own.is_some_and(|own| own.eq_ignore_ascii_case(ending));
    endings.iter().any(is_own)
}

/// Opens what must be a file, since devices and pipes may never end.
pub(crate) fn open_file(path: &Path) -> io::Result<File> {
    match fs::metadata(path)?.is_file() {
        true => File::open(path),
        false => Err(io::Error::other("it is no regular file")),
    }
}

/// The files that a check is to write, and those that it reads.
///
/// ```
/// use std::path::Path;
/// use clearance_clash::{OutputError, Outputs};
///
/// let (old, new) = (Path::new("old.bcf"), Path::new("new.bcf"));
/// let outputs = Outputs { bcf: Some(new), inputs: vec![old], ..Outputs::default() };
/// assert!(outputs.refuse_wrong().is_ok());
/// let outputs = Outputs { bcf: Some(old), ..outputs };
/// assert!(matches!(outputs.refuse_wrong(), Err(OutputError::Input { .. })));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Outputs<'f> {
    /// The report, if one stays.
    pub report: Option<&'f Path>,
    /// Whether the report is what a shard measured.
    pub is_shard: bool,
    /// The issues, if there are to be any.
    pub bcf: Option<&'f Path>,
    /// What else is written.
    pub others: Vec<&'f Path>,
    /// What is read.
    pub inputs: Vec<&'f Path>,
}

/// Why a file is not to be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// There is no folder for it, or it is a folder itself.
    #[error("cannot write {path}: {error}; check the path, its permissions and the disk")]
    File {
        /// The file.
        path: String,
        /// What the operating system says, or would say.
        error: io::Error,
    },
    /// The check reads it.
    #[error("cannot write to {path}: the check reads it; choose another file")]
    Input {
        /// The file.
        path: String,
    },
    /// Something else is written to it.
    #[error("cannot write to {path}: something else is written to it, too; choose another file")]
    Twice {
        /// The file.
        path: String,
    },
    /// This is no name of a report.
    #[error(
        "cannot write the report to {path}: choose a file that ends in .jsonl for lines of JSON, or in .csv for a table"
    )]
    ReportName {
        /// The file.
        path: String,
    },
    /// This is no name of a shard.
    #[error("cannot write the shard to {path}: choose a file that ends in .shard")]
    ShardName {
        /// The file.
        path: String,
    },
    /// Issues have another ending.
    #[error("cannot write issues to {path}: choose a file that ends in .bcf")]
    BcfName {
        /// The file.
        path: String,
    },
}

impl Outputs<'_> {
    /// Refuses files that cannot be written, or would be lost: before hours of measuring, and before anything is read or written.
    ///
    /// # Errors
    /// The first file with what is wrong.
    pub fn refuse_wrong(&self) -> Result<(), OutputError> {
        if let Some(bcf) = self.bcf.filter(|bcf| !is_bcf(bcf)) {
            let path = bcf.display().to_string();
            return Err(OutputError::BcfName { path });
        }
        let endings = if self.is_shard { &SHARDS[..] } else { &REPORTS };
        if let Some(report) = self.report.filter(|report| !ends_in(report, endings)) {
            let path = report.display().to_string();
            return Err(match self.is_shard {
                true => OutputError::ShardName { path },
                false => OutputError::ReportName { path },
            });
        }
        let report = self.report.into_iter().flat_map(ReportWriter::files);
        let bcf = self.bcf.into_iter().flat_map(|path| {
            let [path, _, whole] = ReportWriter::files(path);
            [path, whole]
        });
        let others = self.others.iter().map(PathBuf::from);
        let written: Vec<PathBuf> = report.chain(bcf).chain(others).collect();
        for (number, output) in written.iter().enumerate() {
            let path = output.display().to_string();
            if let Err(error) = writable(output) {
                return Err(OutputError::File { path, error });
            }
            if self.inputs.iter().any(|input| is_same(output, input)) {
                return Err(OutputError::Input { path });
            }
            if written[..number].iter().any(|other| is_same(output, other)) {
                return Err(OutputError::Twice { path });
            }
        }
        Ok(())
    }
}

/// Whether there is a folder for a file, and no folder in its place.
fn writable(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    match fs::metadata(folder_of(path))?.is_dir() {
        true => Ok(()),
        false => Err(io::ErrorKind::NotADirectory.into()),
    }
}

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    folder.unwrap_or(Path::new("."))
}

/// Whether two paths lead to one file, under whatever names, or will once it is there.
fn is_same(one: &Path, other: &Path) -> bool {
    let paths = [one, other];
    // To open a pipe could wait for ever.
    let are_files = paths.iter().all(|path| path.is_file());
    if are_files && same_file::is_same_file(one, other).unwrap_or(false) {
        return true;
    }
    let [one, other] = paths.map(|path| {
        let folder = fs::canonicalize(folder_of(path)).ok()?;
        Some(folder.join(path.file_name()?))
    });
    one.is_some() && one == other
}
