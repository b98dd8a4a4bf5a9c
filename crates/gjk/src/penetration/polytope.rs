//! The expanding polytope in space: a closed surface of triangles inside the difference.

use core::hint::select_unpredictable;

use arrayvec::ArrayVec;
use clearance_math::DVec3;
use clearance_math::lanes::{LANES, Select, Simd, SimdBase, SimdMask, f64x4};
use clearance_math::tolerances::{COPLANAR, FOOT_SLACK, LEVEL, SLIVER, THIN};

use super::masks::{BITS_OF_MASK, LANES_OF_MASK};
use super::triangle::{Plane, Planes, from_the_blunt_corner};
use crate::vertex::Vertex;

/// The number of a vertex or of a face, or of an edge of a face: see [`edge_of`].
type Index = u16;

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
#[derive(Clone, Copy, Default)]
struct Links {
    /// The vertices, counter-clockwise seen from outside.
    corners: [Index; 3],
    /// The edge, of the face across, that is the edge from each corner to the next.
    neighbours: [Index; 3],
}

/// An edge of a face, counted from 0, as one number.
#[inline]
const fn edge_of(face: Index, edge: Index) -> Index {
    face << 2 | edge
}

/// The face that an edge is of, and which of its edges it is.
#[inline]
fn face_of(edge: Index) -> (usize, usize) {
    (usize::from(edge >> 2), usize::from(edge & 3))
}

/// An edge between a face that is seen, on its left, and one that is not.
#[derive(Clone, Copy, Default)]
struct RimEdge {
    to: Index,
    /// The same edge of the face that stays.
    outer: Index,
}

/// A closed surface of at most VERTICES vertices, a power of two, that grows outwards.
///
/// BLOCKS is half as many: a closed surface of n vertices has 2 n - 4 triangles, four to a block.
///
/// Replacing a patch of faces by the cone from its rim keeps the surface closed whatever rounding
/// decides about single faces, so once every face has the origin behind it, a ball about
/// the origin that reaches no face lies inside the difference.
pub(super) struct Polytope<const VERTICES: usize, const BLOCKS: usize> {
    vertices: ArrayVec<Vertex<DVec3>, VERTICES>,
    planes: ArrayVec<Planes, BLOCKS>,
    links: ArrayVec<[Links; LANES], BLOCKS>,
    /// Whether the vertex that is being added is in front of the face.
    is_seen: [[bool; LANES]; BLOCKS],
    face_count: usize,
    /// The faces that have the vertex that is being added in front of them.
    seen: [[Index; LANES]; BLOCKS],
    seen_count: usize,
    /// For each vertex of the rim the edge that begins there.
    rim: [RimEdge; VERTICES],
    nearest: Nearest,
    /// The square of the worst ratio of the product of two edges to the area between them.
    worst_ratio: f64,
    /// How far a vertex was behind a face that was taken with the patch around it, at most.
    blur: f64,
    /// How wide all slivers were together.
    sliver_width: f64,
}

/// The face whose plane is nearest the origin, as far as is known.
#[derive(Clone, Copy)]
struct Nearest {
    distance: f64,
    face: Index,
}

impl Nearest {
    const NONE: Self = Self {
        distance: f64::INFINITY,
        face: 0,
    };

    #[inline]
    fn or(self, distance: f64, face: Index) -> Self {
        let is_nearer = distance < self.distance;
        Self {
            distance: select_unpredictable(is_nearer, distance, self.distance),
            face: select_unpredictable(is_nearer, face, self.face),
        }
    }
}

impl<const VERTICES: usize, const BLOCKS: usize> Polytope<VERTICES, BLOCKS> {
    /// No surface yet.
    ///
    /// Twenty kilobytes or a hundred that must stay where they are made: hand them on by reference.
    #[inline(always)]
    pub(super) fn new() -> Self {
        const { assert!(VERTICES.is_power_of_two() && BLOCKS == VERTICES / 2) };
        Self {
            vertices: ArrayVec::new(),
            planes: ArrayVec::new(),
            links: ArrayVec::new(),
            is_seen: [[false; LANES]; BLOCKS],
            face_count: 0,
            seen: [[0; LANES]; BLOCKS],
            seen_count: 0,
            rim: [RimEdge::default(); VERTICES],
            nearest: Nearest::NONE,
            worst_ratio: 1.0,
            blur: 0.0,
            sliver_width: 0.0,
        }
    }

