//! Numbers out of bytes: few bits choose between kinds of numbers, the rest make the number.

use arbitrary::Unstructured;
use clearance_math::{Real, Vector};

/// Bytes that are read once from front to back; zeros follow when they are used up.
pub(crate) struct Bytes<'a>(Unstructured<'a>);

/// Numbers that break others.
const HOSTILE: [Real; 20] = [
    0.0,
    -0.0,
    1e-45,
    -1e-45,
    Real::MIN_POSITIVE,
    1e-38,
    1e-30,
    1e-20,
    1e-10,
    Real::EPSILON,
    0.1,
    1.0 + Real::EPSILON,
    1e10,
    1e20,
    1e30,
    -1e30,
    Real::MAX,
    Real::INFINITY,
    Real::NEG_INFINITY,
    Real::NAN,
];

/// Runs one of two with the bytes that follow the choice.
pub(crate) fn in_plane_or_space(data: &[u8], plane: fn(&mut Bytes), space: fn(&mut Bytes)) {
    let mut bytes = Bytes::new(data);
    let run = if bytes.once_in(2) { plane } else { space };
    run(&mut bytes);
}

impl<'a> Bytes<'a> {
    pub(crate) fn new(data: &'a [u8]) -> Self {
        Self(Unstructured::new(data))
    }

    /// Whether all bytes were read.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.0.arbitrary().unwrap_or(0)
    }

    fn short(&mut self) -> i16 {
        self.0.arbitrary().unwrap_or(0)
    }

    /// All bits of a mask of 32.
    pub(crate) fn word(&mut self) -> u32 {
        self.0.arbitrary().unwrap_or(0)
    }

    /// A number below `count`, which is from 1 to 256.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        usize::from(self.byte()) % count
    }

    pub(crate) fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == 1
    }

    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// A power of two from 2^-`range` to 2^`range`, `range` at most 100; exact, so that
    /// coincidences survive the scaling.
    pub(crate) fn power_of_two(&mut self, range: i32) -> Real {
        power_of_two(i32::from(self.byte()) % (2 * range + 1) - range)
    }

    /// From -8 to 8 in steps of a sixteenth: sums of such numbers are exact.
    pub(crate) fn lattice(&mut self) -> Real {
        Real::from(self.byte() as i8) / 16.0
    }

    /// From -1 to 1.
    pub(crate) fn fraction(&mut self) -> Real {
        Real::from(self.short()) / 32768.0
    }

    /// Any number: mostly moderate, at times huge, tiny, or none at all.
    pub(crate) fn number(&mut self) -> Real {
        match self.below(16) {
            0..=5 => self.lattice(),
            6..=9 => 4.0 * self.fraction(),
            10 | 11 => Real::from(self.byte() as i8),
            12 | 13 => self.fraction() * self.power_of_two(100),
            14 => self.pick(&HOSTILE),
            _ => Real::from_bits(self.word()),
        }
    }

    /// A finite number up to about eight.
    pub(crate) fn moderate(&mut self) -> Real {
        if self.once_in(2) {
            self.lattice()
        } else {
            4.0 * self.fraction()
        }
    }

    /// A length, mostly a valid one: finite and greater than zero.
    pub(crate) fn length(&mut self) -> Real {
        let number = self.number();
        if number == 0.0 || (number < 0.0 && !self.once_in(16)) {
            number.abs().max(0.0625)
        } else {
            number
        }
    }

    pub(crate) fn vector<V: Vector>(&mut self, mut number: impl FnMut(&mut Self) -> Real) -> V {
        V::from_fn(|_| number(self))
    }
}

/// 2^`exponent` for an exponent from -126 to 127.
fn power_of_two(exponent: i32) -> Real {
    let exponent = exponent.clamp(-126, 127);
    Real::from_bits(((exponent + 127) as u32) << 23)
}
