//! What may be skipped by a traversal for other reasons than the boxes.

/// Which lanes of a node a traversal enters, besides that their boxes must fit.
///
/// A closure from the index of a node to a mask of lanes is one.
pub trait LaneMask {
    /// The lanes of a node that may be entered, as bits; other bits than the lowest four are
    /// ignored.
    fn allowed(&self, node: u32) -> u32;
}

impl<F: Fn(u32) -> u32> LaneMask for F {
    #[inline]
    fn allowed(&self, node: u32) -> u32 {
        self(node)
    }
}

/// Enters every lane, at no cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AllLanes;

impl LaneMask for AllLanes {
    #[inline]
    fn allowed(&self, _node: u32) -> u32 {
        u32::MAX
    }
}

/// A leaf in one of the two trees of a join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Whether the leaf is in the first tree, so that its partners are in the second.
    pub is_in_first: bool,
    /// The index of the node that holds the leaf.
    pub node: u32,
    /// The lane of the leaf.
    pub lane: usize,
}

/// Which pairs of lanes a join of two trees enters, besides that their boxes must overlap.
pub trait JoinMask {
    /// The mask for the search of one tree for the partners of a leaf of the other.
    type Partners<'a>: LaneMask
    where
        Self: 'a;

    /// The pairs of lanes that may be entered, with bit 4 i + j for lane i of node `a` of the first
    /// tree and lane j of node `b` of the second; other bits than the lowest 16 are ignored.
    fn allowed_pairs(&self, a: u32, b: u32) -> u32;

    /// The mask for the nodes of the other tree, in a search for the partners of a leaf.
    fn partners_of(&self, leaf: Leaf) -> Self::Partners<'_>;
}

impl JoinMask for AllLanes {
    type Partners<'a> = Self;

    #[inline]
    fn allowed_pairs(&self, _a: u32, _b: u32) -> u32 {
        u32::MAX
    }

    #[inline]
    fn partners_of(&self, _leaf: Leaf) -> Self {
        Self
    }
}
