//! The expanding polytope in space: a closed surface of triangles inside the difference.

use arrayvec::ArrayVec;
use clearance_math::DVec3;
use clearance_math::tolerances::{COPLANAR, FOOT_SLACK, LEVEL, SLIVER, THIN};

use crate::difference::Vertex;

/// The number of a vertex or of a face.
type Index = u16;

/// Stands for a face that is not there yet.
const NO_FACE: Index = Index::MAX;

/// The plane of a triangle of the surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// Unit normal, outward; zero for a sliver.
    pub(super) normal: DVec3,
    /// `normal . vertex`, infinite for a sliver: it lies within its neighbours up to rounding.
    pub(super) distance: f64,
    index: Index,
}

/// How a triangle hangs together with others.
#[derive(Clone, Copy)]
struct Links {
    /// The vertices, counter-clockwise seen from outside.
    corners: [Index; 3],
    /// The face across the edge from each corner to the next, and which of its edges that is.
    neighbours: [(Index, Index); 3],
}

/// An edge between a face that is seen, on its left, and one that is not.
#[derive(Clone, Copy, Default)]
struct RimEdge {
    from: Index,
    to: Index,
    /// The face that stays, and which of its edges this is.
    outer: (Index, Index),
}

/// The faces that a vertex is in front of.
struct Seen<const FACES: usize> {
    faces: [Index; FACES],
    is_seen: [bool; FACES],
    count: usize,
}

impl<const FACES: usize> Default for Seen<FACES> {
    fn default() -> Self {
        Self {
            faces: [0; FACES],
            is_seen: [false; FACES],
            count: 0,
        }
    }
}

impl<const FACES: usize> Seen<FACES> {
    fn list(&self) -> &[Index] {
        &self.faces[..self.count]
    }

    fn take(&mut self, face: Index) {
        self.faces[self.count] = face;
        self.is_seen[usize::from(face)] = true;
        self.count += 1;
    }
}

/// A closed surface of at most VERTICES vertices that grows outwards.
///
/// FACES is twice as many: a closed surface of n vertices has 2 n - 4 triangles.
///
/// Replacing a patch of faces by the cone from its rim keeps the surface closed whatever rounding
/// decides about single faces, so once every face has the origin behind it, a ball about
/// the origin that reaches no face lies inside the difference.
pub(super) struct Polytope<const VERTICES: usize, const FACES: usize> {
    vertices: ArrayVec<Vertex<DVec3>, VERTICES>,
    normals: ArrayVec<DVec3, FACES>,
    /// Infinite for slivers and for places that are vacant.
    distances: ArrayVec<f64, FACES>,
    links: ArrayVec<Links, FACES>,
    vacant: ArrayVec<Index, FACES>,
    seen: Seen<FACES>,
    rim: [RimEdge; FACES],
    /// The square of the worst ratio of the product of two edges to the area between them.
    worst_ratio: f64,
    /// How far a vertex was behind a face that was taken with the patch around it, at most.
    blur: f64,
    /// How wide all slivers were together.
    sliver_width: f64,
}

impl<const VERTICES: usize, const FACES: usize> Polytope<VERTICES, FACES> {
    /// No surface yet.
    ///
    /// Twenty kilobytes or a hundred that must stay where they are made: hand them on by reference.
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self {
            vertices: ArrayVec::new(),
            normals: ArrayVec::new(),
            distances: ArrayVec::new(),
            links: ArrayVec::new(),
            vacant: ArrayVec::new(),
            seen: Seen::default(),
            rim: [RimEdge::default(); FACES],
            worst_ratio: 1.0,
            blur: 0.0,
            sliver_width: 0.0,
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

    /// How wide all faces together were whose planes are not known.
    pub(super) fn sliver_width(&self) -> f64 {
        self.sliver_width
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
            index: nearest as Index,
        }
    }

    /// How far rounding can have moved the plane of any face so far, of vertices within `scale`.
    ///
    /// A cross product is off by a few units in the last place of the product of its edges: the
    /// direction by that over the area, the distance by that times the scale.
    pub(super) fn slack(&self, scale: f64) -> f64 {
        8.0 * f64::EPSILON * scale * self.worst_ratio.sqrt() + self.blur + self.sliver_width
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
        // Held to the face: outside of it the points would not lie on the shapes.
        let areas = areas.map(|area| area.max(0.0));
        let whole: f64 = areas.iter().sum();
        let mut points = (DVec3::ZERO, DVec3::ZERO);
        for (corner, area) in corners.into_iter().zip(areas) {
            points.0 += corner.on_a * (area / whole);
            points.1 += corner.on_b * (area / whole);
        }
        Some(points)
    }

