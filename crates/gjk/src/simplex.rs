//! The simplex of GJK and its point nearest the origin.

use clearance_math::tolerances::{FLAT_SIMPLEX, THIN_TRIANGLE};
use clearance_math::{DVec3, PreciseVector};

use crate::difference::Vertex;

/// Up to four vertices of the difference (three in the plane) and the weights of the point of
/// their hull that is nearest the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simplex<P> {
    vertices: [Vertex<P>; 4],
    weights: [f64; 4],
    len: usize,
}

impl<P: PreciseVector> Simplex<P> {
    /// The simplex of one vertex.
    #[must_use]
    pub fn from_vertex(vertex: Vertex<P>) -> Self {
        let mut vertices = [Vertex::default(); 4];
        vertices[0] = vertex;
        Self {
            vertices,
            weights: [1.0, 0.0, 0.0, 0.0],
            len: 1,
        }
    }

    /// The vertices.
    #[inline]
    #[must_use]
    pub fn vertices(&self) -> &[Vertex<P>] {
        &self.vertices[..self.len]
    }

    /// The barycentric weights of the nearest point, one a vertex; they sum to one.
    ///
    /// Of a full simplex, which holds the origin, all are equal and stand for its centre.
    #[must_use]
    pub fn weights(&self) -> &[f64] {
        &self.weights[..self.len]
    }

    /// Whether the simplex has as many vertices as fit: then it holds the origin, but for rounding
    /// where it is thin.
    #[inline]
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.len == P::DIM + 1
    }

    /// Whether the simplex is full and holds the origin even if every coordinate of a vertex is off
    /// by `rounding`.
    #[must_use]
    pub(crate) fn surely_holds_origin(&self, rounding: f64) -> bool {
        let p = self.vertices.map(|vertex| vertex.point.in_space());
        if P::DIM == 2 {
            let spread = (p[1] - p[0]).cross(p[2] - p[0]).z;
            return self.is_full()
                && [[0, 1], [1, 2], [2, 0]].iter().all(|&[a, b]| {
                    let slack = 2.0 * rounding * (p[a].length() + p[b].length());
                    p[a].cross(p[b]).z * spread.signum() > slack
                });
        }
        self.is_full() && tetrahedron_surely_holds_origin(p, rounding)
    }

    /// Whether a vertex with the same two witnesses is present.
    #[inline]
    #[must_use]
    pub fn contains(&self, vertex: &Vertex<P>) -> bool {
        self.vertices()
            .iter()
            .any(|v| v.on_a == vertex.on_a && v.on_b == vertex.on_b)
    }

    /// The points of a and b whose difference is the nearest point, both in a's frame.
    #[must_use]
    pub fn witness_points(&self) -> (P, P) {
        let mut on_a = P::ZERO;
        let mut on_b = P::ZERO;
        for (vertex, weight) in self.vertices().iter().zip(self.weights) {
            on_a += vertex.on_a * weight;
            on_b += vertex.on_b * weight;
        }
        (on_a, on_b)
    }

    /// What would be nearest the origin if `vertex` were added; changes nothing that can be seen.
    #[inline]
    #[must_use]
    pub fn with(&mut self, vertex: Vertex<P>) -> Nearest<P> {
        debug_assert!(self.len <= P::DIM);
        self.vertices[self.len] = vertex;
        let points = self.vertices.map(|v| v.point);
        match self.len {
            1 => nearest_of_segment(&points, [0, 1]),
            2 => nearest_to_newest(&points, [0, 1, 2]),
            _ => nearest_of_tetrahedron(&points),
        }
    }

    /// Keeps those vertices that carry `nearest`, the answer to the last [`Simplex::with`].
    #[inline]
    pub fn keep(&mut self, nearest: &Nearest<P>) {
        // Which vertices stay cannot be predicted: all places are written, and those kept counted.
        let is_kept = nearest.weights.map(|weight| weight > 0.0);
        let mask = (0..4).fold(0, |mask, k| mask | usize::from(is_kept[k]) << k);
        let Order { places, count } = &ORDERS[mask];
        for (place, &from) in places.iter().enumerate() {
            let from = usize::from(from & 3);
            self.vertices[place] = self.vertices[from];
            self.weights[place] = nearest.weights[from];
        }
        self.len = usize::from(*count);
    }
}

/// Which of four places are kept, in their order; the rest of the places stay as they are.
struct Order {
    places: [u8; 4],
    count: u8,
}

