//! Segment and segment: capsule and capsule.

use clearance_math::internal::lanes::{Condition, MatricesInLanes, Number, VectorsInLanes};
use clearance_math::{PreciseVector, RelativePose, Vector, tolerances};
use clearance_shapes::{Convex, Core, Segment, Shape};

use crate::answer::{Measured, MeasuredInLanes};

/// A segment from its middle, along the axes of some frame, or one in each lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Middle<U> {
    pub(crate) center: U,
    /// The vector from the middle to the second end.
    pub(crate) half: U,
}

impl<F: Number, P: PreciseVector> Middle<VectorsInLanes<F, P>> {
    #[inline(always)]
    fn between([a, b]: [VectorsInLanes<F, P>; 2]) -> Self {
        let half = F::splat(a.x.set(), 0.5);
        Self {
            center: (a + b) * half,
            half: (b - a) * half,
        }
    }

    /// The segments between these ends of bodies at poses with these rotations, from the origins of the bodies and along
    /// the axes of the world.
    #[inline(always)]
    pub(crate) fn turned(
        ends: [VectorsInLanes<F, P>; 2],
        rotation: &MatricesInLanes<F, P>,
    ) -> Self {
        let Self { center, half } = Self::between(ends);
        // Most capsules are about their origin.
        let most = center.abs();
        let is_origin = (most.x + most.y + most.z).is_equal(0.0);
        let center = if is_origin.holds_everywhere() {
            center
        } else {
            center.or_where_unset(is_origin, rotation.apply(center))
        };
        // And most stand upright in their body: one column of the rotation is enough for these.
        let is_upright = (half.x.abs() + half.z.abs()).is_equal(0.0);
        let half = if const { P::DIM != 3 } {
            rotation.apply(half)
        } else if is_upright.holds_everywhere() {
            rotation.columns[1] * half.y
        } else {
            let upright = rotation.columns[1] * half.y;
            upright.or_where_unset(is_upright, rotation.apply(half))
        };
        Self { center, half }
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

/// Two shapes whose cores are segments, with these.
pub(crate) type TwoSegments<'a, V> = [(&'a Convex<V>, &'a Segment<V>); 2];

/// The two shapes, if their cores are segments.
#[inline(always)]
pub(crate) fn two_segments<V: Vector>(shapes: [&Shape<V>; 2]) -> Option<TwoSegments<'_, V>> {
    let [Shape::Convex(a), Shape::Convex(b)] = shapes else {
        return None;
    };
    let (Core::Segment(core_a), Core::Segment(core_b)) = (a.core(), b.core()) else {
        return None;
    };
    Some([(a, core_a), (b, core_b)])
}

/// Two segments in one frame, or two in each lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segments<F, P> {
    pub(crate) a: Middle<VectorsInLanes<F, P>>,
    pub(crate) b: Middle<VectorsInLanes<F, P>>,
    /// The sum of the distances of their points from the origins of their bodies, at most.
    pub(crate) size: F,
}

impl<P: PreciseVector> Segments<f64, P> {
    /// Two segments in the frame of a.
    #[inline]
    pub(crate) fn in_a<V: Vector<Precise = P>>(
        [a, b]: TwoSegments<V>,
        b_in_a: &RelativePose<P>,
    ) -> Self {
        let in_b = Middle::between(ends(b.1));
        let rotation = MatricesInLanes::splat((), &b_in_a.rotation);
        let center = rotation.apply(in_b.center);
        Self {
            a: Middle::between(ends(a.1)),
            b: Middle {
                center: center + VectorsInLanes::splat((), b_in_a.translation),
                half: rotation.apply(in_b.half),
            },
            size: a.0.core_bounding_radius() + b.0.core_bounding_radius(),
        }
    }

    /// Two segments along the axes of the world, from the origin of the body of a.
    #[inline(always)]
    pub(crate) fn in_world<V: Vector<Precise = P>>(
        [a, b]: TwoSegments<V>,
        [pose_a, pose_b]: [&RelativePose<P>; 2],
    ) -> Self {
        let turned = |segment, pose: &RelativePose<P>| {
            Middle::turned(ends(segment), &MatricesInLanes::splat((), &pose.rotation))
        };
        let mut of_b = turned(b.1, pose_b);
        let apart = pose_b.translation - pose_a.translation;
        of_b.center = of_b.center + VectorsInLanes::splat((), apart);
        Self {
            a: turned(a.1, pose_a),
            b: of_b,
            size: a.0.core_bounding_radius() + b.0.core_bounding_radius(),
        }
    }

    /// The distance of the segments, if it is known and proven.
    #[inline(always)]
    pub(crate) fn measure(&self) -> Option<Measured<P>> {
        let (measured, is_proven) = self.nearest();
        is_proven.then(|| measured.lane(0))
    }
}

/// The ends of a segment.
#[inline(always)]
fn ends<V: Vector>(segment: &Segment<V>) -> [VectorsInLanes<f64, V::Precise>; 2] {
    [
        VectorsInLanes::splat((), segment.a.to_precise()),
        VectorsInLanes::splat((), segment.b.to_precise()),
    ]
}

