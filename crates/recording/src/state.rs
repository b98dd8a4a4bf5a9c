//! What writer and reader of a recording both know after each frame.

use crate::block::{BlockKind, OpenBlock};
use crate::bytes::{Bytes, Unreadable, flags, put_varint};
use crate::edits::{self, Edits};
use crate::error::EncodeError;
use crate::gaps::{put_pairs, read_pairs};
use crate::pairs::{self, Pair};
use crate::row::{Row, Space};
use crate::rows::{Change, Rows, bytes_of};
use crate::settings::Settings;

/// A world as a recording knows it after a frame.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) frame: u64,
    pub(crate) rows: Rows,
    pub(crate) settings: Settings,
    /// The slots of ignored pairs, sorted.
    pub(crate) ignored: Vec<[u32; 2]>,
    /// The contacts.
    pub(crate) pairs: Vec<Pair>,
    /// The hash of all contacts, if it can be compared.
    pub(crate) hash: Option<u64>,
    /// The bits of the length of the last step.
    pub(crate) dt: u32,
    /// Whether a function of the program decided which pairs exist: then they are those that were found.
    pub(crate) has_filter: bool,
}

const FILTER: u8 = 1;
const HASH: u8 = 2;

impl State {
    /// Whether all but the bodies is the same, as far as what follows depends on it.
    pub(crate) fn has_the_rest_of(&self, other: &Self) -> bool {
        self.settings == other.settings
            && self.ignored == other.ignored
            && self.pairs == other.pairs
            && self.hash == other.hash
            && self.has_filter == other.has_filter
    }

    pub(crate) fn new(space: Space) -> Self {
        Self {
            frame: 0,
            rows: Rows::new(space),
            settings: Settings::default(),
            ignored: Vec::new(),
            pairs: Vec::new(),
            hash: None,
            dt: 0,
            has_filter: false,
        }
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        self.rows.memory() + bytes_of(&self.ignored) + bytes_of(&self.pairs)
    }

    /// Writes all of it as a block. `changes` is memory for it.
    pub(crate) fn put_keyframe(
        &mut self,
        changes: &mut Vec<Change>,
        out: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        let block = OpenBlock::begin(BlockKind::Keyframe, out);
        put_varint(self.frame, out);
        let bits = [(FILTER, self.has_filter), (HASH, self.hash.is_some())];
        out.push(flags(&bits));
        self.settings.put(out);
        out.extend_from_slice(&self.dt.to_le_bytes());
        if let Some(hash) = self.hash {
            out.extend_from_slice(&hash.to_le_bytes());
        }
        pairs::put(&[], &self.pairs, out);
        put_pairs(self.ignored.iter().copied(), self.ignored.len(), out);
        let nothing = Row::vacant(u32::MAX, self.rows.space);
        let rows = (0..).zip(self.rows.all());
        changes.clear();
        changes.extend(rows.map(|(slot, &to)| Change {
            slot,
            from: nothing,
            to,
        }));
        let edits = Edits {
            settings: None,
            changes,
            ignored: None,
        };
        edits.put(&mut self.rows, self.frame, out);
        block.end(out)
    }

    pub(crate) fn read_keyframe(payload: &[u8], space: Space) -> Result<Self, Unreadable> {
        let mut bytes = Bytes::new(payload);
        let mut state = Self::new(space);
        state.frame = bytes.varint()?;
        let flags = bytes.byte()?;
        if flags > FILTER | HASH {
            return Err(Unreadable(format!(
                "the flags of a keyframe are {flags:#04x}"
            )));
        }
        let is_set = |flag| flags & flag != 0;
        state.has_filter = is_set(FILTER);
        state.settings = Settings::read(&mut bytes)?;
        state.dt = bytes.word()?;
        state.hash = is_set(HASH).then(|| bytes.long()).transpose()?;
        pairs::read(&mut bytes, &mut state.pairs, &mut Vec::new())?;
        state.ignored = read_pairs(&mut bytes)?;
        edits::read(&mut bytes, &mut state.rows, state.frame)?;
        bytes.finish()?;
        state.rows.forget_trends();
        Ok(state)
    }
}