/// The order for each mask of places kept.
const ORDERS: [Order; 16] = {
    let mut orders = [const {
        Order {
            places: [0, 1, 2, 3],
            count: 0,
        }
    }; 16];
    let mut mask = 0;
    while mask < 16 {
        let mut from = 0;
        while from < 4 {
            if mask >> from & 1 == 1 {
                orders[mask].places[orders[mask].count as usize] = from;
                orders[mask].count += 1;
            }
            from += 1;
        }
        mask += 1;
    }
    orders
};

/// The point of a set of vertices nearest the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest<P> {
    /// The point itself.
    pub point: P,
    weights: [f64; 4],
}

impl<P: PreciseVector> Nearest<P> {
    fn corner(points: &[P; 4], index: usize) -> Self {
        let mut weights = [0.0; 4];
        weights[index] = 1.0;
        Self {
            point: points[index],
            weights,
        }
    }

    fn nearer(self, other: Self) -> Self {
        if other.point.length_squared() < self.point.length_squared() {
            other
        } else {
            self
        }
    }
}

/// Whether a tetrahedron holds the origin even if every coordinate of a corner is off by `rounding`.
pub(crate) fn tetrahedron_surely_holds_origin(p: [DVec3; 4], rounding: f64) -> bool {
    const FACES: [[usize; 4]; 4] = [[0, 1, 2, 3], [1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]];
    FACES.iter().all(|&[a, b, c, opposite]| {
        let (u, v) = (p[b] - p[a], p[c] - p[a]);
        let normal = u.cross(v);
        let inward = normal.dot(p[opposite] - p[a]).signum();
        // The normal is off by twice the rounding times the edges it is made of.
        let blur = 2.0 * rounding * (u.length() + v.length());
        let slack = blur * p[a].length() + rounding * normal.length();
        -normal.dot(p[a]) * inward > slack
    })
}

/// The point of a triangle nearest the origin, as a combination of its corners: on the triangle
/// up to rounding, however thin.
pub(crate) fn nearest_of_corners<P: PreciseVector>([a, b, c]: [P; 3]) -> P {
    let weights = nearest_of_triangle(&[a, b, c, P::ZERO], [0, 1, 2]).weights;
    a * weights[0] + b * weights[1] + c * weights[2]
}

