//! The triangles and edges of a shape.

use clearance_math::{RelativePose, Vec3, Vector};

/// The surface of a shape as triangles, and the edges worth drawing, in the frame of its body.
///
/// In 3D the triangles are the surface, and run counter-clockwise seen from outside; those of meshes
/// run as they were given. In 2D they fill the shape, run counter-clockwise, and the edges are its
/// outline. A segment or a polyline has edges only, a single point neither.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tessellation {
    /// The vertices; in 2D their z is zero.
    pub vertices: Vec<Vec3>,
    /// Three indices of vertices each.
    pub triangles: Vec<[u32; 3]>,
    /// Two indices of vertices each: where two faces meet at an angle, the border of an open surface, the
    /// outline of a shape in 2D. The facets of what is round have none.
    pub edges: Vec<[u32; 2]>,
}

impl Tessellation {
    /// The vertices of points of the plane or of space, without triangles and edges.
    pub(crate) fn of_points<V: Vector>(points: &[V]) -> Self {
        Self {
            vertices: points.iter().copied().map(in_space).collect(),
            ..Self::default()
        }
    }

    /// Adds triangles that fill a convex polygon, whose vertices are given by their indices.
    pub(crate) fn fill(&mut self, polygon: &[u32]) {
        let [first, rest @ ..] = polygon else { return };
        let fan = rest.windows(2).map(|pair| [*first, pair[0], pair[1]]);
        self.triangles.extend(fan);
    }

    /// Adds another shape at its pose.
    pub(crate) fn add<V: Vector>(&mut self, part: Self, pose: &RelativePose<V::Precise>) {
        let first = self.vertices.len() as u32;
        let placed = |vertex: Vec3| {
            let point = from_space::<V>(vertex).to_precise();
            in_space(V::from_precise(pose.transform_point(point)))
        };
        self.vertices.extend(part.vertices.into_iter().map(placed));
        let triangles = part.triangles.into_iter();
        self.triangles
            .extend(triangles.map(|triangle| triangle.map(|index| first + index)));
        let edges = part.edges.into_iter();
        self.edges
            .extend(edges.map(|edge| edge.map(|index| first + index)));
    }
}

/// A vector with z = 0 if it is one of the plane.
pub(crate) fn in_space<V: Vector>(vector: V) -> Vec3 {
    (0..V::DIM).fold(Vec3::ZERO, |found, k| {
        found.with_component(k, vector.component(k))
    })
}

/// The inverse of [`in_space`].
pub(crate) fn from_space<V: Vector>(vector: Vec3) -> V {
    V::from_fn(|k| vector.component(k))
}
