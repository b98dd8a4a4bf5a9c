//! Partial reports: what is written while a check runs.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Header, ReportError};
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
    pub(super) fn known(path: &Path, header: &Header, most: usize) -> Result<Self, ReportError> {
        let read = || -> io::Result<(Option<Header>, Self)> {
            let mut reader = BufReader::new(File::open(path)?);
            let mut line = Vec::new();
            let length = reader.read_until(b'\n', &mut line)? as u64;
            if !line.ends_with(b"\n") {
                return Ok((Some(header.clone()), Self::default()));
            }
            let known = serde_json::from_slice(&line).ok();
            let begun = Self { length, blocks: 0 };
            Ok((known, begun.with_blocks(&mut reader, most)?))
        };
        let (known, partial) = read().map_err(ReportError::file(path))?;
        let named = path.display().to_string();
        let Some(known) = known else {
            return Err(ReportError::NoReport { path: named });
        };
        match known.difference(header) {
            Some(what) => Err(ReportError::Changed { path: named, what }),
            None => Ok(partial),
        }
    }

    /// With all blocks that follow and are whole.
    fn with_blocks(mut self, reader: &mut impl BufRead, most: usize) -> io::Result<Self> {
        let (mut length, mut count) = (self.length, 0);
        let mut line = Vec::new();
        while self.blocks < most {
            line.clear();
            length += reader.read_until(b'\n', &mut line)? as u64;
            if !line.ends_with(b"\n") {
                break;
            }
            match serde_json::from_slice(&line) {
                Ok(Line::Clash(_)) => count += 1,
                Ok(Line::Block { block, clashes, .. })
                    if block == self.blocks && clashes == count =>
                {
                    count = 0;
                    self.length = length;
                    self.blocks += 1;
                }
                _ => break,
            }
        }
        Ok(self)
    }
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
