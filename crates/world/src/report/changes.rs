//! What a step found, and where the lists change by it.

use super::splice::Insertion;
use crate::Contact;
use crate::pair_key::PairKey;
use crate::reserve::{bytes, cut_down};
use crate::threads::OrderedResults;
use clearance_math::Vector;

/// The contacts that a step found, with their keys.
pub(crate) type Found<V> = OrderedResults<Contact<V>, PairKey>;

/// What is to be taken out of the lists and put into them; kept for its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    /// The places of the contacts that ended.
    pub(super) ended: Vec<usize>,
    /// The contacts that began, by their places among those found.
    pub(super) began: Vec<Insertion>,
}

impl Changes {
    pub(super) fn clear(&mut self) {
        self.ended.clear();
        self.began.clear();
    }

    /// Notes that the contact at a place among those found goes behind all others of its pair and of
    /// those before it. Returns its place in the list once the changes so far are made.
    ///
    /// What comes before it in the list, whose pairs are `keys`, has been looked at.
    pub(super) fn begin<V: Vector>(
        &mut self,
        keys: &[PairKey],
        found: &Found<V>,
        from: usize,
    ) -> usize {
        let pair = found.keys[from].pair();
        let start = self
            .began
            .last()
            .map_or(0, |last| last.before + self.ended.len());
        let not_greater = keys[start..].partition_point(|key| key.pair() <= pair);
        let before = start + not_greater - self.ended.len();
        let place = before + self.began.len();
        self.began.push(Insertion { before, from });
        place
    }

    /// Gives memory back that is not needed for so many changes.
    pub(crate) fn cut_down(&mut self, changes: usize) {
        cut_down(&mut self.ended, changes);
        cut_down(&mut self.began, changes);
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        bytes(&self.ended) + bytes(&self.began)
    }
}
