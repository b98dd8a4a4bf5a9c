//! The part of the third stage that few worlds need: ignored pairs, and the filter of the caller.

use clearance_broadphase::Key;
use clearance_math::Vector;
use clearance_math::internal::MapEach;

use crate::BodyRef;
use crate::bodies::Bodies;
use crate::pair_filter::PairFilter;

/// If there are more ignored pairs than this for each pair in question, each pair is looked up: walking
/// through all ignored pairs would take longer.
const LOOKUP_SHARE: usize = 8;

/// What decides which pairs make contacts, beyond what groups say: ignored pairs and the filter.
pub(crate) struct PairRules<'a, V: Vector> {
    bodies: &'a Bodies<V>,
    filter: &'a PairFilter<V>,
}

impl<'a, V: Vector> PairRules<'a, V> {
    pub(crate) fn new(bodies: &'a Bodies<V>, filter: &'a PairFilter<V>) -> Self {
        Self { bodies, filter }
    }

    /// Whether every pair is allowed.
    pub(crate) fn are_none(&self) -> bool {
        self.bodies.columns.ignored.is_empty() && !self.filter.is_set()
    }

    /// Takes out the pairs that are ignored or that the filter refuses. The pairs are sorted.
    pub(crate) fn apply(&self, pairs: &mut Vec<(Key, Key)>) {
        self.take_out_ignored(pairs);
        if self.filter.is_set() {
            pairs.retain(|&(a, b)| self.filter_accepts(a, b));
        }
    }

    /// Whether a pair that groups allow can make a contact. The lesser slot comes first.
    pub(crate) fn accept(&self, a: Key, b: Key) -> bool {
        !self.bodies.columns.ignored.contains(a, b) && self.filter_accepts(a, b)
    }

    fn filter_accepts(&self, a: Key, b: Key) -> bool {
        self.filter.decide().is_none_or(|decide| {
            let [a, b] = [a, b].map_each(|slot| BodyRef::new(self.bodies, slot as usize));
            a.zip(b).is_none_or(|(a, b)| decide(a, b))
        })
    }

    fn take_out_ignored(&self, pairs: &mut Vec<(Key, Key)>) {
        let ignored = &self.bodies.columns.ignored;
        if ignored.len() > LOOKUP_SHARE * pairs.len() {
            pairs.retain(|&(a, b)| !ignored.contains(a, b));
            return;
        }
        // Both lists are sorted: they are walked side by side.
        let mut ignored = ignored.pairs().peekable();
        pairs.retain(|pair| {
            while ignored.next_if(|ignored| ignored < pair).is_some() {}
            ignored.peek() != Some(pair)
        });
    }
}
