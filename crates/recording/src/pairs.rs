//! The contacts of a frame as a recording holds them: which bodies, and a hash of what was measured.
//!
//! ```text
//! pairs    = count of pieces, (kept, gone, count of new, new pairs)*, hashes
//! hashes   = (equal, different, hash*)* until there is one for each pair
//! ```

use crate::bytes::{Bytes, Unreadable, put_varint};
use crate::gaps::{put_pairs, read_pairs};

/// A hash that tells which of the pairs differ, once the hash of the whole frame says that some do. What moves has
/// another one in each frame, and most of a recording consists of them: with 16 bits, one difference in 65,536 shows in the
/// hash of the frame alone.
pub(crate) type ShortHash = u16;

/// A pair of bodies, and a hash of its contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    /// The slots, the lesser first.
    pub(crate) slots: [u32; 2],
    pub(crate) hash: ShortHash,
}

/// Writes how a list becomes another one. Both are sorted by slots.
pub(crate) fn put(from: &[Pair], to: &[Pair], out: &mut Vec<u8>) {
    let count = Pieces::new(from, to).count();
    put_varint(count as u64, out);
    for piece in Pieces::new(from, to) {
        put_varint(piece.kept as u64, out);
        put_varint(piece.gone as u64, out);
        let new = piece.new.iter().map(|pair| pair.slots);
        put_pairs(new, piece.new.len(), out);
    }
    put_hashes(from, to, out);
}

/// Pairs that stay, after which some go and others come.
struct Piece<'a> {
    kept: usize,
    gone: usize,
    new: &'a [Pair],
}

/// How a list becomes another one.
struct Pieces<'a> {
    from: &'a [Pair],
    to: &'a [Pair],
}

impl<'a> Pieces<'a> {
    fn new(from: &'a [Pair], to: &'a [Pair]) -> Self {
        Self { from, to }
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    /// The next piece; the last one may only keep, and then is left out.
    fn next(&mut self) -> Option<Piece<'a>> {
        let both = self.from.iter().zip(self.to);
        let kept = both.take_while(|(a, b)| a.slots == b.slots).count();
        let (from, to) = (&self.from[kept..], &self.to[kept..]);
        if from.is_empty() && to.is_empty() {
            return None;
        }
        let [mut gone, mut new] = [0, 0];
        loop {
            match (from.get(gone), to.get(new)) {
                (Some(old), Some(next)) if old.slots == next.slots => break,
                (Some(old), Some(next)) if old.slots < next.slots => gone += 1,
                (Some(_), None) => gone += 1,
                (_, Some(_)) => new += 1,
                (None, None) => break,
            }
        }
        (self.from, self.to) = (&from[gone..], &to[new..]);
        let new = &to[..new];
        Some(Piece { kept, gone, new })
    }
}

/// Writes the hashes that are not those that the pairs had before.
fn put_hashes(from: &[Pair], to: &[Pair], out: &mut Vec<u8>) {
    let mut before = from.iter().peekable();
    let mut is_equal = |pair: &Pair| {
        while before.next_if(|old| old.slots < pair.slots).is_some() {}
        before.peek() == Some(&pair)
    };
    let mut rest = to;
    while !rest.is_empty() {
        let equal = rest.iter().take_while(|pair| is_equal(pair)).count();
        put_varint(equal as u64, out);
        rest = &rest[equal..];
        let different = different_run(from, rest);
        put_varint(different.len() as u64, out);
        for pair in different {
            out.extend_from_slice(&pair.hash.to_le_bytes());
        }
        rest = &rest[different.len()..];
    }
}

/// Up to where no pair has the hash that it had before.
fn different_run<'a>(from: &[Pair], to: &'a [Pair]) -> &'a [Pair] {
    let Some(first) = to.first() else {
        return to;
    };
    let start = from.partition_point(|old| old.slots < first.slots);
    let mut before = from[start..].iter().peekable();
    let equal = to.iter().position(|pair| {
        while before.next_if(|old| old.slots < pair.slots).is_some() {}
        before.peek() == Some(&pair)
    });
    &to[..equal.unwrap_or(to.len())]
}

/// Makes of the list of the frame before that of this frame. `next` is memory for it.
pub(crate) fn read(
    bytes: &mut Bytes<'_>,
    pairs: &mut Vec<Pair>,
    next: &mut Vec<Pair>,
) -> Result<(), Unreadable> {
    next.clear();
    // Hashes of pairs that were there; new ones have none yet.
    let mut rest = pairs.as_slice();
    for _ in 0..bytes.varint()? {
        let [kept, gone] = [bytes.varint()?, bytes.varint()?];
        let (stay, after) = split(rest, kept)?;
        let (_, after) = split(after, gone)?;
        next.extend_from_slice(stay);
        let new = read_pairs(bytes)?;
        next.extend(new.into_iter().map(|slots| Pair { slots, hash: 0 }));
        rest = after;
    }
    next.extend_from_slice(rest);
    if !next.is_sorted_by(|a, b| a.slots < b.slots) {
        return Err(Unreadable::new("the contacts are not in order"));
    }
    read_hashes(bytes, next)?;
    core::mem::swap(pairs, next);
    Ok(())
}

fn split(pairs: &[Pair], count: u64) -> Result<(&[Pair], &[Pair]), Unreadable> {
    let place = usize::try_from(count).ok();
    let parts = place.and_then(|place| pairs.split_at_checked(place));
    parts.ok_or_else(|| {
        let left = pairs.len();
        Unreadable(format!(
            "{count} contacts are named, must be at most {left}"
        ))
    })
}

fn read_hashes(bytes: &mut Bytes<'_>, pairs: &mut [Pair]) -> Result<(), Unreadable> {
    let mut rest = pairs;
    while !rest.is_empty() {
        let [equal, different] = [bytes.varint()?, bytes.varint()?];
        if equal == 0 && different == 0 {
            return Err(Unreadable::new("a run of hashes is empty"));
        }
        let left = rest.len();
        let too_many = || Unreadable(format!("hashes of more than {left} contacts are written"));
        let equal = usize::try_from(equal).map_err(|_| too_many())?;
        rest = rest.get_mut(equal..).ok_or_else(too_many)?;
        let different = usize::try_from(different).map_err(|_| too_many())?;
        let (run, after) = rest.split_at_mut_checked(different).ok_or_else(too_many)?;
        for pair in run {
            pair.hash = bytes.half_word()?;
        }
        rest = after;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_that_is_stored_twice_is_refused() {
        // In one piece, one pair stays, none goes, and the same one is new; then both have the hashes that they had.
        let bytes = [1, 1, 0, 1, 0, 0, 2, 0];
        let pair = Pair {
            slots: [0, 1],
            hash: 7,
        };
        let (mut pairs, mut next) = (vec![pair], Vec::new());
        let refused = read(&mut Bytes::new(&bytes), &mut pairs, &mut next);
        assert!(refused.is_err());
        assert_eq!(pairs, [pair]);
    }
}