    /// Begins with the surface of a tetrahedron, in either orientation.
    #[inline(always)]
    pub(super) fn start(&mut self, mut corners: [Vertex<DVec3>; 4]) {
        const CORNERS: [[Index; 3]; LANES] = [[0, 1, 2], [1, 0, 3], [2, 1, 3], [0, 2, 3]];
        const BESIDE: [[(Index, Index); 3]; LANES] = [
            [(1, 0), (2, 0), (3, 0)],
            [(0, 0), (3, 2), (2, 1)],
            [(0, 1), (1, 2), (3, 1)],
            [(0, 2), (2, 2), (1, 1)],
        ];
        let [a, b, c, d] = corners.map(|v| v.point);
        if (b - a).cross(c - a).dot(d - a) > 0.0 {
            corners.swap(1, 2);
        }
        self.vertices.extend(corners);
        self.face_count = LANES;
        self.planes.push(Planes::VACANT);
        self.links.push(core::array::from_fn(|face| Links {
            corners: CORNERS[face],
            neighbours: BESIDE[face].map(|(face, edge)| edge_of(face, edge)),
        }));
        for (face, corners) in CORNERS.into_iter().enumerate() {
            let points = corners.map(|k| self.vertices[usize::from(k)].point);
            let plane = self.plane(&Plane::across(points), corners);
            self.planes[0].set(face, plane);
        }
        self.nearest = self.nearest_of_kept();
    }

    fn links(&self, face: Index) -> &Links {
        &self.links.as_flattened()[usize::from(face)]
    }

    fn sees(&self, face: Index) -> bool {
        self.is_seen.as_flattened()[usize::from(face)]
    }

    fn plane_of(&self, face: Index) -> (DVec3, f64) {
        let face = usize::from(face);
        self.planes[face / LANES].get(face % LANES)
    }

