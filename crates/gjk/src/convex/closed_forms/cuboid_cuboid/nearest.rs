//! The closest points of two separated boxes.

use clearance_math::internal::lanes::{Condition, Number, VectorsInLanes};
use clearance_math::{PreciseVector, tolerances};

use super::Pair;
use crate::answer::MeasuredInLanes;
use crate::convex::AxesInLanes;

/// The greatest number of steps from the first corner to the closest points. More than three are rare; in a pile a quarter of
/// the pairs needs one step, and one in a hundred needs a second.
const STEP_LIMIT: usize = 8;

impl<F: Number, P: PreciseVector> Pair<F, P> {
    /// Searches the closest points, from points of b that are given in b's frame. Only the lanes of `is_wanted` are
    /// searched to the end.
    ///
    /// Minimises the distance of a from a point `at` of b. The search takes steps along one edge of b by Newton's method,
    /// and steps to the point closest to a corner of a. Together they end at every kind of feature after finitely many
    /// steps, mostly one or two.
    #[inline(always)]
    pub(super) fn search(
        &self,
        mut at: VectorsInLanes<F, P>,
        is_wanted: F::Mask,
    ) -> NearestSearch<F, P> {
        let mut view = self.look_from(at);
        let mut is_open = is_wanted & !view.is_nearest;
        let mut is_still = F::Mask::of_all(self.size.set(), false);
        for _ in 0..STEP_LIMIT {
            if !is_open.holds_somewhere() {
                break;
            }
            let (slopes, half) = (view.slopes, self.half_b);
            let losses = slopes.abs().scaled_by(half) + slopes.scaled_by(at);
            let (steepest, most) = AxesInLanes::of_greatest(losses);
            // Else rounding dominates the result.
            let is_falling = most.is_above(self.rounding * steepest.component(half));
            is_still |= is_open & !is_falling;
            is_open &= is_falling;
            let next = self.step(at, &view, &steepest);
            at = next.or_where_unset(is_open, at);
            view = self.look_from(at);
            is_open &= !view.is_nearest;
        }
        NearestSearch { view, at, is_still }
    }

    /// The points of a that are closest to the points `at` of b, and whether those are the closest,
    /// too.
    ///
    /// Let e be the vector from the closest point of a to the point of b. The plane perpendicular
    /// to e touches a there, and b extends below it by the sum over b's axes of h |w| + at w, with
    /// w = e . axis, divided by |e|. If that is zero, the points are the closest ones.
    #[inline(always)]
    fn look_from(&self, at: VectorsInLanes<F, P>) -> NearestView<F, P> {
        let on_b = self.transform_points(at);
        let on_a = self.nearest_in_a(on_b);
        let apart = on_b - on_a;
        let slopes = self.rotation.apply_transposed(apart);
        let squared_distance = apart.length_squared();
        let beneath = slopes.abs().dot(self.half_b) + slopes.dot(at);
        let gap = squared_distance * tolerances::CLOSED_FORM_GAP;
        NearestView {
            on_a,
            on_b,
            apart,
            slopes,
            squared_distance,
            beneath,
            is_nearest: beneath.is_at_most(gap),
        }
    }

    /// The distances, and the lanes in which the plane perpendicular to the normal proves them. Where the search stands
    /// still because rounding dominates, another plane may still do so; several pairs at a time leave that to single
    /// ones, since kernels run out of registers.
    #[inline(always)]
    pub(super) fn measured(
        &self,
        search: &NearestSearch<F, P>,
    ) -> (MeasuredInLanes<F, P>, F::Mask) {
        if const { F::COUNT == 1 } && search.is_still.holds_somewhere() {
            return self.measured_by_edges(search);
        }
        let view = &search.view;
        let distance = view.squared_distance.sqrt();
        let lower = distance - view.beneath / distance;
        let (measured, is_proven) =
            self.with_bounds(view, [lower, distance], view.apart / distance);
        (measured, view.is_nearest & is_proven)
    }

