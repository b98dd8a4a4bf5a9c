//! The points of a segment, a triangle and a tetrahedron that are nearest to the origin.

use clearance_math::internal::MapEach;
use clearance_math::tolerances::{FLAT_SIMPLEX, THIN_TRIANGLE};
use clearance_math::{DVec3, PreciseVector};

use crate::search::Vertex;
use crate::search::feet::Feet;

/// The point of a simplex that is nearest to the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest<P> {
    /// The nearest point.
    pub point: P,
    pub(super) weights: [f64; 4],
    /// A bit for each vertex with a positive weight.
    pub(super) carriers: u8,
}

impl<P: PreciseVector> Nearest<P> {
    /// The point with the given weights of some vertices; the other vertices have weight zero.
    #[inline]
    pub(super) fn new<const N: usize>(point: P, weights: [f64; N], index: [usize; N]) -> Self {
        let mut nearest = Self {
            point,
            weights: [0.0; 4],
            carriers: 0,
        };
        for (weight, index) in weights.into_iter().zip(index) {
            nearest.weights[index] = weight;
            // Computed from the number itself, because reading back what was just written would
            // stall.
            nearest.carriers |= u8::from(weight > 0.0) << index;
        }
        nearest
    }

    #[inline]
    pub(super) fn nearer(self, other: Self) -> Self {
        if other.point.length_squared() < self.point.length_squared() {
            other
        } else {
            self
        }
    }
}

/// Whether a tetrahedron contains the origin even if every coordinate of a vertex is wrong by
/// `rounding`.
pub(crate) fn tetrahedron_surely_holds_origin(p: [DVec3; 4], rounding: f64) -> bool {
    const FACES: [[usize; 4]; 4] = [[0, 1, 2, 3], [1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]];
    FACES.iter().all(|&[a, b, c, opposite]| {
        let (u, v) = (p[b] - p[a], p[c] - p[a]);
        let normal = u.cross(v);
        let inward = normal.dot(p[opposite] - p[a]).signum();
        // The error of the normal is at most twice the rounding times the edges that it is computed
        // from.
        let blur = 2.0 * rounding * (u.length() + v.length());
        let slack = blur * p[a].length() + rounding * normal.length();
        -normal.dot(p[a]) * inward > slack
    })
}

/// The point of a triangle nearest to the origin, as a combination of its vertices. It lies on the
/// triangle up to rounding, however thin the triangle is.
pub(crate) fn nearest_of_corners<P: PreciseVector>([a, b, c]: [P; 3]) -> P {
    let weights = nearest_of_triangle([a, b, c], [0, 1, 2]).weights;
    a * weights[0] + b * weights[1] + c * weights[2]
}

