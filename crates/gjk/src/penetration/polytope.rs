//! The expanding polytope in space: a closed surface of triangles inside the difference.

use arrayvec::ArrayVec;
use clearance_math::DVec3;

use crate::difference::Vertex;

/// The most vertices of a polytope.
const VERTEX_LIMIT: usize = 120;

/// Room for the faces: a closed surface of n vertices has 2 n - 4; indices fit a byte.
const FACE_LIMIT: usize = 2 * VERTEX_LIMIT;

/// How thin a triangle may be, height over length, before its normal means nothing.
const SLIVER: f64 = 1e-10;

/// How far outside a face a foot may lie and still count as on it, relative to the face.
const FOOT_SLACK: f64 = 1e-9;

/// One minus the cosine of the angle up to which two faces count as one.
const COPLANAR: f64 = 1e-6;

/// The two edges of a triangle that come after each one.
const AFTER: [[u8; 2]; 3] = [[1, 2], [2, 0], [0, 1]];

/// The plane of a triangle of the surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// Unit normal, outward; zero for a sliver.
    pub(super) normal: DVec3,
    /// `normal . vertex`, infinite for a sliver: it lies within its neighbours up to rounding.
    pub(super) distance: f64,
    index: u8,
}

/// How a triangle hangs together with others.
#[derive(Clone, Copy)]
struct Links {
    /// The vertices, counter-clockwise seen from outside.
    corners: [u8; 3],
    /// The face across the edge from each corner to the next, and which of its edges that is.
    neighbours: [(u8, u8); 3],
    is_seen: bool,
}

/// An edge between a face that is seen, on its left, and one that is not.
#[derive(Clone, Copy)]
struct RimEdge {
    from: u8,
    to: u8,
    /// The face that stays, and which of its edges this is.
    outer: (u8, u8),
}

