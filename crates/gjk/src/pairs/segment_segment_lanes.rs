//! Pairs of segments in SIMD lanes: the operations of `segment_segment`, in their order.

use clearance_math::lanes::{
    FourMatrices, FourVectors, Select, Simd, SimdBase, SimdMask, f64x4, mask64x4,
};
use clearance_math::{PreciseVector, tolerances};

use super::segment_segment::Middle;
use crate::answers_in_lanes::FourMeasured;

/// Segments from their middles, along the axes of the world.
#[derive(Clone, Copy)]
pub(crate) struct FourMiddles<S: Simd, P> {
    pub(crate) center: FourVectors<S, P>,
    /// The vectors from the middles to the second ends.
    pub(crate) half: FourVectors<S, P>,
}

impl<S: Simd, P: PreciseVector> FourMiddles<S, P> {
    /// The segments between these ends of bodies at poses with these rotations, from the origins of the bodies.
    #[inline(always)]
    pub(crate) fn turned(
        [from, to]: [FourVectors<S, P>; 2],
        rotation: &FourMatrices<S, P>,
    ) -> Self {
        let of_both = f64x4::splat(from.x.simd, 0.5);
        let (center, half) = ((from + to) * of_both, (to - from) * of_both);
        let most = center.abs();
        // As for one pair, a middle at the origin stays as it is, and what is upright takes one column: the sign of zero
        // counts.
        let is_origin = (most.x + most.y + most.z).simd_eq(0.0);
        let is_upright = (half.x.abs() + half.z.abs()).simd_eq(0.0);
        let upright = rotation.columns[1] * half.y;
        if (is_origin & is_upright).all_true() {
            return Self {
                center,
                half: upright,
            };
        }
        Self {
            center: center.or_where_unset(is_origin, rotation.apply(center)),
            half: upright.or_where_unset(is_upright, rotation.apply(half)),
        }
    }

    /// The segment in lane `lane`.
    #[inline(always)]
    pub(crate) fn lane(&self, lane: usize) -> Middle<P> {
        Middle {
            center: self.center.lane(lane),
            half: self.half.lane(lane),
        }
    }
}

/// Pairs of segments, each from the origin of the body of a.
#[derive(Clone, Copy)]
pub(crate) struct FourSegments<S: Simd, P> {
    pub(crate) a: FourMiddles<S, P>,
    pub(crate) b: FourMiddles<S, P>,
    /// The sums of the distances of their points from the origins of their bodies, at most.
    pub(crate) size: f64x4<S>,
}

impl<S: Simd, P: PreciseVector> FourSegments<S, P> {
    /// The distances of the segments, and the lanes in which they are known and proven.
    #[inline(always)]
    pub(crate) fn measure(&self) -> (FourMeasured<S, P>, mask64x4<S>) {
        let (u, v, w) = (self.a.half, self.b.half, self.b.center - self.a.center);
        let (uu, uv, vv) = (u.length_squared(), u.dot(v), v.length_squared());
        let (uw, vw) = (u.dot(w), v.dot(w));
        let one = f64x4::splat(uu.simd, 1.0);
        let (of_a, of_b) = (one / uu, one / vv);
        let denominator = uu * vv - uv * uv;
        let is_oblique = denominator.simd_gt(uu * tolerances::PARALLEL * vv);
        let free = is_oblique.select((vv * uw - uv * vw) / denominator, -one);
        let t = clamped((uv * clamped(free) - vw) * of_b);
        let s = clamped((uv * t + uw) * of_a);
        let t = clamped((uv * s - vw) * of_b);
        let (to_a, to_b) = (u * s, v * t);
        let apart = w + (to_b - to_a);
        let distance = apart.length();
        let rounding = (distance + self.size * 2.0) * tolerances::DIFFERENCE_ROUNDING;
        let is_apart = distance.simd_gt(rounding * 4.0);
        let normal = apart / distance;
        let gap = normal.dot(w) - normal.dot(u).abs() - normal.dot(v).abs();
        let is_proven = gap.simd_ge(distance - rounding * 2.0);
        let rounding = rounding * 3.0;
        let measured = FourMeasured {
            distance,
            lower: distance - rounding,
            upper: distance + rounding,
            normal,
            on_a: self.a.center + to_a,
            on_b: self.b.center + to_b,
        };
        (measured, is_apart & is_proven)
    }
}

/// The numbers clamped to the range from -1 to 1.
#[inline(always)]
fn clamped<S: Simd>(numbers: f64x4<S>) -> f64x4<S> {
    let one = f64x4::splat(numbers.simd, 1.0);
    let raised = numbers.simd_lt(-one).select(-one, numbers);
    raised.simd_gt(one).select(one, raised)
}
