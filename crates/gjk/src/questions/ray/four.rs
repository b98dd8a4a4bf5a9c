//! A ray and four triangles in space at once.

use clearance_math::internal::lanes::{FourVectors, Simd, SimdBase, SimdMask, dispatch, mask64x4};
use clearance_math::{PreciseVector, tolerances};
use clearance_shapes::TriangleGroup;

use super::RayInFrame;
use crate::parts::FourTriangles;

/// What a line meets of the triangles of a group.
pub(super) struct Met {
    /// The lanes whose triangles the line surely meets, as bits.
    pub(super) hit: u32,
    /// The lanes where rounding leaves that open, as bits.
    pub(super) open: u32,
    /// The places where the line meets the triangles that it surely meets: those that [`touch`](super::triangle::touch) finds.
    pub(super) places: [f64; 4],
    /// How far from these places the bounds may lie that [`touch`](super::triangle::touch) finds there, with what rays allow for
    /// their starts and ends.
    pub(super) reaches: [f64; 4],
}

/// Tests the triangles of a group.
#[inline]
pub(super) fn met<P: PreciseVector>(ray: &RayInFrame<P>, group: &TriangleGroup) -> Met {
    dispatch!(simd => met_in_lanes(simd, ray, group))
}

/// The signs are those that the test of one triangle finds, and the places have the same bits.
#[inline(always)]
pub(super) fn met_in_lanes<S: Simd, P: PreciseVector>(
    simd: S,
    ray: &RayInFrame<P>,
    group: &TriangleGroup,
) -> Met {
    let along = FourVectors::splat(simd, ray.along.in_space());
    let triangles = FourTriangles::relative_to(simd, group, ray.base.in_space());
    let [a, b, c] = triangles.corners;
    let components = a.abs().at_least(b.abs()).at_least(c.abs());
    let greatest = components.x.max(components.y).max(components.z);
    // In the order of the test of one triangle.
    let error = greatest * (tolerances::RAY_PREDICATE_ROUNDING * ray.along_sum) * greatest;
    let (from_b, from_c) = (along.cross(b), along.cross(c));
    let [u, v, w] = [from_b.dot(c), from_c.dot(a), -from_b.dot(a)];
    let (least, greatest) = (u.min(v).min(w), u.max(v).max(w));
    let is_missed = least.simd_lt(-error) & greatest.simd_gt(error);
    // Lanes that hold nothing repeat a triangle that is there.
    if bits(is_missed) == 0b1111 {
        return Met {
            hit: 0,
            open: 0,
            places: [0.0; 4],
            reaches: [0.0; 4],
        };
    }
    let to_test = !bits(is_missed) & group.occupied_lanes();
    let is_hit = least.simd_gt(error) | greatest.simd_lt(-error);
    let direction = FourVectors::splat(simd, ray.direction.in_space());
    let [of_a, of_b, of_c] = [a.dot(direction), b.dot(direction), c.dot(direction)];
    let places = (u * of_a + v * of_b + w * of_c) / (u + v + w);
    let span = of_a.max(of_b).max(of_c) - of_a.min(of_b).min(of_c);
    let hit = to_test & bits(is_hit);
    Met {
        hit,
        open: to_test & !hit,
        places: places.into(),
        reaches: (span + 4.0 * ray.rounding).into(),
    }
}

#[inline(always)]
fn bits<S: Simd>(mask: mask64x4<S>) -> u32 {
    mask.to_bitmask() as u32 & 0b1111
}
