//! The numbers that are attached to an answer.

use serde::Serialize;

/// Where numbers lie: the number of the first one, and how many there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Span([usize; 2]);

/// Numbers of four bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Binary {
    words: Vec<u32>,
}

impl Binary {
    /// Makes room for so many more numbers.
    pub(crate) fn reserve(&mut self, numbers: usize) {
        self.words.reserve(numbers);
    }

    /// The place of the next number.
    pub(crate) fn here(&self) -> usize {
        self.words.len()
    }

    /// From `start` to the end of what was written.
    pub(crate) fn since(&self, start: usize) -> Span {
        Span([start, self.here() - start])
    }

    /// Numbers that belong together, in one go: frames have tens of thousands of them.
    pub(crate) fn row<const N: usize>(&mut self, row: [u32; N]) {
        self.words.extend_from_slice(&row);
    }

    pub(crate) fn floats(&mut self, numbers: impl IntoIterator<Item = f32>) -> Span {
        self.integers(numbers.into_iter().map(f32::to_bits))
    }

    pub(crate) fn integers(&mut self, numbers: impl IntoIterator<Item = u32>) -> Span {
        let start = self.here();
        self.words.extend(numbers);
        self.since(start)
    }

    /// The bytes of the numbers, little endian.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        let mut bytes = vec![0; self.words.len() * size_of::<u32>()];
        let (places, _) = bytes.as_chunks_mut();
        for (place, word) in places.iter_mut().zip(&self.words) {
            *place = word.to_le_bytes();
        }
        bytes
    }
}
