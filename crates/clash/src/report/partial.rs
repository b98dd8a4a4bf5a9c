//! Partial reports: what is written while a check runs.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use twox_hash::XxHash64;

use super::lines::next_line;
use super::{Header, ReportError};
use crate::check::{Block, Check};
use crate::clash::Clash;
use crate::files::open_file;

/// A line of a partial report, behind the header.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Line {
    /// A clash of the block that is ended next.
    Clash(Clash),
    /// The end of a block.
    Block(BlockEnd),
}

/// The end of a block.
#[derive(PartialEq, Serialize, Deserialize)]
pub(super) struct BlockEnd {
    /// The number of the block, counted from 0.
    block: usize,
    /// Its last pair.
    last: [u32; 2],
    /// How many clashes it has.
    clashes: usize,
    /// What the bytes of their lines add up to, in hexadecimal: another digit makes another sum.
    sum: String,
}

impl BlockEnd {
    fn of((block, own): (usize, &Block), clashes: usize, lines: &[u8]) -> Self {
        Self {
            block,
            last: own.last,
            clashes,
            sum: format!("{:016x}", XxHash64::oneshot(0, lines)),
        }
    }
}

/// Writes a block with its number.
pub(super) fn put(
    out: &mut impl Write,
    block: (usize, &Block),
    clashes: &[Clash],
) -> io::Result<()> {
    let mut lines = Vec::new();
    for clash in clashes {
        super::write_line(&mut lines, &Line::Clash(*clash))?;
    }
    let end = BlockEnd::of(block, clashes.len(), &lines);
    out.write_all(&lines)?;
    super::write_line(out, &Line::Block(end))?;
    out.flush()
}

/// The blocks of a file, one after the other, behind its header.
pub(super) struct Blocks<R> {
    reader: R,
    /// How many bytes those that were read have, with the header.
    pub(super) length: u64,
}

/// A file that begins with a header.
pub(super) enum Begun {
    /// It was cut short before the header was whole.
    Cut,
    /// It is no report.
    NoReport,
    Blocks(Box<Header>, Blocks<BufReader<File>>),
}

impl Begun {
    /// Reads a header; one that is the beginning of what is expected may be cut short.
    pub(super) fn read(path: &Path, expected: &Header) -> io::Result<Self> {
        let mut reader = BufReader::new(open_file(path)?);
        let mut line = Vec::new();
        let length = next_line(&mut reader, &mut line)? as u64;
        if serde_json::to_vec(expected)?.starts_with(&line) {
            return Ok(Self::Cut);
        }
        Ok(match serde_json::from_slice(&line) {
            Ok(header) => Self::Blocks(Box::new(header), Blocks { reader, length }),
            Err(_) => Self::NoReport,
        })
    }
}

impl<R: BufRead> Blocks<R> {
    /// The clashes of the next block; `None` if it is not this one, not whole or damaged.
    pub(super) fn next(
        &mut self,
        (number, expected): (usize, &Block),
        check: &Check,
    ) -> io::Result<Option<Vec<Clash>>> {
        let (mut lines, mut clashes) = (Vec::new(), Vec::new());
        loop {
            let begin = lines.len();
            next_line(&mut self.reader, &mut lines)?;
            match serde_json::from_slice(&lines[begin..]) {
                Ok(Line::Clash(clash)) if is_of(&clash, expected, check) => clashes.push(clash),
                Ok(Line::Block(end))
                    if end == BlockEnd::of((number, expected), clashes.len(), &lines[..begin])
                        && lines.ends_with(b"\n") =>
                {
                    self.length += lines.len() as u64;
                    return Ok(Some(clashes));
                }
                _ => return Ok(None),
            }
        }
    }
}

/// What is whole of a partial report.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Partial {
    /// How many bytes.
    pub(super) length: u64,
    /// How many blocks.
    pub(super) blocks: usize,
}

impl Partial {
    /// What is whole of the file, if its header is the same: of blocks with numbers from the first one on. Nothing is if it was cut short before
    /// the header was whole.
    pub(super) fn known(
        path: &Path,
        header: &Header,
        (check, blocks, first): (&Check, &[Block], usize),
    ) -> Result<Self, ReportError> {
        let named = path.display().to_string();
        let failed = ReportError::read(path);
        let mut read = match Begun::read(path, header) {
            Err(error) => return Err(failed(error)),
            Ok(Begun::Cut) => return Ok(Self::default()),
            Ok(Begun::NoReport) => return Err(ReportError::NoReport { path: named }),
            Ok(Begun::Blocks(known, read)) => match known.difference(header) {
                Some(what) => return Err(ReportError::Changed { path: named, what }),
                None => read,
            },
        };
        let mut count = 0;
        while let Some(expected) = blocks.get(count) {
            let next = read.next((first + count, expected), check);
            match next.map_err(ReportError::read(path))? {
                Some(_) => count += 1,
                None => break,
            }
        }
        Ok(Self {
            length: read.length,
            blocks: count,
        })
    }
}

/// Whether a clash is one of this block, so that its parts are there.
fn is_of(clash: &Clash, block: &Block, check: &Check) -> bool {
    let count = check.b().unwrap_or(check.a()).parts().len();
    (block.first..=block.last).contains(&[clash.a, clash.b]) && (clash.b as usize) < count
}

/// Opens a file to write behind its first bytes; the rest is cut off.
pub(super) fn open(path: &Path, length: u64) -> io::Result<BufWriter<File>> {
    let mut options = OpenOptions::new();
    let mut file = options
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)?;
    file.set_len(length)?;
    file.seek(SeekFrom::End(0))?;
    Ok(BufWriter::new(file))
}
