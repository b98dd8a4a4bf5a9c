//! Four triangles in lanes: quick tests that leave few of them to be measured.

use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::{
    FourVectors, Select, Simd, SimdBase, SimdFloat, dispatch, f64x4,
};
use clearance_math::{DVec3, PreciseVector};
use clearance_shapes::TriangleGroup;
use glam::Vec4;

use crate::convex::closed_forms::corners_in_lanes::{Corners, relative_to};

/// The corners of four triangles, in double precision.
#[derive(Clone, Copy)]
pub(crate) struct FourTriangles<S: Simd> {
    pub(crate) corners: [FourVectors<S, DVec3>; 3],
}

impl<S: Simd> FourTriangles<S> {
    /// The triangles of a group, relative to a point.
    #[inline(always)]
    pub(crate) fn relative_to(simd: S, group: &TriangleGroup, point: DVec3) -> Self {
        let point = FourVectors::splat(simd, point);
        Self {
            corners: relative_to(four_corners(simd, group), point),
        }
    }

    /// Lower bounds of the distances of the origin from the triangles, up to rounding: the distances, unless a triangle is so thin
    /// that its plane is in doubt.
    ///
    /// Where the origin projects into a triangle, the distance is that from its plane; elsewhere it is
    /// that from the nearest edge. A projection that rounding moves across an edge makes no difference
    /// that counts: there the plane is as far as the edge. Triangles without area have edges. The computed plane
    /// of a sliver may be any that contains its longest edge: it is at most as far away as the sliver.
    #[inline(always)]
    fn distances_from_origin(&self, simd: S) -> f64x4<S> {
        let [a, b, c] = self.corners;
        let normal = (b - a).cross(c - a);
        let squared_normal = normal.length_squared();
        let inside = normal
            .dot(b.cross(c))
            .min(normal.dot(c.cross(a)))
            .min(normal.dot(a.cross(b)));
        let height = normal.dot(a);
        let tiny = f64x4::splat(simd, f64::MIN_POSITIVE);
        let of_plane = height * height / squared_normal.max(tiny);
        let of_edges = squared_distance(simd, a, b)
            .min(squared_distance(simd, b, c))
            .min(squared_distance(simd, c, a));
        let is_over = inside.simd_ge(0.0) & squared_normal.simd_gt(0.0);
        is_over.select(of_plane, of_edges).sqrt()
    }
}

/// The squared distances of the origin from segments.
#[inline(always)]
fn squared_distance<S: Simd>(
    simd: S,
    a: FourVectors<S, DVec3>,
    b: FourVectors<S, DVec3>,
) -> f64x4<S> {
    let along = b - a;
    let tiny = f64x4::splat(simd, f64::MIN_POSITIVE);
    let share = -a.dot(along) / along.length_squared().max(tiny);
    let share = share.max(0.0).min(1.0);
    (a + along * share).length_squared()
}

/// The corners of the triangles of a group in double precision.
#[inline(always)]
pub(super) fn four_corners<S: Simd, P: PreciseVector>(
    simd: S,
    group: &TriangleGroup,
) -> Corners<f64x4<S>, P> {
    let [a, b, c] = &group.corners;
    [
        four_vectors(simd, a),
        four_vectors(simd, b),
        four_vectors(simd, c),
    ]
}

/// Four vectors in double precision, from their components.
#[inline(always)]
fn four_vectors<S: Simd, P: PreciseVector>(simd: S, corners: &[Vec4; 3]) -> FourVectors<S, P> {
    let lanes = |vector: Vec4| f64x4::load_array(simd, vector.to_array().map_each(f64::from));
    FourVectors::new([lanes(corners[0]), lanes(corners[1]), lanes(corners[2])])
}

/// Lower bounds of the distances of a point from the triangles of a group, up to rounding to single precision.
pub(crate) fn distances_from_point(group: &TriangleGroup, point: DVec3) -> Vec4 {
    let distances = dispatch!(simd => in_lanes(simd, group, point));
    Vec4::from_array(distances.map_each(|distance| distance as f32))
}

#[inline(always)]
fn in_lanes<S: Simd>(simd: S, group: &TriangleGroup, point: DVec3) -> [f64; 4] {
    let triangles = FourTriangles::relative_to(simd, group, point);
    triangles.distances_from_origin(simd).into()
}
