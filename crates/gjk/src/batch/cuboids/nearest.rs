//! The closest points of pairs of separated boxes: `pairs/cuboid_cuboid/nearest` in lanes.

use clearance_math::lanes::{Lanes, Select, Simd, SimdMask, VectorsInLanes};
use clearance_math::{PreciseVector, tolerances};

use super::BoxPairs;
use super::edges::clamped;
use crate::answers_in_lanes::MeasuredInLanes;
use crate::axes_in_lanes::AxesInLanes;

/// The greatest number of steps that all lanes take for the sake of one. In a pile a quarter of the
/// pairs needs one step, and one in a hundred needs a second.
const STEP_LIMIT: usize = 3;

impl<S: Simd, F: Lanes<S>, P: PreciseVector> BoxPairs<S, F, P> {
    /// The closest points, and the lanes in which they were found and proven. Only the lanes of
    /// `is_wanted` are searched to the end.
    #[inline(always)]
    pub(super) fn nearest_points(
        &self,
        mut at: VectorsInLanes<S, F, P>,
        is_wanted: F::Mask,
    ) -> (MeasuredInLanes<S, F, P>, F::Mask) {
        let mut view = self.look_from(at);
        let mut is_open = is_wanted & !view.is_nearest;
        for _ in 0..STEP_LIMIT {
            if !is_open.any_true() {
                break;
            }
            let (slopes, half) = (view.slopes, self.half_b);
            let losses = slopes.abs().scaled_by(half) + slopes.scaled_by(at);
            let (steepest, most) = AxesInLanes::of_greatest(losses);
            // Where rounding dominates the result, the pair needs the careful method.
            is_open &= most.simd_gt(self.rounding * steepest.component(half));
            let next = self.step(at, &view, &steepest);
            at = next.or_where_unset(is_open, at);
            view = self.look_from(at);
            is_open &= !view.is_nearest;
        }
        self.measured(&view)
    }

    /// The points of a that are closest to the points `at` of b, and whether those are the closest,
    /// too.
    #[inline(always)]
    fn look_from(&self, at: VectorsInLanes<S, F, P>) -> View<S, F, P> {
        let on_b = self.rotation.apply(at) + self.translation;
        let on_a = on_b.held(self.half_a.negated(), self.half_a);
        let apart = on_b - on_a;
        let slopes = self.rotation.apply_transposed(apart);
        let squared_distance = apart.length_squared();
        let beneath = slopes.abs().dot(self.half_b) + slopes.dot(at);
        let gap = squared_distance * tolerances::CLOSED_FORM_GAP;
        View {
            on_a,
            on_b,
            apart,
            slopes,
            squared_distance,
            beneath,
            is_nearest: beneath.simd_le(gap),
        }
    }

    /// The distances, and the lanes in which the plane perpendicular to the normal proves them.
    #[inline(always)]
    fn measured(&self, view: &View<S, F, P>) -> (MeasuredInLanes<S, F, P>, F::Mask) {
        let distance = view.squared_distance.sqrt();
        let rounding = self.rounding * 3.0;
        let lower = distance - view.beneath / distance - rounding;
        let measured = MeasuredInLanes {
            distance,
            lower,
            upper: distance + rounding,
            normal: view.apart / distance,
            on_a: view.on_a,
            on_b: view.on_b,
        };
        (measured, view.is_nearest & lower.simd_gt(0.0))
    }

    /// The next points of b: closest to the corner of a that is nearest, or a step along an axis.
    #[inline(always)]
    fn step(
        &self,
        at: VectorsInLanes<S, F, P>,
        view: &View<S, F, P>,
        steepest: &AxesInLanes<S, F>,
    ) -> VectorsInLanes<S, F, P> {
        let (apart, slopes) = (view.apart, view.slopes);
        let is_level = [
            apart.x.simd_eq(0.0),
            apart.y.simd_eq(0.0),
            apart.z.simd_eq(0.0),
        ];
        let to_corner = self.nearest_in_b(self.half_a.with_signs_of(apart));
        let column = steepest.column(&self.rotation);
        let zero = F::splat(apart.x.token(), 0.0);
        let edge = VectorsInLanes::<S, F, P>::new([
            is_level[0].select(zero, column.x),
            is_level[1].select(zero, column.y),
            is_level[2].select(zero, column.z),
        ]);
        let half = steepest.component(self.half_b);
        let next = steepest.component(at) - steepest.component(slopes) / edge.length_squared();
        let along_axis = steepest.with_component(at, clamped(next, half));
        let is_level = if const { P::DIM == 2 } {
            is_level[0] | is_level[1]
        } else {
            is_level[0] | is_level[1] | is_level[2]
        };
        along_axis.or_where_unset(is_level, to_corner)
    }
}

/// The view from points of b on a.
struct View<S: Simd, F: Lanes<S>, P> {
    on_a: VectorsInLanes<S, F, P>,
    on_b: VectorsInLanes<S, F, P>,
    apart: VectorsInLanes<S, F, P>,
    /// The vectors between the two points, in the axes of b.
    slopes: VectorsInLanes<S, F, P>,
    squared_distance: F,
    /// How far b extends below the plane, times the distance.
    beneath: F,
    is_nearest: F::Mask,
}
