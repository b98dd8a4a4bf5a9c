//! Sorted lists of slots, and of pairs of slots.

use crate::bytes::{Bytes, Unreadable, put_varint};

/// Writes the places of a sorted list of slots as what lies between them.
pub(crate) struct Gaps {
    pub(crate) next: u32,
}

impl Gaps {
    pub(crate) fn new() -> Self {
        Self { next: 0 }
    }

    pub(crate) fn put(&mut self, slot: u32, out: &mut Vec<u8>) {
        put_varint(u64::from(slot.wrapping_sub(self.next)), out);
        self.next = slot.wrapping_add(1);
    }

    pub(crate) fn read(&mut self, bytes: &mut Bytes<'_>) -> Result<u32, Unreadable> {
        let gap = bytes.small()?;
        let slot = self.next.checked_add(gap).filter(|&slot| slot < u32::MAX);
        let slot = slot.ok_or_else(|| Unreadable::new("a slot is beyond the last one"))?;
        self.next = slot + 1;
        Ok(slot)
    }
}

/// Writes pairs (a, b), sorted, with a < b.
pub(crate) fn put_pairs(pairs: impl Iterator<Item = [u32; 2]>, count: usize, out: &mut Vec<u8>) {
    put_varint(count as u64, out);
    let mut walk = PairGaps::new();
    for pair in pairs {
        walk.put(pair, out);
    }
}

pub(crate) fn read_pairs(bytes: &mut Bytes<'_>) -> Result<Vec<[u32; 2]>, Unreadable> {
    let count = bytes.varint()?;
    let mut walk = PairGaps::new();
    // Each takes bytes, so a count that lies ends with them.
    let mut pairs = Vec::new();
    for _ in 0..count {
        pairs.push(walk.read(bytes)?);
    }
    Ok(pairs)
}

/// Writes sorted pairs as what lies between them.
struct PairGaps {
    a: u32,
    b: Gaps,
}

impl PairGaps {
    fn new() -> Self {
        let b = Gaps { next: 1 };
        Self { a: 0, b }
    }

    fn put(&mut self, [a, b]: [u32; 2], out: &mut Vec<u8>) {
        put_varint(u64::from(a.wrapping_sub(self.a)), out);
        if a != self.a {
            let b = Gaps { next: a + 1 };
            *self = Self { a, b };
        }
        self.b.put(b, out);
    }

    fn read(&mut self, bytes: &mut Bytes<'_>) -> Result<[u32; 2], Unreadable> {
        let gap = bytes.small()?;
        if gap > 0 {
            let a = self.a.checked_add(gap).filter(|&a| a < u32::MAX);
            let a = a.ok_or_else(|| Unreadable::new("a pair is beyond the last slot"))?;
            let b = Gaps { next: a + 1 };
            *self = Self { a, b };
        }
        Ok([self.a, self.b.read(bytes)?])
    }
}
