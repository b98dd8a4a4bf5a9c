//! Reports: a header, the clashes in the order of their parts with their groups, and a summary.
//!
//! While a check runs, blocks are added to a partial report beside the place of the report, each ended by a line of its own. A run that was
//! ended in whatever way goes on behind the last block that is whole. At the end the partial report is read again, since only then the
//! groups are known, and the report takes its place at once.

mod earlier;
mod header;
mod lines;
mod partial;
mod replaceable;
mod shard;
mod summary;
mod whole;

use core::ops::Range;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::check::{Block, Check};
use crate::clash::Clash;
use crate::read::Refused;

pub use earlier::{Change, Changes, Earlier, EarlierClash, EarlierError, ReadEarlier};
pub use header::{Header, Source};
use partial::{Line, Partial};
pub use shard::shard_of;
pub use summary::{KindCount, RuleCount, Summary};

/// Why a report could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// A file could not be read.
    #[error("cannot read {path}: {error}; check the path and its permissions")]
    Read {
        /// The file.
        path: String,
        /// What the operating system says.
        error: io::Error,
    },
    /// A file could not be written, or not read again.
    #[error("cannot write {path}: {error}; check the path, its permissions and the disk")]
    File {
        /// The file.
        path: String,
        /// What the operating system says.
        error: io::Error,
    },
    /// There is a partial report, and nothing was said about it.
    #[error(
        "{path} is there from a run that was not ended; go on with it by --resume, or delete it"
    )]
    Unfinished {
        /// The partial report.
        path: String,
    },
    /// The partial report is one of something else.
    #[error(
        "cannot go on with {path}: {what} changed since; give what was given then, or delete it"
    )]
    Changed {
        /// The partial report.
        path: String,
        /// What changed.
        what: &'static str,
    },
    /// What is there is no report, and would be lost.
    #[error("{path} is there and is no report; choose another name, or delete it")]
    NotReplaced {
        /// The file.
        path: String,
    },
    /// A file holds no such shard.
    #[error("{path} is no shard of this check: {what}; measure the shard again")]
    Shard {
        /// The file.
        path: String,
        /// What is wrong.
        what: String,
    },
    /// Some blocks are in no shard.
    #[error(
        "blocks {first} to {last} are in no shard that was given; give all shards of one division"
    )]
    Missing {
        /// The number of the first block, counted from 0.
        first: usize,
        /// The number of the last one.
        last: usize,
    },
    /// The file is no partial report.
    #[error("cannot go on with {path}: it does not begin as a report; delete it")]
    NoReport {
        /// The file.
        path: String,
    },
}

impl ReportError {
    fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.display().to_string();
        move |error| Self::File { path, error }
    }

    fn read(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.display().to_string();
        move |error| Self::Read { path, error }
    }
}

/// What a report says of where parts and rules came from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sources {
    /// The first assembly.
    pub a: SourceOfParts,
    /// The second assembly, if there is one.
    pub b: Option<SourceOfParts>,
    /// The name of the file with the rules, if there is one.
    pub rules: Option<String>,
}

/// Where an assembly came from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceOfParts {
    /// The name of the file or folder.
    pub name: String,
    /// What was left out.
    pub refused: Vec<Refused>,
    /// How many nodes have points or lines alone.
    pub passed_over: usize,
}

/// What a report is of, and where it goes.
#[derive(Debug)]
pub struct ReportOptions<'r> {
    /// The check.
    pub check: &'r Check,
    /// All of its blocks.
    pub blocks: &'r [Block],
    /// Where parts and rules came from.
    pub sources: &'r Sources,
    /// The file: a table with commas if it ends in `.csv`, else lines of JSON. The partial report is beside it, with `.partial` behind the
    /// name.
    pub path: &'r Path,
    /// Whether to go on with a partial report if there is one.
    pub resume: bool,
    /// The faults of an earlier run to compare with, if there is one.
    pub since: Option<&'r Earlier>,
    /// The numbers of the blocks of a shard, which [`finish_shard`](ReportWriter::finish_shard) ends; `None` for all of them.
    pub shard: Option<Range<usize>>,
}

/// A report that is being written.
///
/// ```
/// use std::ops::ControlFlow;
/// use clearance_clash::{Allowed, Assembly, Check, Part, ReportOptions, ReportWriter, Rules, Sources};
/// use clearance_math::{Pose, Vec3};
/// use clearance_shapes::Shape;
///
/// let cube = || Part::new("cube", Shape::cuboid(Vec3::ONE).unwrap(), Pose::IDENTITY);
/// let check = Check::within(Assembly::new(vec![cube()?, cube()?]), Rules::everything(Allowed::default()))?;
/// let blocks = check.blocks();
/// let path = std::env::temp_dir().join(format!("clash-{}.jsonl", std::process::id()));
/// let options = ReportOptions { check: &check, blocks: &blocks, sources: &Sources::default(), path: &path, resume: false, since: None,
///     shard: None };
/// let mut report = ReportWriter::start(options)?;
/// for block in &blocks[report.done()..] {
///     report.write(block, &check.measure(block))?;
/// }
/// let summary = report.finish()?;
/// assert_eq!((summary.clashes, summary.faults), (1, 1));
/// let text = std::fs::read_to_string(&path)?;
/// assert!(text.lines().nth(1).unwrap().contains(r#""a":"cube","b":"cube#2""#));
/// std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ReportWriter<'r> {
    options: ReportOptions<'r>,
    header: Header,
    partial: PathBuf,
    out: BufWriter<File>,
    done: usize,
}

