//! When a box that moves straight may come within range of the boxes of a wide node.

use clearance_math::internal::lanes::{Select, Simd, SimdBase, dispatch, f32x16};
use clearance_math::{Real, tolerances};
use clearance_tree::internal::{MOST_LIMIT, WideNode};

use super::swept_boxes::SweptBoxes;
use crate::parts::FourBoxes;

/// Larger boxes and ways are left to tests that allow for sums that overflow.
pub(super) const MOST_SIZE: Real = tolerances::MOST_WIDE_SIZE as Real;

/// A box that moves straight, for tests against the boxes of wide nodes in space.
///
/// It enters a box with the last of three planes, and leaves it with the first of three others; which ones
/// follows from the signs of the way.
pub(super) struct Slabs {
    /// The coordinates from which the way to the planes is counted, so that boxes are entered early and left late.
    enter: [Real; 3],
    leave: [Real; 3],
    /// One over the components of the way.
    inverse: [Real; 3],
    /// The sides of boxes that are entered: 0 for the lower ones, 1 for the upper ones.
    side: [usize; 3],
}

impl Slabs {
    /// A box of b in a's frame, as if the origins were at one place, the same in all lanes. `None` if the
    /// boxes, the way, or what the boxes are grown by is too large.
    pub(super) fn new(boxes: &SweptBoxes, b: &FourBoxes) -> Option<Self> {
        let mut slabs = Self {
            enter: [0.0; 3],
            leave: [0.0; 3],
            inverse: [tolerances::INVERSE_OF_ZERO; 3],
            side: [0; 3],
        };
        for k in 0..3 {
            let way = boxes.way[k];
            let is_backward = way < 0.0;
            let slack = boxes.slack + tolerances::LEAST_WAY;
            let high = boxes.origin[k] + b.high[k].x + slack;
            let low = boxes.origin[k] + b.low[k].x - slack;
            if !(high - low + way.abs() < MOST_SIZE) {
                return None;
            }
            (slabs.enter[k], slabs.leave[k]) = if is_backward {
                (low, high)
            } else {
                (high, low)
            };
            slabs.side[k] = usize::from(is_backward);
            if way.abs() >= tolerances::LEAST_WAY {
                slabs.inverse[k] = 1.0 / way;
            } else if is_backward {
                slabs.inverse[k] = -tolerances::INVERSE_OF_ZERO;
            }
        }
        Some(slabs)
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
        let mut enter = f32x16::splat(simd, 0.0);
        let mut leave = f32x16::splat(simd, limit.min(1.0));
        for k in 0..3 {
            let side = self.side[k] & 1;
            let first = f32x16::load_array_ref(simd, &node.planes[k][side]);
            let second = f32x16::load_array_ref(simd, &node.planes[k][1 - side]);
            enter = enter.max((first - self.enter[k]) * self.inverse[k]);
            leave = leave.min((second - self.leave[k]) * self.inverse[k]);
        }
        let enter = enter * (1.0 - 24.0 * Real::EPSILON);
        let leave = leave * (1.0 + 8.0 * Real::EPSILON);
        let is_missed = enter.simd_gt(leave);
        is_missed.select(f32x16::splat(simd, Real::MAX), enter)
    }
}
