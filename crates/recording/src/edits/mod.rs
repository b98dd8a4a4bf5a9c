//! What became different between two states of a world, as bytes.
//!
//! ```text
//! edits    = flags, [settings], [slots], [motions], [ignored]
//! slots    = count, (gap, mask, [generation], [shape], [kind], [groups], [extra margin], [flags], [user data])*
//! motions  = count of runs, (gap, length, (mask, [translation], [rotation], [residual], [linear], [angular])*)*
//! ignored  = count, (gap of a, gap of b)*
//! ```

mod motion;
mod number;
pub(crate) mod properties;

use crate::bytes::{Bytes, Unreadable};
use crate::gaps::{put_pairs, read_pairs};
use crate::rows::{Change, Rows};
use crate::settings::Settings;
use properties::Touched;

const SETTINGS: u8 = 1;
const SLOTS: u8 = 2;
const MOTIONS: u8 = 4;
const IGNORED: u8 = 8;

/// What became different of a world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edits<'a> {
    pub(crate) settings: Option<Settings>,
    /// The slots, in order.
    pub(crate) changes: &'a [Change],
    /// All ignored pairs, sorted, the lesser slot first.
    pub(crate) ignored: Option<&'a [[u32; 2]]>,
}

impl Edits<'_> {
    pub(crate) fn are_none(&self) -> bool {
        self.settings.is_none() && self.changes.is_empty() && self.ignored.is_none()
    }

    /// Writes them. `rows` gives the predictions of this frame, and gets those of the next.
    pub(crate) fn put(&self, rows: &mut Rows, frame: u64, out: &mut Vec<u8>) {
        let flags = out.len();
        out.push(0);
        if let Some(settings) = self.settings {
            out[flags] |= SETTINGS;
            settings.put(out);
        }
        if properties::put(self.changes, rows, out) {
            out[flags] |= SLOTS;
        }
        if motion::put(self.changes, rows, frame, out) {
            out[flags] |= MOTIONS;
        }
        if let Some(ignored) = self.ignored {
            out[flags] |= IGNORED;
            put_pairs(ignored.iter().copied(), ignored.len(), out);
        }
    }
}

/// What was read, beside what is in the rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Read {
    pub(crate) settings: Option<Settings>,
    /// The slots with other bodies or properties, in order.
    pub(crate) touched: Vec<Touched>,
    /// The slots with other motions, in order.
    pub(crate) moved: Vec<u32>,
    pub(crate) ignored: Option<Vec<[u32; 2]>>,
}

/// Reads edits into rows.
pub(crate) fn read(bytes: &mut Bytes<'_>, rows: &mut Rows, frame: u64) -> Result<Read, Unreadable> {
    let flags = bytes.byte()?;
    if flags > SETTINGS | SLOTS | MOTIONS | IGNORED {
        return Err(Unreadable(format!("the flags of edits are {flags:#04x}")));
    }
    let mut read = Read::default();
    if flags & SETTINGS != 0 {
        read.settings = Some(Settings::read(bytes)?);
    }
    if flags & SLOTS != 0 {
        read.touched = properties::read(bytes, rows)?;
    }
    if flags & MOTIONS != 0 {
        read.moved = motion::read(bytes, rows, frame)?;
    }
    if flags & IGNORED != 0 {
        read.ignored = Some(read_pairs(bytes)?);
    }
    Ok(read)
}
