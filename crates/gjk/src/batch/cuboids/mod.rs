//! Four or eight pairs of cuboids at a time: the usual path of `pairs/cuboid_cuboid` in SIMD lanes.
//!
//! The cases of one lane, in this order:
//! * The gap along the normal of a face, or along the product of two edges, exceeds the range: the
//!   answer is farther.
//! * The boxes overlap, and their deepest points are found along the axis of least overlap: the
//!   answer is near.
//! * The boxes are separated, and their closest points are found in a few steps and proven by the
//!   plane between them: the answer is near.
//! * Everything else, mainly shapes that almost touch: the lane is given up.

mod deepest;
mod edges;
mod faces;
mod nearest;

use clearance_math::internal::{MapEach, map_lanes};
use clearance_math::lanes::{Lanes, MatricesInLanes, Simd, VectorsInLanes};
use clearance_math::{PreciseVector, RelativePose, Rotation, Vector, lesser_of, tolerances};
use clearance_shapes::Cuboid;

use super::of_cores::{OfCuboids, Side, of_lanes};
use crate::answers_in_lanes::{AnswersInLanes, AskedInLanes, MeasuredInLanes};
use crate::measured::Measured;
use crate::pair::just_beyond;

/// What was found about pairs of cuboids.
pub(super) struct Found<S: Simd, F: Lanes<S>, P> {
    /// The lanes that are proven to be out of range.
    is_farther: F::Mask,
    /// The lower bounds of the distances in these lanes.
    least: F,
    /// The lanes whose distances and points are known.
    is_found: F::Mask,
    /// The distances of the rounded shapes, in the frames of a.
    measured: MeasuredInLanes<S, F, P>,
    /// The poses of a in the world.
    rotation: MatricesInLanes<S, F, P>,
    origin: VectorsInLanes<S, F, P>,
    /// The poses of b in the frames of a.
    rotation_of_b: MatricesInLanes<S, F, P>,
    origin_of_b: VectorsInLanes<S, F, P>,
}

/// Measures as many pairs of cuboids as there are lanes, in 2D or in 3D.
#[inline(always)]
pub(super) fn measure<S: Simd, F, V: Vector, const N: usize>(
    simd: S,
    pairs: &[&OfCuboids<V>; N],
) -> Found<S, F, V::Precise>
where
    F: Lanes<S, Array = [f64; N]>,
{
    let rotation = V::Rotation::matrices(simd, map_lanes(pairs, |pair| pair.a.pose.rotation));
    let [radius_a, radius_b] = [
        of_lanes(simd, pairs, |pair| pair.a.convex.radius()),
        of_lanes(simd, pairs, |pair| pair.b.convex.radius()),
    ];
    let radii: F = radius_a + radius_b;
    let boxes = BoxPairs::<S, F, _>::new(simd, pairs, &rotation);

    let ways = boxes.widest_gaps();
    let least = ways.gap - boxes.rounding;
    let within: F = of_lanes(simd, pairs, |pair| just_beyond(pair.within));
    // The range is a little larger than required and the bounds a little wider than found, as for
    // one pair.
    let cores_within = within + radii + (within.abs() + radii) * (16.0 * f64::EPSILON);
    let slack = (least.abs() + radii) * (4.0 * f64::EPSILON);
    let is_farther = ways.is_apart() & least.simd_gt(cores_within);

    let (measured, is_found) = boxes.measured_along(&ways, !is_farther);
    Found {
        is_farther,
        least: least - radii - slack,
        is_found,
        measured: measured.with_radii(radius_a, radius_b),
        rotation,
        origin: VectorsInLanes::from_lanes(simd, |lane| pairs[lane].a.origin()),
        rotation_of_b: boxes.rotation,
        origin_of_b: boxes.translation,
    }
}

impl<S: Simd, F: Lanes<S>, P: PreciseVector> Found<S, F, P> {
    /// What was measured in one lane, which must be known.
    #[inline(always)]
    pub(super) fn lane(&self, lane: usize) -> Measured<P> {
        self.measured.lane(lane)
    }

    /// The pose of a in the world in one lane.
    #[inline(always)]
    pub(super) fn a_in_world(&self, lane: usize) -> RelativePose<P> {
        RelativePose {
            rotation: self.rotation.lane(lane),
            translation: self.origin.lane(lane),
        }
    }

