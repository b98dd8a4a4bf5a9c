//! The widest gap or the least overlap of pairs of boxes.

use clearance_math::PreciseVector;
use clearance_math::lanes::{Lanes, Select, Simd, SimdMask, VectorsInLanes};

use super::BoxPairs;
use crate::axes_in_lanes::AxesInLanes;

/// The directions with the widest gaps between the boxes. Where boxes overlap, that is the axis of
/// least overlap.
pub(super) struct Ways<S: Simd, F: Lanes<S>, P> {
    /// The gap, or minus the overlap.
    pub(super) gap: F,
    /// From a to b: between faces of separated boxes an approximate direction, otherwise a unit
    /// vector.
    pub(super) toward: VectorsInLanes<S, F, P>,
    /// Whether it is the normal of a face of b.
    pub(super) is_of_b: F::Mask,
    /// Whether it is perpendicular to an edge of a and to an edge of b, and those edges.
    pub(super) is_of_edges: F::Mask,
    pub(super) edges: [AxesInLanes<S, F>; 2],
}

impl<S: Simd, F: Lanes<S>, P: PreciseVector> Ways<S, F, P> {
    /// The lanes with separated boxes.
    #[inline(always)]
    pub(super) fn is_apart(&self) -> F::Mask {
        self.gap.simd_gt(0.0)
    }
}

impl<S: Simd, F: Lanes<S>, P: PreciseVector> BoxPairs<S, F, P> {
    #[inline(always)]
    pub(super) fn widest_gaps(&self) -> Ways<S, F, P> {
        let mut ways = self.across_faces();
        if const { P::DIM == 3 } && !ways.is_apart().all_true() {
            self.across_edges(&mut ways);
        }
        ways
    }

    /// The gaps along the normals of all faces.
    #[inline(always)]
    fn across_faces(&self) -> Ways<S, F, P> {
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
        let is_of_b = gap_b.simd_gt(gap_a);

        let simd = gap_a.token();
        let zero = VectorsInLanes::zero(simd);
        let from_a = gaps_a.at_least(zero).with_signs_of(b_from_a);
        let from_b = gaps_b.at_least(zero).with_signs_of(a_from_b.negated());
        let mut ways = Ways {
            gap: is_of_b.select(gap_b, gap_a),
            toward: self.rotation.apply(from_b).or_where_unset(is_of_b, from_a),
            is_of_b,
            is_of_edges: F::Mask::splat(simd, false),
            edges: [AxesInLanes::splat(simd, 0); 2],
        };
        let is_apart = ways.is_apart();
        if !is_apart.all_true() {
            let normal = axis_b.column(&self.rotation);
            let normal = normal.or_where_unset(is_of_b, axis_a.unit(simd));
            let is_behind = b_from_a.dot(normal).simd_lt(0.0);
            let normal = normal.negated().or_where_unset(is_behind, normal);
            ways.toward = ways.toward.or_where_unset(is_apart, normal);
        }
        ways
    }
}
