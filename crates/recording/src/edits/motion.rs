//! Bodies that are elsewhere, or move differently, than the step before would have it.

use super::number::{self, Coding};
use crate::bytes::{Bytes, Unreadable, flags, put_varint};
use crate::gaps::Gaps;
use crate::row::{Motion, ROTATION_WORDS, Space};
use crate::rows::{Change, Deltas, FIRST_VELOCITY, Rows};

mod rotation;

const TRANSLATION: u8 = 1;
const ROTATION: u8 = 1 << 1;
const RESIDUAL: u8 = 1 << 2;
const LINEAR: u8 = 1 << 3;
const ANGULAR: u8 = 1 << 4;
/// Nothing was known of the body before.
const WHOLE: u8 = 1 << 5;
/// The position has more digits than single precision.
const PRECISE: u8 = 1 << 6;

/// Writes the changes of motions. Whether there are any.
pub(super) fn put(changes: &[Change], rows: &mut Rows, frame: u64, out: &mut Vec<u8>) -> bool {
    let count = runs(changes, rows).count();
    if count == 0 {
        return false;
    }
    put_varint(count as u64, out);
    let mut gaps = Gaps::new();
    let mut from = 0;
    while let Some(run) = next_run(changes, rows, from) {
        from = run.end;
        let run = &changes[run];
        gaps.put(run[0].slot, out);
        put_varint(run.len() as u64, out);
        for change in run {
            gaps.next = change.slot + 1;
            put_one(change, rows, frame, out);
        }
    }
    true
}

fn runs<'a>(
    changes: &'a [Change],
    rows: &'a Rows,
) -> impl Iterator<Item = core::ops::Range<usize>> + 'a {
    let mut from = 0;
    core::iter::from_fn(move || {
        let run = next_run(changes, rows, from)?;
        from = run.end;
        Some(run)
    })
}

/// The next changes of motions from a place on that are of slots beside each other.
fn next_run(changes: &[Change], rows: &Rows, from: usize) -> Option<core::ops::Range<usize>> {
    let moves = |change: &Change| mask(change, rows) != 0;
    let start = from + changes.get(from..)?.iter().position(moves)?;
    let mut end = start + 1;
    while changes
        .get(end)
        .is_some_and(|next| next.slot == changes[end - 1].slot + 1 && moves(next))
    {
        end += 1;
    }
    Some(start..end)
}

/// What of the motion is written; zero for nothing.
fn mask(change: &Change, rows: &Rows) -> u8 {
    let (from, to) = (&change.base(rows).motion, &change.to.motion);
    if from == to {
        return 0;
    }
    let bits = [
        (TRANSLATION, from.position != to.position),
        (
            PRECISE,
            from.position != to.position && !to.position.into_iter().all(is_single),
        ),
        (ROTATION, from.rotation != to.rotation),
        (LINEAR, from.velocity[..3] != to.velocity[..3]),
        (ANGULAR, from.velocity[3..] != to.velocity[3..]),
        (WHOLE, change.is_other_body()),
    ];
    let mask = flags(&bits);
    if to.residual == residual_after(from, mask) {
        mask
    } else {
        mask | RESIDUAL
    }
}

/// The bits of a number in single precision, given those in double precision.
fn single(bits: u64) -> u32 {
    (f64::from_bits(bits) as f32).to_bits()
}

/// The bits of a number in double precision, given those in single precision.
fn double(bits: u32) -> u64 {
    f64::from(f32::from_bits(bits)).to_bits()
}

/// Whether single precision holds all of a number.
fn is_single(bits: u64) -> bool {
    double(single(bits)) == bits
}

/// What is left over of a pose, if it is not written.
fn residual_after(before: &Motion, mask: u8) -> [u32; ROTATION_WORDS] {
    if mask & (TRANSLATION | ROTATION) == 0 {
        before.residual
    } else {
        [0; ROTATION_WORDS]
    }
}

fn coding(mask: u8) -> Coding {
    if mask & WHOLE == 0 {
        Coding::Predicted
    } else {
        Coding::Whole
    }
}

/// The words of the velocity of a part of a motion.
fn velocity_words(space: Space, part: u8) -> core::ops::Range<usize> {
    if part == LINEAR {
        0..space.dimension()
    } else {
        space.angular_words()
    }
}

