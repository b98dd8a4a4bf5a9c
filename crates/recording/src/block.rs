//! Blocks: the pieces that a recording consists of.

use twox_hash::XxHash64;

use crate::bytes::Unreadable;
use crate::error::EncodeError;

/// What a block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// That this is a recording, of which version and dimension.
    Header,
    /// A shape under its number.
    Shape,
    /// All that a reader must know to go on from here.
    Keyframe,
    /// What became different in a frame.
    Frame,
}

const KINDS: [(BlockKind, u8); 4] = [
    (BlockKind::Header, b'H'),
    (BlockKind::Shape, b'S'),
    (BlockKind::Keyframe, b'K'),
    (BlockKind::Frame, b'F'),
];

/// Kind and length.
const HEAD: usize = 5;
const CHECKSUM: usize = 4;

/// The most bytes that a block may hold.
pub(crate) const MOST_BYTES: usize = 1 << 30;

/// A block of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block<'a> {
    pub(crate) kind: BlockKind,
    pub(crate) payload: &'a [u8],
}

impl<'a> Block<'a> {
    /// The block that `bytes` begin with, and what comes after it; `None` if it has not all come.
    pub(crate) fn first_of(bytes: &'a [u8]) -> Result<Option<(Self, &'a [u8])>, Unreadable> {
        let Some(&letter) = bytes.first() else {
            return Ok(None);
        };
        let kind = KINDS.iter().find(|(_, other)| *other == letter);
        let Some(&(kind, _)) = kind else {
            let reason =
                format!("a block begins with the byte {letter:#04x}, must be H, S, K or F");
            return Err(Unreadable(reason));
        };
        let Some((head, after)) = bytes.split_at_checked(HEAD) else {
            return Ok(None);
        };
        let length = u32::from_le_bytes([head[1], head[2], head[3], head[4]]) as usize;
        if length > MOST_BYTES {
            let reason = format!("a block has {length} bytes, must be at most {MOST_BYTES}");
            return Err(Unreadable(reason));
        }
        let Some((payload, after)) = after.split_at_checked(length) else {
            return Ok(None);
        };
        let Some((found, after)) = after.split_first_chunk::<CHECKSUM>() else {
            return Ok(None);
        };
        let (found, expected) = (
            u32::from_le_bytes(*found),
            checksum(&bytes[..HEAD + length]),
        );
        if found != expected {
            let reason =
                format!("the checksum of a block is {found:#010x}, must be {expected:#010x}");
            return Err(Unreadable(reason));
        }
        Ok(Some((Self { kind, payload }, after)))
    }

    /// How many bytes the block takes.
    pub(crate) fn size(&self) -> usize {
        HEAD + self.payload.len() + CHECKSUM
    }
}

/// The block that begins at a place; it was read before.
pub(crate) fn block_at(bytes: &[u8], place: usize) -> Option<Block<'_>> {
    let block = Block::first_of(bytes.get(place..)?);
    block.ok().flatten().map(|(block, _)| block)
}

/// A block that is being written at the end of some bytes.
pub(crate) struct OpenBlock {
    start: usize,
}

impl OpenBlock {
    pub(crate) fn begin(kind: BlockKind, out: &mut Vec<u8>) -> Self {
        let start = out.len();
        let letter = KINDS.iter().find(|(other, _)| *other == kind);
        out.push(letter.map_or(0, |(_, letter)| *letter));
        out.extend_from_slice(&[0; HEAD - 1]);
        Self { start }
    }

    /// Writes length and checksum, or refuses a block that is too long.
    pub(crate) fn end(self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        let bytes = out.len() - self.start - HEAD;
        if bytes > MOST_BYTES {
            return Err(EncodeError::TooLong { bytes });
        }
        out[self.start + 1..self.start + HEAD].copy_from_slice(&(bytes as u32).to_le_bytes());
        let checksum = checksum(&out[self.start..]);
        out.extend_from_slice(&checksum.to_le_bytes());
        Ok(())
    }
}

/// The lower half of XXH64 (Collet, "xxHash", 2012).
fn checksum(bytes: &[u8]) -> u32 {
    XxHash64::oneshot(0, bytes) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block() -> Vec<u8> {
        let mut out = Vec::new();
        let block = OpenBlock::begin(BlockKind::Shape, &mut out);
        out.extend_from_slice(b"payload");
        block.end(&mut out).unwrap();
        out
    }

    #[test]
    fn blocks_come_back() {
        let mut bytes = block();
        bytes.extend_from_slice(b"next");
        let (block, rest) = Block::first_of(&bytes).unwrap().unwrap();
        assert_eq!(
            (block.kind, block.payload),
            (BlockKind::Shape, &b"payload"[..])
        );
        assert_eq!((rest, block.size()), (&b"next"[..], bytes.len() - 4));
    }

    #[test]
    fn every_damaged_bit_is_noticed() {
        let bytes = block();
        for bit in 0..8 * bytes.len() {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(!matches!(Block::first_of(&damaged), Ok(Some(_))), "{bit}");
        }
        for length in 0..bytes.len() {
            assert_eq!(Block::first_of(&bytes[..length]), Ok(None));
        }
    }
}
