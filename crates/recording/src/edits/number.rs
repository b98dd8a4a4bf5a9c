//! Numbers of poses and velocities: written as what a prediction leaves over, to the last bit.

use crate::bytes::{Bytes, Unreadable, put_varint, unzigzag, zigzag};

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    /// As they are: nothing is known from which they could follow.
    Whole,
    /// As what they differ by from where they would be if they went on as before.
    Predicted,
}

/// The bits of a number as a whole number in the order of numbers, so that near numbers are near: and back.
pub(super) fn ordered(bits: u32) -> i32 {
    let bits = bits as i32;
    bits ^ ((bits >> 31) as u32 >> 1) as i32
}

/// The inverse of [`ordered`].
pub(super) fn disordered(number: i32) -> u32 {
    (number ^ ((number >> 31) as u32 >> 1) as i32) as u32
}

/// As [`ordered`], for double precision.
pub(super) fn ordered_long(bits: u64) -> i64 {
    let bits = bits as i64;
    bits ^ ((bits >> 63) as u64 >> 1) as i64
}

/// The inverse of [`ordered_long`].
pub(super) fn disordered_long(number: i64) -> u64 {
    (number ^ ((number >> 63) as u64 >> 1) as i64) as u64
}

/// By how much a word goes up, in the order of numbers.
pub(super) fn delta(from: u32, to: u32) -> i32 {
    ordered(to).wrapping_sub(ordered(from))
}

/// Writes what becomes of the word `from` in the order of numbers. Gives by how much it went up.
pub(super) fn put(coding: Coding, [from, to]: [u32; 2], trend: i32, out: &mut Vec<u8>) -> i32 {
    match coding {
        Coding::Whole => {
            out.extend_from_slice(&to.to_le_bytes());
            0
        }
        Coding::Predicted => {
            let delta = delta(from, to);
            put_varint(zigzag(delta.wrapping_sub(trend).into()), out);
            delta
        }
    }
}

/// Reads what [`put`] wrote into the word. Gives by how much it went up.
pub(super) fn read(
    coding: Coding,
    word: &mut u32,
    trend: i32,
    bytes: &mut Bytes<'_>,
) -> Result<i32, Unreadable> {
    if coding == Coding::Whole {
        *word = bytes.word()?;
        return Ok(0);
    }
    let delta = (unzigzag(bytes.varint()?) as i32).wrapping_add(trend);
    *word = disordered(ordered(*word).wrapping_add(delta));
    Ok(delta)
}

/// Writes a number in double precision.
pub(super) fn put_long(coding: Coding, [from, to]: [u64; 2], out: &mut Vec<u8>) {
    match coding {
        Coding::Whole => out.extend_from_slice(&to.to_le_bytes()),
        Coding::Predicted => {
            let delta = ordered_long(to).wrapping_sub(ordered_long(from));
            put_varint(zigzag(delta), out);
        }
    }
}

/// Reads a number in double precision.
pub(super) fn read_long(
    coding: Coding,
    from: u64,
    bytes: &mut Bytes<'_>,
) -> Result<u64, Unreadable> {
    match coding {
        Coding::Whole => bytes.long(),
        Coding::Predicted => {
            let delta = unzigzag(bytes.varint()?);
            Ok(disordered_long(ordered_long(from).wrapping_add(delta)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_numbers_are_near() {
        let numbers = [f32::NEG_INFINITY, -2.0, -1e-40, -0.0, 0.0, 1e-40, 3.0];
        let whole = numbers.map(|number| ordered(number.to_bits()));
        assert!(whole.is_sorted() && whole[3] + 1 == whole[4], "{whole:?}");
        for (number, whole) in numbers.iter().zip(whole) {
            assert_eq!(disordered(whole), number.to_bits());
        }
        let wide = numbers.map(|number| ordered_long(f64::from(number).to_bits()));
        assert!(wide.is_sorted());
        for (number, wide) in numbers.iter().zip(wide) {
            assert_eq!(disordered_long(wide), f64::from(*number).to_bits());
        }
    }

    #[test]
    fn numbers_come_back() {
        let numbers = [0.0_f32, -0.0, 1.0, -1.5, 1e30, f32::NAN, f32::INFINITY].map(f32::to_bits);
        for from in numbers {
            for to in numbers {
                for (coding, trend) in [(Coding::Whole, 0), (Coding::Predicted, i32::MIN)] {
                    let mut out = Vec::new();
                    let written = put(coding, [from, to], trend, &mut out);
                    let mut word = from;
                    let read = read(coding, &mut word, trend, &mut Bytes::new(&out)).unwrap();
                    assert_eq!((word, read), (to, written));
                }
            }
        }
    }
}
