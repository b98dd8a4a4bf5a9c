//! A ball beside the triangles of a composite.

use clearance_math::internal::lanes::{FourVectors, Simd, SimdBase, SimdFloat, f64x4};
use clearance_math::{PreciseVector, Real, RelativePose, Vector, tolerances};
use clearance_shapes::{Core, Shape, Triangle, TriangleGroup};

use super::four_triangles::four_corners;
use crate::answer::{FourAnswers, FourMeasured, Proximity};
use crate::convex::closed_forms::corners_in_lanes::{
    greatest, greatest_square, heights, relative_to,
};
use crate::convex::closed_forms::point_point::turned;
use crate::convex::closed_forms::{point_convex, point_triangle_lanes};
use crate::convex::method::near_within;
use crate::pair::Placed;

/// A ball in the frame of a composite.
///
/// Its triangles are measured against it without being made shapes that are put into canonical order: what
/// is the same for all of them is computed once. The answers have the bits of those of
/// [`proximity`](crate::proximity()) for the triangle and the ball.
#[derive(Clone, Copy, Debug)]
pub(super) struct BallInComposite<P: PreciseVector> {
    /// The centre in the frame of the composite.
    pub(super) center: P,
    /// The length of `center`.
    reach: f64,
    pub(super) radius: f64,
    /// The pose of the composite in the world.
    a_in_world: RelativePose<P>,
}

impl<P: PreciseVector> BallInComposite<P> {
    /// The shape b in the frame of a; `None` if it is not a ball.
    pub(super) fn new<V: Vector<Precise = P>>(
        a: Placed<V>,
        b: Placed<V>,
        a_in_world: &RelativePose<P>,
    ) -> Option<Self> {
        let Shape::Convex(ball) = b.shape else {
            return None;
        };
        let Core::Point(center) = ball.core() else {
            return None;
        };
        let apart = b.pose.position() - a.pose.position();
        let center = a_in_world.inverse_transform_direction(apart + turned(*center, b.pose));
        Some(Self {
            center,
            reach: center.length(),
            radius: ball.radius(),
            a_in_world: *a_in_world,
        })
    }

    /// The answer for a triangle as a, and the ball as b. `None` if the triangle is a segment or a point, or
    /// if no closed form decides.
    pub(super) fn measure<V: Vector<Precise = P>>(
        &self,
        [a, b, c]: [V; 3],
        within: Real,
    ) -> Option<Proximity<V>> {
        if a == b || b == c || c == a {
            return None;
        }
        let measured = point_convex::measure_triangle(
            &Triangle { a, b, c },
            (self.center, self.reach),
            self.radius,
        )?;
        Some(near_within(&measured, within, |measured| {
            measured.in_world(&self.a_in_world)
        }))
    }

    /// [`Self::measure`] for the triangles of a group in space, in SIMD lanes. Left unknown are those
    /// for which it would return `None`, thin triangles, and answers beyond the range of single precision.
    #[inline(always)]
    pub(super) fn measure_four<S: Simd>(
        &self,
        simd: S,
        group: &TriangleGroup,
        within: Real,
    ) -> FourAnswers {
        let corners = four_corners::<S, P>(simd, group);
        let point = FourVectors::splat(simd, self.center);
        let from_point = relative_to(corners, point);
        let (from_nearest, is_thick) = point_triangle_lanes::nearest_of_corners(simd, from_point);
        let size = greatest_square(corners).sqrt();
        let rounding = (size + self.reach) * tolerances::DIFFERENCE_ROUNDING;

        let nearest = point + from_nearest;
        let apart = point - nearest;
        let distance = apart.length();
        let outward = apart / distance;
        let answer = FourMeasured {
            distance,
            lower: distance - rounding * 4.0,
            upper: distance + rounding * 4.0,
            normal: outward,
            on_a: nearest,
            on_b: point,
        };
        // The triangle must end at the plane through the nearest point, as for one triangle.
        let over = outward.dot(point) - greatest(heights(corners, outward));
        let is_proven = (over - distance).abs().simd_le(rounding * 2.0);
        let is_known = is_thick & distance.simd_gt(rounding) & is_proven;
        // Nothing is proven to be farther before it is measured.
        let none = (is_known & !is_known, distance);
        let answer = answer.with_radii(f64x4::splat(simd, 0.0), f64x4::splat(simd, self.radius));
        FourAnswers::in_frame((is_known, answer), none, &self.a_in_world, within)
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::internal::lanes::{LANES, dispatch};
    use clearance_math::{DVec3, Pose, Quat, Vec3};
    use clearance_tree::Child;
    use glam::Vec4;

    use super::*;

    #[test]
    fn four_triangles_have_the_answers_of_each_alone() {
        let (mesh, ball) = (Shape::ball(1.0), Shape::ball(0.25));
        let (mesh, ball) = (mesh.expect("a radius"), ball.expect("a radius"));
        let mut round = 0_u64;
        let mut number = || {
            // Multiples of an irrational number cover their range evenly.
            round += 1;
            (round as f64 * 0.618_033_988_749_894_9).fract() as Real * 4.0 - 2.0
        };
        let mut known = 0;
        for k in 0..2000 {
            let scale = [1.0, 1e-12, 1e12, 1e-30][k % 4];
            let thin = [1.0, 1.0, 1e-2, 1e-5][k / 4 % 4];
            let mut row = || Vec4::from_array([0; 4].map(|_| number())) * scale;
            let mut corner = || [row(), row(), row()];
            let [a, b, mut c] = [corner(), corner(), corner()];
            for k in 0..3 {
                c[k] = b[k] + (c[k] - b[k]) * thin;
            }
            let group = TriangleGroup {
                corners: [a, b, c],
                parts: [0, 1, 2, 3].map(Child::leaf),
            };
            let mut place = || Vec3::new(number(), number(), number()) * scale;
            let turn = Quat::from_axis_angle(place().normalize_or(Vec3::X), k as Real);
            let poses = [
                Pose::<Vec3>::new(place(), turn),
                Pose::<Vec3>::from_translation(place()),
            ];
            let [of_mesh, of_ball] = [(&mesh, &poses[0]), (&ball, &poses[1])]
                .map(|(shape, pose)| Placed::new(shape, pose));
            let a_in_world = RelativePose::<DVec3>::from_pose(&poses[0]);
            let ball = BallInComposite::new(of_mesh, of_ball, &a_in_world).expect("a ball");
            let within = scale;
            let of_four = dispatch!(simd => ball.measure_four(simd, &group, within));
            for lane in 0..LANES {
                if let Some(answer) = of_four.of_lane::<Vec3>(lane) {
                    known += 1;
                    let alone = ball.measure(group.corners_of::<Vec3>(lane), within);
                    assert_eq!(format!("{:?}", Some(answer)), format!("{alone:?}"));
                }
            }
        }
        // A quarter is too thin.
        assert!(known > 5500, "{known} of 8000 are known");
    }
}
