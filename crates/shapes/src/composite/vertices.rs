//! What meshes and polylines share: lists of vertices, and elements that name them by index.

use clearance_math::{Aabb, Vector};
use clearance_tree::MAX_LEAVES;

use crate::ShapeError;

/// The most parts of a composite.
pub const MOST_PARTS: u32 = MAX_LEAVES as u32;

/// A list of elements, as errors name it.
#[derive(Clone, Copy)]
pub(super) struct List {
    /// The kind of the shape.
    pub(super) shape: &'static str,
    /// The name of the list.
    pub(super) field: &'static str,
}

impl List {
    pub(super) const TRIANGLES: Self = Self {
        shape: "mesh",
        field: "triangles",
    };
    pub(super) const SEGMENTS: Self = Self {
        shape: "polyline",
        field: "segments",
    };
    pub(super) const POINTS: Self = Self {
        shape: "points",
        field: "points",
    };
    pub(super) const CELLS: Self = Self {
        shape: "voxels",
        field: "cells",
    };
    pub(super) const PARTS: Self = Self {
        shape: "compound",
        field: "parts",
    };
}

/// The smallest box around some points.
pub(super) fn around<V: Vector>(points: &[V]) -> Aabb<V> {
    points.iter().fold(Aabb::empty(), |around, &point| {
        around.merged(&Aabb::new(point, point))
    })
}

/// The bits of a vertex, such that equal vertices have equal bits.
pub(super) fn bits<V: Vector>(vertex: V) -> [u32; 3] {
    let mut bits = [0; 3];
    for (k, bits) in bits.iter_mut().enumerate().take(V::DIM) {
        // Adding zero makes -0 positive.
        *bits = (vertex.component(k) + 0.0).to_bits();
    }
    bits
}

/// Checks that there are elements and not too many of them, and that they name existing vertices.
pub(super) fn check_indices<const CORNERS: usize>(
    list: List,
    elements: &[[u32; CORNERS]],
    vertices: usize,
) -> Result<(), ShapeError> {
    check_count(list, elements.len())?;
    for (index, element) in elements.iter().enumerate() {
        for &vertex in element {
            if vertex as usize >= vertices {
                return Err(ShapeError::NoSuchVertex {
                    shape: list.shape,
                    field: list.field,
                    index,
                    vertex,
                    vertices,
                });
            }
        }
    }
    Ok(())
}

/// Checks the number of parts of a composite.
pub(super) fn check_count(list: List, count: usize) -> Result<(), ShapeError> {
    if count == 0 || count > MOST_PARTS as usize {
        return Err(ShapeError::PartCount {
            shape: list.shape,
            field: list.field,
            count,
            most: MOST_PARTS,
        });
    }
    Ok(())
}

/// Checks that all vertices are finite. The error names the first element that uses the vertex.
pub(super) fn check_vertices<V: Vector, const CORNERS: usize>(
    list: List,
    elements: &[[u32; CORNERS]],
    vertices: &[V],
) -> Result<(), ShapeError> {
    let Some(vertex) = vertices.iter().position(|vertex| !vertex.is_finite()) else {
        return Ok(());
    };
    let is_wrong = |axis: &usize| !vertices[vertex].component(*axis).is_finite();
    let axis = (0..V::DIM).find(is_wrong).unwrap_or(0);
    let uses = |element: &[u32; CORNERS]| element.contains(&(vertex as u32));
    Err(ShapeError::Vertex {
        shape: list.shape,
        list: "vertices",
        vertex,
        axis,
        value: vertices[vertex].component(axis),
        user: elements
            .iter()
            .position(uses)
            .map(|index| (list.field, index)),
    })
}

/// Whether scaling by these factors turns right into left.
pub(crate) fn is_mirrored<V: Vector>(factors: V) -> bool {
    (0..V::DIM).fold(false, |is_odd, k| is_odd ^ (factors.component(k) < 0.0))
}
