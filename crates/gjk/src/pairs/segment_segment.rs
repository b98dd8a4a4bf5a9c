//! Segment and segment: capsule and capsule.

use clearance_math::{Matrix, PreciseVector, RelativePose, Vector, tolerances};
use clearance_shapes::{Convex, Core, Segment, Shape};

use crate::measured::Measured;

/// A segment from its middle, along the axes of some frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Middle<P> {
    pub(crate) center: P,
    /// The vector from the middle to the second end.
    pub(crate) half: P,
}

impl<P: PreciseVector> Middle<P> {
    fn of<V: Vector<Precise = P>>(segment: &Segment<V>) -> Self {
        let (a, b) = (segment.a.to_precise(), segment.b.to_precise());
        Self {
            center: (a + b) * 0.5,
            half: (b - a) * 0.5,
        }
    }

    /// The segment of a body at a pose with this rotation, from the origin of the body and along the axes of the world.
    #[inline(always)]
    fn turned<V: Vector<Precise = P>>(segment: &Segment<V>, rotation: &P::Matrix) -> Self {
        let Self { center, half } = Self::of(segment);
        Self {
            // Most capsules are about their origin.
            center: if center == P::ZERO {
                center
            } else {
                rotation.apply(center)
            },
            // And most stand upright in their body: one column of the rotation is enough for these.
            half: if const { P::DIM == 3 } && half.component(0) == 0.0 && half.component(2) == 0.0 {
                rotation.column(1) * half.component(1)
            } else {
                rotation.apply(half)
            },
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

/// Two segments in one frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segments<P> {
    pub(crate) a: Middle<P>,
    pub(crate) b: Middle<P>,
    /// The sum of the distances of their points from the origins of their bodies, at most.
    size: f64,
}

impl<P: PreciseVector> Segments<P> {
    /// Two segments in the frame of a.
    #[inline]
    pub(crate) fn in_a<V: Vector<Precise = P>>(
        [a, b]: TwoSegments<V>,
        b_in_a: &RelativePose<P>,
    ) -> Self {
        let in_b = Middle::of(b.1);
        Self {
            a: Middle::of(a.1),
            b: Middle {
                center: b_in_a.transform_point(in_b.center),
                half: b_in_a.transform_direction(in_b.half),
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
        let mut of_b = Middle::turned(b.1, &pose_b.rotation);
        of_b.center += pose_b.translation - pose_a.translation;
        Self {
            a: Middle::turned(a.1, &pose_a.rotation),
            b: of_b,
            size: a.0.core_bounding_radius() + b.0.core_bounding_radius(),
        }
    }

    /// The distance of the segments.
    ///
    /// The points a + s u and b + t v are closest, with s and t from -1 to 1, where u and v lead from the middles a and
    /// b to the ends. With w = b - a, the optimum without limits is s = (C D - B E) / (A C - B^2), t = (B s - E) / C,
    /// where A = u.u, B = u.v, C = v.v, D = u.w, E = v.w. If t must be clamped, s becomes (B t + D) / A, clamped in
    /// turn. Source: Ericson, "Real-Time Collision Detection", 2005, section 5.1.9. Parallel segments start from
    /// s = -1, which belongs to some pair of closest points once t is clamped.
    ///
    /// The plane across the shortest link is checked against all four ends: that is the lower bound. `None` where it
    /// fails (nearly parallel segments that nearly meet) and where the segments meet: both are left to iteration.
    #[inline(always)]
    pub(crate) fn measure(&self) -> Option<Measured<P>> {
        let (u, v, w) = (self.a.half, self.b.half, self.b.center - self.a.center);
        let (uu, uv, vv) = (u.length_squared(), u.dot(v), v.length_squared());
        let (uw, vw) = (u.dot(w), v.dot(w));
        // Quotients take long, so they are made early.
        let (of_a, of_b) = (1.0 / uu, 1.0 / vv);
        let denominator = uu * vv - uv * uv;
        let parallel = !(denominator > tolerances::PARALLEL * uu * vv);
        let free = if parallel {
            -1.0
        } else {
            (vv * uw - uv * vw) / denominator
        };
        let t = ((uv * free.clamp(-1.0, 1.0) - vw) * of_b).clamp(-1.0, 1.0);
        let s = ((uv * t + uw) * of_a).clamp(-1.0, 1.0);
        // Holding s may have moved the best t once more.
        let t = ((uv * s - vw) * of_b).clamp(-1.0, 1.0);
        let (to_a, to_b) = (u * s, v * t);
        let apart = w + (to_b - to_a);
        let distance = apart.length();
        // The origins of the bodies are no farther apart than this.
        let rounding = tolerances::DIFFERENCE_ROUNDING * (distance + 2.0 * self.size);
        if !(distance > 4.0 * rounding) {
            return None;
        }
        let normal = apart / distance;
        let gap = normal.dot(w) - normal.dot(u).abs() - normal.dot(v).abs();
        let points = (self.a.center + to_a, self.b.center + to_b);
        let proven = gap >= distance - 2.0 * rounding;
        proven.then(|| Measured::exact(distance, normal, points, 3.0 * rounding))
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
    fn by_search(a: &Middle<DVec3>, b: &Middle<DVec3>) -> f64 {
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
                let found = by_search(&in_a.a, &in_a.b);
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