impl<'r> ReportWriter<'r> {
    /// Begins a report, or goes on with one.
    ///
    /// # Errors
    /// Files that cannot be written; what is there already and is no report; a partial report that is not to be gone on with, or one of
    /// something else.
    pub fn start(options: ReportOptions<'r>) -> Result<Self, ReportError> {
        let shard = options.shard.clone();
        let header = Header {
            shard: shard.as_ref().map(|shard| [shard.start, shard.end]),
            ..Header::of(options.check, options.blocks, options.sources)
        };
        let shard = shard.unwrap_or(0..options.blocks.len());
        let first = shard.start;
        let [path, partial, whole] = Self::files(options.path);
        replaceable::refuse_what_is_no_report(&[path, whole])?;
        let is_there = replaceable::is_file(&partial)?;
        if is_there && !options.resume {
            return Err(ReportError::Unfinished {
                path: partial.display().to_string(),
            });
        }
        let known = if is_there {
            let blocks = &options.blocks[shard];
            Partial::known(&partial, &header, (options.check, blocks, first))?
        } else {
            Partial::default()
        };
        let mut out = partial::open(&partial, known.length).map_err(ReportError::file(&partial))?;
        if known.length == 0 {
            write_line(&mut out, &header).map_err(ReportError::file(&partial))?;
        }
        Ok(Self {
            options,
            header,
            partial,
            out,
            done: first + known.blocks,
        })
    }

    /// The files that a report at a path takes while it is written: the report, the partial one with `.partial` behind its name, and the one
    /// that becomes the report when it is whole, with `.whole`.
    #[must_use]
    pub fn files(path: &Path) -> [PathBuf; 3] {
        ["", ".partial", ".whole"].map(|ending| {
            let mut name = path.as_os_str().to_owned();
            name.push(ending);
            name.into()
        })
    }

    /// How many blocks are written already: the next one is that of this number.
    #[must_use]
    pub fn done(&self) -> usize {
        self.done
    }

    /// Where the partial report is.
    #[must_use]
    pub fn partial(&self) -> &Path {
        &self.partial
    }

    /// Adds the clashes of the next block. They are in the hands of the operating system when this returns.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&mut self, block: &Block, clashes: &[Clash]) -> Result<(), ReportError> {
        let written = partial::put(&mut self.out, (self.done, block), clashes);
        written.map_err(ReportError::file(&self.partial))?;
        self.done += 1;
        Ok(())
    }

    /// All clashes that are written, in their order, for as long as it `goes_on`, which is asked for each. Costs a look at the whole partial report.
    ///
    /// # Errors
    /// The partial report cannot be read again; of the kind [`io::ErrorKind::Interrupted`] if it did not go on to the end.
    pub fn clashes_while(&self, goes_on: impl Fn() -> bool) -> Result<Vec<Clash>, ReportError> {
        let mut clashes = Vec::new();
        let read = self.each_clash(goes_on, |clash| {
            clashes.push(clash);
            Ok(())
        });
        read.map_err(ReportError::file(&self.partial))?;
        Ok(clashes)
    }

    /// Finds the groups, writes the report, and removes the partial one.
    ///
    /// # Errors
    /// A file that cannot be written.
    ///
    /// # Panics
    /// If blocks are missing.
    pub fn finish(self) -> Result<Summary, ReportError> {
        self.finish_while(|| true)
    }

    /// [`ReportWriter::finish`] for as long as it `goes_on`, which is asked for each clash. Otherwise the partial report stays.
    ///
    /// # Errors
    /// A file that cannot be written; one of the kind [`io::ErrorKind::Interrupted`] if it did not go on to the end.
    ///
    /// # Panics
    /// If blocks are missing.
    pub fn finish_while(self, goes_on: impl Fn() -> bool) -> Result<Summary, ReportError> {
        assert_eq!(
            self.done,
            self.options.blocks.len(),
            "all blocks are needed"
        );
        let [path, _, whole] = Self::files(self.options.path);
        // Hours may have passed since it began.
        replaceable::refuse_what_is_no_report(&[path, whole.clone()])?;
        let summary = self
            .whole(&whole, goes_on)
            .inspect_err(|_| drop(fs::remove_file(&whole)))
            .map_err(ReportError::file(&whole))?;
        fs::rename(&whole, self.options.path).map_err(ReportError::file(self.options.path))?;
        fs::remove_file(&self.partial).map_err(ReportError::file(&self.partial))?;
        Ok(summary)
    }

    /// Hands over all clashes that are written, in their order, for as long as it `goes_on`.
    fn each_clash(
        &self,
        goes_on: impl Fn() -> bool,
        mut receive: impl FnMut(Clash) -> io::Result<()>,
    ) -> io::Result<()> {
        let lines = BufReader::new(File::open(&self.partial)?).lines();
        for line in lines.skip(1) {
            if let Line::Clash(clash) = serde_json::from_str(&line?)? {
                if !goes_on() {
                    return Err(io::ErrorKind::Interrupted.into());
                }
                receive(clash)?;
            }
        }
        Ok(())
    }
}

fn write_line(out: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}