/// A closed surface that grows outwards.
///
/// Replacing a connected patch of faces by the cone from its rim keeps the surface closed whatever
/// rounding decides about single faces, so once every face has the origin behind it, a ball about
/// the origin that reaches no face lies inside the difference.
pub(super) struct Polytope {
    vertices: ArrayVec<Vertex<DVec3>, VERTEX_LIMIT>,
    normals: ArrayVec<DVec3, FACE_LIMIT>,
    /// Infinite for slivers and for places that are vacant.
    distances: ArrayVec<f64, FACE_LIMIT>,
    links: ArrayVec<Links, FACE_LIMIT>,
    vacant: ArrayVec<u8, FACE_LIMIT>,
    rim: ArrayVec<RimEdge, FACE_LIMIT>,
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
            normals: ArrayVec::new(),
            distances: ArrayVec::new(),
            links: ArrayVec::new(),
            vacant: ArrayVec::new(),
            rim: ArrayVec::new(),
            worst_ratio: 1.0,
        }
    }

    /// Begins with the surface of a tetrahedron, in either orientation.
    pub(super) fn start(&mut self, mut corners: [Vertex<DVec3>; 4]) {
        let [a, b, c, d] = corners.map(|v| v.point);
        if (b - a).cross(c - a).dot(d - a) > 0.0 {
            corners.swap(1, 2);
        }
        self.vertices.extend(corners);
        self.push_face([0, 1, 2], [(1, 0), (2, 0), (3, 0)]);
        self.push_face([1, 0, 3], [(0, 0), (3, 2), (2, 1)]);
        self.push_face([2, 1, 3], [(0, 1), (1, 2), (3, 1)]);
        self.push_face([0, 2, 3], [(0, 2), (2, 2), (1, 1)]);
    }

    pub(super) fn is_full(&self) -> bool {
        self.vertices.is_full()
    }

    pub(super) fn contains(&self, vertex: &Vertex<DVec3>) -> bool {
        self.vertices.iter().any(|v| v.point == vertex.point)
    }

    /// The face whose plane is nearest the origin.
    pub(super) fn nearest_face(&self) -> Face {
        // Least first, place after: four running minima at a time do not wait for each other.
        let mut lanes = [f64::INFINITY; 4];
        for chunk in self.distances.chunks(4) {
            for (lane, &distance) in lanes.iter_mut().zip(chunk) {
                *lane = if distance < *lane { distance } else { *lane };
            }
        }
        let least = lanes.into_iter().fold(f64::INFINITY, f64::min);
        let place = self.distances.iter().position(|&d| d == least);
        let nearest = place.unwrap_or(0);
        Face {
            normal: self.normals[nearest],
            distance: least,
            index: nearest as u8,
        }
    }

    /// How far rounding can have moved the plane of any face so far, of vertices within `scale`.
    ///
    /// A cross product is off by a few units in the last place of the product of its edges: the
    /// direction by that over the area, the distance by that times the scale.
    pub(super) fn slack(&self, scale: f64) -> f64 {
        8.0 * f64::EPSILON * scale * self.worst_ratio.sqrt()
    }

    /// The witness points at the foot of the perpendicular from the origin to a face, or to one that
    /// continues it: as near up to `gap`, its normal the same up to [`COPLANAR`].
    ///
    /// Where a flat end of the difference is cut into triangles, all of them are equally near, and
    /// one of them holds the foot.
    pub(super) fn foot(&self, face: &Face, gap: f64) -> Option<(DVec3, DVec3)> {
        (0..self.distances.len())
            .filter(|&k| {
                self.distances[k] <= face.distance + gap
                    && self.normals[k].dot(face.normal) >= 1.0 - COPLANAR
            })
            .find_map(|k| self.foot_on_face(k))
    }

    fn foot_on_face(&self, face: usize) -> Option<(DVec3, DVec3)> {
        let (normal, distance) = (self.normals[face], self.distances[face]);
        let corners = self.links[face].corners;
        let corners = corners.map(|k| &self.vertices[usize::from(k)]);
        let [a, b, c] = corners.map(|v| v.point - normal * distance);
        let areas = [b.cross(c), c.cross(a), a.cross(b)].map(|cross| cross.dot(normal));
        let whole: f64 = areas.iter().sum();
        if !(whole > 0.0) || areas.iter().any(|area| *area < -FOOT_SLACK * whole) {
            return None;
        }
        let mut points = (DVec3::ZERO, DVec3::ZERO);
        for (corner, area) in corners.into_iter().zip(areas) {
            points.0 += corner.on_a * (area / whole);
            points.1 += corner.on_b * (area / whole);
        }
        Some(points)
    }

    /// Replaces the patch of faces around `face` that see `vertex` by the cone from its rim.
    ///
    /// Returns false, and the surface is of no more use, where that fails: nothing is seen, there
    /// is no more room, or rounding has torn the patch so that its rim is not one loop.
    pub(super) fn add(&mut self, face: &Face, vertex: Vertex<DVec3>, visible_above: f64) -> bool {
        if !self.find_rim(face.index, vertex.point, visible_above) || !self.rim_is_a_loop() {
            return false;
        }
        let apex = self.vertices.len() as u8;
        self.vertices.push(vertex);
        let count = self.rim.len();
        let first = self.next_place();
        let mut previous = first;
        for k in 0..count {
            let RimEdge { from, to, outer } = self.rim[k];
            // The face after this one is linked when it is made, the last to the first at the end.
            let place = self.push_face([from, to, apex], [outer, (first, 2), (previous, 1)]);
            self.links[usize::from(outer.0)].neighbours[usize::from(outer.1)] = (place, 0);
            self.links[usize::from(previous)].neighbours[1] = (place, 2);
            previous = place;
        }
        self.links[usize::from(first)].neighbours[2] = (previous, 1);
        self.links[usize::from(previous)].neighbours[1] = (first, 2);
        true
    }

    /// Walks over the faces that see `point` from a first one, depth first and edge by edge in
    /// turn, so that the rim is met as one loop; the faces that it passes become vacant.
    fn find_rim(&mut self, first: u8, point: DVec3, visible_above: f64) -> bool {
        self.rim.clear();
        let mut crossings: ArrayVec<(u8, u8), { 3 * FACE_LIMIT }> = ArrayVec::new();
        self.vacate(first);
        crossings.extend([(first, 2), (first, 1), (first, 0)]);
        while let Some((face, edge)) = crossings.pop() {
            let from = &self.links[usize::from(face)];
            let (next, back) = from.neighbours[usize::from(edge)];
            let k = usize::from(next);
            if self.links[k].is_seen {
                continue;
            }
            if self.normals[k].dot(point) - self.distances[k] > visible_above {
                self.vacate(next);
                let [after, last] = AFTER[usize::from(back)];
                crossings.push((next, last));
                crossings.push((next, after));
            } else if self.rim.is_full() {
                return false;
            } else {
                self.rim.push(RimEdge {
                    from: from.corners[usize::from(edge)],
                    to: from.corners[usize::from(AFTER[usize::from(edge)][0])],
                    outer: (next, back),
                });
            }
        }
        true
    }

    fn vacate(&mut self, face: u8) {
        self.links[usize::from(face)].is_seen = true;
        self.distances[usize::from(face)] = f64::INFINITY;
        self.vacant.push(face);
    }

    /// Whether each edge of the rim begins where the one before ends, and there is room for as
    /// many faces.
    fn rim_is_a_loop(&self) -> bool {
        let Some(last) = self.rim.last() else {
            return false;
        };
        let mut end = last.to;
        for edge in &self.rim {
            if edge.from != end {
                return false;
            }
            end = edge.to;
        }
        self.rim.len() <= self.vacant.len() + self.links.remaining_capacity()
    }

    /// Where the next face will be put.
    fn next_place(&self) -> u8 {
        self.vacant
            .last()
            .copied()
            .unwrap_or(self.links.len() as u8)
    }

    /// Adds a face and returns its place.
    #[inline]
    fn push_face(&mut self, corners: [u8; 3], neighbours: [(u8, u8); 3]) -> u8 {
        let [a, b, c] = corners.map(|k| self.vertices[usize::from(k)].point);
        let (ab, ac) = (b - a, c - a);
        let cross = ab.cross(ac);
        let area = cross.length_squared();
        let product = ab.length_squared() * ac.length_squared();
        let (normal, distance) = if area > SLIVER * SLIVER * product {
            let normal = cross * area.sqrt().recip();
            self.worst_ratio = self.worst_ratio.max(product / area);
            (normal, normal.dot(a))
        } else {
            (DVec3::ZERO, f64::INFINITY)
        };
        let links = Links {
            corners,
            neighbours,
            is_seen: false,
        };
        if let Some(place) = self.vacant.pop() {
            let k = usize::from(place);
            self.normals[k] = normal;
            self.distances[k] = distance;
            self.links[k] = links;
            place
        } else {
            self.normals.push(normal);
            self.distances.push(distance);
            self.links.push(links);
            (self.links.len() - 1) as u8
        }
    }
}
