//! Convex hulls of points in 2D and 3D, with an exact topology.
//!
//! Exact predicates, evaluated on the points as given and without a tolerance, decide which points
//! are vertices and which triangles lie in one plane. Points that are 1e-7 apart are two points,
//! and a plane that is bent by the last bit of a coordinate is two faces. Flat point sets give flat
//! hulls.

pub(crate) mod boundary;
#[cfg(test)]
mod cost;
mod edge_blocks;
mod error;
mod f32_filter;
mod faces;
mod hill_climbing;
mod incremental;
mod index_lists;
mod level;
mod merge_coplanar;
mod plane;
pub(crate) mod predicates;
mod scan;
mod search;
mod space;
mod topology;
mod validate;
mod vertex_tree;

use clearance_math::internal::lanes::{Simd, dispatch};
use clearance_math::{DVec3, Matrix, PreciseVector, Vector, compile_once, tolerances};

use crate::eight_corners::{self, EightCorners};
use crate::internal::{FourSides, MOST_SIDES};
use boundary::Boundary;
pub use error::HullError;
pub use faces::{Edge, Face};
use index_lists::IndexLists;
use scan::Scan;
use search::{ClimbTables, Search};
use topology::Topology;

/// A convex polygon (`Vec2`) or polyhedron (`Vec3`) with its faces and edges. It may be flat.
///
/// It is in the frame and the unit of length of its points. It depends on its extreme points only:
/// the order of the points, repeated points and interior points change nothing, not even the
/// numbering of vertices and faces.
///
/// ```
/// use clearance::dim2::{Hull, Vec2};
/// use clearance::math::DVec2;
///
/// let corners = [[0.0, 0.0], [2.0, 0.0], [1.0, 0.0], [0.0, 2.0], [0.5, 0.5]].map(Vec2::from);
/// let triangle = Hull::from_points(&corners).unwrap();
/// assert_eq!(triangle.vertices(), [corners[0], corners[1], corners[3]]);
/// assert_eq!(triangle.support(DVec2::new(1.0, -1.0)), DVec2::new(2.0, 0.0));
/// ```
#[derive(Clone)]
pub struct Hull<V: Vector> {
    vertices: Vec<V>,
    dimension: usize,
    normals: Vec<V::Precise>,
    offsets: Vec<f64>,
    loops: IndexLists,
    edges: Vec<Edge>,
    // For each vertex, the number of the first edge whose first vertex it or a later one is. Empty where there are no edges.
    first_edges: Vec<u32>,
    neighbours: IndexLists,
    faces_at: IndexLists,
    // Empty unless the hull is solid.
    alone: Vec<bool>,
    has_precise_planes: bool,
    // Empty for large polygons and in 3D.
    sides: Vec<FourSides>,
    few: Option<EightCorners>,
    search: Search<V::Precise>,
    // For solid hulls of few corners.
    boundary: Option<Box<Boundary>>,
}

/// Two hulls with equal vertices are equal, because everything else follows from the vertices.
impl<V: Vector> PartialEq for Hull<V> {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other) || self.vertices == other.vertices
    }
}

impl<V: Vector> Hull<V> {
    /// The convex hull of at least one and fewer than 2^32 points.
    ///
    /// Costs O(n log n) for n points: in 3D this is the expected cost for every input. Sources: in
    /// 2D Andrew's monotone chain (1979); in 3D randomized incremental insertion (Clarkson and
    /// Shor, 1989) with the exact predicates of Shewchuk (1997).
    ///
    /// # Errors
    /// [`HullError`] if there is no point, or if a coordinate is not finite.
    pub fn from_points(points: &[V]) -> Result<Self, HullError> {
        from_points(points)
    }

