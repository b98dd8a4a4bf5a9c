//! Pairs of segments that touch in one point: the operations of `crossing` in SIMD lanes, in their order.

use clearance_math::lanes::{Simd, SimdBase, SimdMask, f64x4, mask64x4};
use clearance_math::{PreciseVector, tolerances};

use super::crossing::{JOINED, LEANING, MARGIN, TouchingSegment};
use super::feature::Feature;
use crate::answers_in_lanes::FourMeasured;
use crate::pairs::segment_segment_lanes::FourSegments;

/// Which pairs of segments are seen to touch in one point, and what the segments are there: a bit for each pair.
#[derive(Clone, Copy)]
pub(crate) struct OnePoint {
    is_one: u64,
    sides: [SideBits; 2],
}

/// What the segments on one side are, a bit for each.
#[derive(Clone, Copy)]
struct SideBits {
    is_line: u64,
    is_second: u64,
}

impl OnePoint {
    /// What the two segments of a pair are where they touch, if that is seen to be one point.
    #[inline(always)]
    pub(crate) fn features(&self, lane: usize) -> Option<[Feature; 2]> {
        let is_set = |bits: u64| bits >> lane & 1 == 1;
        let touching = |side: SideBits| TouchingSegment {
            is_line: is_set(side.is_line),
            is_second: is_set(side.is_second),
        };
        let [a, b] = self.sides;
        is_set(self.is_one).then(|| [touching(a).feature(), touching(b).feature()])
    }
}

/// Finds the pairs of segments in space that touch in one point. `radii` are the sums of both radii.
#[inline(always)]
pub(crate) fn one_point<S: Simd, P: PreciseVector>(
    segments: &FourSegments<S, P>,
    radii: f64x4<S>,
    measured: &FourMeasured<S, P>,
) -> OnePoint {
    let (a, b) = (segments.a.half, segments.b.half);
    let (uu, vv) = (a.length_squared(), b.length_squared());
    let (rise_a, rise_b) = (a.dot(measured.normal), b.dot(measured.normal));
    let (squared_a, squared_b) = (rise_a * rise_a, rise_b * rise_b);
    let least = tolerances::FACING_SINE * tolerances::FACING_SINE;
    let is_line = [squared_a.simd_le(uu * least), squared_b.simd_le(vv * least)];
    let leaning = LEANING * LEANING;
    let is_level = squared_a.simd_le(uu * leaning) & squared_b.simd_le(vv * leaning);
    let is_one = is_level & is_crossing(segments, radii, measured);
    let are_lines = is_line[0] & is_line[1];
    OnePoint {
        is_one: (is_one | !are_lines).to_bitmask(),
        sides: [
            SideBits {
                is_line: is_line[0].to_bitmask(),
                is_second: rise_a.simd_gt(0.0).to_bitmask(),
            },
            SideBits {
                is_line: is_line[1].to_bitmask(),
                is_second: rise_b.simd_lt(0.0).to_bitmask(),
            },
        ],
    }
}

/// The pairs across the normal that are so far apart where they stop running beside each other that they have no second
/// point in common.
#[inline(always)]
fn is_crossing<S: Simd, P: PreciseVector>(
    segments: &FourSegments<S, P>,
    radii: f64x4<S>,
    measured: &FourMeasured<S, P>,
) -> mask64x4<S> {
    let (u, v) = (segments.a.half, segments.b.half);
    let (uu, uv, vv) = (u.length_squared(), u.dot(v), v.length_squared());
    let middle_a = u.dot(segments.a.center - measured.on_a);
    let middle_b = u.dot(segments.b.center - measured.on_a);
    let first = (middle_a - uu).max(middle_b - uv.abs());
    let last = (middle_a + uu).min(middle_b + uv.abs());
    let stretch = (-first).max(last);
    let crossed = uu * vv - uv * uv;
    let beside = radii * (MARGIN * tolerances::PARALLEL_OFFSET);
    let enough = (beside * beside + uu.max(vv) * (JOINED * JOINED)) * 2.0;
    let is_oblique = (uv * uv).simd_gt(uu * LEANING * vv);
    stretch.simd_gt(0.0)
        & is_oblique
        & (stretch * stretch * crossed).simd_gt(enough * uu * (uv * uv))
}
