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

mod axes;
mod deepest;
mod edges;
mod faces;
mod nearest;

use clearance_math::lanes::{FourMatrices, FourVectors, LANES, Simd, SimdBase, f64x4};
use clearance_math::{PreciseVector, Rotation, Vector, tolerances};

use super::{OfCuboids, Side};
use crate::four_answers::{FourAnswers, FourAsked};
use crate::pair::just_beyond;

/// Measures four pairs of cuboids, in 2D or in 3D.
#[inline(always)]
pub(super) fn measure<S: Simd, V: Vector>(simd: S, pairs: &[&OfCuboids<V>; LANES]) -> FourAnswers {
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
    let origin = FourVectors::from_lanes(simd, |lane| origin(&pairs[lane].a));
    let in_world = measured
        .with_radii(radius_a, radius_b)
        .in_world(&rotation, origin);
    let is_near = is_found & in_world.is_in_single_precision();
    let asked = FourAsked {
        is_exchanged: pairs.map(|pair| pair.is_exchanged),
        within: pairs.map(|pair| pair.within),
    };
    FourAnswers::new(
        asked,
        (is_farther, least - radii - slack),
        (is_near, &in_world),
    )
}

/// A number for each of four pairs.
#[inline(always)]
fn of_lanes<S: Simd, V: Vector>(
    simd: S,
    pairs: &[&OfCuboids<V>; LANES],
    number: impl Fn(&OfCuboids<V>) -> f64,
) -> f64x4<S> {
    let [a, b, c, d] = pairs;
    f64x4::load_array(simd, [number(a), number(b), number(c), number(d)])
}

#[inline(always)]
fn origin<V: Vector>(side: &Side<V>) -> V::Precise {
    side.pose.translation.to_precise()
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
        let half = |side: &Side<V>| side.cuboid.half_extents.to_precise();
        let apart = FourVectors::from_lanes(simd, |lane| origin(&pairs[lane].b))
            - FourVectors::from_lanes(simd, |lane| origin(&pairs[lane].a));
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
