//! Bodies that came, went, or have other properties.

use clearance_world::{BodyKind, Groups};

use crate::bytes::{Bytes, Unreadable, flags, put_varint};
use crate::gaps::Gaps;
use crate::row::{Properties, Row};
use crate::rows::{Change, Rows};

/// What was read of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Touched {
    pub(crate) slot: u32,
    /// Whether another body is in the slot, or none any more.
    pub(crate) is_other_body: bool,
}

const OTHER_BODY: u8 = 1;
const SHAPE: u8 = 1 << 1;
const KIND: u8 = 1 << 2;
const GROUPS: u8 = 1 << 3;
const EXTRA_MARGIN: u8 = 1 << 4;
const WISHES: u8 = 1 << 5;
const USER_DATA: u8 = 1 << 6;
/// Whether the slot has a body now.
const IS_TAKEN: u8 = 1 << 7;

const FIXED: u8 = 1;
const PART_CONTACTS: u8 = 1;
const SWEPT: u8 = 2;
const MANIFOLDS: u8 = 4;

/// Writes the changes of bodies and properties. Whether there are any.
pub(super) fn put(changes: &[Change], rows: &Rows, out: &mut Vec<u8>) -> bool {
    let masked = || {
        let masked = changes.iter().map(|change| (change, mask(change, rows)));
        masked.filter(|(_, mask)| mask & !IS_TAKEN != 0)
    };
    let count = masked().count();
    if count == 0 {
        return false;
    }
    put_varint(count as u64, out);
    let mut gaps = Gaps::new();
    for (change, mask) in masked() {
        gaps.put(change.slot, out);
        out.push(mask);
        if mask & OTHER_BODY != 0 {
            put_varint(change.to.generation.into(), out);
        }
        put_properties(&change.to.properties, mask, out);
    }
    true
}

fn mask(change: &Change, rows: &Rows) -> u8 {
    let (from, to) = (change.base(rows).properties, change.to.properties);
    let bits = [
        (OTHER_BODY, change.is_other_body()),
        (SHAPE, from.shape != to.shape),
        (KIND, from.kind != to.kind),
        (GROUPS, from.groups != to.groups),
        (EXTRA_MARGIN, from.extra_margin != to.extra_margin),
        (WISHES, wishes(&from) != wishes(&to)),
        (USER_DATA, from.user_data != to.user_data),
        (IS_TAKEN, change.to.is_taken),
    ];
    flags(&bits)
}

fn wishes(properties: &Properties) -> u8 {
    flags(&[
        (PART_CONTACTS, properties.part_contacts),
        (SWEPT, properties.is_swept),
        (MANIFOLDS, properties.manifolds),
    ])
}

fn put_properties(properties: &Properties, mask: u8, out: &mut Vec<u8>) {
    if mask & SHAPE != 0 {
        put_varint(properties.shape.into(), out);
    }
    if mask & KIND != 0 {
        out.push(if properties.kind == BodyKind::Fixed {
            FIXED
        } else {
            0
        });
    }
    if mask & GROUPS != 0 {
        out.extend_from_slice(&properties.groups.memberships.to_le_bytes());
        out.extend_from_slice(&properties.groups.filter.to_le_bytes());
    }
    if mask & EXTRA_MARGIN != 0 {
        out.extend_from_slice(&properties.extra_margin.to_le_bytes());
    }
    if mask & WISHES != 0 {
        out.push(wishes(properties));
    }
    if mask & USER_DATA != 0 {
        put_varint(properties.user_data, out);
    }
}

pub(super) fn read(bytes: &mut Bytes<'_>, rows: &mut Rows) -> Result<Vec<Touched>, Unreadable> {
    let count = bytes.varint()?;
    let mut gaps = Gaps::new();
    let mut touched = Vec::new();
    for _ in 0..count {
        let slot = gaps.read(bytes)?;
        let mask = bytes.byte()?;
        let is_other_body = mask & OTHER_BODY != 0;
        if is_other_body {
            let row = Row {
                is_taken: mask & IS_TAKEN != 0,
                ..Row::vacant(bytes.small()?, rows.space)
            };
            rows.set(slot, row)?;
        }
        let has_properties = mask & !(OTHER_BODY | IS_TAKEN) != 0;
        if has_properties || !is_other_body {
            read_properties(bytes, &mut rows.taken(slot)?.properties, mask)?;
        }
        touched.push(Touched {
            slot,
            is_other_body,
        });
    }
    Ok(touched)
}

fn read_properties(
    bytes: &mut Bytes<'_>,
    properties: &mut Properties,
    mask: u8,
) -> Result<(), Unreadable> {
    if mask & SHAPE != 0 {
        properties.shape = bytes.small()?;
    }
    if mask & KIND != 0 {
        properties.kind = match bytes.byte()? {
            0 => BodyKind::Moving,
            FIXED => BodyKind::Fixed,
            other => return Err(Unreadable(format!("a kind is {other}, must be 0 or 1"))),
        };
    }
    if mask & GROUPS != 0 {
        properties.groups = Groups {
            memberships: bytes.word()?,
            filter: bytes.word()?,
        };
    }
    if mask & EXTRA_MARGIN != 0 {
        properties.extra_margin = bytes.word()?;
    }
    if mask & WISHES != 0 {
        let wishes = bytes.byte()?;
        if wishes > PART_CONTACTS | SWEPT | MANIFOLDS {
            return Err(Unreadable(format!(
                "wishes are {wishes}, must be at most 7"
            )));
        }
        properties.part_contacts = wishes & PART_CONTACTS != 0;
        properties.is_swept = wishes & SWEPT != 0;
        properties.manifolds = wishes & MANIFOLDS != 0;
    }
    if mask & USER_DATA != 0 {
        properties.user_data = bytes.varint()?;
    }
    Ok(())
}
