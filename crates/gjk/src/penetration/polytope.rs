//! The expanding polytope in space: a closed surface of triangles inside the difference.

use arrayvec::ArrayVec;
use clearance_math::DVec3;

use crate::difference::Vertex;

/// The most vertices of a polytope.
const VERTEX_LIMIT: usize = 120;

/// Room for the faces: a closed surface of n vertices has 2 n - 4; indices fit a byte.
const FACE_LIMIT: usize = 256;

/// How thin a triangle may be, height over length, before its normal means nothing.
const SLIVER: f64 = 1e-10;

/// A triangle of the surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// Counter-clockwise seen from outside.
    vertices: [u8; 3],
    /// Unit normal, outward; zero for a sliver.
    pub(super) normal: DVec3,
    /// `normal . vertex`, infinite for a sliver: it lies within its neighbours up to rounding.
    pub(super) distance: f64,
}

/// A closed surface that grows outwards.
///
/// Removing the faces that a new vertex sees and joining their rim to it keeps the surface closed
/// whatever rounding decides about single faces, so once every face has the origin behind it, a
/// ball about the origin that reaches no face lies inside the difference.
pub(super) struct Polytope {
    vertices: ArrayVec<Vertex<DVec3>, VERTEX_LIMIT>,
    corners: ArrayVec<[u8; 3], FACE_LIMIT>,
    normals: ArrayVec<DVec3, FACE_LIMIT>,
    distances: ArrayVec<f64, FACE_LIMIT>,
    rim: ArrayVec<[u8; 2], FACE_LIMIT>,
    /// The square of the worst ratio of the product of two edges to the area between them.
    worst_ratio: f64,
}

impl Polytope {
    /// No surface yet.
    ///
    /// Some twenty kilobytes that must stay where they are made: hand them on by reference.
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self {
            vertices: ArrayVec::new(),
            corners: ArrayVec::new(),
            normals: ArrayVec::new(),
            distances: ArrayVec::new(),
            rim: ArrayVec::new(),
            worst_ratio: 1.0,
        }
    }

    /// Begins with the surface of a tetrahedron, in either orientation.
    pub(super) fn start(&mut self, corners: [Vertex<DVec3>; 4]) {
        let [a, b, c, d] = corners.map(|v| v.point);
        self.vertices.extend(corners);
        let faces = if (b - a).cross(c - a).dot(d - a) < 0.0 {
            [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]]
        } else {
            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
        };
        for face in faces {
            self.push_face(face);
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.vertices.is_full()
    }

    pub(super) fn contains(&self, vertex: &Vertex<DVec3>) -> bool {
        self.vertices.iter().any(|v| v.point == vertex.point)
    }

    /// The face whose plane is nearest the origin.
    pub(super) fn nearest_face(&self) -> Face {
        let mut nearest = 0;
        let mut least = self.distances[0];
        for (k, &distance) in self.distances.iter().enumerate() {
            if distance < least {
                least = distance;
                nearest = k;
            }
        }
        Face {
            vertices: self.corners[nearest],
            normal: self.normals[nearest],
            distance: least,
        }
    }

    /// How far rounding can have moved the plane of any face so far, of vertices within `scale`.
    ///
    /// A cross product is off by a few units in the last place of the product of its edges: the
    /// direction by that over the area, the distance by that times the scale.
    pub(super) fn slack(&self, scale: f64) -> f64 {
        8.0 * f64::EPSILON * scale * self.worst_ratio.sqrt()
    }

    /// The corners of a face.
    pub(super) fn corners(&self, face: &Face) -> [Vertex<DVec3>; 3] {
        face.vertices.map(|k| self.vertices[usize::from(k)])
    }

    /// Replaces the faces that see `vertex` by the cone from their rim to it.
    ///
    /// Returns false, and changes nothing, if no face sees it or the cone does not fit.
    pub(super) fn add(&mut self, vertex: Vertex<DVec3>, visible_above: f64) -> bool {
        let mut seen = [0u8; FACE_LIMIT];
        let mut count = 0;
        for (k, (normal, distance)) in self.normals.iter().zip(&self.distances).enumerate() {
            // Always written, counted only if seen: no branch to mispredict.
            seen[count & (FACE_LIMIT - 1)] = k as u8;
            count += usize::from(normal.dot(vertex.point) - distance > visible_above);
        }
        let seen = &seen[..count];
        if !self.find_rim(seen) {
            return false;
        }
        for &k in seen.iter().rev() {
            let k = usize::from(k);
            self.corners.swap_remove(k);
            self.normals.swap_remove(k);
            self.distances.swap_remove(k);
        }
        let index = self.vertices.len() as u8;
        self.vertices.push(vertex);
        for k in 0..self.rim.len() {
            let [from, to] = self.rim[k];
            self.push_face([from, to, index]);
        }
        true
    }

    /// The edges between the faces that are seen and those that are not; false if there are none,
    /// or too many: rounding can tear what is seen of a surface of slivers into islands.
    fn find_rim(&mut self, seen: &[u8]) -> bool {
        self.rim.clear();
        for &k in seen {
            if self.rim.len() + 3 > self.rim.capacity() {
                return false;
            }
            let [a, b, c] = self.corners[usize::from(k)];
            for edge in [[a, b], [b, c], [c, a]] {
                self.toggle(edge);
            }
        }
        let faces = self.normals.len() - seen.len() + self.rim.len();
        !self.rim.is_empty() && faces <= FACE_LIMIT
    }

    /// An edge between two faces that are seen is met once in each direction and cancels out.
    #[inline]
    fn toggle(&mut self, [from, to]: [u8; 2]) {
        if let Some(k) = self.rim.iter().position(|&edge| edge == [to, from]) {
            self.rim.swap_remove(k);
        } else {
            self.rim.push([from, to]);
        }
    }

    #[inline]
    fn push_face(&mut self, vertices: [u8; 3]) {
        let [a, b, c] = vertices.map(|k| self.vertices[usize::from(k)].point);
        let (ab, ac) = (b - a, c - a);
        let cross = ab.cross(ac);
        let area = cross.length_squared();
        let product = ab.length_squared() * ac.length_squared();
        self.corners.push(vertices);
        if area > SLIVER * SLIVER * product {
            let normal = cross * area.sqrt().recip();
            self.worst_ratio = self.worst_ratio.max(product / area);
            self.normals.push(normal);
            self.distances.push(normal.dot(a));
        } else {
            self.normals.push(DVec3::ZERO);
            self.distances.push(f64::INFINITY);
        }
    }
}
