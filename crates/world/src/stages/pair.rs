//! The third stage: which pairs are worth measuring.

use clearance_broadphase::{AnyBroadPhase, BroadPhase, Key};
use clearance_math::Vector;

/// The pairs of bodies whose boxes overlap and whose groups allow it, sorted.
///
/// The broad phase gives them in order, and so the contacts come out sorted. It knows the groups.
pub(crate) fn pair<V: Vector>(broad_phase: &mut AnyBroadPhase<V>) -> &[(Key, Key)] {
    broad_phase.pairs()
}