/// Minimises |a + t (b - a)|: t = -a . (b - a) / |b - a|^2, clamped to [0, 1].
#[inline]
pub(super) fn nearest_of_segment<P: PreciseVector>(
    [a, b]: [P; 2],
    index: [usize; 2],
) -> Nearest<P> {
    let edge = b - a;
    let length_squared = edge.length_squared();
    // Clamped by arithmetic, because a branch on the nearer end would be unpredictable.
    let t = if length_squared > 0.0 {
        (-a.dot(edge) / length_squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    Nearest::new(a * (1.0 - t) + b * t, [1.0 - t, t], index)
}

/// The point of a triangle nearest to the origin, if that point is known to lie beyond the edge
/// between the first two vertices. The third vertex was found by a search across that edge, so the
/// nearest point depends on it.
///
/// The point lies in the interior or on one of the two edges at c, where u = a - c and v = b - c.
/// Thin triangles are left to the careful solver.
#[inline(always)]
pub(super) fn nearest_to_newest<P: PreciseVector>(
    [a, b, c]: [P; 3],
    [u, v]: [P; 2],
    index: [usize; 3],
) -> Nearest<P> {
    let foot = Feet::of_one(c, [u, v]);
    if foot.over() {
        let normal = u.in_space().cross(v.in_space());
        let point = normal * (normal.dot(c.in_space()) / normal.length_squared());
        let (of_a, of_b) = (foot.s / foot.whole, foot.t / foot.whole);
        let weights = [of_a, of_b, 1.0 - of_a - of_b];
        return Nearest::new(P::from_space(point), weights, index);
    }
    if !foot.thick || foot.between {
        return nearest_of_triangle([a, b, c], index);
    }
    let [ia, ib, ic] = index;
    nearest_of_segment([c, a], [ic, ia]).nearer(nearest_of_segment([c, b], [ic, ib]))
}

/// Finds the region of a triangle in which the origin lies: beyond a vertex by the signs of scalar
/// products with its edges, beyond an edge by the sign of the area over it, otherwise inside.
///
/// The areas are computed from those scalar products. Source: Ericson, "Real-Time Collision
/// Detection", 2005, section 5.1.5, with the origin as the query point.
#[inline(never)]
pub(super) fn nearest_of_triangle<P: PreciseVector>(
    [a, b, c]: [P; 3],
    index: [usize; 3],
) -> Nearest<P> {
    let [ia, ib, ic] = index;
    let (ab, ac) = (b - a, c - a);
    let (d1, d2) = (-ab.dot(a), -ac.dot(a));
    if d1 <= 0.0 && d2 <= 0.0 {
        return Nearest::new(a, [1.0], [ia]);
    }
    let (d3, d4) = (-ab.dot(b), -ac.dot(b));
    if d3 >= 0.0 && d4 <= d3 {
        return Nearest::new(b, [1.0], [ib]);
    }
    let (d5, d6) = (-ab.dot(c), -ac.dot(c));
    if d6 >= 0.0 && d5 <= d6 {
        return Nearest::new(c, [1.0], [ic]);
    }
    let normal = ab.in_space().cross(ac.in_space());
    let whole = normal.length_squared();
    let spread = ab.length_squared() * ac.length_squared();
    let foot = normal * (normal.dot(a.in_space()) / whole);
    let areas = if whole > THIN_TRIANGLE * spread {
        [d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2]
    } else if whole > FLAT_SIMPLEX * FLAT_SIMPLEX * spread {
        areas_about(foot, normal, [a, b, c])
    } else {
        [-1.0; 3]
    };
    if areas.iter().all(|area| *area > 0.0) {
        let sum = areas[0] + areas[1] + areas[2];
        return Nearest::new(
            P::from_space(foot),
            areas.map_each(|area| area / sum),
            index,
        );
    }
    // At most two edges can be nearest; comparing all three is safe even if rounding confuses them.
    nearest_of_segment([a, b], [ia, ib])
        .nearer(nearest_of_segment([a, c], [ia, ic]))
        .nearer(nearest_of_segment([b, c], [ib, ic]))
}

/// The areas over the edges bc, ca and ab about the foot p of the perpendicular from the origin,
/// times the length of the normal: n . (b - p) x (c - p) and so on.
///
/// This costs more than products of scalar products, but those square the condition number of a
/// thin triangle.
#[cold]
fn areas_about<P: PreciseVector>(foot: DVec3, normal: DVec3, corners: [P; 3]) -> [f64; 3] {
    let [a, b, c] = corners.map_each(|corner| corner.in_space() - foot);
    [b.cross(c), c.cross(a), a.cross(b)].map_each(|area| normal.dot(area))
}

/// A tetrahedron contains the origin unless the origin lies on the outer side of a face. In that
/// case the nearest point is that of the nearest such face. A flat tetrahedron contains nothing, so
/// all of its faces are examined.
///
/// The last vertex was found by a search across the face of the first three, so the origin lies on
/// its side of that face, and that face cannot be nearest.
#[inline]
pub(super) fn nearest_of_tetrahedron<P: PreciseVector>(points: [P; 4]) -> Nearest<P> {
    let [a, b, c, d] = points.map_each(PreciseVector::in_space);
    let (u, v, w) = (a - d, b - d, c - d);
    // The normals of the faces at d. Each points away from the opposite vertex if the volume is
    // positive.
    let normals = [u.cross(v), v.cross(w), w.cross(u)];
    let volume = normals[0].dot(w);
    let edges = u.length_squared() * v.length_squared() * w.length_squared();
    let flat = !(volume * volume > FLAT_SIMPLEX * FLAT_SIMPLEX * edges);
    const FACES: [[usize; 3]; 3] = [[0, 1, 3], [1, 2, 3], [2, 0, 3]];
    if flat {
        let of_face = |face: [usize; 3]| nearest_of_triangle(face.map_each(|k| points[k]), face);
        let whole = FACES.map_each(of_face);
        let base = of_face([0, 1, 2]);
        return whole.into_iter().fold(base, Nearest::nearer);
    }
    let mut outside = 0u32;
    for (k, normal) in normals.iter().enumerate() {
        // The origin seen from d, against the opposite vertex seen from d.
        outside |= u32::from(-normal.dot(d) * volume < 0.0) << k;
    }
    if outside == 0 {
        return Nearest::new(P::ZERO, [0.25; 4], [0, 1, 2, 3]);
    }
    let [a, b, c, d] = points;
    let (u, v, w) = (a - d, b - d, c - d);
    let faces = [
        ([a, b, d], [u, v]),
        ([b, c, d], [v, w]),
        ([c, a, d], [w, u]),
    ];
    let mut nearest = Nearest::new(P::splat(f64::INFINITY), [], []);
    for (k, (corners, edges)) in faces.into_iter().enumerate() {
        if outside >> k & 1 == 1 {
            nearest = nearest.nearer(nearest_to_newest(corners, edges, FACES[k]));
        }
    }
    nearest
}

#[inline]
pub(super) fn nearest_of_vertices<P: PreciseVector>(vertices: &[Vertex<P>]) -> Nearest<P> {
    match vertices {
        [a] => Nearest::new(a.point, [1.0], [0]),
        [a, b] => nearest_of_segment([a.point, b.point], [0, 1]),
        [a, b, c, ..] => nearest_of_triangle([a.point, b.point, c.point], [0, 1, 2]),
        [] => unreachable!("a simplex has a vertex"),
    }
}

/// The weights of the foot of the perpendicular on a triangle, if the triangle is not thin and the
/// foot lies inside.
#[inline(always)]
pub(crate) fn weights_inside<P: PreciseVector>([a, b, c]: [P; 3]) -> Option<[f64; 4]> {
    let foot = Feet::of_one(c, [a - c, b - c]);
    let part = 1.0 / foot.whole;
    let (s, t) = (foot.s * part, foot.t * part);
    foot.over().then_some([s, t, (1.0 - (s + t)).max(0.0), 0.0])
}
