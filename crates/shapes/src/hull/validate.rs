//! Checks that a hull is valid, for tests and for debugging.

use clearance_math::Inconsistent;
use clearance_math::internal::MapEach;
use clearance_math::internal::heap_sort;
use clearance_math::{PreciseVector, Vector, tolerances};

use super::Hull;
use super::faces::vertex_pairs;
use super::predicates::{height, orientation};

impl<V: Vector> Hull<V> {
    /// Checks that the hull is closed, convex and consistent; O(faces · vertices).
    ///
    /// Convexity is checked exactly at each edge, and up to rounding for all pairs of a face and a
    /// vertex.
    ///
    /// # Errors
    /// A message that says what is wrong. The vertices, faces and edges of a hull from
    /// [`Hull::from_points`] are always valid. Its planes are, too, unless the differences of its
    /// coordinates range over more than a factor of 10^9, which double precision cannot represent
    /// together; then a normal may be too imprecise.
    pub fn validate(&self) -> Result<(), Inconsistent> {
        self.validate_counts()?;
        self.validate_loops()?;
        self.validate_neighbours()?;
        self.validate_planes()?;
        if const { V::DIM == 2 } {
            self.validate_turns()?;
        } else {
            self.validate_edges()?;
        }
        Ok(())
    }

    /// Checks the numbers of vertices, faces and edges by the dimension and by Euler's formula.
    fn validate_counts(&self) -> Result<(), String> {
        let (vertices, edges, faces) = (self.vertices.len(), self.edges.len(), self.loops.len());
        let flat = const { V::DIM == 3 };
        let right = match self.dimension {
            0 => vertices == 1 && faces == 0 && edges == 0,
            1 => vertices == 2 && faces == if flat { 0 } else { 2 } && edges == 0,
            2 if flat => vertices >= 3 && faces == 2 && edges == vertices,
            2 => vertices >= 3 && faces == vertices && edges == 0,
            3 => vertices >= 4 && faces >= 4 && vertices + faces == edges + 2,
            _ => false,
        };
        let lengths = self.normals.len() == faces
            && self.offsets.len() == faces
            && self.neighbours.len() == vertices
            && self.faces_at.len() == vertices;
        ensure(right && lengths, || {
            let dimension = self.dimension;
            format!("{vertices} vertices, {edges} edges, {faces} faces in dimension {dimension}")
        })
    }

    /// Checks that every loop has enough vertices and none of them twice.
    fn validate_loops(&self) -> Result<(), String> {
        for (index, list) in self.loops.iter().enumerate() {
            let mut distinct = list.to_vec();
            heap_sort(&mut distinct, |one, other| one < other);
            distinct.dedup();
            let known = list.iter().all(|&v| (v as usize) < self.vertices.len());
            let full = list.len() >= V::DIM && distinct.len() == list.len();
            ensure(known && full, || {
                format!("face {index} runs through {list:?}")
            })?;
        }
        Ok(())
    }

    /// Checks that the neighbours are those of the loops, in both directions.
    fn validate_neighbours(&self) -> Result<(), String> {
        let mut pairs = Vec::new();
        for (a, list) in (0..).zip(self.neighbours.iter()) {
            for &b in list {
                let mutual = self.neighbours.get(b as usize).contains(&a);
                ensure(mutual, || {
                    format!("vertex {b} does not know its neighbour {a}")
                })?;
                if a < b {
                    pairs.push([a, b]);
                }
            }
        }
        let same = pairs == vertex_pairs(&self.loops, self.dimension);
        ensure(same, || {
            "neighbours differ from the edges of the faces".into()
        })
    }

    /// Checks that normals have unit length, that no vertex lies above a face, and that the
    /// vertices of a face lie in its plane.
    fn validate_planes(&self) -> Result<(), String> {
        let size = self.vertices.iter().fold(0.0, |size: f64, vertex| {
            (0..V::DIM).fold(size, |size, k| {
                size.max(f64::from(vertex.component(k)).abs())
            })
        });
        let slack = tolerances::HULL_PLANE_ROUNDING * size;
        for (index, face) in self.faces().enumerate() {
            let unit = (face.normal.length() - 1.0).abs() < 4.0 * f64::EPSILON;
            ensure(unit, || {
                format!("face {index} has normal {:?}", face.normal)
            })?;
            let products = self
                .vertices
                .iter()
                .map(|v| v.to_precise().dot(face.normal));
            let above = products.fold(f64::NEG_INFINITY, f64::max) - face.offset;
            ensure(above <= slack, || {
                format!("a vertex is {above} above face {index}")
            })?;
            for &vertex in face.vertices {
                let position = self.vertices[vertex as usize].to_precise();
                let below = face.offset - position.dot(face.normal);
                let on = (0.0..=slack).contains(&below);
                ensure(on, || {
                    format!("vertex {vertex} is {below} below its face {index}")
                })?;
            }
        }
        Ok(())
    }

    /// Checks exactly that a polygon in 2D turns counter-clockwise at each vertex.
    fn validate_turns(&self) -> Result<(), String> {
        let count = self.vertices.len();
        if self.dimension < 2 {
            return Ok(());
        }
        let point = |k: usize| self.vertices[k % count].to_precise().in_space().truncate();
        for k in 0..count {
            let left = orientation(point(k), point(k + 1), point(k + 2)) > 0.0;
            ensure(left, || format!("no turn after vertex {k}"))?;
        }
        Ok(())
    }

    /// Checks exactly that every edge separates two faces that meet at a convex angle.
    fn validate_edges(&self) -> Result<(), String> {
        for (index, edge) in self.edges.iter().enumerate() {
            let [a, b] = edge.vertices;
            let [left, right] = edge.faces.map_each(|face| self.loops.get(face as usize));
            let sides = follows(left, a, b) && follows(right, b, a);
            ensure(sides, || format!("edge {index} is not one of its faces"))?;
            if self.dimension < 3 {
                continue;
            }
            let point = |vertex: u32| self.vertices[vertex as usize].to_precise().in_space();
            let apex = left.iter().copied().find(|&v| v != a && v != b);
            let Some(apex) = apex else {
                return Err(format!("edge {index} has a face without a third vertex"));
            };
            let plane = [a, b, apex].map_each(point);
            let convex = right
                .iter()
                .filter(|&&v| v != a && v != b)
                .all(|&v| height(plane, point(v)) < 0.0);
            let level = left.iter().all(|&v| height(plane, point(v)) == 0.0);
            ensure(convex && level, || {
                format!("no convex angle at edge {index}")
            })?;
        }
        Ok(())
    }
}

/// Whether the loop runs from `a` directly to `b`.
fn follows(list: &[u32], a: u32, b: u32) -> bool {
    let at = |index: usize| list[index % list.len()];
    (0..list.len()).any(|index| at(index) == a && at(index + 1) == b)
}

/// An error with the given message unless `right` holds.
fn ensure(right: bool, complaint: impl FnOnce() -> String) -> Result<(), String> {
    if right { Ok(()) } else { Err(complaint()) }
}
