//! The expanding polytope in 3D: a closed surface of triangles inside the Minkowski difference.

mod expand;
mod nearest;

use core::hint::select_unpredictable;

use arrayvec::ArrayVec;
use clearance_math::DVec3;
use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::LANES;
use clearance_math::tolerances::{COPLANAR, FOOT_SLACK, SLIVER, THIN};

use self::nearest::{Index, NearestFace};
use crate::search::Vertex;
use crate::search::penetration::face_planes::{
    EdgeCross, FacePlane, PlaneBlock, from_widest_angle,
};
use crate::search::penetration::mask_tables::{SET_LANES, SetLanes};

/// A triangle of the surface with its plane.
#[derive(Clone, Copy, Debug)]
pub(in crate::search::penetration) struct Face {
    /// The unit normal, which points outwards; zero for a sliver.
    pub(in crate::search::penetration) normal: DVec3,
    /// The distance of the plane from the origin; infinite for a sliver.
    pub(in crate::search::penetration) distance: f64,
    index: Index,
}

impl Face {
    /// Which of the faces it is.
    pub(in crate::search::penetration) fn index(&self) -> usize {
        usize::from(self.index)
    }
}

/// The corners of a triangle and the triangles next to it.
#[derive(Clone, Copy, Default)]
struct Links {
    /// The vertices, counter-clockwise seen from outside.
    corners: [Index; 3],
    /// For the edge from each corner to the next: the same edge as seen from the face on its other
    /// side, packed by [`edge_of`].
    neighbours: [Index; 3],
}

/// Packs a face and one of its three edges, counted from 0, into one number.
#[inline]
const fn edge_of(face: Index, edge: Index) -> Index {
    face << 2 | edge
}

/// Unpacks a number made by [`edge_of`] into the face and its edge.
#[inline]
fn face_of(edge: Index) -> (usize, usize) {
    (usize::from(edge >> 2), usize::from(edge & 3))
}

/// A horizon edge: a visible face is on its left, a hidden one on its right.
#[derive(Clone, Copy, Default)]
struct HorizonEdge {
    /// The vertex where the edge ends.
    to: Index,
    /// The same edge as seen from the hidden face, packed by [`edge_of`].
    outer: Index,
}

/// What was found out about the horizon as a whole.
#[derive(Clone, Copy)]
struct Horizon {
    edge_count: usize,
    /// A vertex where one of the edges begins.
    start: Index,
}

/// A closed surface of triangles that grows outwards.
///
/// A vertex is added by replacing a connected region of faces by triangles between the vertex and the
/// edges around the region. This keeps the surface closed even if rounding errors pick a wrong region.
/// So once the origin is behind every face, a ball around the origin that does not intersect the plane
/// of any face lies inside the difference.
///
/// It has room for `VERTICES` vertices, a power of two, and for `BLOCKS` blocks of four faces, half as many: a closed surface
/// of n vertices has 2 n - 4 triangles.
pub(in crate::search::penetration) struct ExpandingPolytope<
    const VERTICES: usize,
    const BLOCKS: usize,
> {
    /// The points of the vertices, apart from the points on the two shapes, which are needed at the end only.
    points: ArrayVec<DVec3, VERTICES>,
    /// For each vertex the point of a and that of b of which it is the difference.
    on_shapes: ArrayVec<[DVec3; 2], VERTICES>,
    planes: ArrayVec<PlaneBlock, BLOCKS>,
    links: ArrayVec<[Links; LANES], BLOCKS>,
    /// For each face whether it is visible from the vertex that is being added, that is whether the
    /// vertex is in front of it.
    is_visible: [[bool; LANES]; BLOCKS],
    face_count: usize,
    /// The visible faces, and later the slots for the faces that replace them.
    visible: [[Index; LANES]; BLOCKS],
    visible_count: usize,
    /// For each vertex of the horizon the horizon edge that begins there.
    horizon: [HorizonEdge; VERTICES],
    nearest: NearestFace,
    /// The greatest value so far of the squared product of the lengths of two edges, divided by the
    /// squared length of their cross product. The rounding error of a normal grows with its root.
    worst_ratio: f64,
    /// The greatest distance that a vertex can have been behind a face that was replaced nevertheless,
    /// to close a hole in the visible region.
    level_error: f64,
    /// The sum of the widths of all slivers.
    sliver_width: f64,
}

