//! The closest points of four pairs of separated boxes: `pairs/cuboid_cuboid/nearest` in lanes.

use clearance_math::lanes::{
    FourVectors, Select, Simd, SimdBase, SimdFloat, SimdMask, f64x4, mask64x4,
};
use clearance_math::{PreciseVector, tolerances};

use super::Four;
use super::edges::clamped;
use crate::four_answers::FourMeasured;
use crate::four_axes::FourAxes;

/// The greatest number of steps that all lanes take for the sake of one. In a pile a quarter of the
/// pairs needs one step, and one in a hundred needs a second.
const STEP_LIMIT: usize = 3;

impl<S: Simd, P: PreciseVector> Four<S, P> {
    /// The closest points, and the lanes in which they were found and proven. Only the lanes of
    /// `is_wanted` are searched to the end.
    #[inline(always)]
    pub(super) fn nearest_points(
        &self,
        mut at: FourVectors<S, P>,
        is_wanted: mask64x4<S>,
    ) -> (FourMeasured<S, P>, mask64x4<S>) {
        let mut view = self.look_from(at);
        let mut is_open = is_wanted & !view.is_nearest;
        for _ in 0..STEP_LIMIT {
            if !is_open.any_true() {
                break;
            }
            let (slopes, half) = (view.slopes, self.half_b);
            let losses = slopes.abs().scaled_by(half) + slopes.scaled_by(at);
            let (steepest, most) = FourAxes::of_greatest(losses);
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
    fn look_from(&self, at: FourVectors<S, P>) -> View<S, P> {
        let on_b = self.rotation.apply(at) + self.translation;
        let on_a = on_b.held(self.half_a.negated(), self.half_a);
        let apart = on_b - on_a;
        let slopes = self.rotation.apply_transposed(apart);
        let squared_distance = apart.length_squared();
        let beneath = slopes.abs().dot(self.half_b) + slopes.dot(at);
        let gap = tolerances::CLOSED_FORM_GAP * squared_distance;
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
    fn measured(&self, view: &View<S, P>) -> (FourMeasured<S, P>, mask64x4<S>) {
        let distance = view.squared_distance.sqrt();
        let rounding = 3.0 * self.rounding;
        let lower = distance - view.beneath / distance - rounding;
        let measured = FourMeasured {
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
        at: FourVectors<S, P>,
        view: &View<S, P>,
        steepest: &FourAxes<S>,
    ) -> FourVectors<S, P> {
        let (apart, slopes) = (view.apart, view.slopes);
        let is_level = [
            apart.x.simd_eq(0.0),
            apart.y.simd_eq(0.0),
            apart.z.simd_eq(0.0),
        ];
        let to_corner = self.nearest_in_b(self.half_a.with_signs_of(apart));
        let column = steepest.column(&self.rotation);
        let zero = f64x4::splat(apart.x.simd, 0.0);
        let edge = FourVectors::<S, P>::new([
            is_level[0].select(zero, column.x),
            is_level[1].select(zero, column.y),
            is_level[2].select(zero, column.z),
        ]);
        let half = steepest.component(self.half_b);
        let next = steepest.component(at) - steepest.component(slopes) / edge.length_squared();
        let along_axis = steepest.with_component(at, clamped(next, half));
        let is_level = if P::DIM == 2 {
            is_level[0] | is_level[1]
        } else {
            is_level[0] | is_level[1] | is_level[2]
        };
        along_axis.or_where_unset(is_level, to_corner)
    }
}

/// The view from points of b on a.
struct View<S: Simd, P> {
    on_a: FourVectors<S, P>,
    on_b: FourVectors<S, P>,
    apart: FourVectors<S, P>,
    /// The vectors between the two points, in the axes of b.
    slopes: FourVectors<S, P>,
    squared_distance: f64x4<S>,
    /// How far b extends below the plane, times the distance.
    beneath: f64x4<S>,
    is_nearest: mask64x4<S>,
}