    fn faces(&self) -> impl Iterator<Item = Index> + use<VERTICES, BLOCKS> {
        0..self.face_count as Index
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
    #[inline(always)]
    pub(super) fn nearest_face(&self) -> Face {
        let Nearest { distance, face } = self.nearest;
        Face {
            normal: self.plane_of(face).0,
            distance,
            index: face,
        }
    }

    /// How far rounding can have moved the plane of any face so far, of vertices within `scale`.
    ///
    /// A cross product is off by a few units in the last place of the product of its edges: the
    /// direction by that over the area, the distance by that times the scale.
    #[inline(always)]
    pub(super) fn slack(&self, scale: f64) -> f64 {
        8.0 * f64::EPSILON * scale * self.worst_ratio.sqrt() + self.blur + self.sliver_width
    }

    /// The witness points at the foot of the perpendicular from the origin to a face, or to one that
    /// continues it: as near up to `gap`, its normal the same up to [`COPLANAR`].
    ///
    /// Where a flat end of the difference is cut into triangles, all of them are equally near, and
    /// one of them holds the foot.
    pub(super) fn foot(&self, face: &Face, gap: f64) -> Option<(DVec3, DVec3)> {
        let continues = |&other: &Index| {
            let (normal, distance) = self.plane_of(other);
            distance <= face.distance + gap && normal.dot(face.normal) >= 1.0 - COPLANAR
        };
        (self.faces().filter(continues)).find_map(|other| self.foot_on_face(other))
    }

    fn foot_on_face(&self, face: Index) -> Option<(DVec3, DVec3)> {
        let (normal, distance) = self.plane_of(face);
        let corners = self.links(face).corners;
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
    #[inline(always)]
    pub(super) fn add<S: Simd>(
        &mut self,
        simd: S,
        (face, vertex): (&Face, Vertex<DVec3>),
        visible_above: f64,
    ) -> bool {
        self.look_from(simd, vertex.point, visible_above);
        let (mut rim, mut start) = self.find_rim();
        // A patch of k triangles without holes has k + 2 edges around it. More means that faces
        // elsewhere, all but level with the vertex, count as seen by a rounding error.
        if rim != self.seen_count + 2 {
            self.keep_connected(face.index);
            self.fill_holes(vertex.point, visible_above);
            self.nearest = self.nearest_of_kept();
            (rim, start) = self.find_rim();
        }
        if self.seen_count == 0 || rim != self.seen_count + 2 {
            return false;
        }
        self.vertices.push(vertex);
        self.make_room();
        self.add_cone(start)
    }

    /// Lists two places more than those of the faces seen: a closed surface has two faces more for
    /// each vertex more. All are taken by the faces of the cone.
    #[inline(always)]
    fn make_room(&mut self) {
        if self.face_count.is_multiple_of(LANES) {
            self.planes.push(Planes::VACANT);
            self.links.push([Links::default(); LANES]);
        }
        let seen = self.seen.as_flattened_mut();
        seen[self.seen_count] = self.face_count as Index;
        seen[self.seen_count + 1] = self.face_count as Index + 1;
        self.seen_count += 2;
        self.face_count += 2;
    }

    /// Puts the faces between the rim and the newest vertex in the places that are listed.
    ///
    /// Goes around the rim once: each edge begins where the one before ended. False where the rim
    /// crosses itself.
    #[inline(always)]
    fn add_cone(&mut self, start: Index) -> bool {
        let apex = (self.vertices.len() - 1) as Index;
        let top = self.vertices[usize::from(apex)].point;
        let count = self.seen_count;
        // So that the last one has the first after it.
        self.seen.as_flattened_mut()[count] = self.seen.as_flattened()[0];
        let mut before = self.seen.as_flattened()[count - 1];
        let mut from = start;
        let mut spoke = self.vertices[usize::from(from)].point - top;
        for step in 0..count {
            let RimEdge { to, outer } = self.rim[usize::from(from) % VERTICES];
            let next = self.vertices[usize::from(to)].point - top;
            let corners = [from, to, apex];
            let plane = self.plane(&Plane::between(top, [spoke, next]), corners);
            let face = self.seen.as_flattened()[step];
            let after = self.seen.as_flattened()[step + 1];
            self.nearest = self.nearest.or(plane.1, face);
            self.planes[usize::from(face) / LANES].set(usize::from(face) % LANES, plane);
            self.links.as_flattened_mut()[usize::from(face)] = Links {
                corners,
                neighbours: [outer, edge_of(after, 2), edge_of(before, 1)],
            };
            let (beyond, edge) = face_of(outer);
            self.links.as_flattened_mut()[beyond].neighbours[edge] = edge_of(face, 0);
            if (to == start) != (step + 1 == count) {
                return false;
            }
            (from, spoke, before) = (to, next, face);
        }
        true
    }

    /// Finds the faces that have `point` in front of them, and the nearest of the others.
    ///
    /// What is seen cannot be predicted, so everything is written and only what counts is counted.
    #[inline(always)]
    fn look_from<S: Simd>(&mut self, simd: S, point: DVec3, visible_above: f64) {
        let x = f64x4::splat(simd, point.x);
        let y = f64x4::splat(simd, point.y);
        let z = f64x4::splat(simd, point.z);
        let infinity = f64x4::splat(simd, f64::INFINITY);
        let visible_above = f64x4::splat(simd, visible_above);
        let seen = self.seen.as_flattened_mut();
        let mut count = 0;
        let mut least = infinity;
        let mut found_in = f64x4::splat(simd, 0.0);
        let mut number = found_in;
        let mut first = 0;
        for (planes, is_seen) in self.planes.iter().zip(&mut self.is_seen) {
            let distances = f64x4::load_array_ref(simd, &planes.distances);
            let [normal_x, normal_y, normal_z] = &planes.normals;
            let above = f64x4::load_array_ref(simd, normal_x) * x
                + f64x4::load_array_ref(simd, normal_y) * y
                + f64x4::load_array_ref(simd, normal_z) * z
                - distances;
            let mask = above.simd_gt(visible_above);
            let left = mask.select(infinity, distances);
            let is_nearer = left.simd_lt(least);
            least = is_nearer.select(left, least);
            found_in = is_nearer.select(number, found_in);
            number += 1.0;
            let bits = mask.to_bitmask() as usize & 0xF;
            *is_seen = BITS_OF_MASK[bits];
            let (lanes, more) = LANES_OF_MASK[bits];
            let faces = &mut seen[count..count + LANES];
            for (face, lane) in faces.iter_mut().zip(lanes) {
                *face = first + lane;
            }
            first += LANES as Index;
            count += more;
        }
        self.seen_count = count;
        self.nearest = (0..LANES).fold(Nearest::NONE, |nearest, lane| {
            let block = found_in[lane] as Index;
            nearest.or(least[lane], block * LANES as Index + lane as Index)
        });
    }

    /// The nearest of the faces that are not seen.
    #[cold]
    fn nearest_of_kept(&self) -> Nearest {
        let kept = self.faces().filter(|&face| !self.sees(face));
        kept.fold(Nearest::NONE, |nearest, face| {
            nearest.or(self.plane_of(face).1, face)
        })
    }

    /// Of the faces seen, keeps those that hang together with the one at `first`.
    #[cold]
    fn keep_connected(&mut self, first: Index) {
        let was_seen = self.is_seen;
        let was_seen = |face: Index| was_seen.as_flattened()[usize::from(face)];
        self.is_seen = [[false; LANES]; BLOCKS];
        self.seen_count = 0;
        if was_seen(first) {
            self.take(first);
        }
        let mut next = 0;
        while next < self.seen_count {
            let face = self.seen.as_flattened()[next];
            for edge in self.links(face).neighbours {
                let neighbour = edge >> 2;
                if was_seen(neighbour) && !self.sees(neighbour) {
                    self.take(neighbour);
                }
            }
            next += 1;
        }
    }

    /// Counts a face as seen.
    fn take(&mut self, face: Index) {
        self.is_seen.as_flattened_mut()[usize::from(face)] = true;
        self.seen.as_flattened_mut()[self.seen_count] = face;
        self.seen_count += 1;
    }

    /// Adds the faces that have at least two of those seen beside them: a sliver in the middle of the
    /// patch, whose own normal says nothing, or a face all but level with the point.
    #[cold]
    fn fill_holes(&mut self, point: DVec3, visible_above: f64) {
        let level = -LEVEL * visible_above;
        let mut has_grown = true;
        while has_grown {
            has_grown = false;
            for face in self.faces() {
                let beside = self.links(face).neighbours;
                let count = beside.iter().filter(|&&edge| self.sees(edge >> 2)).count();
                let (normal, distance) = self.plane_of(face);
                let is_level = normal == DVec3::ZERO || normal.dot(point) - distance > level;
                if count >= 2 && is_level && !self.sees(face) {
                    self.take(face);
                    // The surface may now dip below the face by as much: the bounds must know.
                    self.blur = -level;
                    has_grown = true;
                }
            }
        }
    }

    /// Finds the edges between faces that are seen and faces that are not; returns how many there are
    /// and where one begins.
    ///
    /// Where the rim meets itself in a vertex only one of the edges there is kept: too few then, as
    /// going around shows.
    #[inline(always)]
    fn find_rim(&mut self) -> (usize, Index) {
        let (mut count, mut start) = (0, 0);
        let is_seen = self.is_seen.as_flattened();
        for &face in &self.seen.as_flattened()[..self.seen_count] {
            let links = &self.links.as_flattened()[usize::from(face)];
            let [a, b, c] = links.corners;
            for (outer, [from, to]) in links.neighbours.into_iter().zip([[a, b], [b, c], [c, a]]) {
                let is_inner = Index::from(is_seen[usize::from(outer >> 2)]);
                // Whether it is one cannot be predicted: written anyway, if not where nobody looks: at
                // the last vertex, which fills the polytope, so that no rim goes through it.
                let inner = is_inner.wrapping_neg();
                let place = usize::from(from | inner) % VERTICES;
                self.rim[place] = RimEdge { to, outer };
                start ^= (start ^ from) & !inner;
                count += usize::from(1 - is_inner);
            }
        }
        (count, start)
    }

    /// Normal and distance of a triangle.
    #[inline(always)]
    fn plane(&mut self, plane: &Plane, corners: [Index; 3]) -> (DVec3, f64) {
        if !(plane.product < THIN * plane.area) {
            return self.thin_face(corners);
        }
        self.measured(plane)
    }

    /// Normal and distance of a thin triangle: seen from its blunt corner it may be none.
    #[cold]
    #[inline(never)]
    fn thin_face(&mut self, corners: [Index; 3]) -> (DVec3, f64) {
        let corners = corners.map(|k| self.vertices[usize::from(k)].point);
        let corners = from_the_blunt_corner(corners);
        let plane = Plane::across(corners);
        if plane.area > SLIVER * SLIVER * plane.product {
            self.measured(&plane)
        } else {
            // All of it lies within its width of its longest edge, which is the neighbour's, too.
            let [_, b, c] = corners;
            self.sliver_width +=
                (plane.area / (c - b).length_squared().max(f64::MIN_POSITIVE)).sqrt();
            (DVec3::ZERO, f64::INFINITY)
        }
    }

    /// Unit normal and distance from the origin of a triangle that is wide enough.
    #[inline(always)]
    fn measured(&mut self, plane: &Plane) -> (DVec3, f64) {
        let per_length = plane.area.sqrt().recip();
        let ratio = plane.product * (per_length * per_length);
        let is_worse = ratio > self.worst_ratio;
        self.worst_ratio = select_unpredictable(is_worse, ratio, self.worst_ratio);
        let normal = plane.cross * per_length;
        (normal, normal.dot(plane.corner))
    }
}
