//! Keys, which name boxes, and whether a box is expected to move.

use crate::groups::Groups;

/// The name of a box, chosen by the caller, for example an index into an array of bodies.
///
/// All implementations keep an array indexed by key, so use small integers without large gaps: the
/// memory grows with the greatest key that was ever used. Inserting a key above [`MAX_KEY`] panics.
pub type Key = u32;

/// The greatest key, 2³⁰ - 1. The trees use the upper bits themselves.
pub const MAX_KEY: Key = (1 << 30) - 1;

/// Whether a body moves. Two fixed bodies never make a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[doc(alias("static", "dynamic", "kinematic", "RigidBodyType"))]
pub enum BodyKind {
    /// It stays where it is unless somebody puts it elsewhere, which costs more than for a moving one: walls, floors.
    Fixed,
    /// It may move in every frame; a step of a world moves it by its velocity: players, crates, platforms.
    #[default]
    Moving,
}

impl core::fmt::Display for BodyKind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Fixed => "fixed",
            Self::Moving => "moving",
        })
    }
}

/// What decides, besides the bounds, which pairs a box can make.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairRules {
    pub(crate) kind: BodyKind,
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
        match rules.kind {
            _ if rules.groups.excludes_all() => Self::QueryOnly,
            BodyKind::Fixed => Self::Fixed,
            BodyKind::Moving => Self::Moving,
        }
    }
}

/// The pair with the smaller key first.
#[inline]
pub(crate) fn ordered(a: Key, b: Key) -> (Key, Key) {
    (a.min(b), a.max(b))
}
