//! Edges that cross, in space: the gaps along the cross products of an edge of each box, and the
//! points of such edges.

use clearance_math::internal::lanes::{Condition, Number, VectorsInLanes};
use clearance_math::{PreciseVector, tolerances};

use super::Pair;
use super::faces::CuboidWays;
use crate::convex::AxesInLanes;

/// The other two axes in 3D, in cyclic order.
const NEXT: [(usize, usize); 3] = [(1, 2), (2, 0), (0, 1)];

impl<F: Number, P: PreciseVector> Pair<F, P> {
    /// Takes the products of edges into account in the lanes that no face separates.
    #[inline(always)]
    pub(super) fn across_edges(&self, ways: &mut CuboidWays<F, P>) {
        let mut worthwhile = self.worthwhile_edges(ways);
        while worthwhile != 0 {
            let number = worthwhile.trailing_zeros() as usize;
            worthwhile &= worthwhile - 1;
            self.across_edge(number / 3, number % 3, ways);
        }
    }

    /// A bit for each product of edges that may have less overlap than the faces in some lane: the
    /// product of axis i of a and axis j of b has the number 3 i + j.
    ///
    /// Computed without square roots, because most products have not.
    #[inline(always)]
    pub(super) fn worthwhile_edges(&self, ways: &CuboidWays<F, P>) -> u32 {
        let may_overlap = !ways.is_apart();
        let [x, y, z] = self.rotation.columns;
        let columns = [x.components(), y.components(), z.components()];
        let between = self.translation.components();
        let (half_a, half_b) = (self.half_a.components(), self.half_b.components());
        let mut worthwhile = 0;
        for i in 0..3 {
            for j in 0..3 {
                let ((k, l), (m, n)) = (NEXT[i], NEXT[j]);
                let (edge_k, edge_l) = (columns[j][k], columns[j][l]);
                let apart = between[l] * edge_k - between[k] * edge_l;
                let reach = half_a[k] * edge_l.abs()
                    + half_a[l] * edge_k.abs()
                    + half_b[m] * columns[n][i].abs()
                    + half_b[n] * columns[m][i].abs();
                let overlap = reach - apart.abs() - self.rounding;
                let squared_length = edge_k * edge_k + edge_l * edge_l;
                let is_more = overlap.is_above(0.0)
                    & (overlap * overlap).is_at_least(ways.gap * ways.gap * squared_length);
                let is_worthwhile = may_overlap & !is_more;
                worthwhile |= u32::from(is_worthwhile.holds_somewhere()) << (3 * i + j);
            }
        }
        worthwhile
    }

    /// Takes the product of axis i of a and axis j of b, where it has less overlap.
    #[inline(always)]
    pub(super) fn across_edge(&self, i: usize, j: usize, ways: &mut CuboidWays<F, P>) {
        let set = self.size.set();
        let (k, l) = NEXT[i];
        let edge = self.rotation.columns[j].components();
        let between = self.translation;
        let (edge_k, edge_l) = (edge[k], edge[l]);
        let apart = between.components()[l] * edge_k - between.components()[k] * edge_l;
        let length = (edge_k * edge_k + edge_l * edge_l).sqrt();
        let mut axis = [F::splat(set, 0.0); 3];
        axis[k] = -edge_l / length;
        axis[l] = edge_k / length;
        let axis = VectorsInLanes::new(axis);
        let along = between.dot(axis);
        let gap = -(self.reach(axis) - along.abs());
        // The normal of a face covers the product of parallel edges.
        let is_wider =
            !ways.is_apart() & length.is_above(tolerances::PARALLEL) & gap.is_above(ways.gap);
        // Rounding may have different signs in the two cases.
        let is_separated = gap.is_above(0.0);
        let is_behind =
            (is_separated & apart.is_below(0.0)) | (!is_separated & along.is_below(0.0));
        let toward = axis.negated().or_where_unset(is_behind, axis);
        let [of_a, of_b] = ways.edges;
        *ways = CuboidWays {
            gap: is_wider.choose(gap, ways.gap),
            toward: toward.or_where_unset(is_wider, ways.toward),
            is_of_b: ways.is_of_b & !is_wider,
            is_of_edges: ways.is_of_edges | is_wider,
            edges: [
                AxesInLanes::splat(set, i).or_where_unset(is_wider, of_a),
                AxesInLanes::splat(set, j).or_where_unset(is_wider, of_b),
            ],
        };
    }

    /// The closest points of the edge of a that is highest along the given directions, and of the
    /// edge of b that is lowest.
    #[inline(always)]
    pub(super) fn points_of_edges(&self, ways: &CuboidWays<F, P>) -> [VectorsInLanes<F, P>; 2] {
        let [i, j] = ways.edges;
        let zero = F::splat(self.size.set(), 0.0);
        let corner_a = self.half_a.with_signs_of(ways.toward);
        let corner_b = self.corner_of_b(ways.toward);
        let middle = self.transform_points(j.with_component(corner_b, zero));
        let edge = j.column(&self.rotation);
        let across = i.with_component(edge, zero);
        let along = across.dot(corner_a - middle) / across.length_squared();
        let on_b = middle + edge * along.clamped(j.component(self.half_b));
        let at = i.component(on_b).clamped(i.component(self.half_a));
        [i.with_component(corner_a, at), on_b]
    }
}
