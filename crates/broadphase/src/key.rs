//! Keys, which name boxes, and whether a box is expected to move.

use crate::groups::Groups;

/// The name of a box, chosen by the caller, for example an index into an array of bodies.
///
/// All implementations keep an array indexed by key, so use small integers without large gaps: the
/// memory grows with the greatest key that was ever used. Inserting a key above [`MAX_KEY`] panics.
pub type Key = u32;

/// The greatest key, 2³⁰ - 1. The trees use the upper bits themselves.
pub const MAX_KEY: Key = (1 << 30) - 1;

/// Whether a box is expected to move. Two fixed boxes never make a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mobility {
    /// The box seldom or never changes. Changing it is allowed, but costs more than for a moving
    /// box.
    Fixed,
    /// The box may change in every frame.
    Moving,
}

/// What decides, besides the bounds, which pairs a box can make.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairRules {
    pub(crate) mobility: Mobility,
    pub(crate) groups: Groups,
}

/// The tree or list that holds a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    /// Fixed boxes, which make pairs with moving ones.
    Fixed,
    /// Moving boxes, which make pairs with each other and with fixed ones.
    Moving,
    /// Boxes whose filter excludes all pairs, fixed or moving; only queries look at them.
    QueryOnly,
}

impl Layer {
    /// All layers.
    pub(crate) const ALL: [Self; 3] = [Self::Fixed, Self::Moving, Self::QueryOnly];

    /// The layer of a box.
    pub(crate) fn of(rules: PairRules) -> Self {
        match rules.mobility {
            _ if rules.groups.excludes_all() => Self::QueryOnly,
            Mobility::Fixed => Self::Fixed,
            Mobility::Moving => Self::Moving,
        }
    }
}

/// The pair with the smaller key first.
#[inline]
pub(crate) fn ordered(a: Key, b: Key) -> (Key, Key) {
    (a.min(b), a.max(b))
}