/// Minimise |a + t (b - a)|: t = -a . (b - a) / |b - a|^2, held to [0, 1].
fn nearest_of_segment<P: PreciseVector>(points: &[P; 4], [a, b]: [usize; 2]) -> Nearest<P> {
    let edge = points[b] - points[a];
    let length_squared = edge.length_squared();
    // Held by arithmetic, not by branches: which end is nearer cannot be predicted.
    let t = if length_squared > 0.0 {
        (-points[a].dot(edge) / length_squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let mut weights = [0.0; 4];
    weights[a] = 1.0 - t;
    weights[b] = t;
    Nearest {
        point: points[a] * (1.0 - t) + points[b] * t,
        weights,
    }
}

/// The point of a triangle nearest the origin, where it is known to lie beyond the edge between
/// the first two corners: the third was sought across that edge, so it carries the point.
///
/// With u = a - c, v = b - c the foot is c + s u + t v, where s and t solve the normal equations
/// u.u s + u.v t = -u.c, u.v s + v.v t = -v.c. Inside if both are positive and s + t < 1;
/// otherwise on one of the two edges at c. Thin triangles are left to the careful way.
#[inline]
fn nearest_to_newest<P: PreciseVector>(points: &[P; 4], [ia, ib, ic]: [usize; 3]) -> Nearest<P> {
    let c = points[ic];
    let (u, v) = (points[ia] - c, points[ib] - c);
    let (uu, uv, vv) = (u.length_squared(), u.dot(v), v.length_squared());
    let (uc, vc) = (-u.dot(c), -v.dot(c));
    let whole = uu * vv - uv * uv;
    if !(whole > THIN_TRIANGLE * uu * vv) {
        return nearest_of_triangle(points, [ia, ib, ic]);
    }
    let (s, t) = (vv * uc - uv * vc, uu * vc - uv * uc);
    if s > 0.0 && t > 0.0 && s + t < whole {
        let normal = u.in_space().cross(v.in_space());
        let foot = normal * (normal.dot(c.in_space()) / normal.length_squared());
        let mut weights = [0.0; 4];
        (weights[ia], weights[ib]) = (s / whole, t / whole);
        weights[ic] = 1.0 - weights[ia] - weights[ib];
        let point = P::from_space(foot);
        return Nearest { point, weights };
    }
    if s > 0.0 && t > 0.0 {
        return nearest_of_triangle(points, [ia, ib, ic]);
    }
    nearest_of_segment(points, [ic, ia]).nearer(nearest_of_segment(points, [ic, ib]))
}

/// The regions of a triangle: beyond a corner by the signs of scalar products with its edges,
/// beyond an edge by the sign of the area over it, otherwise inside.
///
/// The areas are products of those scalar products (Ericson, "Real-Time Collision Detection",
/// 2005, section 5.1.5, with the origin as the query point).
fn nearest_of_triangle<P: PreciseVector>(points: &[P; 4], index: [usize; 3]) -> Nearest<P> {
    let [ia, ib, ic] = index;
    let (a, b, c) = (points[ia], points[ib], points[ic]);
    let (ab, ac) = (b - a, c - a);
    let (d1, d2) = (-ab.dot(a), -ac.dot(a));
    if d1 <= 0.0 && d2 <= 0.0 {
        return Nearest::corner(points, ia);
    }
    let (d3, d4) = (-ab.dot(b), -ac.dot(b));
    if d3 >= 0.0 && d4 <= d3 {
        return Nearest::corner(points, ib);
    }
    let (d5, d6) = (-ab.dot(c), -ac.dot(c));
    if d6 >= 0.0 && d5 <= d6 {
        return Nearest::corner(points, ic);
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
        let mut weights = [0.0; 4];
        let sum = areas[0] + areas[1] + areas[2];
        for (corner, area) in index.into_iter().zip(areas) {
            weights[corner] = area / sum;
        }
        let point = P::from_space(foot);
        return Nearest { point, weights };
    }
    // At most two edges can be nearest; comparing all three is safe when rounding blurs which.
    nearest_of_segment(points, [ia, ib])
        .nearer(nearest_of_segment(points, [ia, ic]))
        .nearer(nearest_of_segment(points, [ib, ic]))
}

/// The areas over the edges bc, ca, ab about the foot of the perpendicular from the origin, times
/// the length of the normal: n . (b - p) x (c - p) and so on.
///
/// Dearer than products of scalar products, which square the condition of a thin triangle.
#[cold]
fn areas_about<P: PreciseVector>(foot: DVec3, normal: DVec3, corners: [P; 3]) -> [f64; 3] {
    let [a, b, c] = corners.map(|corner| corner.in_space() - foot);
    [b.cross(c), c.cross(a), a.cross(b)].map(|area| normal.dot(area))
}

/// A tetrahedron holds the origin unless a face has the origin on its outer side; then the nearest
/// point is that of the nearest such face. A flat one holds nothing: all its faces are asked.
///
/// The last vertex was sought across the face of the first three, so the origin lies on its side
/// of that face: the face cannot be nearest.
fn nearest_of_tetrahedron<P: PreciseVector>(points: &[P; 4]) -> Nearest<P> {
    let [a, b, c, d] = points.map(PreciseVector::in_space);
    let (u, v, w) = (a - d, b - d, c - d);
    // Normals of the faces at d, each away from the vertex opposite if the volume is positive.
    let normals = [u.cross(v), v.cross(w), w.cross(u)];
    let volume = normals[0].dot(w);
    let edges = u.length_squared() * v.length_squared() * w.length_squared();
    let flat = !(volume * volume > FLAT_SIMPLEX * FLAT_SIMPLEX * edges);
    const FACES: [[usize; 3]; 3] = [[0, 1, 3], [1, 2, 3], [2, 0, 3]];
    if flat {
        let whole = FACES.map(|face| nearest_of_triangle(points, face));
        let base = nearest_of_triangle(points, [0, 1, 2]);
        return whole.into_iter().fold(base, Nearest::nearer);
    }
    let mut outside = 0u32;
    for (k, normal) in normals.iter().enumerate() {
        // The origin seen from d, against the opposite vertex seen from d.
        outside |= u32::from(-normal.dot(d) * volume < 0.0) << k;
    }
    if outside == 0 {
        return Nearest {
            point: P::ZERO,
            weights: [0.25; 4],
        };
    }
    let first = outside.trailing_zeros() as usize;
    let mut nearest = nearest_to_newest(points, FACES[first]);
    for (k, face) in FACES.into_iter().enumerate().skip(first + 1) {
        if outside >> k & 1 == 1 {
            nearest = nearest.nearer(nearest_to_newest(points, face));
        }
    }
    nearest
}
