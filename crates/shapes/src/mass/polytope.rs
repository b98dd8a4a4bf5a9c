//! Points, segments, polygons and polyhedra, also rounded.
//!
//! A polytope is cut into simplices that have one corner of it in common. Rounding adds a piece for each of its faces of
//! every dimension, as in Steiner's formula: the points that are nearest to that face. Such a piece is a product of the face
//! and of the normals that lead away from it. The normals of an edge are an arc; those of a vertex in space are a spherical
//! polygon, whose integrals become sums over its arcs by the theorems of Gauss and Bonnet and of Stokes.

use core::f64::consts::TAU;

use clearance_math::{DMat3, DVec3, PreciseVector, Vector};

use super::moments::{Moments, mixed, outer};
use crate::Hull;

/// A hull of at least two points relative to its first vertex.
struct Polytope<'a, V: Vector> {
    hull: &'a Hull<V>,
    corners: Vec<DVec3>,
}

/// A face of codimension 2: a vertex in the plane, an edge in space.
struct Ridge {
    /// Its vertices: one in the plane, two in space.
    vertices: [u32; 2],
    along: DVec3,
    length: f64,
    /// Its normals.
    arc: Arc,
}

/// The unit vectors from one to another, on the shorter way, or all around.
struct Arc {
    angle: f64,
    moments: Moments,
}

impl Arc {
    fn new(middle: DVec3, along: DVec3, angle: f64) -> Self {
        let (half_sine, sine) = (libm::sin(0.5 * angle), libm::sin(angle));
        let across = along.cross(middle);
        let squares =
            outer(middle, middle) * (angle + sine) + outer(across, across) * (angle - sine);
        let moments = Moments {
            measure: angle,
            first: middle * (2.0 * half_sine),
            second: squares * 0.5,
        };
        Self { angle, moments }
    }

    /// Those between the normals of two faces at a ridge, around which the first face runs along `along`.
    fn between(along: DVec3, [first, second]: [DVec3; 2]) -> Self {
        // Out of each face, across the ridge. One of the sums is long, however flat or sharp the ridge is.
        let (normals, outwards) = (first + second, along.cross(first - second));
        let angle = 2.0 * libm::atan2(outwards.length(), normals.length());
        let middle = (normals + outwards).direction().unwrap_or(first);
        Self::new(middle, along, angle)
    }
}

/// The moments of a hull of at least two points, rounded by a radius, relative to its first vertex.
pub(super) fn moments<V: Vector>(hull: &Hull<V>, radius: f64) -> Moments {
    let position = |vertex: &V| vertex.to_precise().in_space();
    let first = position(&hull.vertices()[0]);
    let corners = hull
        .vertices()
        .iter()
        .map(|vertex| position(vertex) - first);
    let polytope = Polytope {
        hull,
        corners: corners.collect(),
    };
    let mut sum = polytope.inside();
    if radius > 0.0 {
        sum += polytope.beside_faces(radius);
        let ridges = polytope.ridges();
        for ridge in &ridges {
            sum += polytope.face(ridge).swept(&ridge.arc.moments, 2, radius);
        }
        if const { V::DIM == 3 } {
            let normals = polytope.normals_of_vertices(&ridges);
            for (&corner, normals) in polytope.corners.iter().zip(normals) {
                sum += Moments::of_point(corner).swept(&normals, 3, radius);
            }
        }
    }
    sum
}

/// Segments in the plane, triangles in space: what a face with these corners consists of.
pub(super) fn facets<P: Copy>(dimension: usize, list: &[P]) -> impl Iterator<Item = [P; 3]> {
    let skipped = dimension - 1;
    let last = list.len().saturating_sub(1);
    (skipped..=last).map(move |k| [list[0], list[k - 1], list[k]])
}

/// How much of a parallelogram or parallelepiped a simplex is.
pub(super) fn share(dimension: usize) -> f64 {
    if dimension == 2 { 0.5 } else { 1.0 / 6.0 }
}

/// The simplex between the origin and a facet, as if it filled the parallelepiped, so that less is rounded: see [`share`]. It is
/// positive where the outer side points away. In the plane facets have three corners, of which the first does not count.
pub(super) fn below(dimension: usize, [a, b, c]: [DVec3; 3]) -> Moments {
    if dimension == 2 {
        Moments::of_simplex(&[DVec3::ZERO, b, c], b.cross(c).z)
    } else {
        Moments::of_simplex(&[DVec3::ZERO, a, b, c], a.dot(b.cross(c)))
    }
}

