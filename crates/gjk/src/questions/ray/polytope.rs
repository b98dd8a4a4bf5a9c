//! Ray and polytope: hulls, and triangles of the plane.

use clearance_math::internal::MapEach;
use clearance_math::{PreciseVector, Vector};
use clearance_shapes::{Hull, Triangle};

use super::chord::{Chord, ChordSide};
use super::in_frame::RayInFrame;

/// Clips the line by the planes of all faces of a hull that is not flat.
///
/// Source: Cyrus and Beck, "Generalized two- and three-dimensional clipping", 1978.
pub(super) fn hull<V: Vector>(
    ray: &RayInFrame<V::Precise>,
    hull: &Hull<V>,
) -> Option<Chord<V::Precise>> {
    let mut chord = Chord::line();
    for face in hull.faces() {
        if !chord.clip(ray, ChordSide::new(ray, face.normal, face.offset)) {
            return None;
        }
    }
    chord.if_any()
}

/// Clips the line by the sides of a triangle in the plane, which must not be flat.
pub(super) fn triangle_of_plane<V: Vector>(
    ray: &RayInFrame<V::Precise>,
    triangle: &Triangle<V>,
) -> Option<Chord<V::Precise>> {
    let corners = triangle.corners();
    let mut chord = Chord::line();
    for k in 0..3 {
        let (from, to, opposite) = (corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]);
        let along = (to - from).in_space();
        let across = V::Precise::from_space(clearance_math::DVec3::new(along.y, -along.x, 0.0));
        let across = across / across.length();
        let is_outward = across.dot(opposite - from) <= 0.0;
        let normal = if is_outward { across } else { -across };
        let offset = normal
            .dot(from)
            .max(normal.dot(to))
            .max(normal.dot(opposite));
        if !chord.clip(ray, ChordSide::new(ray, normal, offset)) {
            return None;
        }
    }
    chord.if_any()
}

/// The ends of a triangle of the plane whose corners lie on one line; `None` if it has an area.
pub(super) fn longest_side_if_flat<V: Vector>(triangle: &Triangle<V>) -> Option<[V; 2]> {
    let corners = [triangle.a, triangle.b, triangle.c];
    let [a, b, c] = corners.map_each(|corner| {
        let corner = corner.to_precise().in_space();
        robust::Coord {
            x: corner.x,
            y: corner.y,
        }
    });
    if robust::orient2d(a, b, c) != 0.0 {
        return None;
    }
    let length = |&[from, to]: &[V; 2]| (to.to_precise() - from.to_precise()).length_squared();
    let [a, b, c] = corners;
    let sides = [[a, b], [b, c], [c, a]];
    sides
        .into_iter()
        .max_by(|one, other| length(one).total_cmp(&length(other)))
}
