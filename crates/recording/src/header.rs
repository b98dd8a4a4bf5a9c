//! The first block of every recording.

use crate::block::{Block, BlockKind, OpenBlock};
use crate::bytes::{Bytes, Unreadable, put_varint};
use crate::error::{EncodeError, OpenError};
use crate::row::Space;

const MAGIC: &[u8] = b"clearance recording";

/// Counts changes of the format that older readers would misread.
const VERSION: u64 = 2;

/// Writes the header. The version of the engine is for people: no reader decides by it.
pub(crate) fn put(space: Space, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    let block = OpenBlock::begin(BlockKind::Header, out);
    out.extend_from_slice(MAGIC);
    put_varint(VERSION, out);
    out.push(space.dimension() as u8);
    out.extend_from_slice(env!("CARGO_PKG_VERSION").as_bytes());
    block.end(out)
}

/// What the first block says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) space: Space,
    /// The version of the engine that wrote the recording.
    pub(crate) engine: String,
}

impl Header {
    /// The header that bytes begin with, and what comes after it.
    pub(crate) fn first_of(bytes: &[u8]) -> Result<(Self, &[u8]), OpenError> {
        let not_a_recording = |reason: &str| OpenError::NotARecording {
            reason: reason.to_owned(),
        };
        let first = Block::first_of(bytes);
        let first = first.map_err(|error| not_a_recording(&error.0))?;
        let Some((block, rest)) = first else {
            return Err(not_a_recording("it is cut off"));
        };
        if block.kind != BlockKind::Header {
            return Err(not_a_recording("another block comes first"));
        }
        Ok((Self::read(block.payload)?, rest))
    }

    pub(crate) fn read(payload: &[u8]) -> Result<Self, OpenError> {
        let not_a_recording = |error: Unreadable| OpenError::NotARecording { reason: error.0 };
        let mut bytes = Bytes::new(payload);
        let magic = bytes.take(MAGIC.len()).map_err(not_a_recording)?;
        if magic != MAGIC {
            return Err(not_a_recording(Unreadable::new(
                "the header is that of another kind of file",
            )));
        }
        let found = bytes.varint().map_err(not_a_recording)?;
        if found != VERSION {
            let expected = VERSION;
            return Err(OpenError::Version { found, expected });
        }
        let dimension = bytes.byte().map_err(not_a_recording)?;
        let space = Space::of_dimension(dimension.into());
        let space = space.ok_or_else(|| {
            not_a_recording(Unreadable(format!(
                "the dimension is {dimension}, must be 2 or 3"
            )))
        })?;
        let engine = String::from_utf8_lossy(bytes.rest()).into_owned();
        Ok(Self { space, engine })
    }
}