    /// The pose of b in the frame of a in one lane.
    #[inline(always)]
    pub(super) fn b_in_a(&self, lane: usize) -> RelativePose<P> {
        RelativePose {
            rotation: self.rotation_of_b.lane(lane),
            translation: self.origin_of_b.lane(lane),
        }
    }

    /// The answers in the frame of the world.
    #[inline(always)]
    pub(super) fn answers<V: Vector<Precise = P>, const N: usize>(
        &self,
        pairs: &[&OfCuboids<V>; N],
    ) -> AnswersInLanes<N>
    where
        F: Lanes<S, Array = [f64; N]>,
    {
        let in_world = self.measured.in_world(&self.rotation, self.origin);
        let is_near = self.is_found & in_world.is_in_single_precision();
        let asked = AskedInLanes {
            is_exchanged: map_lanes(pairs, |pair| pair.is_exchanged),
            within: map_lanes(pairs, |pair| pair.within),
        };
        AnswersInLanes::new(asked, (self.is_farther, self.least), (is_near, &in_world))
    }
}

/// Pairs of boxes, each in the frame of its first box.
#[derive(Clone, Copy)]
struct BoxPairs<S: Simd, F: Lanes<S>, P> {
    half_a: VectorsInLanes<S, F, P>,
    half_b: VectorsInLanes<S, F, P>,
    /// The pose of b.
    rotation: MatricesInLanes<S, F, P>,
    translation: VectorsInLanes<S, F, P>,
    /// The sum of the sizes.
    size: F,
    rounding: F,
    /// How far the way between two witness points may be beside the normal.
    beside: F,
}

impl<S: Simd, F: Lanes<S>, P: PreciseVector> BoxPairs<S, F, P> {
    #[inline(always)]
    fn new<V: Vector<Precise = P>, const N: usize>(
        simd: S,
        pairs: &[&OfCuboids<V>; N],
        a_in_world: &MatricesInLanes<S, F, P>,
    ) -> Self
    where
        F: Lanes<S, Array = [f64; N]>,
    {
        let half = |side: &Side<V, Cuboid<V>>| side.core.half_extents.to_precise();
        let apart = VectorsInLanes::from_lanes(simd, |lane| pairs[lane].b.origin())
            - VectorsInLanes::from_lanes(simd, |lane| pairs[lane].a.origin());
        let b_in_world = V::Rotation::matrices(simd, map_lanes(pairs, |pair| pair.b.pose.rotation));
        let translation = a_in_world.apply_transposed(apart);
        let sizes = |pair: &OfCuboids<V>| {
            [&pair.a, &pair.b].map_each(|side| side.convex.core_bounding_radius())
        };
        let size = of_lanes(simd, pairs, |pair| {
            let [a, b] = sizes(pair);
            a + b
        });
        let smaller: F = of_lanes(simd, pairs, |pair| {
            let [a, b] = sizes(pair);
            lesser_of(a, b)
        });
        let rounding = (size + translation.length()) * tolerances::DIFFERENCE_ROUNDING;
        Self {
            half_a: VectorsInLanes::from_lanes(simd, |lane| half(&pairs[lane].a)),
            half_b: VectorsInLanes::from_lanes(simd, |lane| half(&pairs[lane].b)),
            rotation: a_in_world.transposed_times(&b_in_world),
            translation,
            size,
            rounding,
            // As in `witness_slack`.
            beside: smaller * tolerances::POINTS_BESIDE_NORMAL + rounding * 4.0,
        }
    }

    /// Maps points from the frames of b to those of a.
    #[inline(always)]
    fn transform_points(&self, points: VectorsInLanes<S, F, P>) -> VectorsInLanes<S, F, P> {
        self.rotation.apply(points) + self.translation
    }

    /// The points of b closest to the given points of a's frame, in b's frame.
    #[inline(always)]
    fn nearest_in_b(&self, points: VectorsInLanes<S, F, P>) -> VectorsInLanes<S, F, P> {
        let in_b = self.rotation.apply_transposed(points - self.translation);
        in_b.held(self.half_b.negated(), self.half_b)
    }
}
