//! Triangle meshes.

use std::borrow::Cow;
use std::collections::HashMap;

use clearance_math::{Vec3, Vector};
use clearance_tree::Tree;

use super::{Composite, CompositeKind, Part};
use crate::composite::nodes::tree;
use crate::composite::vertices::{around, bits, check_indices, check_vertices};
use crate::{Shape, ShapeError};

/// A surface of triangles that share vertices. It has no inside.
///
/// Part i is triangle i. A triangle without area is a segment or a point, and stays a part.
///
/// With V vertices and T triangles a mesh takes about `12 V + 55 T` bytes, its tree included.
#[derive(Debug)]
pub struct Mesh<V: Vector> {
    vertices: Vec<V>,
    triangles: Vec<[u32; 3]>,
    tree: Tree<V>,
}

/// The tree follows from the rest.
impl<V: Vector> PartialEq for Mesh<V> {
    fn eq(&self, other: &Self) -> bool {
        self.vertices == other.vertices && self.triangles == other.triangles
    }
}

impl<V: Vector> Mesh<V> {
    pub(super) fn new(vertices: Vec<V>, triangles: Vec<[u32; 3]>) -> Result<Self, ShapeError> {
        check_indices("triangles", &triangles, vertices.len())?;
        check_vertices("triangles", &triangles, &vertices)?;
        let boxes = triangles
            .iter()
            .map(|triangle| around(&triangle.map(|index| vertices[index as usize])));
        let tree = tree(boxes)?;
        Ok(Self {
            vertices,
            triangles,
            tree,
        })
    }

    /// The vertices, in the frame of the body.
    #[must_use]
    pub fn vertices(&self) -> &[V] {
        &self.vertices
    }

    /// The triangles: three indices of vertices each.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The corners of a triangle.
    ///
    /// # Panics
    /// If there is no triangle with this number.
    #[inline]
    #[must_use]
    pub fn corners(&self, triangle: u32) -> [V; 3] {
        self.triangles[triangle as usize].map(|index| self.vertices[index as usize])
    }

    pub(super) fn tree(&self) -> &Tree<V> {
        &self.tree
    }

    pub(super) fn part(&self, number: u32) -> Option<Part<'_, V>> {
        let triangle = self.triangles.get(number as usize)?;
        let [a, b, c] = triangle.map(|index| self.vertices[index as usize]);
        Some(Part {
            shape: Cow::Owned(Shape::triangle_of(a, b, c)),
            pose: None,
        })
    }

    pub(super) fn memory(&self) -> usize {
        self.vertices.capacity() * size_of::<V>()
            + self.triangles.capacity() * size_of::<[u32; 3]>()
            + self.tree.memory()
    }
}

impl Shape<Vec3> {
    /// A surface of triangles, each of which is given by the indices of three `vertices`. Several
    /// triangles may use a vertex.
    ///
    /// The surface has no inside: what lies within a closed mesh and does not touch it does not
    /// overlap it. The signed distance of a mesh is the least of those of its triangles. Costs O(n
    /// log n) for n triangles.
    ///
    /// ```
    /// use clearance::dim3::{Placed, Pose, Shape, Vec3, proximity};
    ///
    /// let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::new(1.0, 0.0, 1.0)];
    /// let floor = Shape::mesh(corners, vec![[0, 2, 1], [1, 2, 3]])?;
    /// let ball = Shape::ball(0.5)?;
    /// let above = Pose::from_translation(Vec3::new(0.8, 2.0, 0.8));
    /// let (floor, ball) = (Placed::new(&floor, &Pose::IDENTITY), Placed::new(&ball, &above));
    /// let near = proximity(floor, ball, f32::INFINITY)?.near().unwrap();
    /// assert_eq!((near.distance, near.part_a), (1.5, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// No triangles, an index that belongs to no vertex, or a coordinate that is not finite. The
    /// error names the triangle.
    pub fn mesh(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<Self, ShapeError> {
        let mesh = Mesh::new(vertices, triangles)?;
        Ok(Composite::new(CompositeKind::Mesh(mesh)).into())
    }

    /// A mesh like that of [`Shape::mesh`] whose equal vertices have been made one, and whose unused
    /// vertices have been left out. Triangles keep their numbers.
    ///
    /// Files that list three vertices for each triangle, as STL does, take half the memory then.
    /// Distances and rays do not depend on it: they go by coordinates.
    ///
    /// ```
    /// use clearance::dim3::{Shape, Vec3};
    ///
    /// let soup = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X, Vec3::Y, Vec3::ONE];
    /// let mesh = Shape::mesh_welded(&soup, &[[0, 1, 2], [3, 5, 4]])?;
    /// assert_eq!(mesh, Shape::mesh(
    ///     vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ONE],
    ///     vec![[0, 1, 2], [1, 3, 2]],
    /// )?);
    /// # Ok::<(), clearance::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Shape::mesh`].
    pub fn mesh_welded(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Result<Self, ShapeError> {
        check_indices("triangles", triangles, vertices.len())?;
        check_vertices("triangles", triangles, vertices)?;
        let mut numbers = HashMap::<[u32; 3], u32>::new();
        let mut welded = Vec::new();
        let mut triangles = triangles.to_vec();
        let mut is_used = vec![false; vertices.len()];
        for index in triangles.iter().flatten() {
            is_used[*index as usize] = true;
        }
        // In the order of the vertices, so that the result does not depend on hashing.
        let mut new_index = vec![0; vertices.len()];
        for (old, &vertex) in vertices.iter().enumerate().filter(|(old, _)| is_used[*old]) {
            new_index[old] = *numbers.entry(bits(vertex)).or_insert_with(|| {
                welded.push(vertex);
                welded.len() as u32 - 1
            });
        }
        for index in triangles.iter_mut().flatten() {
            *index = new_index[*index as usize];
        }
        Self::mesh(welded, triangles)
    }
}
