//! A line and the boxes of a wide node.

use clearance_math::internal::lanes::{Simd, SimdBase, f32x16};
use clearance_math::{Real, tolerances};
use clearance_tree::internal::WideNode;

/// A line in space, or the way of a box that goes straight, as the boxes of wide nodes are tested against it.
///
/// It enters a box with the last of three planes, and leaves it with the first of three others; which ones follows from
/// the signs of the direction.
#[derive(Default)]
pub(crate) struct WideSlabs {
    /// The coordinates from which the way to the planes is counted, so that boxes are entered early and left late.
    enter: [Real; 3],
    leave: [Real; 3],
    /// One over the components of the direction.
    inverse: [Real; 3],
    /// The sides of boxes that are entered: 0 for the lower ones, 1 for the upper ones.
    side: [usize; 3],
}

impl WideSlabs {
    /// What is known along an axis: the component of the direction, and the least one that counts; from where the ways to the planes
    /// are counted by which boxes are entered and left.
    #[inline(always)]
    pub(crate) fn set(
        &mut self,
        axis: usize,
        (component, least): (Real, Real),
        [enter, leave]: [Real; 2],
    ) {
        let is_backward = component < 0.0;
        (self.enter[axis], self.leave[axis]) = (enter, leave);
        self.side[axis] = usize::from(is_backward);
        // Not by `copysign`: -0.0 has the sign bit, but does not count as backward, and both must agree.
        self.inverse[axis] = if component.abs() >= least {
            1.0 / component
        } else if is_backward {
            -tolerances::INVERSE_OF_ZERO
        } else {
            tolerances::INVERSE_OF_ZERO
        };
    }

    /// Where boxes are entered and left, at the earliest and at the latest.
    #[inline(always)]
    pub(crate) fn ends<S: Simd>(
        &self,
        simd: S,
        node: &WideNode,
        [start, end]: [Real; 2],
    ) -> [f32x16<S>; 2] {
        let mut enter = [f32x16::splat(simd, start); 3];
        let mut leave = [f32x16::splat(simd, end); 3];
        for k in 0..3 {
            let side = self.side[k] & 1;
            let first = f32x16::load_array_ref(simd, &node.planes[k][side]);
            let second = f32x16::load_array_ref(simd, &node.planes[k][1 - side]);
            enter[k] = (first - self.enter[k]) * self.inverse[k];
            leave[k] = (second - self.leave[k]) * self.inverse[k];
        }
        // In pairs, because each node waits for the one before.
        [
            (enter[0].max(enter[1])).max(enter[2].max(start)),
            (leave[0].min(leave[1])).min(leave[2].min(end)),
        ]
    }
}
