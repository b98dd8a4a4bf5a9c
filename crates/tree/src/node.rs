//! The node of a tree: four boxes side by side, so that one box is tested against all four at once.

use clearance_math::{Aabb, Real, Vector};
use glam::{BVec4A, Vec4};

/// The number of children of a node.
pub const LANES: usize = 4;

/// No child, or no parent.
pub const NONE: u32 = u32::MAX;

/// The bit that is set in the code of a leaf.
const LEAF: u32 = 1 << 31;

/// The content of a lane: nothing, the index of a node, or the number of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Child(u32);

impl Child {
    /// No child.
    pub const EMPTY: Self = Self(NONE);

    /// The node with this index.
    #[inline]
    #[must_use]
    pub fn node(index: u32) -> Self {
        Self(index)
    }

    /// The leaf with this number, which is less than [`MAX_LEAVES`](crate::MAX_LEAVES).
    #[inline]
    #[must_use]
    pub fn leaf(number: u32) -> Self {
        Self(number | LEAF)
    }

    /// The child as one number: the greater numbers are those of leaves.
    #[inline]
    #[must_use]
    pub(crate) fn code(self) -> u32 {
        self.0
    }

    /// The child with this [`Child::code`].
    #[inline]
    #[must_use]
    pub(crate) fn from_code(code: u32) -> Self {
        Self(code)
    }

    /// Whether there is no child.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == NONE
    }

    /// The number of the leaf, if this is one.
    #[inline]
    #[must_use]
    pub fn number(self) -> Option<u32> {
        (self.0 & LEAF != 0 && self.0 != NONE).then_some(self.0 & !LEAF)
    }

    /// The index of the node, if this is one.
    #[inline]
    #[must_use]
    pub fn index(self) -> Option<usize> {
        (self.0 & LEAF == 0).then_some(self.0 as usize)
    }

    /// Whether this is not a node. Cheaper than the other questions, where a box has been tested
    /// already: empty lanes overlap nothing.
    #[inline]
    #[must_use]
    pub fn is_leaf_or_empty(self) -> bool {
        self.0 & LEAF != 0
    }

    /// The number of a child that is known to be a leaf.
    #[inline]
    #[must_use]
    pub fn known_number(self) -> u32 {
        self.0 & !LEAF
    }

    /// The index of a child that is known to be a node.
    #[inline]
    #[must_use]
    pub fn known_index(self) -> u32 {
        self.0
    }
}

/// Up to four children, called lanes, with their boxes by component; two cache lines.
///
/// Processors fetch lines in aligned pairs, so nodes are aligned to such a pair.
///
/// Component k of the boxes of all four lanes is in `low[k]` and `high[k]`. In 2D the third
/// component is present, but never read. The boxes of empty lanes are empty: `low` is infinite and
/// `high` is negative infinite, so that they overlap no finite box.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(128))]
pub struct Node {
    /// The least coordinates of the lanes, by component.
    pub low: [Vec4; 3],
    /// The greatest coordinates of the lanes, by component.
    pub high: [Vec4; 3],
    /// What the lanes hold.
    pub children: [Child; LANES],
    /// Half the surface of the node when it was made; its growth is judged by it.
    pub made_surface: f64,
    /// The node and lane that hold this node, as a [`place`]; [`NONE`] for the root.
    pub parent: u32,
    /// Whether the node is in use.
    pub alive: bool,
}

/// Half the surface of a box in 3D, half its perimeter in 2D: the measure for the cost of a tree.
///
/// Computed in double precision, where products of two lengths, and their sums, do not overflow.
#[inline]
#[must_use]
pub fn half_surface<V: Vector>(bounds: &Aabb<V>) -> f64 {
    let length = |k| f64::from(bounds.max.component(k)) - f64::from(bounds.min.component(k));
    let (x, y) = (length(0), length(1));
    if const { V::DIM == 2 } {
        x + y
    } else {
        let z = length(2);
        x * y + y * z + z * x
    }
}

/// The lanes that hold something, as bits.
#[inline]
#[must_use]
pub fn occupied_lanes(children: &[Child; LANES]) -> u32 {
    let mut lanes = 0;
    for (lane, child) in children.iter().enumerate() {
        lanes |= u32::from(!child.is_empty()) << lane;
    }
    lanes
}

/// A node and a lane in one number.
#[inline]
#[must_use]
pub fn place(node: usize, lane: usize) -> u32 {
    (node * LANES + lane) as u32
}

/// The node and the lane of a [`place`].
#[inline]
#[must_use]
pub fn node_and_lane(place: u32) -> (usize, usize) {
    (place as usize / LANES, place as usize % LANES)
}

