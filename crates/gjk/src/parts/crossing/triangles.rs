//! What two triangles have in common, decided by exact signs.
//!
//! Both triangles lie in one frame, and their corners are exact. The planes of two triangles meet in a line. Each triangle has a
//! piece of that line, from one of its edges to another, and what the triangles have in common is what both pieces have.
//!
//! 1. A triangle has such a piece if one corner, its apex, is on one side of the other plane, and the others are not on that side. Both
//!    ends of the piece lie on the edges that leave the apex.
//! 2. For an end p of the first piece and an end q of the second the sign of det(apex, x, apex', x') is that of q - p along the line, or
//!    its opposite for all ends alike: x and x' are the other corners of the edges. So exact determinants sort the ends.
//! 3. An end is computed from its edge and the other triangle alone, in an order that does not depend on who asks. So the triangles
//!    on both sides of an edge have the same end, bit for bit.
//!
//! Sources: Möller, "A Fast Triangle-Triangle Intersection Test" (1997), for the two pieces of a line; Guigue and Devillers, "Fast and
//! Robust Triangle-Triangle Overlap Test Using Orientation Predicates" (2003), for sorting ends by determinants.

use clearance_math::internal::MapEach;
use clearance_math::{DVec3, PreciseVector};
use robust::{Coord, Coord3D, orient2d, orient3d};

pub(super) type Triangle = [DVec3; 3];

/// Six times the signed volume of a triangle and a point: positive where the triangle runs counter-clockwise seen from the
/// point. The sign is exact.
fn height([a, b, c]: Triangle, point: DVec3) -> f64 {
    let [a, b, c, point] = [a, b, c, point].map_each(|p| Coord3D {
        x: p.x,
        y: p.y,
        z: p.z,
    });
    -orient3d(a, b, c, point)
}

/// The piece of a triangle on the plane of another one.
struct PlaneCut {
    /// The corners, the apex first.
    corners: Triangle,
    /// The ends on the edges from the apex to the second corner, and to the third.
    ends: [DVec3; 2],
    /// Whether the apex is above the other plane.
    is_above: bool,
}

impl PlaneCut {
    /// `None` if the triangle has a point in the plane at most, or lies in it.
    fn new(corners: Triangle, other: Triangle) -> Option<Self> {
        let heights = corners.map_each(|corner| height(other, corner));
        let apex = (0..3).find(|&k| {
            let sides = [1, 2].map_each(|step| heights[(k + step) % 3]);
            let are_all = |is: fn(f64) -> bool| sides.into_iter().all(is);
            heights[k] > 0.0 && are_all(|side| side <= 0.0)
                || heights[k] < 0.0 && are_all(|side| side >= 0.0)
        })?;
        let [apex, second, third] = [0, 1, 2].map_each(|step| (apex + step) % 3);
        let end =
            |k: usize| place_on_edge([corners[apex], corners[k]], [heights[apex], heights[k]]);
        Some(Self {
            corners: [apex, second, third].map_each(|k| corners[k]),
            ends: [end(second), end(third)],
            is_above: heights[apex] > 0.0,
        })
    }

    /// The same with the second and the third corner exchanged.
    fn turned(self) -> Self {
        let ([apex, second, third], [start, end]) = (self.corners, self.ends);
        Self {
            corners: [apex, third, second],
            ends: [end, start],
            ..self
        }
    }
}

/// Where an edge has height 0, whose corners are not both on one side.
fn place_on_edge(corners: [DVec3; 2], heights: [f64; 2]) -> DVec3 {
    let is_in_order = corners[0].to_array() <= corners[1].to_array();
    let [p, q] = if is_in_order { [0, 1] } else { [1, 0] };
    if heights[q] == 0.0 {
        return corners[q];
    }
    let share = heights[p] / (heights[p] - heights[q]);
    corners[p] + (corners[q] - corners[p]) * share
}

/// What two triangles of different planes have in common, if that is more than a point: the ends of a segment. It points along
/// the cross product of the normals of `a` and `b`, seen from where they run counter-clockwise.
pub(super) fn segment([a, b]: [Triangle; 2]) -> Option<[DVec3; 2]> {
    let (mut of_a, mut of_b) = (PlaneCut::new(a, b)?, PlaneCut::new(b, a)?);
    // Both run in one direction, along which `way` is positive.
    let turns = [of_b.is_above, !of_a.is_above];
    if turns[0] {
        of_a = of_a.turned();
    }
    if turns[1] {
        of_b = of_b.turned();
    }
    let [apex_a, apex_b] = [of_a.corners[0], of_b.corners[0]];
    let way = |from: usize, to: usize| {
        let edge_of_a = [apex_a, of_a.corners[1 + from], apex_b];
        height(edge_of_a, of_b.corners[1 + to])
    };
    if way(0, 1) <= 0.0 || way(1, 0) >= 0.0 {
        return None;
    }
    let start = if way(0, 0) > 0.0 { &of_b } else { &of_a }.ends[0];
    let end = if way(1, 1) < 0.0 { &of_b } else { &of_a }.ends[1];
    // A turn reverses the normal that the direction was found with.
    let is_along = turns[0] != turns[1];
    Some(if is_along { [start, end] } else { [end, start] })
}

/// Whether two triangles lie in one plane and have an area in common.
pub(super) fn overlap_in_plane([a, b]: [Triangle; 2]) -> bool {
    if b.into_iter().any(|corner| height(a, corner) != 0.0) {
        return false;
    }
    // Along one of the axes a triangle with an area is seen as one.
    let flat = (0..3).map(|axis| [a, b].map_each(|triangle| seen_along(axis, triangle)));
    let mut with_areas = flat.filter(|flat| flat.iter().all(|&[a, b, c]| orient2d(a, b, c) != 0.0));
    let Some([a, b]) = with_areas.next() else {
        return false;
    };
    !is_beside_an_edge(a, b) && !is_beside_an_edge(b, a)
}

fn seen_along(axis: usize, triangle: Triangle) -> [Coord<f64>; 3] {
    triangle.map_each(|corner| Coord {
        x: corner.component((axis + 1) % 3),
        y: corner.component((axis + 2) % 3),
    })
}

/// Whether `other` lies on the outer side of an edge of a triangle, or on it.
fn is_beside_an_edge(triangle: [Coord<f64>; 3], other: [Coord<f64>; 3]) -> bool {
    let [a, b, c] = triangle;
    let is_outside = if orient2d(a, b, c) > 0.0 {
        |side: f64| side <= 0.0
    } else {
        |side: f64| side >= 0.0
    };
    let edges = [[a, b], [b, c], [c, a]];
    edges.into_iter().any(|[start, end]| {
        let sides = other.map_each(|corner| orient2d(start, end, corner));
        sides.into_iter().all(is_outside)
    })
}
