//! A cuboid beside the triangles of a composite.

use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::{
    LANES, Simd, SimdBase, SimdMask, dispatch, f64x4, is_narrow, mask64x4,
};
use clearance_math::{DVec3, Matrix, PreciseVector, Real, RelativePose, Vector};
use clearance_shapes::{Core, Shape, TriangleGroup};

use super::four_triangles::four_corners;
use crate::answer::{FourAnswers, Measured};
use crate::convex::closed_forms::triangle_cuboid;
use crate::convex::closed_forms::triangle_cuboid::CuboidInFrame;
use crate::convex::method::just_beyond;
use crate::pair::{KeptFrames, Placed};

/// A cuboid in the frame of a composite in space.
///
/// Its triangles are measured against it four at a time. The answers have the bits of those of
/// [`proximity`](crate::proximity()) for a triangle and the cuboid.
#[derive(Clone, Copy, Debug)]
pub(super) struct BesideTriangles {
    cuboid: CuboidInFrame,
    radius: f64,
    /// The pose of the composite in the world.
    a_in_world: RelativePose<DVec3>,
}

/// What was measured of four triangles, in the frame of the composite: for their manifolds. What stands in lanes whose answers
/// are not known means nothing.
pub(super) type KeptFour = Option<[Measured<DVec3>; LANES]>;

impl BesideTriangles {
    /// The shape b in the frame of a; `None` if it is not a cuboid in space.
    pub(super) fn new<V: Vector>(b: Placed<V>, frames: &KeptFrames<V::Precise>) -> Option<Self> {
        let Shape::Convex(convex) = b.shape else {
            return None;
        };
        let Core::Cuboid(core) = convex.core() else {
            return None;
        };
        if const { V::DIM != 3 } {
            return None;
        }
        let columns = [0, 1, 2].map_each(|k| frames.a_in_world.rotation.column(k).in_space());
        Some(Self {
            cuboid: CuboidInFrame::new((convex, core), &frames.b_in_a),
            radius: convex.radius(),
            a_in_world: RelativePose {
                rotation: Matrix::from_columns(columns),
                translation: frames.a_in_world.translation.in_space(),
            },
        })
    }

    /// The answers for the triangles of a group as a, and the cuboid as b, in some of the lanes. Left unknown are
    /// thin triangles, those that nearly touch, and answers beyond the range of single precision. `None` where it would be
    /// slower than one by one. `kept` gets the same in the frame of the composite.
    #[inline(never)]
    pub(super) fn measure_four(
        &self,
        group: &TriangleGroup,
        (which, within): (u32, Real),
        kept: Option<&mut KeptFour>,
    ) -> Option<FourAnswers> {
        dispatch!(simd => self.measure_in_lanes(simd, group, (which, within), kept))
    }

