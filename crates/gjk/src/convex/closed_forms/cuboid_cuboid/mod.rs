//! Cuboid and cuboid: box and box, for one pair or for a pair in each lane.
//!
//! The normals of their faces and, in 3D, the cross products of an edge of each are the normals of all faces of the
//! difference. If none of them separates the boxes, the least overlap is exactly the depth (Gottschalk, Lin, Manocha,
//! "OBBTree", 1996). If one does, the search for the closest points starts from it.
//!
//! The cases, in this order:
//! * The gap along the normal of a face, or along the product of two edges, exceeds the range: the boxes are farther.
//! * The boxes overlap, and their deepest points are found along the axis of least overlap.
//! * The boxes are separated, and their closest points are found in a few steps and proven by the plane between them.
//! * Everything else, mainly shapes that almost touch, is measured one pair at a time, and in the frame of b as well.

mod deepest;
mod edges;
mod faces;
mod nearest;
#[cfg(test)]
mod tests;

use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::{MatricesInLanes, Number, VectorsInLanes};
use clearance_math::{PreciseVector, RelativePose, Vector, tolerances};
use clearance_shapes::{Convex, Cuboid};

use self::faces::CuboidWays;
use crate::answer::MeasuredInLanes;
use crate::convex::CorePair;
use crate::convex::closed_forms::axes::ByAxes;
use crate::search::penetration::Depth;
use crate::search::witness_slack;

/// Measures two boxes in the frame of a.
#[inline]
pub(crate) fn measure<V: Vector>(
    pair: &CorePair<V>,
    [core_a, core_b]: [&Cuboid<V>; 2],
) -> ByAxes<V::Precise> {
    let within = pair.within;
    let pair = Pair::of((pair.a, core_a), (pair.b, core_b), pair.b_in_a);
    let ways = pair.widest_gaps();
    let least = ways.gap - pair.rounding;
    if ways.is_apart() && least > within {
        return ByAxes::Farther(least);
    }
    let (measured, is_known) = pair.measured_along(&ways, true);
    if is_known {
        return ByAxes::Near(measured.lane(0));
    }
    if ways.is_apart() {
        let found = pair.in_frame_of_b(&ways);
        return found.map_or(ByAxes::Undecided, |found| ByAxes::Near(found.lane(0)));
    }
    let depth = -ways.gap;
    ByAxes::Overlapping(Depth {
        height: depth,
        lower: depth,
        normal: ways.toward.lane(0),
        witnesses: pair.points_where_edges_touch(&ways),
    })
}

/// Whether the distance of two boxes is at most `radii`; `None` if the axes do not decide it.
pub(crate) fn overlap<V: Vector>(
    a: (&Convex<V>, &Cuboid<V>),
    b: (&Convex<V>, &Cuboid<V>),
    b_in_a: &RelativePose<V::Precise>,
    radii: f64,
) -> Option<bool> {
    let pair = Pair::of(a, b, b_in_a);
    let ways = pair.widest_gaps();
    if !ways.is_apart() {
        return Some(true);
    }
    (ways.gap - pair.rounding > radii).then_some(false)
}

/// Two boxes in the frame of the first one.
#[derive(Clone, Copy)]
pub(crate) struct Pair<F, P> {
    half_a: VectorsInLanes<F, P>,
    half_b: VectorsInLanes<F, P>,
    /// The pose of b.
    pub(crate) rotation: MatricesInLanes<F, P>,
    pub(crate) translation: VectorsInLanes<F, P>,
    /// The sum of the sizes.
    size: F,
    pub(crate) rounding: F,
    /// How far the way between two witness points may be beside the normal.
    beside: F,
}

impl<P: PreciseVector> Pair<f64, P> {
    #[inline]
    fn of<V: Vector<Precise = P>>(
        (a, core_a): (&Convex<V>, &Cuboid<V>),
        (b, core_b): (&Convex<V>, &Cuboid<V>),
        b_in_a: &RelativePose<P>,
    ) -> Self {
        let half = |core: &Cuboid<V>| VectorsInLanes::splat((), core.half_extents.to_precise());
        Self::new(
            [half(core_a), half(core_b)],
            MatricesInLanes::splat((), &b_in_a.rotation),
            VectorsInLanes::splat((), b_in_a.translation),
            [a, b].map_each(Convex::core_bounding_radius),
        )
    }