    /// The same by the plane perpendicular to the vector between the closest points without its rounding error.
    #[inline(never)]
    fn measured_by_edges(&self, search: &NearestSearch<F, P>) -> (MeasuredInLanes<F, P>, F::Mask) {
        let normal = self.sharpened(search.view.apart, search.at);
        let normal = normal / normal.length();
        let distance = search.view.apart.length();
        let lower = self.translation.dot(normal) - self.reach(normal);
        let allowed = distance * tolerances::CLOSED_FORM_GAP + self.rounding * 2.0;
        let is_narrow = (distance - lower).is_at_most(allowed);
        let (measured, is_above) = self.with_bounds(&search.view, [lower, distance], normal);
        (measured, is_narrow & is_above)
    }

    /// The distances with bounds that are right up to rounding, and where they do not consist of rounding only.
    #[inline(always)]
    fn with_bounds(
        &self,
        view: &NearestView<F, P>,
        [lower, distance]: [F; 2],
        normal: VectorsInLanes<F, P>,
    ) -> (MeasuredInLanes<F, P>, F::Mask) {
        let rounding = self.rounding * 3.0;
        let lower = lower - rounding;
        let measured = MeasuredInLanes {
            lower,
            ..MeasuredInLanes::exact(distance, normal, [view.on_a, view.on_b], rounding)
        };
        (measured, lower.is_above(0.0))
    }

    /// The vectors between the closest points, without their rounding errors along those edges of b in whose interior the
    /// points lie.
    #[inline(always)]
    fn sharpened(
        &self,
        apart: VectorsInLanes<F, P>,
        at: VectorsInLanes<F, P>,
    ) -> VectorsInLanes<F, P> {
        let mut sharpened = apart;
        let (at, half) = (at.components(), self.half_b.components());
        for k in 0..P::DIM {
            let edge = only_along(apart, self.rotation.columns[k]);
            let across = sharpened - edge * (edge.dot(sharpened) / edge.length_squared());
            // Not if the edge is parallel to all of the vector.
            let is_long = across
                .length_squared()
                .is_above(apart.length_squared() * 0.5);
            let is_inside = at[k].abs().is_below(half[k]);
            sharpened = across.or_where_unset(is_inside & is_long, sharpened);
        }
        sharpened
    }

    /// The next points of b: closest to the corner of a that is nearest, or a step along an axis.
    #[inline(always)]
    fn step(
        &self,
        at: VectorsInLanes<F, P>,
        view: &NearestView<F, P>,
        steepest: &AxesInLanes<F>,
    ) -> VectorsInLanes<F, P> {
        let VectorsInLanes { x, y, z, .. } = view.apart;
        let (x, y, z) = (x.is_equal(0.0), y.is_equal(0.0), z.is_equal(0.0));
        let is_level = if const { P::DIM == 2 } {
            x | y
        } else {
            x | y | z
        };
        let to_corner = self.nearest_in_b(self.half_a.with_signs_of(view.apart));
        let edge = only_along(view.apart, steepest.column(&self.rotation));
        let slope = steepest.component(view.slopes);
        let along = steepest.component(at) - slope / edge.length_squared();
        let next = steepest.with_component(at, along.clamped(steepest.component(self.half_b)));
        next.or_where_unset(is_level, to_corner)
    }
}

/// The components of `vectors` along which `apart` has one.
#[inline(always)]
fn only_along<F: Number, P: PreciseVector>(
    apart: VectorsInLanes<F, P>,
    vectors: VectorsInLanes<F, P>,
) -> VectorsInLanes<F, P> {
    let zero = F::splat(apart.x.set(), 0.0);
    VectorsInLanes::new([
        apart.x.is_equal(0.0).choose(zero, vectors.x),
        apart.y.is_equal(0.0).choose(zero, vectors.y),
        apart.z.is_equal(0.0).choose(zero, vectors.z),
    ])
}

/// Where a search ended.
pub(super) struct NearestSearch<F: Number, P> {
    view: NearestView<F, P>,
    /// The points of b, in b's frame.
    at: VectorsInLanes<F, P>,
    /// Where it ended because rounding dominates.
    is_still: F::Mask,
}

/// The view from points of b on a.
struct NearestView<F: Number, P> {
    on_a: VectorsInLanes<F, P>,
    on_b: VectorsInLanes<F, P>,
    apart: VectorsInLanes<F, P>,
    /// The vectors between the two points, in the axes of b.
    slopes: VectorsInLanes<F, P>,
    squared_distance: F,
    /// How far b extends below the plane, times the distance.
    beneath: F,
    is_nearest: F::Mask,
}
