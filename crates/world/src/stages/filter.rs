//! The part of the third stage that few worlds need: ignored pairs, and the filter of the caller.

use clearance_broadphase::Key;
use clearance_math::Vector;

use crate::BodyRef;
use crate::bodies::Bodies;
use crate::pair_filter::PairFilter;

/// Those of `pairs` that are not ignored and that the filter lets through, in their order.
///
/// Without ignored pairs and filter these are `pairs` themselves; else they are put into `allowed`.
pub(crate) fn filter<'a, V: Vector>(
    bodies: &Bodies<V>,
    filter: &PairFilter<V>,
    pairs: &'a [(Key, Key)],
    allowed: &'a mut Vec<(Key, Key)>,
) -> &'a [(Key, Key)] {
    let ignored = &bodies.columns.ignored;
    if ignored.is_empty() && !filter.is_set() {
        return pairs;
    }
    // Both lists are sorted: they are walked side by side.
    let mut ignored = ignored.pairs().peekable();
    let mut is_ignored = |pair: &(Key, Key)| {
        while ignored.next_if(|ignored| ignored < pair).is_some() {}
        ignored.peek() == Some(pair)
    };
    let decide = filter.decide();
    let is_let_through = |&(a, b): &(Key, Key)| {
        decide.is_none_or(|decide| {
            let [a, b] = [a, b].map(|slot| BodyRef::new(bodies, slot as usize));
            a.zip(b).is_none_or(|(a, b)| decide(a, b))
        })
    };
    allowed.clear();
    let pairs = pairs.iter().copied();
    allowed.extend(pairs.filter(|pair| !is_ignored(pair) && is_let_through(pair)));
    allowed
}
