//! A line and sixteen triangles of a mesh at once, in single precision: which of them it surely misses.

use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::{Simd, SimdBase, SimdMask, f32x16};
use clearance_math::{PreciseVector, Real, tolerances};
use clearance_shapes::TriangleBlock;

use super::RayInFrame;

/// A line as triangles in space are seen along it: what is moved along the line stays where it is, so that triangles are those of a
/// plane, and the line is a point.
///
/// The plane is that of the two axes along which the direction is not longest. Woop, Benthin and Wald (see
/// [`triangle`](super::triangle)) do the same. Coordinates near the line are small there, and so is what they lose by rounding.
pub(super) struct Sheared {
    /// Two axes of the plane, and the one along which the direction is longest.
    axes: [usize; 3],
    /// How far the line moves in the plane for each unit along the third axis.
    slope: [Real; 2],
    /// The line in the plane.
    place: [Real; 2],
    /// How far a coordinate may be wrong by rounding.
    rounding: Real,
}

impl Sheared {
    /// The line must come within the ball around the mesh, and `rounding` be that of coordinates of two and a half times its
    /// radius.
    pub(super) fn new<P: PreciseVector>(line: &RayInFrame<P>, rounding: Real) -> Self {
        let [direction, base] =
            [line.direction, line.base].map_each(|vector| vector.in_space().to_array());
        // Without branches, which could not be predicted.
        let [x, y, z] = direction.map_each(f64::abs);
        let longest = if z > x.max(y) { 2 } else { usize::from(y > x) };
        let axes = [[1, 2, 0], [2, 0, 1], [0, 1, 2]][longest];
        let (mut slope, mut place) = ([0.0; 2], [0.0; 2]);
        for k in 0..2 {
            let exact = direction[axes[k]] / direction[longest];
            slope[k] = exact as Real;
            place[k] = (base[axes[k]] - exact * base[longest]) as Real;
        }
        Self {
            axes,
            slope,
            place,
            rounding,
        }
    }

    /// The lanes of the triangles that the line may meet, as bits; among them those of lanes that hold nothing.
    #[inline(always)]
    pub(super) fn may_meet<S: Simd>(&self, simd: S, block: &TriangleBlock) -> u32 {
        let a = self.corner(simd, block, 0);
        let b = self.corner(simd, block, 1);
        let c = self.corner(simd, block, 2);
        let most = greatest(a).max(greatest(b)).max(greatest(c));
        let error = (most + self.rounding) * (self.rounding * tolerances::RAY_SHEARED_ROUNDING)
            + Real::MIN_POSITIVE;
        let (u, v, w) = (cross(c, b), cross(a, c), cross(b, a));
        let least = u.min(v).min(w);
        let is_missed = least.simd_lt(-error) & u.max(v).max(w).simd_gt(error);
        !is_missed.to_bitmask() as u32 & 0xffff
    }

    /// One corner of each triangle in the plane, relative to the line.
    #[inline(always)]
    fn corner<S: Simd>(&self, simd: S, block: &TriangleBlock, corner: usize) -> [f32x16<S>; 2] {
        let [first, second, along] = self.axes;
        let coordinates = |axis: usize| &block.corners[corner][axis % 3];
        let along = f32x16::load_array_ref(simd, coordinates(along));
        let first = f32x16::load_array_ref(simd, coordinates(first));
        let second = f32x16::load_array_ref(simd, coordinates(second));
        [
            first - along * self.slope[0] - self.place[0],
            second - along * self.slope[1] - self.place[1],
        ]
    }
}

/// The greater of two absolute values.
#[inline(always)]
fn greatest<S: Simd>([x, y]: [f32x16<S>; 2]) -> f32x16<S> {
    x.abs().max(y.abs())
}

/// Twice the area of the triangle of two points and the line.
#[inline(always)]
fn cross<S: Simd>(a: [f32x16<S>; 2], b: [f32x16<S>; 2]) -> f32x16<S> {
    a[0] * b[1] - a[1] * b[0]
}

#[cfg(test)]
mod tests {
    use clearance_math::internal::lanes::dispatch;
    use clearance_math::{Pose, Ray, RelativePose, Vec3};
    use clearance_shapes::internal::blocks_of;
    use clearance_shapes::{CompositeKind, Shape};

    use super::*;
    use crate::questions::ray::triangle::tests::number;
    use crate::questions::ray::triangle::touch;

    fn vector(k: u32) -> Vec3 {
        Vec3::from_array([0, 1, 2].map(|j| number(3 * k + j)))
    }

    /// Sixteen triangles, large and small, some of them slivers or points, and a line at a side or a corner of one of them.
    fn block_and_target(k: u32) -> (Vec<Vec3>, Vec3) {
        let size = 10.0_f32.powi((k % 35) as i32 - 18);
        let mut corners = Vec::new();
        for triangle in 0..16 {
            let at = 100 * k + 6 * triangle;
            let (a, small) = (vector(at), 0.1_f32.powi((k / 35 % 5) as i32));
            let b = a + vector(at + 1) * small;
            let along = a + (b - a) * number(3 * at + 7);
            let c = [a + vector(at + 2) * small, along, b][(k / 7 % 3) as usize];
            corners.extend([a, b, c].map(|corner| corner * size));
        }
        let [a, b] = [0, 1].map(|corner| corners[(k % 16 * 3 + corner) as usize]);
        let share = [0.0, 0.5, number(k)][k as usize % 3];
        (corners, a + (b - a) * share)
    }

    #[test]
    fn what_it_leaves_out_is_missed_by_exact_signs() {
        let (mut missed, mut left_out) = (0, 0);
        for k in 0..3_000_u32 {
            let (corners, target) = block_and_target(k);
            let triangles: Vec<[u32; 3]> = (0..16).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
            let shape = Shape::mesh(corners, triangles).unwrap();
            let Shape::Composite(composite) = &shape else {
                panic!("a mesh is a composite");
            };
            let CompositeKind::Mesh(mesh) = composite.kind() else {
                panic!("it is a mesh");
            };
            let away = vector(7 * k) * target.length().max(f32::MIN_POSITIVE) * 4.0;
            let away = if k % 5 == 0 { away * Vec3::X } else { away };
            let Ok(ray) = Ray::new(target - away, away) else {
                continue;
            };
            let frame = RelativePose::from_pose(&Pose::<Vec3>::IDENTITY);
            let line = RayInFrame::new(&ray, &frame, composite.bounding_radius());
            if line.passes() {
                continue;
            }
            let rounding = 2.5 * line.bounding_radius as Real * tolerances::PART_BOX_RAY_ROUNDING;
            let sheared = Sheared::new(&line, rounding);
            for block in blocks_of(mesh) {
                let may = dispatch!(simd => sheared.may_meet(simd, block));
                for slot in 0..4 {
                    let group = block.group(slot);
                    for lane in 0..4 {
                        let is_met = touch(&line, group.corners_of::<Vec3>(lane)).is_some();
                        let is_left_out = may >> (4 * slot + lane) & 1 == 0;
                        assert!(!(is_met && is_left_out), "{k}: {ray:?}");
                        missed += u32::from(!is_met);
                        left_out += u32::from(is_left_out);
                    }
                }
            }
        }
        assert!(
            missed > 20_000 && left_out * 10 > missed * 8,
            "{left_out} of {missed}"
        );
    }
}