impl<const VERTICES: usize, const BLOCKS: usize> ExpandingPolytope<VERTICES, BLOCKS> {
    /// A polytope without a surface. Call [`Self::start`] next.
    ///
    /// It occupies 170 bytes of the stack for each vertex, so it should be passed on by reference.
    #[inline(always)]
    pub(in crate::search::penetration) fn new() -> Self {
        Self {
            points: ArrayVec::new(),
            on_shapes: ArrayVec::new(),
            planes: ArrayVec::new(),
            links: ArrayVec::new(),
            is_visible: [[false; LANES]; BLOCKS],
            face_count: 0,
            visible: [[0; LANES]; BLOCKS],
            visible_count: 0,
            horizon: [HorizonEdge::default(); VERTICES],
            nearest: NearestFace::NONE,
            worst_ratio: 1.0,
            level_error: 0.0,
            sliver_width: 0.0,
        }
    }

    /// Makes the surface that of a tetrahedron, whose corners may have either orientation.
    #[inline(always)]
    pub(in crate::search::penetration) fn start(&mut self, corners: &[Vertex<DVec3>; 4]) {
        const CORNERS: [[Index; 3]; LANES] = [[0, 1, 2], [1, 0, 3], [2, 1, 3], [0, 2, 3]];
        const NEIGHBOURS: [[(Index, Index); 3]; LANES] = [
            [(1, 0), (2, 0), (3, 0)],
            [(0, 0), (3, 2), (2, 1)],
            [(0, 1), (1, 2), (3, 1)],
            [(0, 2), (2, 2), (1, 1)],
        ];
        let [a, b, c, d] = corners;
        let [u, v, w] = [b, c, d].map_each(|corner| corner.point - a.point);
        let in_order = if u.cross(v).dot(w) > 0.0 {
            [a, c, b, d]
        } else {
            [a, b, c, d]
        };
        for corner in in_order {
            self.push(corner);
        }
        self.face_count = LANES;
        self.planes.push(PlaneBlock::EMPTY);
        self.links.push([0, 1, 2, 3].map_each(|face: usize| Links {
            corners: CORNERS[face],
            neighbours: NEIGHBOURS[face].map_each(|(face, edge)| edge_of(face, edge)),
        }));
        for (face, corners) in CORNERS.into_iter().enumerate() {
            let points = corners.map_each(|k| self.points[usize::from(k)]);
            let plane = self.plane(&EdgeCross::of_triangle(points), corners);
            self.planes[0].set(face, plane);
        }
        self.nearest = self.nearest_of_hidden();
    }

    #[inline(always)]
    fn push(&mut self, vertex: &Vertex<DVec3>) {
        self.points.push(vertex.point);
        self.on_shapes.push([vertex.on_a, vertex.on_b]);
    }

    pub(in crate::search::penetration) fn vertices(&self) -> impl Iterator<Item = Vertex<DVec3>> {
        let vertices = self.points.iter().zip(&self.on_shapes);
        vertices.map(|(&point, &[on_a, on_b])| Vertex { point, on_a, on_b })
    }

    /// The corners of the tetrahedron that it started from.
    pub(in crate::search::penetration) fn start_corners(&self) -> [DVec3; 4] {
        [0, 1, 2, 3].map_each(|k: usize| self.points[k])
    }

    /// For each face the indices of its three vertices, counter-clockwise seen from outside.
    pub(in crate::search::penetration) fn corners(&self) -> Vec<u32> {
        let corners = self.faces().flat_map(|face| self.links(face).corners);
        corners.map(u32::from).collect()
    }

    fn links(&self, face: Index) -> &Links {
        &self.links.as_flattened()[usize::from(face)]
    }

    fn is_visible(&self, face: Index) -> bool {
        self.is_visible.as_flattened()[usize::from(face)]
    }

    fn plane_of(&self, face: Index) -> FacePlane {
        let face = usize::from(face);
        self.planes[face / LANES].get(face % LANES)
    }

    fn faces(&self) -> impl Iterator<Item = Index> + use<VERTICES, BLOCKS> {
        0..self.face_count as Index
    }

    pub(in crate::search::penetration) fn is_full(&self) -> bool {
        self.points.is_full()
    }

    /// The sum of the widths of all faces that were too thin to have a known plane.
    pub(in crate::search::penetration) fn sliver_width(&self) -> f64 {
        self.sliver_width
    }

    pub(in crate::search::penetration) fn contains(&self, vertex: &Vertex<DVec3>) -> bool {
        self.points.contains(&vertex.point)
    }

    /// The face whose plane is nearest to the origin.
    #[inline(always)]
    pub(in crate::search::penetration) fn nearest_face(&self) -> Face {
        let index = self.nearest.face;
        Face {
            normal: self.plane_of(index).normal,
            distance: self.nearest.distance(),
            index,
        }
    }