fn put_one(change: &Change, rows: &mut Rows, frame: u64, out: &mut Vec<u8>) {
    let mask = mask(change, rows);
    let (from, to) = (change.base(rows).motion, change.to.motion);
    let (space, coding) = (rows.space, coding(mask));
    let trend = rows.trend(change.slot, frame);
    let mut deltas = Deltas::default();
    out.push(mask);
    if mask & TRANSLATION != 0 {
        for k in 0..space.dimension() {
            let numbers = [from.position[k], to.position[k]];
            if mask & PRECISE == 0 {
                deltas[k] = number::put(coding, numbers.map(single), trend[k], out);
            } else {
                number::put_long(coding, numbers, out);
            }
        }
    }
    if mask & ROTATION != 0 {
        rotation::put(space, coding, [&from, &to], &trend, out);
        rotation::deltas(space, [&from, &to], &mut deltas);
    }
    if mask & RESIDUAL != 0 {
        put_residual(&to.residual, out);
    }
    for part in [LINEAR, ANGULAR] {
        if mask & part != 0 {
            for k in velocity_words(space, part) {
                let place = FIRST_VELOCITY + k;
                let words = [from.velocity[k], to.velocity[k]];
                deltas[place] = number::put(coding, words, trend[place], out);
            }
        }
    }
    if coding == Coding::Whole {
        deltas = Deltas::default();
    }
    rows.set_trend(change.slot, frame, deltas);
}

fn put_residual(residual: &[u32; ROTATION_WORDS], out: &mut Vec<u8>) {
    let place = out.len();
    out.push(0);
    for (k, word) in residual.iter().enumerate().filter(|(_, word)| **word != 0) {
        out[place] |= 1 << k;
        out.extend_from_slice(&word.to_le_bytes());
    }
}

fn read_residual(bytes: &mut Bytes<'_>) -> Result<[u32; ROTATION_WORDS], Unreadable> {
    let places = bytes.byte()?;
    let mut residual = [0; ROTATION_WORDS];
    for (k, word) in residual.iter_mut().enumerate() {
        if places & 1 << k != 0 {
            *word = bytes.word()?;
        }
    }
    Ok(residual)
}

/// Reads changes of motions. Gives the slots.
pub(super) fn read(
    bytes: &mut Bytes<'_>,
    rows: &mut Rows,
    frame: u64,
) -> Result<Vec<u32>, Unreadable> {
    let runs = bytes.varint()?;
    let mut gaps = Gaps::new();
    let mut moved = Vec::new();
    for _ in 0..runs {
        let first = gaps.read(bytes)?;
        let length = bytes.small()?;
        for slot in first..first.saturating_add(length) {
            read_one(bytes, rows, frame, slot)?;
            moved.push(slot);
            gaps.next = slot + 1;
        }
    }
    Ok(moved)
}

fn read_one(
    bytes: &mut Bytes<'_>,
    rows: &mut Rows,
    frame: u64,
    slot: u32,
) -> Result<(), Unreadable> {
    let mask = bytes.byte()?;
    if mask >= PRECISE << 1 {
        return Err(Unreadable(format!("the mask of a motion is {mask:#04x}")));
    }
    let (space, coding) = (rows.space, coding(mask));
    let trend = rows.trend(slot, frame);
    let mut deltas = Deltas::default();
    let motion = &mut rows.taken(slot)?.motion;
    let from = *motion;
    if mask & TRANSLATION != 0 {
        for k in 0..space.dimension() {
            let number = &mut motion.position[k];
            if mask & PRECISE == 0 {
                let mut word = single(*number);
                deltas[k] = number::read(coding, &mut word, trend[k], bytes)?;
                *number = double(word);
            } else {
                *number = number::read_long(coding, *number, bytes)?;
            }
        }
    }
    if mask & ROTATION != 0 {
        rotation::read(space, coding, motion, &trend, bytes)?;
        rotation::deltas(space, [&from, motion], &mut deltas);
    }
    motion.residual = if mask & RESIDUAL == 0 {
        residual_after(&from, mask)
    } else {
        read_residual(bytes)?
    };
    for part in [LINEAR, ANGULAR] {
        if mask & part != 0 {
            for k in velocity_words(space, part) {
                let place = FIRST_VELOCITY + k;
                let word = &mut motion.velocity[k];
                deltas[place] = number::read(coding, word, trend[place], bytes)?;
            }
        }
    }
    if coding == Coding::Whole {
        deltas = Deltas::default();
    }
    rows.set_trend(slot, frame, deltas);
    Ok(())
}
