//! What a world is asked to find.

use crate::bytes::{Bytes, Unreadable, flags};

/// What a world is asked to find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    /// The bits of the margin.
    pub(crate) margin: u32,
    pub(crate) part_contacts: bool,
    pub(crate) surface_contacts: bool,
    pub(crate) manifolds: bool,
}

const PART_CONTACTS: u8 = 1;
const SURFACE_CONTACTS: u8 = 2;
const MANIFOLDS: u8 = 4;

impl Settings {
    pub(crate) fn put(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.margin.to_le_bytes());
        let bits = [
            (PART_CONTACTS, self.part_contacts),
            (SURFACE_CONTACTS, self.surface_contacts),
            (MANIFOLDS, self.manifolds),
        ];
        out.push(flags(&bits));
    }

    pub(crate) fn read(bytes: &mut Bytes<'_>) -> Result<Self, Unreadable> {
        let margin = bytes.word()?;
        let flags = bytes.byte()?;
        if flags > PART_CONTACTS | SURFACE_CONTACTS | MANIFOLDS {
            return Err(Unreadable(format!("the wishes of a world are {flags}")));
        }
        Ok(Self {
            margin,
            part_contacts: flags & PART_CONTACTS != 0,
            surface_contacts: flags & SURFACE_CONTACTS != 0,
            manifolds: flags & MANIFOLDS != 0,
        })
    }
}