    /// The distance of separated boxes, searched in the frame of b.
    #[cold]
    #[inline(never)]
    fn in_frame_of_b(&self, ways: &CuboidWays<f64, P>) -> Option<MeasuredInLanes<f64, P>> {
        let exchanged = self.exchanged_where(true);
        let start = if ways.is_of_b {
            exchanged.nearest_in_b(self.corner_of_b(ways.toward))
        } else {
            self.half_a.with_signs_of(ways.toward)
        };
        let (found, is_proven) = exchanged.measured(&exchanged.search(start, true));
        let in_a = |point| self.rotation.apply(point - exchanged.translation);
        is_proven.then(|| MeasuredInLanes {
            normal: self.rotation.apply(found.normal).negated(),
            on_a: in_a(found.on_b),
            on_b: in_a(found.on_a),
            ..found
        })
    }

    /// The witness points of boxes whose least overlap is zero, between two edges.
    #[cold]
    #[inline(never)]
    fn points_where_edges_touch(&self, ways: &CuboidWays<f64, P>) -> Option<(P, P)> {
        let [on_a, on_b] = self.points_of_edges(ways);
        let astray = on_a - on_b + ways.toward * ways.gap;
        let is_exact = ways.is_of_edges && astray.length() <= self.beside;
        is_exact.then(|| (on_a.lane(0), on_b.lane(0)))
    }
}

impl<F: Number, P: PreciseVector> Pair<F, P> {
    /// Two boxes with these half extents and bounding radii, and the pose of the second in the frame of the first.
    #[inline(always)]
    pub(crate) fn new(
        [half_a, half_b]: [VectorsInLanes<F, P>; 2],
        rotation: MatricesInLanes<F, P>,
        translation: VectorsInLanes<F, P>,
        sizes: [F; 2],
    ) -> Self {
        let size = sizes[0] + sizes[1];
        let rounding = (size + translation.length()) * tolerances::DIFFERENCE_ROUNDING;
        Self {
            half_a,
            half_b,
            rotation,
            translation,
            size,
            rounding,
            beside: witness_slack(sizes[0].lesser(sizes[1]), rounding),
        }
    }

    /// The boxes with exchanged roles, in the frame of b, where the condition holds.
    #[inline(always)]
    fn exchanged_where(&self, condition: F::Mask) -> Self {
        let a_in_b = self.rotation.apply_transposed(self.translation).negated();
        let rotation = self.rotation.transposed();
        Self {
            half_a: self.half_b.or_where_unset(condition, self.half_a),
            half_b: self.half_a.or_where_unset(condition, self.half_b),
            rotation: rotation.or_where_unset(condition, &self.rotation),
            translation: a_in_b.or_where_unset(condition, self.translation),
            ..*self
        }
    }

    /// Maps points from the frame of b to that of a.
    #[inline(always)]
    fn transform_points(&self, points: VectorsInLanes<F, P>) -> VectorsInLanes<F, P> {
        self.rotation.apply(points) + self.translation
    }

    /// The points of a that are closest to the given points of its frame.
    #[inline(always)]
    fn nearest_in_a(&self, points: VectorsInLanes<F, P>) -> VectorsInLanes<F, P> {
        points.held(self.half_a.negated(), self.half_a)
    }

    /// The points of b closest to the given points of a's frame, in b's frame.
    #[inline(always)]
    fn nearest_in_b(&self, points: VectorsInLanes<F, P>) -> VectorsInLanes<F, P> {
        let in_b = self.rotation.apply_transposed(points - self.translation);
        in_b.held(self.half_b.negated(), self.half_b)
    }

    /// The corner of b that is farthest against the directions, in b's frame.
    #[inline(always)]
    fn corner_of_b(&self, toward: VectorsInLanes<F, P>) -> VectorsInLanes<F, P> {
        let in_b = self.rotation.apply_transposed(toward.negated());
        self.half_b.with_signs_of(in_b)
    }

    /// The sums of the projected radii of both boxes along unit vectors.
    #[inline(always)]
    fn reach(&self, axes: VectorsInLanes<F, P>) -> F {
        let in_b = self.rotation.apply_transposed(axes);
        axes.abs().dot(self.half_a) + in_b.abs().dot(self.half_b)
    }
}
