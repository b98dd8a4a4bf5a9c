//! Sorted lists of pairs of slots.

use super::Gaps;
use crate::bytes::{Bytes, Unreadable, put_varint};

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
pub(crate) struct PairGaps {
    a: u32,
    b: Gaps,
}

impl PairGaps {
    pub(crate) fn new() -> Self {
        Self {
            a: 0,
            b: Gaps { next: 1 },
        }
    }

    pub(crate) fn put(&mut self, [a, b]: [u32; 2], out: &mut Vec<u8>) {
        put_varint(u64::from(a.wrapping_sub(self.a)), out);
        if a != self.a {
            *self = Self {
                a,
                b: Gaps { next: a + 1 },
            };
        }
        self.b.put(b, out);
    }

    pub(crate) fn read(&mut self, bytes: &mut Bytes<'_>) -> Result<[u32; 2], Unreadable> {
        let gap = bytes.small()?;
        if gap > 0 {
            let a = self.a.checked_add(gap).filter(|&a| a < u32::MAX);
            let a = a.ok_or_else(|| Unreadable::new("a pair is beyond the last slot"))?;
            *self = Self {
                a,
                b: Gaps { next: a + 1 },
            };
        }
        Ok([self.a, self.b.read(bytes)?])
    }
}