    /// Builds the hull from its vertices and face loops.
    fn assembled(points: &[V], outline: Topology) -> Self {
        let Topology {
            dimension,
            vertices,
            loops,
        } = outline;
        let vertices: Vec<V> = vertices
            .iter()
            .map(|&index| points[index as usize])
            .collect();
        let pairs = faces::vertex_pairs(&loops, dimension);
        let edges = if const { V::DIM == 2 } {
            Vec::new()
        } else {
            faces::edges(&loops)
        };
        let mut hull = Self {
            normals: loops
                .iter()
                .map(|list| faces::normal(&vertices, list))
                .collect(),
            offsets: Vec::new(),
            alone: Vec::new(),
            has_precise_planes: false,
            first_edges: faces::first_edges(&edges, vertices.len()),
            edges,
            neighbours: IndexLists::adjacency(vertices.len(), &pairs),
            faces_at: loops.transposed(vertices.len()),
            sides: if const { V::DIM == 2 } && dimension == 2 && vertices.len() <= MOST_SIDES {
                let in_plane = |vertex: &V| vertex.to_precise().in_space().truncate();
                FourSides::all(&vertices.iter().map(in_plane).collect::<Vec<_>>())
            } else {
                Vec::new()
            },
            few: (vertices.len() <= eight_corners::MAX_POINTS)
                .then(|| EightCorners::new(&vertices)),
            search: Search::Scan(Scan::new(&vertices)),
            boundary: None,
            vertices,
            dimension,
            loops,
        };
        if hull.vertices.len() > f32_filter::MAX_VERTICES {
            hull.search = Search::HillClimbing(ClimbTables::new(&hull.vertices, &hull.neighbours));
        }
        hull.offsets = (0..hull.loops.len())
            .map(|face| hull.offset(face))
            .collect();
        hull.alone = hull.faces_alone();
        hull.has_precise_planes = dimension == 3 && hull.are_planes_precise();
        hull.boundary = Boundary::of(&hull).map(Box::new);
        hull
    }

    /// The greatest scalar product of a vertex with the normal of face `face`.
    fn offset(&self, face: usize) -> f64 {
        let (normal, list) = (self.normals[face], self.loops.get(face));
        let degree = |&&vertex: &&u32| self.neighbours(vertex).len();
        let farthest = match list.iter().min_by_key(degree) {
            Some(&near) if let Search::HillClimbing(tables) = &self.search => {
                let climb = tables.climb(&self.vertices, &self.neighbours);
                dispatch!(simd => climb.farthest(simd, normal, near))
            }
            _ => self.support_index(normal),
        };
        // Hill climbing finds the greatest product up to rounding. The vertices of the face itself must
        // not exceed it.
        list.iter()
            .chain([&farthest])
            .map(|&vertex| self.vertices[vertex as usize].to_precise().dot(normal))
            .fold(f64::NEG_INFINITY, f64::max)
    }

    /// Whether the corners of each face lie in its plane up to rounding. They do not where a face is so thin, relative to its
    /// coordinates, that rounding decides about its normal.
    fn are_planes_precise(&self) -> bool {
        let corners = || self.vertices.iter().map(|vertex| vertex.to_precise());
        let greatest = corners().fold(0.0, |most: f64, corner| most.max(corner.length()));
        self.faces().all(|face| {
            let is_on = |&vertex: &u32| {
                let along = self.vertices[vertex as usize].to_precise().dot(face.normal);
                face.offset - along <= tolerances::FACE_PLANE * greatest
            };
            face.normal != V::Precise::ZERO && face.vertices.iter().all(is_on)
        })
    }

    /// Whether the hull is solid, and all its normals are right up to rounding.
    #[inline]
    #[must_use]
    pub fn has_precise_planes(&self) -> bool {
        self.has_precise_planes
    }

    /// The vertices: the extreme points, each once. There is at least one. In 2D they are in
    /// counter-clockwise order.
    ///
    /// Points in the interior, on a face, or between two others on an edge are not vertices.
    #[must_use]
    pub fn vertices(&self) -> &[V] {
        &self.vertices
    }

