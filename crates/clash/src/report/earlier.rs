//! Faults of an earlier run, to compare with.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use clearance_math::DVec3;
use serde::{Deserialize, Serialize};

use super::header::FORMAT;
use super::lines::next_line;
use crate::bcf::{BcfError, in_xml, read_bcf};
use crate::files::{is_bcf, open_file};
use crate::groups::{Grouped, NEARNESS};

/// The faults of an earlier run by the names of their parts, with what people have said about them since.
///
/// ```
/// use clearance_clash::Earlier;
///
/// let report = r#"{"type":"header","format":"clearance clash report"}
/// {"type":"clash","allowed":false,"a":"pipe","b":"wall","point_a":[1,2,3],"point_b":[1,2,3]}
/// {"type":"clash","allowed":true,"a":"slab","b":"wall","point_a":[0,0,0],"point_b":[0,0,0]}
/// {"type":"summary"}"#;
/// assert_eq!(Earlier::from_report(report.as_bytes())?.len(), 1);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Earlier(BTreeMap<[String; 2], EarlierClash>);

/// A fault of an earlier run.
#[derive(Clone, Debug, PartialEq)]
pub struct EarlierClash {
    /// The middle between its points, in the frame of the assembly.
    pub point: DVec3,
    /// What people have said about it, such as `Closed`.
    pub status: Option<String>,
}

/// What was read of an earlier run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadEarlier {
    /// Its faults.
    pub earlier: Earlier,
    /// How many topics of clashes a BCF file has without a view that tells their parts.
    pub passed_over: usize,
}

impl ReadEarlier {
    /// What people are to be told of topics that were passed over, if there are any.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        let count = self.passed_over;
        let warning = || {
            format!(
                "topics of the type Clash that were passed over: {count}; none of their views is one that `clearance clash --bcf` wrote"
            )
        };
        (count > 0).then(warning)
    }
}

/// Why an earlier run cannot be compared with.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EarlierError {
    /// The file cannot be read.
    #[error("cannot read {path}: {error}; check the path and its permissions")]
    File {
        /// The file.
        path: String,
        /// What the operating system says.
        error: io::Error,
    },
    /// It is no whole report.
    #[error(
        "{path} is no earlier report: {error}; give what `clearance clash` wrote with --output, in \
         lines of JSON, or with --bcf"
    )]
    NoReport {
        /// The file.
        path: String,
        /// Which line is wrong, and why.
        error: io::Error,
    },
    /// It ends as a BCF file does, and is none.
    #[error("{path} cannot be read as BCF: {error}")]
    Bcf {
        /// The file.
        path: String,
        /// What is wrong.
        error: BcfError,
    },
}

/// What became of a fault since an earlier run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// The two parts had none.
    New,
    /// It was there, at this place.
    Known,
    /// The two parts had one, farther away than a quarter of the size of the smaller part.
    Moved,
}

/// A line of a report, as far as a later run needs it.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ReportLine {
    Header {
        format: String,
        shard: Option<[usize; 2]>,
    },
    Clash(Fault),
    Summary,
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Fault {
    allowed: bool,
    a: String,
    b: String,
    point_a: [f64; 3],
    point_b: [f64; 3],
    status: Option<String>,
}

