//! The widest gap or the least overlap of two boxes.

use clearance_math::PreciseVector;
use clearance_math::internal::lanes::{Condition, Number, VectorsInLanes};

use super::Pair;
use crate::convex::AxesInLanes;

/// The directions with the widest gaps between the boxes. Where boxes overlap, that is the axis of
/// least overlap.
pub(crate) struct CuboidWays<F: Number, P> {
    /// The gap, or minus the overlap.
    pub(crate) gap: F,
    /// From a to b: between faces of separated boxes an approximate direction, otherwise a unit
    /// vector.
    pub(super) toward: VectorsInLanes<F, P>,
    /// Whether it is the normal of a face of b.
    pub(super) is_of_b: F::Mask,
    /// Whether it is perpendicular to an edge of a and to an edge of b, and those edges.
    pub(super) is_of_edges: F::Mask,
    pub(super) edges: [AxesInLanes<F>; 2],
}

impl<F: Number, P: PreciseVector> CuboidWays<F, P> {
    /// The lanes with separated boxes.
    #[inline(always)]
    pub(crate) fn is_apart(&self) -> F::Mask {
        self.gap.is_above(0.0)
    }
}

impl<F: Number, P: PreciseVector> Pair<F, P> {
    #[inline(always)]
    pub(crate) fn widest_gaps(&self) -> CuboidWays<F, P> {
        let mut ways = self.across_faces();
        if const { P::DIM == 3 } && !ways.is_apart().holds_everywhere() {
            self.across_edges(&mut ways);
        }
        ways
    }

    /// The gaps along the normals of all faces.
    #[inline(always)]
    pub(super) fn across_faces(&self) -> CuboidWays<F, P> {
        let b_from_a = self.translation;
        let a_from_b = self.rotation.apply_transposed(b_from_a).negated();
        let mut gaps_a = b_from_a.abs() - self.half_a;
        let mut gaps_b = a_from_b.abs() - self.half_b;
        let [x, y, z] = self.rotation.columns;
        let [x, y, z] = [x.abs(), y.abs(), z.abs()];
        let half = self.half_b;
        gaps_a = gaps_a - x * half.x - y * half.y - z * half.z;
        let half = self.half_a;
        gaps_b = gaps_b - VectorsInLanes::new([x.dot(half), y.dot(half), z.dot(half)]);
        let (axis_a, gap_a) = AxesInLanes::of_greatest(gaps_a);
        let (axis_b, gap_b) = AxesInLanes::of_greatest(gaps_b);
        let is_of_b = gap_b.is_above(gap_a);

        let set = gap_a.set();
        let mut ways = CuboidWays {
            gap: is_of_b.choose(gap_b, gap_a),
            toward: b_from_a,
            is_of_b,
            is_of_edges: F::Mask::of_all(set, false),
            edges: [AxesInLanes::splat(set, 0); 2],
        };
        let is_apart = ways.is_apart();
        {
            let zero = VectorsInLanes::zero(set);
            let from_a = gaps_a.at_least(zero).with_signs_of(b_from_a);
            let from_b = gaps_b.at_least(zero).with_signs_of(a_from_b.negated());
            ways.toward = self.rotation.apply(from_b).or_where_unset(is_of_b, from_a);
        }
        if !is_apart.holds_everywhere() {
            let normal = axis_b.column(&self.rotation);
            let normal = normal.or_where_unset(is_of_b, axis_a.unit(set));
            let is_behind = b_from_a.dot(normal).is_below(0.0);
            let normal = normal.negated().or_where_unset(is_behind, normal);
            ways.toward = ways.toward.or_where_unset(is_apart, normal);
        }
        ways
    }
}
