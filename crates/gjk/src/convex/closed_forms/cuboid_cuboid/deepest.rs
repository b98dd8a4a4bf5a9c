//! The distances and witness points of pairs of boxes, separated or overlapping, along the ways
//! that were found.

use clearance_math::internal::lanes::{Condition, Number, VectorsInLanes};
use clearance_math::{PreciseVector, tolerances};

use super::Pair;
use super::faces::CuboidWays;
use crate::answer::MeasuredInLanes;

impl<F: Number, P: PreciseVector> Pair<F, P> {
    /// The distances, and the lanes in which they are known. Little is done for lanes that are not
    /// wanted.
    #[inline(always)]
    pub(crate) fn measured_along(
        &self,
        ways: &CuboidWays<F, P>,
        is_wanted: F::Mask,
    ) -> (MeasuredInLanes<F, P>, F::Mask) {
        let is_apart = ways.is_apart();
        if is_apart.holds_everywhere() && !ways.is_of_edges.holds_somewhere() {
            let start = self.start(ways.toward, ways.is_of_b);
            return self.measured(&self.search(start, is_wanted));
        }
        let (mut measured, mut is_known) = self.points_at_faces(ways, is_wanted);
        if const { P::DIM == 3 } && ways.is_of_edges.holds_somewhere() {
            self.take_points_of_edges(ways, (&mut measured, &mut is_known));
        }
        // As `penetration::finish` completes them, in the lanes in which it would not improve the points.
        let points = [measured.on_a, measured.on_b];
        let overlapping = MeasuredInLanes::exact(ways.gap, ways.toward, points, self.rounding);
        let astray = points[0] - points[1] + ways.toward * ways.gap;
        let is_exact = astray.length().is_at_most(self.beside);
        (
            measured.or_where_unset(is_apart, overlapping),
            is_known & (is_apart | is_exact),
        )
    }

    /// The points of b from which the search for the closest points starts.
    #[inline(always)]
    pub(super) fn start(
        &self,
        toward: VectorsInLanes<F, P>,
        is_of_b: F::Mask,
    ) -> VectorsInLanes<F, P> {
        let corner_of_b = self.corner_of_b(toward);
        self.nearest_in_b(self.half_a.with_signs_of(toward))
            .or_where_unset(is_of_b, corner_of_b)
    }

    /// The closest points of separated boxes, and the deepest points of boxes whose overlap is
    /// least along the normal of a face.
    ///
    /// The deepest points are given by the deepest corner, if it lies over the face. Otherwise they
    /// are the closest points after the boxes were moved apart along the normal, which brings no other feature nearer.
    #[inline(always)]
    fn points_at_faces(
        &self,
        ways: &CuboidWays<F, P>,
        is_wanted: F::Mask,
    ) -> (MeasuredInLanes<F, P>, F::Mask) {
        let is_apart = ways.is_apart();
        let depth = -ways.gap;
        // A face of b is a face of a after the roles are exchanged.
        let is_exchanged = ways.is_of_b & !is_apart;
        let mut frames = self.exchanged_where(is_exchanged);
        let in_b = self.rotation.apply_transposed(ways.toward.negated());
        let toward = in_b.or_where_unset(is_exchanged, ways.toward);
        let start = frames.start(toward, ways.is_of_b & is_apart);

        let corner = frames.transform_points(start);
        let over = corner + toward * depth;
        let under = frames.nearest_in_a(over);
        let is_over = !is_apart & (under - over).length().is_at_most(self.beside);

        let points = [under, corner];
        let mut measured = MeasuredInLanes::exact(ways.gap, toward, points, self.rounding);
        let mut is_known = is_over;
        let is_to_search = is_wanted & (is_apart | !(is_over | ways.is_of_edges));
        if is_to_search.holds_somewhere() {
            let clear = toward * (depth + self.size * tolerances::CLEARANCE_TO_REFINE);
            let moved = frames.translation + clear;
            frames.translation = frames.translation.or_where_unset(is_apart, moved);
            let (mut found, is_found) = frames.measured(&frames.search(start, is_to_search));
            found.on_b = found.on_b.or_where_unset(is_apart, found.on_b - clear);
            measured = measured.or_where_unset(is_over, found);
            is_known |= is_found;
        }
        let (on_a, on_b) = (measured.on_a, measured.on_b);
        let in_a = [self.transform_points(on_b), self.transform_points(on_a)];
        measured.on_a = in_a[0].or_where_unset(is_exchanged, on_a);
        measured.on_b = in_a[1].or_where_unset(is_exchanged, on_b);
        (measured, is_known)
    }

    /// The points of crossing edges, in the lanes where the widest gap or the least overlap is
    /// between edges.
    #[inline(always)]
    fn take_points_of_edges(
        &self,
        ways: &CuboidWays<F, P>,
        (measured, is_known): (&mut MeasuredInLanes<F, P>, &mut F::Mask),
    ) {
        let [on_a, on_b] = self.points_of_edges(ways);
        let crossing =
            MeasuredInLanes::exact(ways.gap, ways.toward, [on_a, on_b], self.rounding * 3.0);
        // The closest points of separated boxes are on these edges if the edges cross.
        let astray = ((on_b - on_a).length() - ways.gap).abs();
        let is_crossing = ways.is_apart() & astray.is_at_most(self.rounding * 2.0);
        let is_overlap = ways.is_of_edges & ways.gap.is_at_most(0.0);
        let is_taken = ways.is_of_edges & (is_crossing | is_overlap);
        *measured = crossing.or_where_unset(is_taken, *measured);
        // A distance of zero is positive for one pair, and would be negative here.
        *is_known = (*is_known | is_taken) & !(ways.is_of_edges & ways.gap.is_equal(0.0));
    }
}
