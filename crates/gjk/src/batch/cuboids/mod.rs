//! Four pairs of cuboids at a time: the usual path of `pairs/cuboid_cuboid` in SIMD lanes.
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

use clearance_math::lanes::{FourMatrices, FourVectors, LANES, Simd, SimdBase, f64x4, mask64x4};
use clearance_math::{PreciseVector, RelativePose, Rotation, Vector, tolerances};
use clearance_shapes::Cuboid;

use super::OfCuboids;
use super::of_cores::{Side, of_lanes};
use crate::four_answers::{FourAnswers, FourAsked, FourMeasured};
use crate::manifold::{FourCuboids, FourFaces};
use crate::measured::Measured;
use crate::pair::just_beyond;

/// What was found about four pairs of cuboids.
pub(super) struct Found<S: Simd, P> {
    /// The lanes that are proven to be out of range.
    is_farther: mask64x4<S>,
    /// The lower bounds of the distances in these lanes.
    least: f64x4<S>,
    /// The lanes whose distances and points are known.
    is_found: mask64x4<S>,
    /// The distances of the rounded shapes, in the frames of a.
    measured: FourMeasured<S, P>,
    /// The poses of a in the world.
    rotation: FourMatrices<S, P>,
    origin: FourVectors<S, P>,
    half_extents: [FourVectors<S, P>; 2],
    radii: [f64x4<S>; 2],
    /// The poses of b in the frames of a.
    rotation_of_b: FourMatrices<S, P>,
    origin_of_b: FourVectors<S, P>,
}

/// Measures four pairs of cuboids, in 2D or in 3D.
#[inline(always)]
pub(super) fn measure<S: Simd, V: Vector>(
    simd: S,
    pairs: &[&OfCuboids<V>; LANES],
) -> Found<S, V::Precise> {
    let rotation = V::Rotation::matrices(simd, pairs.map(|pair| pair.a.pose.rotation));
    let [radius_a, radius_b] = [
        of_lanes(simd, pairs, |pair| pair.a.convex.radius()),
        of_lanes(simd, pairs, |pair| pair.b.convex.radius()),
    ];
    let radii = radius_a + radius_b;
    let four = Four::new(simd, pairs, &rotation);

    let ways = four.widest_gaps();
    let least = ways.gap - four.rounding;
    let within = of_lanes(simd, pairs, |pair| just_beyond(pair.within));
    // The range is a little larger than required and the bounds a little wider than found, as for
    // one pair.
    let cores_within = within + radii + (16.0 * f64::EPSILON) * (within.abs() + radii);
    let slack = (4.0 * f64::EPSILON) * (least.abs() + radii);
    let is_farther = ways.is_apart() & least.simd_gt(cores_within);

    let (measured, is_found) = four.measured_along(&ways, !is_farther);
    Found {
        is_farther,
        least: least - radii - slack,
        is_found,
        measured: measured.with_radii(radius_a, radius_b),
        rotation,
        origin: FourVectors::from_lanes(simd, |lane| pairs[lane].a.origin()),
        half_extents: [four.half_a, four.half_b],
        radii: [radius_a, radius_b],
        rotation_of_b: four.rotation,
        origin_of_b: four.translation,
    }
}

impl<S: Simd, P: PreciseVector> Found<S, P> {
    /// The distance in one lane, which must be known.
    #[inline(always)]
    pub(super) fn distance(&self, lane: usize) -> f64 {
        self.measured.distance.to_array()[lane]
    }

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

    /// The faces that face each other, seen along the normals; in space. `None` if there are none.
    #[inline(always)]
    pub(super) fn faces(&self) -> Option<FourFaces> {
        FourFaces::new(&FourCuboids {
            half_extents: self.half_extents,
            radii: self.radii,
            rotation_of_b: self.rotation_of_b,
            origin_of_b: self.origin_of_b,
            normal: self.measured.normal,
            on_a: self.measured.on_a,
        })
    }

    /// The answers in the frame of the world.
    #[inline(always)]
    pub(super) fn answers<V: Vector<Precise = P>>(
        &self,
        pairs: &[&OfCuboids<V>; LANES],
    ) -> FourAnswers {
        let in_world = self.measured.in_world(&self.rotation, self.origin);
        let is_near = self.is_found & in_world.is_in_single_precision();
        let asked = FourAsked {
            is_exchanged: pairs.map(|pair| pair.is_exchanged),
            within: pairs.map(|pair| pair.within),
        };
        FourAnswers::new(asked, (self.is_farther, self.least), (is_near, &in_world))
    }
}

/// Four pairs of boxes, each in the frame of its first box.
#[derive(Clone, Copy)]
struct Four<S: Simd, P> {
    half_a: FourVectors<S, P>,
    half_b: FourVectors<S, P>,
    /// The pose of b.
    rotation: FourMatrices<S, P>,
    translation: FourVectors<S, P>,
    size: f64x4<S>,
    rounding: f64x4<S>,
}

impl<S: Simd, P: PreciseVector> Four<S, P> {
    #[inline(always)]
    fn new<V: Vector<Precise = P>>(
        simd: S,
        pairs: &[&OfCuboids<V>; LANES],
        a_in_world: &FourMatrices<S, P>,
    ) -> Self {
        let half = |side: &Side<V, Cuboid<V>>| side.core.half_extents.to_precise();
        let apart = FourVectors::from_lanes(simd, |lane| pairs[lane].b.origin())
            - FourVectors::from_lanes(simd, |lane| pairs[lane].a.origin());
        let b_in_world = V::Rotation::matrices(simd, pairs.map(|pair| pair.b.pose.rotation));
        let translation = a_in_world.apply_transposed(apart);
        let size = of_lanes(simd, pairs, |pair| {
            pair.a.convex.core_bounding_radius() + pair.b.convex.core_bounding_radius()
        });
        Self {
            half_a: FourVectors::from_lanes(simd, |lane| half(&pairs[lane].a)),
            half_b: FourVectors::from_lanes(simd, |lane| half(&pairs[lane].b)),
            rotation: a_in_world.transposed_times(&b_in_world),
            rounding: tolerances::DIFFERENCE_ROUNDING * (size + translation.length()),
            translation,
            size,
        }
    }

    /// Maps points from the frames of b to those of a.
    #[inline(always)]
    fn transform_points(&self, points: FourVectors<S, P>) -> FourVectors<S, P> {
        self.rotation.apply(points) + self.translation
    }

    /// The points of b closest to the given points of a's frame, in b's frame.
    #[inline(always)]
    fn nearest_in_b(&self, points: FourVectors<S, P>) -> FourVectors<S, P> {
        let in_b = self.rotation.apply_transposed(points - self.translation);
        in_b.held(self.half_b.negated(), self.half_b)
    }
}