    /// Replaces the patch of faces around `face` that see `vertex` by the cone from its rim.
    ///
    /// Returns false, and the surface is of no more use, where that fails: the face does not see
    /// it, there is no more room, or rounding has left a patch with a hole.
    pub(super) fn add(&mut self, face: &Face, vertex: Vertex<DVec3>, visible_above: f64) -> bool {
        self.look_from(vertex.point, visible_above);
        let mut rim = self.list_rim();
        // A patch of k triangles without holes has k + 2 edges around it. More means that faces
        // elsewhere, all but level with the vertex, count as seen by a rounding error.
        if rim != self.seen.count + 2 {
            self.seen = self.connected(face.index);
            self.fill_holes(vertex.point, visible_above);
            rim = self.list_rim();
        }
        if self.seen.count == 0 || rim != self.seen.count + 2 {
            return false;
        }
        for &face in self.seen.list() {
            self.distances[usize::from(face)] = f64::INFINITY;
            self.vacant.push(face);
        }
        if rim > self.vacant.len() + self.links.remaining_capacity() {
            return false;
        }
        let apex = self.vertices.len() as Index;
        self.vertices.push(vertex);
        let mut beginning_at = [NO_FACE; VERTICES];
        for k in 0..rim {
            let RimEdge { from, to, outer } = self.rim[k];
            if beginning_at[usize::from(from)] != NO_FACE {
                return false;
            }
            let place = self.push_face([from, to, apex], [outer, (NO_FACE, 2), (NO_FACE, 1)]);
            self.links[usize::from(outer.0)].neighbours[usize::from(outer.1)] = (place, 0);
            beginning_at[usize::from(from)] = place;
        }
        self.close_cone(rim, &beginning_at)
    }

    /// Links each new face to the one whose rim edge begins where its own ends.
    fn close_cone(&mut self, rim: usize, beginning_at: &[Index; VERTICES]) -> bool {
        for k in 0..rim {
            let RimEdge { from, to, .. } = self.rim[k];
            let face = beginning_at[usize::from(from)];
            let next = beginning_at[usize::from(to)];
            if next == NO_FACE {
                return false;
            }
            self.links[usize::from(face)].neighbours[1] = (next, 2);
            self.links[usize::from(next)].neighbours[2] = (face, 1);
        }
        true
    }

    /// Finds the faces that have `point` in front of them.
    ///
    /// What is seen cannot be predicted, so everything is written and only what counts is counted.
    fn look_from(&mut self, point: DVec3, visible_above: f64) {
        let mut count = 0;
        for (k, (normal, distance)) in self.normals.iter().zip(&self.distances).enumerate() {
            let is_seen = normal.dot(point) - distance > visible_above;
            self.seen.is_seen[k] = is_seen;
            self.seen.faces[count] = k as Index;
            count += usize::from(is_seen);
        }
        self.seen.count = count;
    }

    /// Those of the faces seen that hang together with the one at `first`.
    #[cold]
    fn connected(&self, first: Index) -> Seen<FACES> {
        let all = &self.seen;
        let mut seen = Seen::default();
        if all.is_seen[usize::from(first)] {
            seen.take(first);
        }
        let mut next = 0;
        while next < seen.count {
            let face = usize::from(seen.faces[next]);
            for (neighbour, _) in self.links[face].neighbours {
                let k = usize::from(neighbour);
                if all.is_seen[k] && !seen.is_seen[k] {
                    seen.take(neighbour);
                }
            }
            next += 1;
        }
        seen
    }

