//! The third stage: which pairs are worth measuring.

use clearance_broadphase::{AnyBroadPhase, BroadPhase, Key};
use clearance_math::Vector;

use crate::bodies::Bodies;

/// The pairs of bodies whose boxes overlap and whose groups allow it, sorted.
///
/// The broad phase gives them in order, and so the contacts come out sorted. Where groups have no
/// say its own list does; else `allowed` becomes those that they allow.
pub(crate) fn pair<'a, V: Vector>(
    bodies: &Bodies<V>,
    broad_phase: &'a mut AnyBroadPhase<V>,
    allowed: &'a mut Vec<(Key, Key)>,
) -> &'a [(Key, Key)] {
    let pairs = broad_phase.pairs();
    let groups = &bodies.columns.groups;
    if groups.are_none() {
        return pairs;
    }
    let may_meet = |&(a, b): &(Key, Key)| groups[a as usize].pairs_with(groups[b as usize]);
    allowed.clear();
    allowed.extend(pairs.iter().copied().filter(may_meet));
    allowed
}
