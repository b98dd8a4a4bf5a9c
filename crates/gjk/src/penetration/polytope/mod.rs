//! The expanding polytope in space: a closed surface of triangles inside the difference.

mod cone;

use core::hint::select_unpredictable;

use arrayvec::ArrayVec;
use clearance_math::DVec3;
use clearance_math::lanes::LANES;
use clearance_math::tolerances::{COPLANAR, FOOT_SLACK, SLIVER, THIN};

use crate::penetration::masks::{BITS_OF_MASK, LANES_OF_MASK};
use crate::penetration::triangle::{Plane, Planes, from_the_blunt_corner};
use crate::vertex::Vertex;

/// The number of a vertex or of a face, or of an edge of a face: see [`edge_of`].
type Index = u16;

/// The plane of a triangle of the surface.
#[derive(Clone, Copy, Debug)]
pub(in crate::penetration) struct Face {
    /// Unit normal, outward; zero for a sliver.
    pub(in crate::penetration) normal: DVec3,
    /// `normal . vertex`, infinite for a sliver: it lies within its neighbours up to rounding.
    pub(in crate::penetration) distance: f64,
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
    /// This edge as an edge of the face that stays.
    outer: Index,
}

/// A closed surface of at most VERTICES vertices, a power of two, that grows outwards.
///
/// BLOCKS is half as many: a closed surface of n vertices has 2 n - 4 triangles, four to a block.
///
/// Replacing a patch of faces by the cone from its rim keeps the surface closed whatever rounding
/// decides about single faces, so once every face has the origin behind it, a ball about
/// the origin that reaches no face lies inside the difference.
pub(in crate::penetration) struct Polytope<const VERTICES: usize, const BLOCKS: usize> {
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
    pub(in crate::penetration) fn new() -> Self {
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
    pub(in crate::penetration) fn start(&mut self, mut corners: [Vertex<DVec3>; 4]) {
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

    pub(in crate::penetration) fn is_full(&self) -> bool {
        self.vertices.is_full()
    }

    /// How wide all faces together were whose planes are not known.
    pub(in crate::penetration) fn sliver_width(&self) -> f64 {
        self.sliver_width
    }

    pub(in crate::penetration) fn contains(&self, vertex: &Vertex<DVec3>) -> bool {
        self.vertices.iter().any(|v| v.point == vertex.point)
    }

    /// The face whose plane is nearest the origin.
    #[inline(always)]
    pub(in crate::penetration) fn nearest_face(&self) -> Face {
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
    pub(in crate::penetration) fn slack(&self, scale: f64) -> f64 {
        8.0 * f64::EPSILON * scale * self.worst_ratio.sqrt() + self.blur + self.sliver_width
    }

    /// The witness points at the foot of the perpendicular from the origin to a face, or to one that
    /// continues it: as near up to `gap`, its normal the same up to [`COPLANAR`].
    ///
    /// Where a flat end of the difference is cut into triangles, all of them are equally near, and
    /// one of them holds the foot.
    pub(in crate::penetration) fn foot(&self, face: &Face, gap: f64) -> Option<(DVec3, DVec3)> {
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