    /// Adds the faces that have at least two of those seen beside them: a sliver in the middle of the
    /// patch, whose own normal says nothing, or a face all but level with the point.
    #[cold]
    fn fill_holes(&mut self, point: DVec3, visible_above: f64) {
        let level = -LEVEL * visible_above;
        let mut has_grown = true;
        while has_grown {
            has_grown = false;
            for k in 0..self.links.len() {
                let beside = self.links[k].neighbours.map(|(n, _)| usize::from(n));
                let count = beside.iter().filter(|&&n| self.seen.is_seen[n]).count();
                let (normal, distance) = (self.normals[k], self.distances[k]);
                let is_level = normal == DVec3::ZERO || normal.dot(point) - distance > level;
                let is_vacant = self.vacant.contains(&(k as Index));
                if count >= 2 && is_level && !self.seen.is_seen[k] && !is_vacant {
                    self.seen.take(k as Index);
                    // The surface may now dip below the face by as much: the bounds must know.
                    self.blur = -level;
                    has_grown = true;
                }
            }
        }
    }

    /// Lists the edges between faces that are seen and faces that are not, and counts them; 0 where
    /// they do not fit.
    fn list_rim(&mut self) -> usize {
        let seen = &self.seen;
        if 3 * seen.count > self.rim.len() {
            return 0;
        }
        let mut count = 0;
        for &face in seen.list() {
            let links = &self.links[usize::from(face)];
            let [a, b, c] = links.corners;
            for (outer, [from, to]) in links.neighbours.into_iter().zip([[a, b], [b, c], [c, a]]) {
                self.rim[count] = RimEdge { from, to, outer };
                count += usize::from(!seen.is_seen[usize::from(outer.0)]);
            }
        }
        count
    }

    /// Normal and distance of a thin triangle: seen from its blunt corner it may be none.
    #[cold]
    #[inline(never)]
    fn thin_face(&mut self, corners: [Index; 3]) -> (DVec3, f64) {
        let corners = corners.map(|k| self.vertices[usize::from(k)].point);
        let corners = from_the_blunt_corner(corners);
        let plane = Plane::across(corners);
        if plane.area > SLIVER * SLIVER * plane.product {
            self.note_thinness(&plane);
            plane.through(corners[0])
        } else {
            // All of it lies within its width of its longest edge, which is the neighbour's, too.
            let [_, b, c] = corners;
            self.sliver_width +=
                (plane.area / (c - b).length_squared().max(f64::MIN_POSITIVE)).sqrt();
            (DVec3::ZERO, f64::INFINITY)
        }
    }

    #[inline]
    fn note_thinness(&mut self, plane: &Plane) {
        self.worst_ratio = self.worst_ratio.max(plane.product / plane.area);
    }

    /// Adds a face and returns its place.
    #[inline]
    fn push_face(&mut self, corners: [Index; 3], neighbours: [(Index, Index); 3]) -> Index {
        let [a, b, c] = corners.map(|k| self.vertices[usize::from(k)].point);
        let plane = Plane::across([a, b, c]);
        let (normal, distance) = if plane.product < THIN * plane.area {
            self.note_thinness(&plane);
            plane.through(a)
        } else {
            self.thin_face(corners)
        };
        let links = Links {
            corners,
            neighbours,
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
            (self.links.len() - 1) as Index
        }
    }
}

/// What the plane of a triangle is made of.
struct Plane {
    /// The cross product of two edges.
    cross: DVec3,
    /// Its squared length: the square of twice the area.
    area: f64,
    /// The product of the squared lengths of the two edges.
    product: f64,
}

impl Plane {
    /// By the edges from the first corner.
    #[inline]
    fn across([a, b, c]: [DVec3; 3]) -> Self {
        let (ab, ac) = (b - a, c - a);
        let cross = ab.cross(ac);
        Self {
            cross,
            area: cross.length_squared(),
            product: ab.length_squared() * ac.length_squared(),
        }
    }

    /// Its unit normal and distance from the origin, through a point.
    #[inline]
    fn through(&self, point: DVec3) -> (DVec3, f64) {
        let normal = self.cross * self.area.sqrt().recip();
        (normal, normal.dot(point))
    }
}

/// The same triangle from the corner across from its longest edge.
///
/// Rounding in a cross product grows with the product of the edges. A needle is a sliver seen from
/// its point, and a proper face from its blunt end.
fn from_the_blunt_corner([a, b, c]: [DVec3; 3]) -> [DVec3; 3] {
    let [ab, bc, ca] = [b - a, c - b, a - c].map(DVec3::length_squared);
    if bc >= ab && bc >= ca {
        [a, b, c]
    } else if ca >= ab {
        [b, c, a]
    } else {
        [c, a, b]
    }
}