    /// The dimension of the hull itself: 0 for a point, 1 for a segment, 2 for a polygon, 3 for a
    /// polyhedron.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The faces: polygons in 3D, and in 2D the edges in counter-clockwise order.
    ///
    /// A polygon in 3D and a segment in 2D have two faces, a front and a back. A segment in 3D and
    /// a point have none.
    pub fn faces(&self) -> impl ExactSizeIterator<Item = Face<'_, V>> {
        (0..self.normals.len()).map(|index| self.face(index))
    }

    /// Face `index`, counted from 0.
    ///
    /// # Panics
    /// If `index` is not less than the number of faces.
    #[inline]
    #[must_use]
    pub fn face(&self, index: usize) -> Face<'_, V> {
        Face {
            normal: self.normals[index],
            offset: self.offsets[index],
            vertices: self.loops.get(index),
        }
    }

    /// The edges between two faces in 3D, each once, in ascending order of their vertices. In 2D
    /// this is empty, because the faces are the edges. A segment in 3D has no faces, and so no
    /// edges either.
    #[must_use]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The number of the edge between two vertices, given in ascending order, among [`Self::edges`]. `None` if there is
    /// none.
    #[inline]
    #[must_use]
    pub fn edge_between(&self, vertices: [u32; 2]) -> Option<u32> {
        let first = *self.first_edges.get(vertices[0] as usize)?;
        let of_vertex = self.edges.get(first as usize..)?.iter().zip(first..);
        for (edge, number) in of_vertex {
            if edge.vertices >= vertices {
                return (edge.vertices == vertices).then_some(number);
            }
        }
        None
    }

    /// The outward unit normal of face `index`: that of [`Self::face`], without looking up anything else.
    #[inline]
    #[must_use]
    pub fn face_normal(&self, index: usize) -> V::Precise {
        self.normals[index]
    }

    /// The normal and the offset of face `index`: those of [`Self::face`], without looking up its vertices.
    #[inline]
    #[must_use]
    pub fn face_plane(&self, index: usize) -> (V::Precise, f64) {
        (self.normals[index], self.offsets[index])
    }

    /// The vertices that share an edge with `vertex`, in ascending order.
    ///
    /// # Panics
    /// If `vertex` is not less than the number of vertices.
    #[inline]
    #[must_use]
    pub fn neighbours(&self, vertex: u32) -> &[u32] {
        self.neighbours.get(vertex as usize)
    }

    /// The faces that share `vertex`, in ascending order; in 2D the two sides.
    ///
    /// # Panics
    /// If `vertex` is not less than the number of vertices.
    #[inline]
    #[must_use]
    pub fn faces_at(&self, vertex: u32) -> &[u32] {
        self.faces_at.get(vertex as usize)
    }

    /// The sides of a polygon in the plane, starting with the side from vertex 0 to vertex 1. It is
    /// empty for other hulls and for polygons of more than [`MOST_SIDES`] vertices.
    #[inline]
    #[must_use]
    pub fn sides(&self) -> &[FourSides] {
        &self.sides
    }

    /// The index of the support vertex: the vertex farthest along `direction`, up to the rounding
    /// of `f64`.
    ///
    /// The direction must be finite but need not have unit length. If several vertices are equally
    /// far, the choice among them depends on the direction only. Costs O(n) for up to 64 vertices.
    /// Larger hulls are searched by hill climbing along their edges, or by branch and bound where that
    /// would take long. The time for either hardly grows with n, unless very many vertices are
    /// equally far.
    #[inline]
    #[must_use]
    pub fn support_index(&self, direction: V::Precise) -> u32 {
        let DVec3 { x, y, z } = direction.in_space();
        self.farthest(x, y, z)
    }

    /// Implements [`Hull::support_index`]. The components are passed one by one so that they stay
    /// in registers: reading them from memory would stall.
    #[inline(never)]
    fn farthest(&self, x: f64, y: f64, z: f64) -> u32 {
        let direction = V::Precise::from_space(DVec3::new(x, y, z));
        dispatch!(simd => match &self.search {
            Search::Scan(scan) => self.farthest_of_few(simd, scan, direction),
            Search::HillClimbing(tables) => {
                let climb = tables.climb(&self.vertices, &self.neighbours);
                climb.farthest(simd, direction, tables.starts.start(direction))
            }
        })
    }

    /// [`Hull::support`] compiled for the instruction set `simd`. It finds the same vertex.
    #[inline(always)]
    #[must_use]
    pub fn support_in_lanes<S: Simd>(&self, simd: S, direction: V::Precise) -> V::Precise {
        let index = match &self.search {
            Search::Scan(scan) => self.farthest_of_few(simd, scan, direction),
            Search::HillClimbing(_) => self.support_index(direction),
        };
        self.vertices[index as usize].to_precise()
    }

    #[inline(always)]
    fn farthest_of_few<S: Simd>(&self, simd: S, scan: &Scan, direction: V::Precise) -> u32 {
        match &self.few {
            Some(few) => few.farthest(simd, direction) as u32,
            None => scan.farthest(simd, direction),
        }
    }

    /// The support point: the vertex of [`Hull::support_index`], in double precision.
    #[inline]
    #[must_use]
    pub fn support(&self, direction: V::Precise) -> V::Precise {
        self.vertices[self.support_index(direction) as usize].to_precise()
    }

    /// The vertices of a hull with at most eight; `None` for larger hulls.
    #[inline]
    pub(crate) fn eight_corners(&self) -> Option<&EightCorners> {
        self.few.as_ref()
    }

    /// The least and greatest coordinates of the vertices after they were rotated by `rotation`.
    #[must_use]
    pub fn extent(&self, rotation: &<V::Precise as PreciseVector>::Matrix) -> [V::Precise; 2] {
        if let Search::Scan(scan) = &self.search {
            return dispatch!(simd => scan.extent(simd, rotation));
        }
        let mut extent = [V::Precise::ZERO; 2];
        for k in 0..V::DIM {
            let row = rotation.row(k);
            let ends = [self.support(-row), self.support(row)];
            for (vector, end) in extent.iter_mut().zip(ends) {
                *vector = vector.with_component(k, end.dot(row));
            }
        }
        extent
    }

    /// The memory that the hull occupies, in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        size_of::<Self>()
            + self.vertices.capacity() * size_of::<V>()
            + self.normals.capacity() * size_of::<V::Precise>()
            + self.offsets.capacity() * size_of::<f64>()
            + self.alone.capacity() * size_of::<bool>()
            + self.edges.capacity() * size_of::<Edge>()
            + self.first_edges.capacity() * size_of::<u32>()
            + self.sides.capacity() * size_of::<FourSides>()
            + self
                .boundary
                .as_ref()
                .map_or(0, |boundary| boundary.memory())
            + self.loops.memory()
            + self.neighbours.memory()
            + self.faces_at.memory()
            + match &self.search {
                Search::Scan(scan) => scan.memory(),
                Search::HillClimbing(tables) => tables.memory(),
            }
    }
}

