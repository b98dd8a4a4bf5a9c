//! Two bodies.

use crate::BodyId;

/// Two bodies of a world, the one with the smaller id first. Ordered by `a`, then `b`, as contacts are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyPair {
    /// The body with the smaller id.
    pub a: BodyId,
    /// The body with the larger id.
    pub b: BodyId,
}

/// Both ids.
impl core::fmt::Display for BodyPair {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} and {}", self.a, self.b)
    }
}