    /// The greatest error so far in the distance of a face's plane, if no vertex is farther than
    /// `scale` from the origin.
    ///
    /// The error of a cross product is a few units in the last place of the product of the two edge
    /// lengths. Divided by the length of the cross product this is the error of the normal, and times
    /// `scale` that of the distance.
    #[inline(always)]
    pub(in crate::search::penetration) fn slack(&self, scale: f64) -> f64 {
        8.0 * f64::EPSILON * scale * self.worst_ratio.sqrt() + self.level_error + self.sliver_width
    }

    /// The witness points of a face: those whose difference is the point of its plane nearest to the
    /// origin.
    ///
    /// A flat side of the difference is made of several triangles, all equally near to the origin, and
    /// only one of them contains that point. So all faces are tried that are as near up to `gap` and
    /// whose normals differ by at most [`COPLANAR`]. `None` if none of them contains it.
    pub(in crate::search::penetration) fn witness_points(
        &self,
        face: &Face,
        gap: f64,
    ) -> Option<(DVec3, DVec3)> {
        let is_coplanar = |&other: &Index| {
            let plane = self.plane_of(other);
            plane.distance <= face.distance + gap && plane.normal.dot(face.normal) >= 1.0 - COPLANAR
        };
        (self.faces().filter(is_coplanar)).find_map(|other| self.witness_points_on_face(other))
    }

    /// The witness points by the barycentric coordinates of the point of the face's plane nearest to
    /// the origin; `None` if that point lies outside of the face.
    fn witness_points_on_face(&self, face: Index) -> Option<(DVec3, DVec3)> {
        let FacePlane { normal, distance } = self.plane_of(face);
        let corners = self.links(face).corners;
        let [a, b, c] = corners.map_each(|k| self.points[usize::from(k)] - normal * distance);
        let areas = [b.cross(c), c.cross(a), a.cross(b)].map_each(|cross| cross.dot(normal));
        let whole: f64 = areas.iter().sum();
        if !(whole > 0.0) || areas.iter().any(|area| *area < -FOOT_SLACK * whole) {
            return None;
        }
        // Points slightly outside of the face are moved onto it, so that the witness points lie on
        // the shapes.
        let areas = areas.map_each(|area| area.max(0.0));
        let whole: f64 = areas.iter().sum();
        let mut points = (DVec3::ZERO, DVec3::ZERO);
        for (corner, area) in corners.into_iter().zip(areas) {
            let [on_a, on_b] = self.on_shapes[usize::from(corner)];
            points.0 += on_a * (area / whole);
            points.1 += on_b * (area / whole);
        }
        Some(points)
    }

    /// The plane of a triangle with these corners, from the cross product of two of its edges.
    #[inline(always)]
    fn plane(&mut self, edges: &EdgeCross, corners: [Index; 3]) -> FacePlane {
        if !(edges.edges_squared < THIN * edges.cross_squared) {
            return self.plane_of_thin_face(corners);
        }
        self.plane_of_wide_face(edges)
    }

    /// The plane of a thin triangle, from its two shorter edges. If it is a sliver, it has none.
    #[cold]
    #[inline(never)]
    fn plane_of_thin_face(&mut self, corners: [Index; 3]) -> FacePlane {
        let corners = corners.map_each(|k| self.points[usize::from(k)]);
        let corners = from_widest_angle(corners);
        let edges = EdgeCross::of_triangle(corners);
        if edges.cross_squared > SLIVER * SLIVER * edges.edges_squared {
            self.plane_of_wide_face(&edges)
        } else {
            // All of the sliver is within its width of its longest edge, and the neighbouring face
            // has that edge, too.
            let [_, b, c] = corners;
            self.sliver_width +=
                (edges.cross_squared / (c - b).length_squared().max(f64::MIN_POSITIVE)).sqrt();
            FacePlane::SLIVER
        }
    }

    /// The plane of a triangle that is wide enough for an accurate cross product.
    #[inline(always)]
    fn plane_of_wide_face(&mut self, edges: &EdgeCross) -> FacePlane {
        let per_length = edges.cross_squared.sqrt().recip();
        let ratio = edges.edges_squared * (per_length * per_length);
        let is_worse = ratio > self.worst_ratio;
        self.worst_ratio = select_unpredictable(is_worse, ratio, self.worst_ratio);
        let normal = edges.cross * per_length;
        FacePlane {
            normal,
            distance: normal.dot(edges.corner),
        }
    }
}
