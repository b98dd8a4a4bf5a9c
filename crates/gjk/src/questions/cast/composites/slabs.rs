//! When a box that moves straight may come within range of the boxes of a wide node.

use clearance_math::internal::lanes::{Select, Simd, SimdBase, dispatch, f32x16};
use clearance_math::{Real, tolerances};
use clearance_tree::internal::{MOST_LIMIT, WideNode};

use super::swept_boxes::SweptBoxes;
use crate::parts::{FourBoxes, WideSlabs};

/// Larger boxes and ways are left to tests that allow for sums that overflow.
pub(super) const MOST_SIZE: Real = tolerances::MOST_WIDE_SIZE as Real;

/// A box that moves straight, for tests against the boxes of wide nodes in space.
pub(super) struct Slabs(WideSlabs);

impl Slabs {
    /// A box of b in a's frame, as if the origins were at one place, the same in all lanes. `None` if the
    /// boxes, the way, or what the boxes are grown by is too large.
    pub(super) fn new(boxes: &SweptBoxes, b: &FourBoxes) -> Option<Self> {
        let mut slabs = WideSlabs::default();
        for k in 0..3 {
            let way = boxes.way[k];
            let slack = boxes.slack + tolerances::LEAST_WAY;
            let high = boxes.origin[k] + b.high[k].x + slack;
            let low = boxes.origin[k] + b.low[k].x - slack;
            if !(high - low + way.abs() < MOST_SIZE) {
                return None;
            }
            let ends = if way < 0.0 { [low, high] } else { [high, low] };
            slabs.set(k, (way, tolerances::LEAST_WAY), ends);
        }
        Some(Self(slabs))
    }

    /// Whether the box is out of range of all boxes of the root of a tree up to a time.
    pub(super) fn pass_by(&self, nodes: &[WideNode], until: Real) -> bool {
        nodes.first().is_none_or(|root| {
            dispatch!(simd => self.times(simd, root, until).reduce_min()) > MOST_LIMIT
        })
    }

    /// The earliest times at which the boxes of a node may be within range, reduced by more than the numbers of
    /// lanes raise them; the greatest number if they are not up to `limit`.
    #[inline(always)]
    pub(super) fn times<S: Simd>(&self, simd: S, node: &WideNode, limit: Real) -> f32x16<S> {
        let [enter, leave] = self.0.ends(simd, node, [0.0, limit.min(1.0)]);
        let enter = enter * (1.0 - 24.0 * Real::EPSILON);
        let leave = leave * (1.0 + 8.0 * Real::EPSILON);
        let is_missed = enter.simd_gt(leave);
        is_missed.select(f32x16::splat(simd, Real::MAX), enter)
    }
}