compile_once! {
    fn from_points<'a, V>(points: &'a [V]) -> Result<Hull<V>, HullError> {
        let points = sorted(points)?;
        let positions = points.iter().map(|point| point.to_precise().in_space());
        let outline = if const { V::DIM == 2 } {
            plane::convex_hull(&positions.map(|p| p.truncate()).collect::<Vec<_>>())
        } else {
            space::convex_hull(&positions.collect::<Vec<_>>())
        };
        Ok(Hull::assembled(&points, outline))
    }
}

/// The points in ascending order of x, then y, then z, without repetitions.
fn sorted<V: Vector>(points: &[V]) -> Result<Vec<V>, HullError> {
    if points.is_empty() {
        return Err(HullError::NoPoints);
    }
    for (index, point) in points.iter().enumerate() {
        for axis in 0..V::DIM {
            let value = point.component(axis);
            if !value.is_finite() {
                return Err(HullError::NotFinite { index, axis, value });
            }
        }
    }
    // Adding zero turns -0.0 into 0.0, so that equal points have equal bits.
    let mut sorted: Vec<V> = points.iter().map(|&point| point + V::ZERO).collect();
    sorted.sort_unstable_by(|a, b| {
        (0..V::DIM)
            .map(|axis| a.component(axis).total_cmp(&b.component(axis)))
            .find(|order| order.is_ne())
            .unwrap_or(core::cmp::Ordering::Equal)
    });
    sorted.dedup();
    Ok(sorted)
}