impl<V: Vector> Polytope<'_, V> {
    fn corners_of<'a>(&self, list: &'a [u32]) -> impl Iterator<Item = [DVec3; 3]> + use<'a, '_, V> {
        facets(V::DIM, list).map(|facet| facet.map(|vertex| self.corners[vertex as usize]))
    }

    fn inside(&self) -> Moments {
        let mut sum = Moments::ZERO;
        if self.hull.dimension() == V::DIM {
            for facet in self
                .hull
                .faces()
                .flat_map(|face| self.corners_of(face.vertices))
            {
                let part = below(V::DIM, facet);
                // Seen from a vertex none is negative but for rounding, so that the centre cannot leave the hull.
                if part.measure > 0.0 {
                    sum += part;
                }
            }
        }
        sum * share(V::DIM)
    }

    fn beside_faces(&self, radius: f64) -> Moments {
        let mut sum = Moments::ZERO;
        for face in self.hull.faces() {
            let normal = Moments::of_point(face.normal.in_space());
            for [a, b, c] in self.corners_of(face.vertices) {
                let facet = if const { V::DIM == 2 } {
                    Moments::of_simplex(&[b, c], (c - b).length())
                } else {
                    Moments::of_simplex(&[a, b, c], 0.5 * (b - a).cross(c - a).length())
                };
                sum += facet.swept(&normal, 1, radius);
            }
        }
        sum
    }

    fn ridges(&self) -> Vec<Ridge> {
        let normal = |face: u32| self.hull.face_normal(face as usize).in_space();
        if const { V::DIM == 2 } {
            let count = self.corners.len() as u32;
            let at = |vertex: u32| Ridge {
                vertices: [vertex; 2],
                along: DVec3::Z,
                length: 1.0,
                arc: Arc::between(DVec3::Z, [(vertex + count - 1) % count, vertex].map(normal)),
            };
            return (0..count).map(at).collect();
        }
        let ridge = |vertices: [u32; 2], arc: &dyn Fn(DVec3) -> Arc| {
            let [a, b] = vertices.map(|vertex| self.corners[vertex as usize]);
            let along = (b - a).direction().unwrap_or(DVec3::X);
            Ridge {
                vertices,
                along,
                length: (b - a).length(),
                arc: arc(along),
            }
        };
        if self.hull.dimension() == 1 {
            return vec![ridge([0, 1], &|along| {
                Arc::new(along.perpendicular(), along, TAU)
            })];
        }
        let edges = self.hull.edges().iter();
        edges
            .map(|edge| {
                ridge(edge.vertices, &|along| {
                    Arc::between(along, edge.faces.map(normal))
                })
            })
            .collect()
    }

    fn face(&self, ridge: &Ridge) -> Moments {
        let [a, b] = ridge.vertices.map(|vertex| self.corners[vertex as usize]);
        if const { V::DIM == 2 } {
            Moments::of_point(a)
        } else {
            Moments::of_simplex(&[a, b], ridge.length)
        }
    }

    /// The normals of each vertex in space: a spherical polygon whose arcs are the normals of its edges, and whose corners are
    /// the normals of its faces, where the outline turns by the angle that the face has at the vertex.
    fn normals_of_vertices(&self, ridges: &[Ridge]) -> Vec<Moments> {
        let whole = Moments {
            measure: TAU,
            ..Moments::ZERO
        };
        let mut normals = vec![whole; self.corners.len()];
        for list in self.hull.faces().map(|face| face.vertices) {
            for (k, &vertex) in list.iter().enumerate() {
                let side = |other: usize| {
                    let other = list[other % list.len()] as usize;
                    self.corners[other] - self.corners[vertex as usize]
                };
                let (before, after) = (side(k + list.len() - 1), side(k + 1));
                let angle = libm::atan2(before.cross(after).length(), before.dot(after));
                normals[vertex as usize].measure -= angle;
            }
        }
        for ridge in ridges {
            let [a, b] = ridge.vertices;
            // Out of the polygon across the arc is along the edge. Components of a direction and traceless products of two
            // are eigenfunctions on the sphere, to the eigenvalues -2 and -6.
            for (vertex, outwards) in [(a, ridge.along), (b, -ridge.along)] {
                let normals = &mut normals[vertex as usize];
                normals.first += outwards * (-0.5 * ridge.arc.angle);
                normals.second += mixed(outwards, ridge.arc.moments.first) * (-1.0 / 6.0);
            }
        }
        for normals in &mut normals {
            normals.second += DMat3::IDENTITY * (normals.measure / 3.0);
        }
        normals
    }
}
