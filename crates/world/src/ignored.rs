//! Pairs of bodies that make no contact whatever their groups say.

use std::collections::BTreeSet;

use clearance_broadphase::Key;

/// The ignored pairs, as slots.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct IgnoredPairs {
    // Each pair in both orders, so that the partners of a slot are a range.
    partners: BTreeSet<(Key, Key)>,
}

impl IgnoredPairs {
    pub(crate) fn is_empty(&self) -> bool {
        self.partners.is_empty()
    }

    /// The number of pairs.
    pub(crate) fn len(&self) -> usize {
        self.partners.len() / 2
    }

    pub(crate) fn contains(&self, a: Key, b: Key) -> bool {
        self.partners.contains(&(a, b))
    }

    /// Whether the pair was not ignored before.
    pub(crate) fn insert(&mut self, a: Key, b: Key) -> bool {
        self.partners.insert((b, a));
        self.partners.insert((a, b))
    }

    /// Whether the pair was ignored before.
    pub(crate) fn remove(&mut self, a: Key, b: Key) -> bool {
        self.partners.remove(&(b, a));
        self.partners.remove(&(a, b))
    }

    /// Forgets all pairs of a slot. Cost: that of its pairs.
    pub(crate) fn remove_all_of(&mut self, slot: Key) {
        let of_slot = (slot, 0)..=(slot, Key::MAX);
        while let Some(&(_, partner)) = self.partners.range(of_slot.clone()).next() {
            self.remove(slot, partner);
        }
    }

    /// The pairs (a, b) with a < b, sorted.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (Key, Key)> {
        self.partners.iter().copied().filter(|(a, b)| a < b)
    }

    /// The slots that have an ignored pair which `other` does not have, or the other way around.
    pub(crate) fn differences<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = Key> {
        let pairs = self.partners.symmetric_difference(&other.partners);
        pairs.map(|&(slot, _)| slot)
    }

    /// Bytes held, about.
    pub(crate) fn memory(&self) -> usize {
        self.partners.len() * size_of::<(Key, Key)>()
    }
}

/// Copies only what differs: in most snapshots nothing.
impl Clone for IgnoredPairs {
    fn clone(&self) -> Self {
        Self {
            partners: self.partners.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        if self != source {
            self.partners.clone_from(&source.partners);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_go_with_either_of_their_slots() {
        let mut ignored = IgnoredPairs::default();
        assert!(ignored.insert(5, 2) && !ignored.insert(2, 5));
        for (a, b) in [(5, 9), (9, 2), (1, 0)] {
            assert!(ignored.insert(a, b));
        }
        assert!(ignored.contains(2, 5) && ignored.contains(5, 2) && !ignored.contains(0, 2));
        assert!(ignored.pairs().eq([(0, 1), (2, 5), (2, 9), (5, 9)]));
        let before = ignored.clone();
        ignored.remove_all_of(5);
        assert!(ignored.pairs().eq([(0, 1), (2, 9)]));
        let changed: BTreeSet<_> = before.differences(&ignored).collect();
        assert!(changed.into_iter().eq([2, 5, 9]));
        assert!(ignored.remove(9, 2) && !ignored.remove(9, 2));
        ignored.remove_all_of(0);
        assert!(ignored.is_empty());
    }
}