    #[inline(always)]
    fn measure_in_lanes<S: Simd>(
        &self,
        simd: S,
        group: &TriangleGroup,
        (which, within): (u32, Real),
        kept: Option<&mut KeptFour>,
    ) -> Option<FourAnswers> {
        if const { is_narrow::<S>() } {
            return None;
        }
        let corners = four_corners(simd, group);
        let is_wanted = mask64x4::from_bitmask(simd, which.into());
        // As for one pair, the range of the cores is a little larger, and the bounds are a little wider.
        let (beyond, radius) = (just_beyond(within), self.radius);
        let cores_within = beyond + radius + 16.0 * f64::EPSILON * (beyond.abs() + radius);
        let asked = (cores_within, is_wanted);
        let found = triangle_cuboid::measure(simd, corners, &self.cuboid, asked);
        let radii = f64x4::splat(simd, radius);
        let slack = (4.0 * f64::EPSILON) * (found.least.abs() + radii);
        let least = found.least - radii - slack;
        let measured = found.measured.with_radii(f64x4::splat(simd, 0.0), radii);
        if let Some(kept) = kept {
            *kept = Some([0, 1, 2, 3].map_each(|lane| measured.lane(lane)));
        }
        let near = (found.is_near, measured);
        let farther = (found.is_farther, least);
        Some(FourAnswers::in_frame(
            near,
            farther,
            &self.a_in_world,
            within,
        ))
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::internal::lanes::is_wide;
    use clearance_math::{Pose, Quat, Vec3};
    use clearance_tree::Child;
    use glam::Vec4;

    use super::*;
    use crate::answer::Proximity;
    use crate::convex::method;

    /// How many lanes were known to be near and apart, near and overlapping, and farther.
    #[derive(Debug, Default)]
    struct Known {
        apart: usize,
        overlapping: usize,
        farther: usize,
    }

    /// Numbers that cover the range from -2 to 2 evenly: multiples of an irrational number.
    struct Numbers {
        round: u64,
        /// Whether they are rounded, so that there are ties, parallel faces and triangles without area.
        are_whole: bool,
        scale: Real,
    }

    impl Numbers {
        fn next(&mut self) -> Real {
            self.round += 1;
            let number = (self.round as f64 * 0.618_033_988_749_894_9).fract() as Real * 4.0 - 2.0;
            self.scale
                * if self.are_whole {
                    number.round()
                } else {
                    number
                }
        }

        fn point(&mut self) -> Vec3 {
            Vec3::new(self.next(), self.next(), self.next())
        }

        fn row(&mut self) -> Vec4 {
            Vec4::from_array([0; 4].map(|_| self.next()))
        }

        fn corner(&mut self) -> [Vec4; 3] {
            [self.row(), self.row(), self.row()]
        }

        fn pose(&mut self, angle: Real) -> Pose<Vec3> {
            let place = self.point() * 0.25;
            let turn = Quat::from_axis_angle(self.point().normalize_or(Vec3::X), angle);
            Pose::new(place, if self.are_whole { Quat::IDENTITY } else { turn })
        }
    }

    /// Compares the answers for a group with those for each triangle alone.
    fn compare(
        known: &mut Known,
        group: &TriangleGroup,
        (poses, cuboid): (&[Pose<Vec3>; 2], &Shape<Vec3>),
        within: Real,
    ) {
        let b = Placed::new(cuboid, &poses[1]);
        let frames = KeptFrames::new(&poses[0], &poses[1]);
        let beside = BesideTriangles::new(b, &frames).expect("a cuboid");
        let mut kept = None;
        let of_four = beside.measure_four(group, (0b1111, within), Some(&mut kept));
        let (of_four, kept) = (of_four.expect("a kernel"), kept.expect("it was asked for"));
        for (lane, kept) in kept.into_iter().enumerate() {
            let Some(answer) = of_four.of_lane::<Vec3>(lane) else {
                continue;
            };
            match answer {
                Proximity::Near(near) if near.distance > 0.0 => known.apart += 1,
                Proximity::Near(_) => known.overlapping += 1,
                _ => known.farther += 1,
            }
            let [p, q, r] = group.corners_of::<Vec3>(lane);
            let triangle = Shape::triangle(p, q, r).expect("finite corners");
            let (a, mut kept_alone) = (Placed::new(&triangle, &poses[0]), None);
            let keep = |measured: &Measured<DVec3>| kept_alone = Some(*measured);
            let alone = method::measure_in_frames(a, b, &frames, within, keep);
            assert_eq!(format!("{answer:?}"), format!("{alone:?}"), "{p} {q} {r}");
            if let Proximity::Near(_) = answer {
                assert_eq!(Some(kept), kept_alone, "{p} {q} {r}");
            }
        }
    }

    #[test]
    fn four_triangles_have_the_answers_of_each_alone() {
        if !is_wide() {
            return; // there is no kernel
        }
        let mut known = Known::default();
        for k in 0..6000 {
            let scale = [1.0, 1e-12, 1e12, 1e-30, 1.0, 1e18][k % 6];
            let mut numbers = Numbers {
                round: 31 * k as u64,
                are_whole: k / 6 % 2 == 0,
                scale,
            };
            let [a, mut b, mut c] = [numbers.corner(), numbers.corner(), numbers.corner()];
            let small = [1.0, 1.0, 0.125, 1e-2][k / 12 % 4];
            let thin = [1.0, 1.0, 1.0, 1e-2, 1e-5][k / 48 % 5];
            for k in 0..3 {
                b[k] = a[k] + (b[k] - a[k]) * small;
                c[k] = b[k] + (c[k] - b[k]) * (small * thin);
            }
            let group = TriangleGroup {
                corners: [a, b, c],
                parts: [0, 1, 2, 3].map(Child::leaf),
            };
            let half_extents = (numbers.point().abs() * 0.5).max(Vec3::splat(0.5 * scale));
            let cuboid = Shape::cuboid(half_extents).expect("positive half extents");
            let cuboid = match k % 5 {
                0 => cuboid.rounded(0.125 * scale).expect("a radius"),
                _ => cuboid,
            };
            let poses = [numbers.pose(k as Real), numbers.pose(2.0 * k as Real)];
            let within = [0.5 * scale, Real::INFINITY, 0.0, -0.25 * scale][k / 7 % 4];
            compare(&mut known, &group, (&poses, &cuboid), within);
        }
        let Known {
            apart,
            overlapping,
            farther,
        } = known;
        assert!(apart > 2000, "{known:?} of 24000");
        assert!(overlapping > 1500, "{known:?} of 24000");
        assert!(farther > 4000, "{known:?} of 24000");
    }
}
