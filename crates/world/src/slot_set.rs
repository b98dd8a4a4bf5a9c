//! A set of slots, a bit each.

use clearance_broadphase::Key;

use crate::reserve::{bytes, cut_down};

/// A set of slots, small enough to stay in the fastest cache.
#[derive(Clone, Debug, Default)]
pub(crate) struct SlotSet {
    words: Vec<u64>,
}

impl SlotSet {
    /// Makes it the set of `members`, all of which are less than `slots`.
    pub(crate) fn fill(&mut self, slots: usize, members: impl Iterator<Item = Key>) {
        self.words.clear();
        self.words.resize(slots.div_ceil(64), 0);
        for slot in members {
            self.words[slot as usize / 64] |= 1 << (slot % 64);
        }
    }

    #[inline]
    fn contains(&self, slot: Key) -> u64 {
        let word = self.words.get(slot as usize / 64);
        word.map_or(0, |word| word >> (slot % 64) & 1)
    }

    /// Whether at least one of two slots is in the set.
    #[inline]
    pub(crate) fn contains_one_of(&self, (a, b): (Key, Key)) -> bool {
        self.contains(a) | self.contains(b) != 0
    }

    /// Gives memory back that so many slots do not need.
    pub(crate) fn cut_down(&mut self, slots: usize) {
        cut_down(&mut self.words, slots.div_ceil(64));
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        bytes(&self.words)
    }
}
