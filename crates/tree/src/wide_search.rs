//! Descending a tree of wide nodes, the nearest leaf first.

use arrayvec::ArrayVec;
use clearance_math::internal::lanes::{Bytes, Select, Simd, SimdBase, apart, f32x16, u32x16};
use clearance_math::{Aabb, Real, Vector};

use crate::internal::{MOST_LEVELS, WIDE, WideNode};

/// What a descent looks for.
pub trait Search {
    /// The greatest measure that is still of interest, at most [`MOST_LIMIT`]. It never grows.
    #[must_use]
    fn limit(&self) -> Real;

    /// Lower bounds of the measures of what is in the lanes of a node, reduced by fifteen units in the last
    /// place. Greater than [`MOST_LIMIT`] where nothing is of interest, and in empty lanes; never NaN, and never
    /// infinite. What is beyond the limit may count as of interest: a search that does not look at the limit need not
    /// wait for it.
    fn measures<S: Simd>(&self, simd: S, node: &WideNode, limit: Real) -> f32x16<S>;

    /// Looks at a leaf.
    fn visit<S: Simd>(&mut self, simd: S, leaf: WideLeaf<'_>);
}

/// A leaf that a descent arrives at.
#[derive(Clone, Copy, Debug)]
pub struct WideLeaf<'a> {
    /// Its number.
    pub number: u32,
    /// The node and the lane that it is in.
    node: &'a WideNode,
    lane: usize,
}

impl WideLeaf<'_> {
    /// The box of the leaf.
    #[inline]
    #[must_use]
    pub fn bounds<V: Vector>(&self) -> Aabb<V> {
        self.node.lane(self.lane)
    }
}

/// No limit of a descent is greater.
pub const MOST_LIMIT: Real = Real::MAX / 2.0;

/// The lanes of a node that have not been visited.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct UnvisitedNode {
    /// The measures, whose last bits are replaced by the numbers of the lanes; infinite if visited.
    keys: [Real; WIDE],
    /// The least of them.
    least: Real,
    node: u32,
}

/// Visits leaves by increasing measure, as far as a depth-first search allows; returns the least measure of
/// what was skipped.
///
/// The least of sixteen numbers takes a few instructions; sorting sixteen children would take many, and most of
/// them are never visited.
#[inline(always)]
pub fn nearest_first<S: Simd>(simd: S, nodes: &[WideNode], search: &mut impl Search) -> Real {
    // A descent leaves one node on each level.
    let mut pending = ArrayVec::<UnvisitedNode, { MOST_LEVELS + 1 }>::new();
    let mut skipped = Real::INFINITY;
    let mut limit = search.limit();
    let Some(mut node) = nodes.first() else {
        return skipped;
    };
    let mut index = 0;
    // Copied along with the boxes, since the memory of both is far away.
    let mut children = node.children;
    let mut keys = apart!(with_lanes(simd, search.measures(simd, node, limit)));
    let mut least = keys.reduce_min();
    loop {
        if least <= limit {
            let lane = number_of_lane(least);
            let child = children[lane];
            let is_least = keys.simd_eq(f32x16::splat(simd, least));
            keys = is_least.select(f32x16::splat(simd, Real::INFINITY), keys);
            let rest = keys.reduce_min();
            if let Some(below) = child.index() {
                // Not by the limit, for which the processor would wait until the last leaf has been looked at.
                let count = pending.len() + usize::from(rest <= MOST_LIMIT);
                pending.push(UnvisitedNode {
                    keys: keys.to_array(),
                    least: rest,
                    node: index,
                });
                // Taken off again without a branch, which could not be predicted.
                pending.truncate(count);
                skipped = skipped.min(if rest <= MOST_LIMIT {
                    Real::INFINITY
                } else {
                    rest
                });
                index = below as u32;
                node = &nodes[below];
                children = node.children;
                keys = apart!(with_lanes(simd, search.measures(simd, node, limit)));
                least = keys.reduce_min();
            } else {
                let number = child.known_number();
                search.visit(simd, WideLeaf { number, node, lane });
                limit = search.limit();
                least = rest;
            }
            continue;
        }
        skipped = skipped.min(least);
        let Some(next) = pending.pop() else {
            return skipped;
        };
        index = next.node;
        node = &nodes[index as usize];
        children = node.children;
        least = next.least;
        keys = f32x16::load_array_ref(simd, &next.keys);
    }
}

const LANE_BITS: u32 = WIDE as u32 - 1;

/// The measures with the number of each lane in the last four bits, so that no two are equal. It changes
/// a measure by up to fifteen units in the last place.
#[inline(always)]
fn with_lanes<S: Simd>(simd: S, measures: f32x16<S>) -> f32x16<S> {
    let bits: u32x16<S> = measures.bitcast();
    let lanes = u32x16::load_array(simd, core::array::from_fn(|lane| lane as u32));
    ((bits & u32x16::splat(simd, !LANE_BITS)) | lanes).bitcast()
}

/// The lane of one of the measures of [`with_lanes`].
#[inline(always)]
fn number_of_lane(measure: Real) -> usize {
    (measure.to_bits() & LANE_BITS) as usize
}
