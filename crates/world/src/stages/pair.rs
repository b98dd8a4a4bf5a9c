//! The third stage: which pairs are worth measuring.

use clearance_broadphase::{AnyBroadPhase, BroadPhase, Key};
use clearance_math::Vector;

use crate::bodies::Bodies;

/// Fills `pairs` with the bodies whose boxes overlap and whose groups allow it, sorted.
///
/// The broad phase gives them in an order of its own; sorted here, the contacts come out sorted.
pub(crate) fn pair<V: Vector>(
    bodies: &Bodies<V>,
    broad_phase: &mut AnyBroadPhase<V>,
    pairs: &mut Vec<(Key, Key)>,
) {
    pairs.clear();
    broad_phase.pairs(pairs);
    pairs.retain(|&(a, b)| {
        bodies.columns.groups[a as usize].pairs_with(bodies.columns.groups[b as usize])
    });
    pairs.sort_unstable_by_key(|&(a, b)| (u64::from(a) << 32) | u64::from(b));
}