impl Earlier {
    /// Reads the faults of a file: of a BCF file if it ends in `.bcf` or `.bcfzip`, else of a report in lines of JSON.
    ///
    /// # Errors
    /// What cannot be read, or is neither.
    pub fn read(path: &Path) -> Result<ReadEarlier, EarlierError> {
        let name = || path.display().to_string();
        let unread = |error| EarlierError::File {
            path: name(),
            error,
        };
        let file = open_file(path).map_err(unread)?;
        if is_bcf(path) {
            return read_bcf(file).map_err(|error| EarlierError::Bcf {
                path: name(),
                error,
            });
        }
        match Self::from_report(BufReader::new(file)) {
            Ok(earlier) => Ok(ReadEarlier {
                earlier,
                passed_over: 0,
            }),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                Err(EarlierError::NoReport {
                    path: name(),
                    error,
                })
            }
            Err(error) => Err(unread(error)),
        }
    }

    /// Reads the faults of a report in lines of JSON.
    ///
    /// # Errors
    /// A report that cannot be read; of the kind [`io::ErrorKind::InvalidData`] what is no whole report, with the number of the line.
    pub fn from_report(mut lines: impl BufRead) -> io::Result<Self> {
        let mut earlier = Self::default();
        let (mut number, mut is_whole, mut line) = (0, false, Vec::new());
        while next_line(&mut lines, &mut line)? > 0 {
            number += 1;
            let read = serde_json::from_slice(&line).map_err(|error| no_line(number, &error))?;
            line.clear();
            is_whole = matches!(read, ReportLine::Summary);
            match read {
                ReportLine::Header {
                    format,
                    shard: None,
                } if number == 1 && format == FORMAT => {}
                _ if number == 1 => {
                    let what = format!(
                        "must be the header of a whole report, with the format {FORMAT:?} and no shard"
                    );
                    return Err(invalid(number, &what));
                }
                ReportLine::Clash(fault) if !fault.allowed => {
                    let [a, b] = [fault.point_a, fault.point_b].map(DVec3::from_array);
                    let (point, status) = (0.5 * (a + b), fault.status);
                    earlier.insert([fault.a, fault.b], EarlierClash { point, status });
                }
                _ => {}
            }
        }
        match is_whole {
            true => Ok(earlier),
            false => Err(invalid(
                number,
                "is the last, and must be the summary of a whole report",
            )),
        }
    }

    /// Adds a fault of two parts. Characters of their names that XML has no way to say count as one, since an issue of BCF
    /// cannot tell them apart.
    pub fn insert(&mut self, names: [String; 2], clash: EarlierClash) {
        let [a, b] = &names;
        self.0.insert(key(a, b), clash);
    }

    /// The fault that two parts had.
    #[must_use]
    pub fn of(&self, a: &str, b: &str) -> Option<&EarlierClash> {
        self.0.get(&key(a, b))
    }

    /// Forgets the fault that two parts had.
    pub fn remove(&mut self, a: &str, b: &str) {
        self.0.remove(&key(a, b));
    }

    /// All faults with the names of their parts, sorted by these.
    pub fn iter(&self) -> impl Iterator<Item = (&[String; 2], &EarlierClash)> {
        self.0.iter()
    }

    /// How many faults there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn key(a: &str, b: &str) -> [String; 2] {
    [a, b].map(in_xml)
}

fn invalid(line: usize, what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("line {line} {what}"))
}

/// What JSON says of a line, without the place that it has in itself.
fn no_line(line: usize, error: &serde_json::Error) -> io::Error {
    let text = error.to_string();
    let place = format!(" at line {} column ", error.line());
    let what = text.split(&place).next().unwrap_or_default();
    invalid(line, &format!("is no line of a report: {what}"))
}

impl Change {
    /// What became of the fault of two parts that had this one.
    pub(super) fn since(earlier: Option<&EarlierClash>, now: &Grouped) -> Self {
        match earlier {
            None => Self::New,
            Some(earlier) if (now.point - earlier.point).length() <= NEARNESS * now.size => {
                Self::Known
            }
            Some(_) => Self::Moved,
        }
    }
}

/// A fault that there is no more.
#[derive(Serialize)]
#[serde(tag = "type", rename = "solved")]
pub(super) struct SolvedLine<'e> {
    pub(super) a: &'e str,
    pub(super) b: &'e str,
    pub(super) point: [f64; 3],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<&'e str>,
}

/// How many faults there are of each change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Changes {
    /// Faults of parts that had none.
    pub new: u64,
    /// Faults that were there.
    pub known: u64,
    /// Faults of parts that had one elsewhere.
    pub moved: u64,
    /// Faults that there are no more.
    pub solved: u64,
}

impl Changes {
    pub(super) fn count(&mut self, change: Change) {
        *match change {
            Change::New => &mut self.new,
            Change::Known => &mut self.known,
            Change::Moved => &mut self.moved,
        } += 1;
    }
}
