//! Rotations: of their numbers all but the largest are written, from which that one all but follows, since a
//! rotation is of unit length.
//!
//! ```text
//! rotation = which number is the largest (2 bits), its sign (1 bit), correction plus 7 (4 bits),
//!            the other numbers, [correction]
//! ```

use crate::bytes::{Bytes, Unreadable, put_varint, unzigzag, zigzag};
use crate::edits::number::{self, Coding, delta};
use crate::row::{Motion, Space};
use crate::rows::{Deltas, FIRST_ROTATION};

/// A correction of this size is written behind, instead of in the first byte.
const BEHIND: u8 = 15;
/// What is added to a correction in the first byte.
const OFFSET: i64 = 7;

pub(super) fn put(
    space: Space,
    coding: Coding,
    [from, to]: [&Motion; 2],
    trend: &Deltas,
    out: &mut Vec<u8>,
) {
    let (largest, numbers) = match space {
        Space::Plane => {
            let numbers = in_plane(to);
            (
                usize::from(numbers[1].abs() > numbers[0].abs()),
                [numbers[0], numbers[1], 0.0, 0.0],
            )
        }
        Space::Space => {
            let numbers = in_space(to);
            (largest(numbers), numbers)
        }
    };
    let is_negative = numbers[largest].is_sign_negative();
    let exact = magnitude(space, numbers[largest]);
    let correction = exact.wrapping_sub(following(space, largest, numbers));
    let short = u8::try_from(correction.wrapping_add(OFFSET));
    let short = short.ok().filter(|&short| short < BEHIND);
    out.push(largest as u8 | u8::from(is_negative) << 2 | short.unwrap_or(BEHIND) << 3);
    match space {
        Space::Plane => {
            let k = 1 - largest;
            number::put_long(
                coding,
                [in_plane(from)[k], in_plane(to)[k]].map(f64::to_bits),
                out,
            );
        }
        Space::Space => {
            for k in (0..4).filter(|k| *k != largest) {
                let words = [from.rotation[k], to.rotation[k]];
                number::put(coding, words, trend[FIRST_ROTATION + k], out);
            }
        }
    }
    if short.is_none() {
        put_varint(zigzag(correction), out);
    }
}

pub(super) fn read(
    space: Space,
    coding: Coding,
    motion: &mut Motion,
    trend: &Deltas,
    bytes: &mut Bytes<'_>,
) -> Result<(), Unreadable> {
    let head = bytes.byte()?;
    let largest = usize::from(head & 3);
    if head >> 7 != 0 || space == Space::Plane && largest > 1 {
        return Err(Unreadable(format!("a rotation begins with {head:#04x}")));
    }
    let numbers = match space {
        Space::Plane => {
            let mut numbers = in_plane(motion);
            let other = &mut numbers[1 - largest];
            *other = f64::from_bits(number::read_long(coding, other.to_bits(), bytes)?);
            [numbers[0], numbers[1], 0.0, 0.0]
        }
        Space::Space => {
            for k in (0..4).filter(|k| *k != largest) {
                let trend = trend[FIRST_ROTATION + k];
                number::read(coding, &mut motion.rotation[k], trend, bytes)?;
            }
            in_space(motion)
        }
    };
    let short = head >> 3 & BEHIND;
    let correction = if short == BEHIND {
        unzigzag(bytes.varint()?)
    } else {
        i64::from(short) - OFFSET
    };
    let exact = following(space, largest, numbers).wrapping_add(correction);
    let is_negative = head & 4 != 0;
    match space {
        Space::Plane => {
            let mut words = numbers.map(f64::to_bits);
            words[largest] = exact as u64 & (u64::MAX >> 1) | u64::from(is_negative) << 63;
            for (k, word) in words.iter().take(2).enumerate() {
                motion.rotation[2 * k] = *word as u32;
                motion.rotation[2 * k + 1] = (word >> 32) as u32;
            }
        }
        Space::Space => {
            let magnitude = exact as u32 & (u32::MAX >> 1);
            motion.rotation[largest] = magnitude | u32::from(is_negative) << 31;
        }
    }
    Ok(())
}

/// By how much the words of a rotation went up. Of those of the plane nothing is predicted.
pub(super) fn deltas(space: Space, [from, to]: [&Motion; 2], deltas: &mut Deltas) {
    if space == Space::Space {
        let words = from.rotation.iter().zip(&to.rotation);
        for (place, (from, to)) in deltas[FIRST_ROTATION..].iter_mut().zip(words) {
            *place = delta(*from, *to);
        }
    }
}

/// Cosine and sine.
fn in_plane(motion: &Motion) -> [f64; 2] {
    let word = |k: usize| u64::from(motion.rotation[k]);
    [0, 2].map(|k| f64::from_bits(word(k) | word(k + 1) << 32))
}

/// The numbers of the quaternion.
fn in_space(motion: &Motion) -> [f64; 4] {
    motion.rotation.map(|word| f64::from(f32::from_bits(word)))
}

/// The place of the number with the largest magnitude.
fn largest(numbers: [f64; 4]) -> usize {
    (1..4).fold(0, |largest, k| {
        if numbers[k].abs() > numbers[largest].abs() {
            k
        } else {
            largest
        }
    })
}

/// The magnitude of a number as a whole number: its bits in the precision of the rotation.
fn magnitude(space: Space, number: f64) -> i64 {
    match space {
        Space::Plane => number.abs().to_bits() as i64,
        Space::Space => (number.abs() as f32).to_bits().into(),
    }
}

/// The magnitude that the largest number has if the rotation is of unit length.
fn following(space: Space, largest: usize, numbers: [f64; 4]) -> i64 {
    let others = (0..4).filter(|&k| k != largest);
    let squares: f64 = others.map(|k| numbers[k] * numbers[k]).sum();
    magnitude(space, (1.0 - squares).max(0.0).sqrt())
}