impl Node {
    /// A node without children.
    #[must_use]
    pub fn new(parent: u32) -> Self {
        Self {
            low: [Vec4::INFINITY; 3],
            high: [Vec4::NEG_INFINITY; 3],
            children: [Child::EMPTY; LANES],
            made_surface: 0.0,
            parent,
            alive: true,
        }
    }

    /// The box in a lane; an empty box if the lane is empty.
    #[inline]
    #[must_use]
    pub fn lane<V: Vector>(&self, lane: usize) -> Aabb<V> {
        let (mut min, mut max) = (V::ZERO, V::ZERO);
        for k in 0..V::DIM {
            min = min.with_component(k, self.low[k][lane]);
            max = max.with_component(k, self.high[k][lane]);
        }
        Aabb::new(min, max)
    }

    /// Stores the box of a lane.
    #[inline]
    pub fn set_lane<V: Vector>(&mut self, lane: usize, bounds: &Aabb<V>) {
        for k in 0..V::DIM {
            self.low[k][lane] = bounds.min.component(k);
            self.high[k][lane] = bounds.max.component(k);
        }
    }

    /// Removes the child in a lane.
    pub fn clear_lane<V: Vector>(&mut self, lane: usize) {
        self.set_lane(lane, &Aabb::<V>::empty());
        self.children[lane] = Child::EMPTY;
    }

    /// The box around all lanes.
    #[inline]
    #[must_use]
    pub fn bounds<V: Vector>(&self) -> Aabb<V> {
        let (mut min, mut max) = (V::ZERO, V::ZERO);
        for k in 0..V::DIM {
            min = min.with_component(k, self.low[k].min_element());
            max = max.with_component(k, self.high[k].max_element());
        }
        Aabb::new(min, max)
    }

    /// The lanes that hold something, as bits.
    #[inline]
    #[must_use]
    pub fn occupied_lanes(&self) -> u32 {
        occupied_lanes(&self.children)
    }

    /// The number of children.
    #[must_use]
    pub fn occupied(&self) -> usize {
        self.children.iter().filter(|c| !c.is_empty()).count()
    }

    /// The first empty lane, if there is one.
    #[must_use]
    pub fn free_lane(&self) -> Option<usize> {
        self.children.iter().position(|c| c.is_empty())
    }

    /// The lanes that overlap a box given by component, as bits.
    #[inline]
    #[must_use]
    pub fn overlapping<V: Vector>(&self, low: &[Vec4; 3], high: &[Vec4; 3]) -> u32 {
        let mut hit = BVec4A::TRUE;
        for k in 0..V::DIM {
            hit &= self.low[k].cmple(high[k]) & low[k].cmple(self.high[k]);
        }
        hit.bitmask()
    }

    /// The overlapping pairs of lanes of two nodes, with bit 4 i + j for lane i of this node and
    /// lane j of the other.
    #[inline]
    #[must_use]
    pub fn overlapping_pairs<V: Vector>(&self, other: &Self) -> u32 {
        (0..LANES).fold(0, |hits, lane| {
            let (low, high) = self.spread::<V>(lane);
            hits | other.overlapping::<V>(&low, &high) << (LANES * lane)
        })
    }

    /// The box in one lane, repeated four times: the argument of [`Self::overlapping`].
    #[inline]
    #[must_use]
    pub fn spread<V: Vector>(&self, lane: usize) -> ([Vec4; 3], [Vec4; 3]) {
        let (mut low, mut high) = ([Vec4::ZERO; 3], [Vec4::ZERO; 3]);
        for k in 0..V::DIM {
            low[k] = Vec4::splat(self.low[k][lane]);
            high[k] = Vec4::splat(self.high[k][lane]);
        }
        (low, high)
    }
}

/// A box, repeated four times: the argument of [`Node::overlapping`].
///
/// Infinite sides are replaced by the greatest finite numbers; otherwise they would touch empty
/// lanes.
pub(crate) fn spread_box<V: Vector>(bounds: &Aabb<V>) -> ([Vec4; 3], [Vec4; 3]) {
    let (mut low, mut high) = ([Vec4::ZERO; 3], [Vec4::ZERO; 3]);
    for k in 0..V::DIM {
        low[k] = Vec4::splat(bounds.min.component(k).max(Real::MIN));
        high[k] = Vec4::splat(bounds.max.component(k).min(Real::MAX));
    }
    (low, high)
}

/// The set bits of a mask of lanes, lowest first.
#[inline]
pub fn lanes(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let lane = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            lane
        })
    })
}