impl<F: Number, P: PreciseVector> Segments<F, P> {
    /// The distances of the segments, and where they are known and proven.
    ///
    /// The points a + s u and b + t v are closest, with s and t from -1 to 1, where u and v lead from the middles a and
    /// b to the ends. With w = b - a, the optimum without limits is s = (C D - B E) / (A C - B^2), t = (B s - E) / C,
    /// where A = u.u, B = u.v, C = v.v, D = u.w, E = v.w. If t must be clamped, s becomes (B t + D) / A, clamped in
    /// turn. Source: Ericson, "Real-Time Collision Detection", 2005, section 5.1.9. Parallel segments start from
    /// s = -1, which belongs to some pair of closest points once t is clamped.
    ///
    /// The plane across the shortest link is checked against all four ends: that is the lower bound. Not known where it
    /// fails (nearly parallel segments that nearly meet) and where the segments meet: both are left to iteration.
    #[inline(always)]
    pub(crate) fn nearest(&self) -> (MeasuredInLanes<F, P>, F::Mask) {
        let (u, v, w) = (self.a.half, self.b.half, self.b.center - self.a.center);
        let (uu, uv, vv) = (u.length_squared(), u.dot(v), v.length_squared());
        let (uw, vw) = (u.dot(w), v.dot(w));
        // Quotients take long, so they are made early.
        let one = F::splat(uu.set(), 1.0);
        let (of_a, of_b) = (one / uu, one / vv);
        let denominator = uu * vv - uv * uv;
        let is_oblique = denominator.is_above(uu * tolerances::PARALLEL * vv);
        let free = is_oblique.choose((vv * uw - uv * vw) / denominator, -one);
        let t = ((uv * free.clamped(one) - vw) * of_b).clamped(one);
        let s = ((uv * t + uw) * of_a).clamped(one);
        // Holding s may have moved the best t once more.
        let t = ((uv * s - vw) * of_b).clamped(one);
        let (to_a, to_b) = (u * s, v * t);
        let apart = w + (to_b - to_a);
        let distance = apart.length();
        // The origins of the bodies are no farther apart than this.
        let rounding = (distance + self.size * 2.0) * tolerances::DIFFERENCE_ROUNDING;
        let is_apart = distance.is_above(rounding * 4.0);
        let normal = apart / distance;
        let gap = normal.dot(w) - normal.dot(u).abs() - normal.dot(v).abs();
        let is_proven = gap.is_at_least(distance - rounding * 2.0);
        let points = [self.a.center + to_a, self.b.center + to_b];
        let measured = MeasuredInLanes::exact(distance, normal, points, rounding * 3.0);
        (measured, is_apart & is_proven)
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::{DVec3, Pose, Quat, Real, Vec3};

    use super::*;
    use crate::test_numbers::vector;

    /// Segments of all sizes: about their origin or not, parallel, crossing at right angles, and one much longer.
    fn case(k: u32) -> [(Shape<Vec3>, Pose<Vec3>); 2] {
        let size = [1.0, 1e-30, 1e18, 1e3][k as usize % 4];
        let shape = |salt: u32, size: Real| {
            let (from, to) = (vector(k, salt) * size, vector(k, salt + 3) * size);
            let from = if k.is_multiple_of(3) { -to } else { from };
            Shape::segment(from, to).expect("a segment has a length")
        };
        let turn = |salt: u32| Quat::from_axis_angle(vector(k, salt).normalize(), 3.0);
        let rotation = turn(20);
        let other = match k % 5 {
            0 => rotation,
            1 => rotation * Quat::from_rotation_x(core::f32::consts::FRAC_PI_2),
            _ => turn(23),
        };
        let place = vector(k, 30) * size;
        let (a, b) = (shape(0, size), shape(6, size * [1.0, 1e3][k as usize % 2]));
        let there = place + vector(k, 33) * size;
        [
            (a, Pose::new(place, rotation)),
            (b, Pose::new(there, other)),
        ]
    }

    /// The distance by halving: that of a point on a from b is a convex function of its place.
    fn by_search([a, b]: [Middle<DVec3>; 2]) -> f64 {
        let from = |s: f64| {
            let point = a.center + a.half * s - b.center;
            let t = point.dot(b.half) / b.half.length_squared();
            (point - b.half * t.clamp(-1.0, 1.0)).length()
        };
        let (mut low, mut high) = (-1.0, 1.0);
        for _ in 0..200 {
            let (one, two) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if from(one) < from(two) {
                high = two;
            } else {
                low = one;
            }
        }
        from(low)
    }

    #[test]
    fn both_frames_and_a_search_agree_within_the_bounds() {
        let mut proven = 0;
        for k in 0..4000 {
            let [(a, pose_a), (b, pose_b)] = case(k);
            let cores = two_segments([&a, &b]).expect("segments were made");
            let [a_in_world, b_in_world] = [&pose_a, &pose_b].map(RelativePose::from_pose);
            let b_in_a = RelativePose::between(&pose_a, &pose_b);
            let in_world = Segments::in_world(cores, [&a_in_world, &b_in_world]);
            let in_a = Segments::in_a(cores, &b_in_a);
            let (Some(first), Some(second)) = (in_world.measure(), in_a.measure()) else {
                continue;
            };
            proven += 1;
            for (one, other) in [(first, second), (second, first)] {
                let range = one.lower..=one.upper;
                assert!(range.contains(&other.distance), "{k}: {one:?} {other:?}");
                // A search in double precision knows a minimum to half of the digits of its place.
                let found = by_search([in_a.a.lane(0), in_a.b.lane(0)]);
                let slack = 1e-9 * (found + in_a.size);
                assert!(found >= one.lower - slack * 1e-5, "{k}: {one:?} {found}");
                assert!(found <= one.upper + slack, "{k}: {one:?} {found}");
                let size = in_a.size + one.distance;
                let apart = one.on_b - one.on_a - one.normal * one.distance;
                assert!(apart.length() <= 1e-14 * size, "{k}: {one:?}");
            }
            let turned = a_in_world.transform_direction(second.normal);
            assert!((turned - first.normal).length() < 1e-6, "{k}: {first:?}");
        }
        assert!(proven > 3500, "{proven}");
    }
}
