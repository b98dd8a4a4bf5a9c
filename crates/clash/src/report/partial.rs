//! Partial reports: what is written while a check runs.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Header, ReportError};
use crate::check::{Block, Check};
use crate::clash::Clash;

/// A line of a partial report, behind the header.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Line {
    /// A clash of the block that is ended next.
    Clash(Clash),
    /// The end of a block.
    Block {
        /// The number of the block, counted from 0.
        block: usize,
        /// Its last pair.
        last: [u32; 2],
        /// How many clashes it has.
        clashes: usize,
    },
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
    /// What is whole of the file, if its header is the same. Nothing is if it was cut short before the header was whole.
    pub(super) fn known(
        path: &Path,
        header: &Header,
        (check, blocks): (&Check, &[Block]),
    ) -> Result<Self, ReportError> {
        let named = path.display().to_string();
        let read = || -> io::Result<Result<Self, ReportError>> {
            let mut reader = BufReader::new(File::open(path)?);
            let mut line = Vec::new();
            let length = reader.read_until(b'\n', &mut line)? as u64;
            if serde_json::to_vec(header)?.starts_with(&line) {
                return Ok(Ok(Self::default()));
            }
            let Ok(known) = serde_json::from_slice::<Header>(&line) else {
                return Ok(Err(ReportError::NoReport { path: named }));
            };
            if let Some(what) = known.difference(header) {
                return Ok(Err(ReportError::Changed { path: named, what }));
            }
            let begun = Self { length, blocks: 0 };
            begun.with_blocks(&mut reader, check, blocks).map(Ok)
        };
        read().map_err(ReportError::file(path))?
    }

    /// With all blocks that follow and are whole.
    fn with_blocks(
        mut self,
        reader: &mut impl BufRead,
        check: &Check,
        blocks: &[Block],
    ) -> io::Result<Self> {
        let (mut length, mut count) = (self.length, 0);
        let mut line = Vec::new();
        for expected in blocks {
            loop {
                line.clear();
                length += reader.read_until(b'\n', &mut line)? as u64;
                match serde_json::from_slice(&line) {
                    Ok(Line::Clash(clash)) if is_of(&clash, expected, check) => count += 1,
                    Ok(Line::Block {
                        block,
                        last,
                        clashes,
                    }) if (block, last, clashes) == (self.blocks, expected.last, count)
                        && line.ends_with(b"\n") =>
                    {
                        break;
                    }
                    _ => return Ok(self),
                }
            }
            count = 0;
            self.length = length;
            self.blocks += 1;
        }
        Ok(self)
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
