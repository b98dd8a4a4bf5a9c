//! The numbers that are attached to an answer.

use serde::Serialize;

/// Where numbers lie: the number of the first one, and how many there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Span([usize; 2]);

/// Numbers of four bytes, little endian.
#[derive(Clone, Debug, Default)]
pub(crate) struct Binary {
    bytes: Vec<u8>,
}

const WORD: usize = size_of::<u32>();

impl Binary {
    /// The place of the next number.
    pub(crate) fn here(&self) -> usize {
        self.bytes.len() / WORD
    }

    /// From `start` to the end of what was written.
    pub(crate) fn since(&self, start: usize) -> Span {
        Span([start, self.here() - start])
    }

    pub(crate) fn push(&mut self, number: u32) {
        self.bytes.extend(number.to_le_bytes());
    }

    pub(crate) fn extend(&mut self, numbers: impl IntoIterator<Item = f32>) {
        for number in numbers {
            self.push(number.to_bits());
        }
    }

    pub(crate) fn floats(&mut self, numbers: impl IntoIterator<Item = f32>) -> Span {
        let start = self.here();
        self.extend(numbers);
        self.since(start)
    }

    pub(crate) fn integers(&mut self, numbers: impl IntoIterator<Item = u32>) -> Span {
        let start = self.here();
        for number in numbers {
            self.push(number);
        }
        self.since(start)
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}
