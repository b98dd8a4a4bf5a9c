//! The block of a frame.
//!
//! ```text
//! frame = number, flags, [dt], [hash], pairs, [edits before the step], [edits after the step]
//! ```

use crate::block::{BlockKind, OpenBlock};
use crate::bytes::{Bytes, Unreadable, flags, put_varint};
use crate::edits::{self, Edits, Read};
use crate::error::EncodeError;
use crate::pairs::{self, Pair};
use crate::state::State;

/// A step was made.
const STEP: u8 = 1;
/// The length of the step is not that of the one before.
const DT: u8 = 1 << 1;
const HASH: u8 = 1 << 2;
/// The hash is that of the frame before.
const SAME_HASH: u8 = 1 << 3;
const EARLY: u8 = 1 << 4;
const LATE: u8 = 1 << 5;
/// A function of the program decided which pairs exist.
const FILTER: u8 = 1 << 6;
/// Predictions begin anew.
const FRESH: u8 = 1 << 7;

/// What a frame tells, but for what became different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) number: u64,
    /// The bits of the length of the step, if one was made.
    pub(crate) dt: Option<u32>,
    pub(crate) hash: Option<u64>,
    pub(crate) has_filter: bool,
    pub(crate) is_fresh: bool,
}

/// Writes a frame, and makes `state` that of it, but for the rows.
pub(crate) fn put(
    head: &Head,
    pairs: &mut Vec<Pair>,
    [early, late]: [Edits<'_>; 2],
    state: &mut State,
    out: &mut Vec<u8>,
) -> Result<(), EncodeError> {
    let block = OpenBlock::begin(BlockKind::Frame, out);
    put_varint(head.number, out);
    let other_dt = head.dt.filter(|&dt| dt != state.dt);
    let other_hash = head.hash.filter(|_| head.hash != state.hash);
    let bits = [
        (STEP, head.dt.is_some()),
        (DT, other_dt.is_some()),
        (HASH, other_hash.is_some()),
        (SAME_HASH, head.hash.is_some() && other_hash.is_none()),
        (EARLY, !early.are_none()),
        (LATE, !late.are_none()),
        (FILTER, head.has_filter),
        (FRESH, head.is_fresh),
    ];
    out.push(flags(&bits));
    if let Some(dt) = other_dt {
        out.extend_from_slice(&dt.to_le_bytes());
    }
    if let Some(hash) = other_hash {
        out.extend_from_slice(&hash.to_le_bytes());
    }
    pairs::put(&state.pairs, pairs, out);
    if head.is_fresh {
        state.rows.forget_trends();
    }
    for edits in [early, late].iter().filter(|edits| !edits.are_none()) {
        edits.put(&mut state.rows, head.number, out);
    }
    core::mem::swap(&mut state.pairs, pairs);
    state.take_head(head);
    block.end(out)
}

/// A frame of which the first parts were read.
pub(crate) struct OpenFrame<'a> {
    bytes: Bytes<'a>,
    flags: u8,
    pub(crate) head: Head,
}

impl<'a> OpenFrame<'a> {
    /// Reads up to the edits: afterwards the state has the contacts of the frame. `memory` is for them.
    pub(crate) fn read(
        payload: &'a [u8],
        state: &mut State,
        memory: &mut Vec<Pair>,
    ) -> Result<Self, Unreadable> {
        let mut bytes = Bytes::new(payload);
        let number = bytes.varint()?;
        if Some(number) != state.frame.checked_add(1) {
            let before = state.frame;
            let reason = format!("frame {number} comes after frame {before}");
            return Err(Unreadable(reason));
        }
        let flags = bytes.byte()?;
        let is_set = |flag| flags & flag != 0;
        let dt = if is_set(DT) { bytes.word()? } else { state.dt };
        let hash = is_set(HASH).then(|| bytes.long()).transpose()?;
        let same_hash = state.hash.filter(|_| is_set(SAME_HASH));
        let head = Head {
            number,
            dt: is_set(STEP).then_some(dt),
            hash: hash.or(same_hash),
            has_filter: is_set(FILTER),
            is_fresh: is_set(FRESH),
        };
        pairs::read(&mut bytes, &mut state.pairs, memory)?;
        if head.is_fresh {
            state.rows.forget_trends();
        }
        state.take_head(&head);
        Ok(Self { bytes, flags, head })
    }

    /// What became different before the step.
    pub(crate) fn early(&mut self, state: &mut State) -> Result<Option<Read>, Unreadable> {
        self.edits(EARLY, state)
    }

    /// What became different after the step, which the rows must have made, too.
    pub(crate) fn late(mut self, state: &mut State) -> Result<Option<Read>, Unreadable> {
        let late = self.edits(LATE, state)?;
        self.bytes.finish()?;
        Ok(late)
    }

    fn edits(&mut self, flag: u8, state: &mut State) -> Result<Option<Read>, Unreadable> {
        if self.flags & flag == 0 {
            return Ok(None);
        }
        let read = edits::read(&mut self.bytes, &mut state.rows, self.head.number)?;
        if let Some(settings) = read.settings {
            state.settings = settings;
        }
        if let Some(ignored) = &read.ignored {
            state.ignored.clone_from(ignored);
        }
        Ok(Some(read))
    }
}

impl State {
    fn take_head(&mut self, head: &Head) {
        self.frame = head.number;
        self.dt = head.dt.unwrap_or(self.dt);
        self.hash = head.hash;
        self.has_filter = head.has_filter;
    }
}
