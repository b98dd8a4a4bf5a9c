//! Many pairs of segments, rounded or not, at a time, in space.

use clearance_math::lanes::{Lanes, Simd, SimdMask, VectorsInLanes};
use clearance_math::{PreciseVector, Rotation, Vector};
use clearance_shapes::Segment;

use super::of_cores::{OfCores, Side, of_lanes};
use crate::answers_in_lanes::{AnswersInLanes, AskedInLanes, MeasuredInLanes};
use crate::manifold::{OnePoint, one_point};
use crate::measured::Measured;
use crate::pairs::segment_segment::Middle;
use crate::pairs::segment_segment_lanes::{MiddlesInLanes, SegmentsInLanes};

/// A pair of segments in canonical order.
pub(super) type OfSegments<'a, V> = OfCores<'a, V, Segment<V>>;

/// The distances of pairs of segments, and the pairs that touch in one point.
pub(super) struct Found<S: Simd, F: Lanes<S>, P, const N: usize> {
    pub(super) answers: AnswersInLanes<N>,
    pub(super) one_point: OnePoint,
    /// The distances of the rounded shapes, along the axes of the world, from the origins of a.
    measured: MeasuredInLanes<S, F, P>,
    segments: SegmentsInLanes<S, F, P>,
}

impl<S: Simd, F: Lanes<S>, P: PreciseVector, const N: usize> Found<S, F, P, N> {
    /// What was measured in one lane, which must be known.
    #[inline(always)]
    pub(super) fn lane(&self, lane: usize) -> Measured<P> {
        self.measured.lane(lane)
    }

    /// The segments of one lane, along the axes of the world, from the origin of a.
    #[inline(always)]
    pub(super) fn segments(&self, lane: usize) -> [Middle<P>; 2] {
        [self.segments.a.lane(lane), self.segments.b.lane(lane)]
    }
}

/// Measures as many pairs of segments as there are lanes.
#[inline(always)]
pub(super) fn measure<S: Simd, F, V: Vector, const N: usize>(
    simd: S,
    pairs: &[&OfSegments<V>; N],
) -> Found<S, F, V::Precise, N>
where
    F: Lanes<S, Array = [f64; N]>,
{
    let [radius_a, radius_b]: [F; 2] = [
        of_lanes(simd, pairs, |pair| pair.a.convex.radius()),
        of_lanes(simd, pairs, |pair| pair.b.convex.radius()),
    ];
    let origin = VectorsInLanes::from_lanes(simd, |lane| pairs[lane].a.origin());
    let mut b = turned(simd, pairs.map(|pair| &pair.b));
    b.center =
        b.center + (VectorsInLanes::from_lanes(simd, |lane| pairs[lane].b.origin()) - origin);
    let segments = SegmentsInLanes {
        a: turned(simd, pairs.map(|pair| &pair.a)),
        b,
        size: of_lanes(simd, pairs, |pair| {
            pair.a.convex.core_bounding_radius() + pair.b.convex.core_bounding_radius()
        }),
    };
    let (measured, is_found) = segments.measure();
    let measured = measured.with_radii(radius_a, radius_b);
    let one_point = one_point(&segments, radius_a + radius_b, &measured);
    let in_world = measured.moved_by(origin);
    let is_near = is_found & in_world.is_in_single_precision();
    let asked = AskedInLanes {
        is_exchanged: pairs.map(|pair| pair.is_exchanged),
        within: pairs.map(|pair| pair.within),
    };
    let none = F::Mask::splat(simd, false);
    let answers = AnswersInLanes::new(asked, (none, in_world.lower), (is_near, &in_world));
    Found {
        answers,
        one_point,
        measured,
        segments,
    }
}

/// The segments of the sides along the axes of the world, from the origins of their bodies.
#[inline(always)]
fn turned<S: Simd, F, V: Vector, const N: usize>(
    simd: S,
    sides: [&Side<V, Segment<V>>; N],
) -> MiddlesInLanes<S, F, V::Precise>
where
    F: Lanes<S, Array = [f64; N]>,
{
    let rotation = V::Rotation::matrices(simd, sides.map(|side| side.pose.rotation));
    let ends = [
        VectorsInLanes::from_lanes(simd, |lane| sides[lane].core.a.to_precise()),
        VectorsInLanes::from_lanes(simd, |lane| sides[lane].core.b.to_precise()),
    ];
    MiddlesInLanes::turned(ends, &rotation)
}
