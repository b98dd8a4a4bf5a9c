//! Many pairs of segments, rounded or not, at a time, in space.

use clearance_math::internal::lanes::{FourVectors, LANES, Simd, SimdMask, f64x4, mask64x4};
use clearance_math::internal::{MapEach, map_lanes};
use clearance_math::{Rotation, Vector};
use clearance_shapes::Segment;

use super::of_cores::{OfCores, PlacedCore, of_lanes};
use crate::answer::{AskedInLanes, FourAnswers, FourMeasured};
use crate::convex::closed_forms::segment_segment::{Middle, Segments};
use crate::manifold::{OnePoint, one_point};

/// A pair of segments in canonical order.
pub(super) type OfSegments<'a, V> = OfCores<'a, V, Segment<V>>;

/// The distances of pairs of segments, and the pairs that touch in one point.
pub(super) struct SegmentAnswers<S: Simd, P> {
    pub(super) answers: FourAnswers,
    pub(super) one_point: OnePoint,
    /// The distances of the rounded shapes, along the axes of the world, from the origins of a.
    pub(super) measured: FourMeasured<S, P>,
    /// Along the axes of the world, from the origins of a.
    pub(super) segments: Segments<f64x4<S>, P>,
}

/// Measures as many pairs of segments as there are lanes.
#[inline(always)]
pub(super) fn measure<S: Simd, V: Vector>(
    simd: S,
    pairs: &[&OfSegments<V>; LANES],
) -> SegmentAnswers<S, V::Precise> {
    let [radius_a, radius_b]: [f64x4<S>; 2] = [
        of_lanes(simd, pairs, |pair| pair.a.convex.radius()),
        of_lanes(simd, pairs, |pair| pair.b.convex.radius()),
    ];
    let origin = FourVectors::from_lanes(simd, |lane| pairs[lane].a.origin());
    let mut b = turned(simd, pairs.map_each(|pair| &pair.b));
    b.center = b.center + (FourVectors::from_lanes(simd, |lane| pairs[lane].b.origin()) - origin);
    let segments = Segments {
        a: turned(simd, pairs.map_each(|pair| &pair.a)),
        b,
        size: of_lanes(simd, pairs, |pair| {
            pair.a.convex.core_bounding_radius() + pair.b.convex.core_bounding_radius()
        }),
    };
    let (measured, is_found) = segments.nearest();
    let measured = measured.with_radii(radius_a, radius_b);
    let one_point = one_point(
        &segments,
        radius_a + radius_b,
        [measured.normal, measured.on_a],
    );
    let in_world = measured.moved_by(origin);
    let is_near = is_found & in_world.is_in_single_precision();
    let asked = AskedInLanes {
        exchange: map_lanes(pairs, |pair| pair.exchange),
        within: map_lanes(pairs, |pair| pair.within),
    };
    let none = mask64x4::splat(simd, false);
    let answers = FourAnswers::new(asked, (none, in_world.lower), (is_near, &in_world));
    SegmentAnswers {
        answers,
        one_point,
        measured,
        segments,
    }
}

/// The segments of the sides along the axes of the world, from the origins of their bodies.
#[inline(always)]
fn turned<S: Simd, V: Vector>(
    simd: S,
    sides: [&PlacedCore<V, Segment<V>>; LANES],
) -> Middle<FourVectors<S, V::Precise>> {
    let rotation = V::Rotation::matrices(simd, map_lanes(&sides, |side| side.pose.rotation));
    let ends = [
        FourVectors::from_lanes(simd, |lane| sides[lane].core.a.to_precise()),
        FourVectors::from_lanes(simd, |lane| sides[lane].core.b.to_precise()),
    ];
    Middle::turned(ends, &rotation)
}
