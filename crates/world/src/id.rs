//! The name of a body.

/// The name of a body in its world: a slot, and which tenant of the slot.
///
/// Ordered by slot, then generation. The id of a removed body never comes back, unless the world is
/// restored to a snapshot taken before the removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyId {
    index: u32,
    generation: u32,
}

impl BodyId {
    /// The id of tenant `generation` of slot `index`, both counted from 0.
    ///
    /// For ids that were stored as numbers; [`crate::World::contains`] says whether it is in use.
    #[must_use]
    pub const fn from_parts(index: u32, generation: u32) -> Self {
        Self { index, generation }
    }

    /// The slot, counted from 0; at most one body at a time lives in it.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// How many bodies lived in the slot before this one.
    #[must_use]
    pub const fn generation(self) -> u32 {
        self.generation
    }
}

/// Slot and generation, as in `12v3`.
impl core::fmt::Display for BodyId {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}v{}", self.index, self.generation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_ordered_by_slot_then_generation_and_print_both() {
        let id = BodyId::from_parts(12, 3);
        assert_eq!(id.to_string(), "12v3");
        assert!(
            id < BodyId::from_parts(12, 4) && BodyId::from_parts(12, 4) < BodyId::from_parts(13, 0)
        );
    }
}
