//! The third stage: which pairs are worth measuring.

use clearance_broadphase::{AnyBroadPhase, BroadPhase, Key};
use clearance_math::Vector;

use crate::Groups;
use crate::bodies::Bodies;

/// Fills `pairs` with the bodies whose boxes overlap and whose groups allow it, sorted.
///
/// The broad phase gives them in order, and so the contacts come out sorted.
pub(crate) fn pair<V: Vector>(
    bodies: &Bodies<V>,
    broad_phase: &mut AnyBroadPhase<V>,
    pairs: &mut Vec<(Key, Key)>,
) {
    pairs.clear();
    broad_phase.pairs(pairs);
    let groups = &bodies.columns.groups;
    // Where there are more pairs than bodies, it pays to look at these first: most worlds have no
    // groups.
    let all_are_one = pairs.len() > groups.len() && groups.iter().all(|&of| of == Groups::ALL);
    if !all_are_one {
        pairs.retain(|&(a, b)| groups[a as usize].pairs_with(groups[b as usize]));
    }
}
