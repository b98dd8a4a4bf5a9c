//! The second half of the third stage: which pairs have to be measured.

use clearance_broadphase::Key;
use clearance_math::Vector;

use super::filter::PairRules;
use crate::bodies::Bodies;
use crate::reserve::{Need, bytes, cut_down};
use crate::slot_set::SlotSet;

/// If at least one moving body in this many changed, all pairs are measured: most of them have to
/// be, and finding the others would take longer than it saves.
const MANY_CHANGED: usize = 2;

/// The pairs to be measured in a step.
///
/// A contact is a pure function of its two bodies, so a pair of which neither changed since the
/// last step is what it was then: the contact it had, or none. Of a body of which only cells changed, that holds for pairs with
/// bodies away from these cells.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Selection<'a> {
    /// No body changed: nothing has to be measured.
    None,
    /// The pairs of the bodies that changed, or are near cells that did.
    Some {
        pairs: &'a [(Key, Key)],
        changed: &'a SlotSet,
    },
    /// All pairs.
    All(&'a [(Key, Key)]),
}

impl<'a> Selection<'a> {
    /// The pairs to be measured, in order.
    pub(crate) fn pairs(self) -> &'a [(Key, Key)] {
        match self {
            Self::None => &[],
            Self::Some { pairs, .. } | Self::All(pairs) => pairs,
        }
    }
}

/// What the selection is made in; kept for its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selected {
    pairs: Vec<(Key, Key)>,
    changed: SlotSet,
}

impl Selected {
    /// Gives memory back that is not needed for so many pairs.
    pub(crate) fn cut_down(&mut self, need: &Need) {
        cut_down(&mut self.pairs, need.pairs);
        self.changed.cut_down(need.bodies);
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        bytes(&self.pairs) + self.changed.memory()
    }
}

/// Selects among all `pairs` those that have to be measured: pairs of bodies that changed, which the rules
/// allow.
///
/// The rules are not asked about the other pairs: their answers depend on the two bodies alone.
pub(crate) fn select<'a, V: Vector>(
    bodies: &Bodies<V>,
    rules: &PairRules<V>,
    pairs: &'a [(Key, Key)],
    selected: &'a mut Selected,
) -> Selection<'a> {
    if bodies.changed().is_empty() {
        return Selection::None;
    }
    let Selected {
        pairs: chosen,
        changed,
    } = selected;
    chosen.clear();
    if most_moving_bodies_changed(bodies) {
        if rules.are_none() {
            return Selection::All(pairs);
        }
        chosen.extend_from_slice(pairs);
        rules.apply(chosen);
        return Selection::All(chosen);
    }
    changed.fill(bodies.slots(), bodies.to_be_measured());
    let pairs = pairs.iter().copied();
    chosen.extend(pairs.filter(|&pair| changed.contains_one_of(pair)));
    rules.apply(chosen);
    Selection::Some {
        pairs: chosen,
        changed,
    }
}

fn most_moving_bodies_changed<V: Vector>(bodies: &Bodies<V>) -> bool {
    let moving = bodies.moving().len();
    let is_moving = |slot: &&u32| bodies.is_moving(**slot as usize);
    let is_most = |changed: usize| changed * MANY_CHANGED >= moving;
    is_most(bodies.changed().len()) && is_most(bodies.changed().iter().filter(is_moving).count())
}
