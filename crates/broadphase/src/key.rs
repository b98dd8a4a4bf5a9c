//! What names a box, and whether it is expected to move.

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

/// The pair in canonical order, the smaller key first.
#[inline]
pub(crate) fn ordered(a: Key, b: Key) -> (Key, Key) {
    (a.min(b), a.max(b))
}
