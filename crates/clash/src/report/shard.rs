//! Shards: files with some of the blocks, which other machines measured.

use core::ops::Range;
use std::fs;
use std::path::{Path, PathBuf};

use super::partial::Begun;
use super::{Header, ReportError, ReportWriter};
use crate::check::Block;

/// The numbers of the blocks of a shard, counted from 0, of so many shards of about equal cost. Each block is in one of them.
///
/// # Panics
/// If there are no shards.
#[must_use]
pub fn shard_of(blocks: &[Block], shard: u64, count: u64) -> Range<usize> {
    assert!(count > 0, "there are no shards");
    let all: u128 = blocks.iter().map(|block| u128::from(block.cost)).sum();
    let mut before = 0;
    let is_before = |shard: u64| {
        move |&(_, cost): &(usize, u128)| cost * u128::from(count) < all * u128::from(shard)
    };
    let costs: Vec<(usize, u128)> = blocks
        .iter()
        .map(|block| {
            let own = before;
            before += u128::from(block.cost);
            own
        })
        .enumerate()
        .collect();
    let first = |shard| costs.partition_point(is_before(shard));
    first(shard)..first(shard + 1)
}

impl ReportWriter<'_> {
    /// Ends a shard: its file takes its place.
    ///
    /// # Errors
    /// Files that cannot be written.
    ///
    /// # Panics
    /// If the report is not one of a shard, or blocks are missing.
    pub fn finish_shard(self) -> Result<(), ReportError> {
        let end = self.options.shard.as_ref().map(|shard| shard.end);
        assert_eq!(Some(self.done), end, "all blocks of a shard are needed");
        let path = self.options.path;
        let file = self.out.into_inner().map_err(|error| error.into_error());
        let synced = file.and_then(|file| file.sync_all());
        synced.map_err(ReportError::file(&self.partial))?;
        fs::rename(&self.partial, path).map_err(ReportError::file(path))
    }

    /// Adds what shards hold, in whatever order they are given, up to the last block. The report is the same as that of one run.
    ///
    /// # Errors
    /// Files that cannot be read, that are damaged or of something else, and blocks that none of them has.
    pub fn merge(&mut self, shards: &[PathBuf]) -> Result<(), ReportError> {
        let mut opened = Vec::new();
        for path in shards {
            let (range, blocks) = self.opened(path)?;
            opened.push((range, path, blocks));
        }
        opened.sort_by_key(|(range, ..)| (range.start, range.end));
        for (range, path, mut blocks) in opened {
            if range.start > self.done {
                break;
            }
            for number in range {
                let expected = self.options.blocks.get(number);
                let next = expected.map(|block| blocks.next((number, block), self.options.check));
                let next = next.transpose().map_err(ReportError::read(path))?.flatten();
                let (Some(clashes), Some(block)) = (next, expected) else {
                    return Err(no_shard(path, format!("block {number} is not whole in it")));
                };
                if number == self.done {
                    self.write(block, &clashes)?;
                }
            }
        }
        match self.options.blocks.len() {
            count if count > self.done => Err(ReportError::Missing {
                first: self.done,
                last: count - 1,
            }),
            _ => Ok(()),
        }
    }

    /// The numbers of the blocks of a shard, and these.
    fn opened(&self, path: &Path) -> Result<(Range<usize>, OpenBlocks), ReportError> {
        let begun = Begun::read(path, &self.header).map_err(ReportError::read(path))?;
        let Begun::Blocks(header, blocks) = begun else {
            return Err(no_shard(path, "it does not begin as one".to_owned()));
        };
        let whole = Header {
            shard: None,
            ..(*header).clone()
        };
        match (header.shard, whole.difference(&self.header)) {
            (Some([first, end]), None) => Ok((first..end, blocks)),
            (_, Some(what)) => Err(no_shard(path, format!("{what} changed since"))),
            (None, None) => Err(no_shard(path, "it is a whole report".to_owned())),
        }
    }
}

type OpenBlocks = super::partial::Blocks<std::io::BufReader<fs::File>>;

fn no_shard(path: &Path, what: String) -> ReportError {
    let path = path.display().to_string();
    ReportError::Shard { path, what }
}
