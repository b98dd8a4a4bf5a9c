//! A column of which most rows hold the same value.

use std::ops::Index;

use crate::reserve::cut;

/// A value for each slot: the usual one, but for some exceptions, which are counted.
///
/// If there are no exceptions, the rows need not be read at all.
#[derive(Debug)]
pub(crate) struct SparseColumn<T> {
    rows: Vec<T>,
    usual: T,
    count: usize,
}

impl<T: Copy + PartialEq> SparseColumn<T> {
    /// No rows yet.
    pub(crate) fn new(usual: T) -> Self {
        Self {
            rows: Vec::new(),
            usual,
            count: 0,
        }
    }

    /// Whether all rows hold the usual value.
    #[inline]
    pub(crate) fn are_none(&self) -> bool {
        self.count == 0
    }

    /// Adds a row with the usual value.
    pub(crate) fn push(&mut self) {
        self.rows.push(self.usual);
    }

    /// Writes a row, and says whether it held another value.
    pub(crate) fn set(&mut self, slot: usize, value: T) -> bool {
        let before = self.rows[slot];
        if value == before {
            return false;
        }
        self.rows[slot] = value;
        self.count += usize::from(value != self.usual);
        self.count -= usize::from(before != self.usual);
        true
    }

    /// Writes the usual value into a row.
    pub(crate) fn reset(&mut self, slot: usize) {
        self.set(slot, self.usual);
    }

    /// The first rows.
    pub(crate) fn rows(&self, count: usize) -> &[T] {
        &self.rows[..count]
    }

    /// Leaves out the rows from `rows` on, all of which hold the usual value, and gives back the memory
    /// beyond `capacity` rows.
    pub(crate) fn cut_down(&mut self, rows: usize, capacity: usize) {
        cut(&mut self.rows, rows, capacity);
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        self.rows.capacity() * size_of::<T>()
    }

    /// Checks the count.
    pub(crate) fn validate(&self) -> Result<(), String> {
        let others = self.rows.iter().filter(|&&row| row != self.usual).count();
        if others == self.count {
            Ok(())
        } else {
            Err(format!("{others} exceptions, {} counted", self.count))
        }
    }
}

impl<T> Index<usize> for SparseColumn<T> {
    type Output = T;

    #[inline]
    fn index(&self, slot: usize) -> &T {
        &self.rows[slot]
    }
}

/// Copies reuse the memory of what they replace.
impl<T: Copy> Clone for SparseColumn<T> {
    fn clone(&self) -> Self {
        Self {
            rows: self.rows.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.rows.clone_from(&source.rows);
        self.usual = source.usual;
        self.count = source.count;
    }
}
