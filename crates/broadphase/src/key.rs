//! What names a box, and whether it is expected to move.

use crate::PairFilter;

/// The name of a box, chosen by the caller, for example a slot index.
///
/// Every backend keeps an array indexed by key, so small dense integers are the efficient case; the
/// memory grows with the greatest key ever used. Keys beyond [`MAX_KEY`] are refused by a panic.
pub type Key = u32;

/// The greatest key that can be used, 2³⁰ - 1: the trees keep the upper bits for themselves.
pub const MAX_KEY: Key = (1 << 30) - 1;

/// Whether a box is expected to move. Two fixed boxes are never reported as a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mobility {
    /// The box seldom or never changes; changing it is allowed, but costs more.
    Fixed,
    /// The box may change in every frame.
    Moving,
}

/// What decides, besides the bounds, which pairs a box can make.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairRules {
    pub(crate) mobility: Mobility,
    pub(crate) filter: PairFilter,
}

/// In which tree or list a box is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    /// Boxes that seldom move, and make pairs with moving ones.
    Fixed,
    /// Boxes that make pairs with each other and with fixed ones.
    Moving,
    /// Boxes that can make no pair, whether they move or not: only queries look at them.
    Lone,
}

impl Layer {
    /// All layers.
    pub(crate) const ALL: [Self; 3] = [Self::Fixed, Self::Moving, Self::Lone];

    /// The layer of a box.
    pub(crate) fn of(rules: PairRules) -> Self {
        match rules.mobility {
            _ if rules.filter.excludes_all() => Self::Lone,
            Mobility::Fixed => Self::Fixed,
            Mobility::Moving => Self::Moving,
        }
    }
}

/// The pair in canonical order, the smaller key first.
#[inline]
pub(crate) fn ordered(a: Key, b: Key) -> (Key, Key) {
    (a.min(b), a.max(b))
}
