//! Triangles and edges of a hull.

use clearance_math::{PreciseVector, Vector};
use clearance_shapes::Hull;

use crate::Tessellation;

/// Two faces meet in an edge worth drawing if the cosine of the angle between their normals is less
/// than this.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) struct Crease(f64);

impl Crease {
    /// For surfaces without facets: 1 degree.
    pub(crate) const OF_FLAT: Self = Self(0.9998);
    /// For surfaces that are rounded everywhere: no edge.
    pub(crate) const OF_ROUNDED: Self = Self(-2.0);
    /// For surfaces that stand for round ones in part, or for ground: 30 degrees. Facets of what
    /// is round meet at less.
    pub(crate) const OF_PARTLY_ROUND: Self = Self(0.866);

    /// Whether two faces with these unit normals meet in an edge worth drawing.
    pub(crate) fn is_between<P: PreciseVector>(self, a: P, b: P) -> bool {
        !(a.dot(b) >= self.0)
    }
}

/// The surface of a hull in 3D, the hull filled in 2D.
pub(crate) fn faceted<V: Vector>(hull: &Hull<V>, crease: Crease) -> Tessellation {
    let mut found = Tessellation::of_points(hull.vertices());
    if hull.dimension() == 1 {
        found.edges.push([0, 1]);
    } else if V::DIM == 2 {
        let count = found.vertices.len() as u32;
        found.fill(&(0..count).collect::<Vec<_>>());
        let sides = hull
            .faces()
            .filter_map(|side| side.vertices.try_into().ok());
        found.edges = sides.collect();
    } else {
        for face in hull.faces() {
            found.fill(face.vertices);
        }
        let normal = |face: u32| hull.face(face as usize).normal;
        let edges = hull.edges().iter();
        let sharp = edges.filter(|edge| {
            let [a, b] = edge.faces.map(normal);
            crease.is_between(a, b)
        });
        found.edges = sharp.map(|edge| edge.vertices).collect();
    }
    found
}
