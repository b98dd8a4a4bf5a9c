//! Surfaces of triangles that were given: meshes and height fields.

use std::collections::HashMap;

use clearance_math::{DVec3, PreciseVector, Vector};

use crate::Tessellation;
use crate::faceted::Crease;
use crate::tessellation::in_space;

/// One side of a triangle, between two vertices in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct TriangleSide {
    ends: [u32; 2],
    triangle: usize,
    /// Whether the triangle runs from the second end to the first.
    is_backwards: bool,
}

/// A surface of triangles. Equal corners become one vertex.
pub(crate) fn surface<V: Vector>(triangles: impl Iterator<Item = [V; 3]>) -> Tessellation {
    let mut found = Tessellation::default();
    let mut numbers = HashMap::<[u32; 3], u32>::new();
    for corners in triangles {
        // Numbers are given in the order in which the vertices come, so hashing does not show.
        found.triangles.push(corners.map(|corner| {
            let corner = in_space(corner);
            // Zero has two signs.
            let bits = corner
                .to_array()
                .map(|component| (component + 0.0).to_bits());
            *numbers.entry(bits).or_insert_with(|| {
                found.vertices.push(corner);
                found.vertices.len() as u32 - 1
            })
        }));
    }
    add_creases(&mut found, Crease::OF_PARTLY_ROUND);
    found
}

/// Adds the edges at which two triangles meet at an angle, and those that do not lie between two triangles.
pub(crate) fn add_creases(found: &mut Tessellation, crease: Crease) {
    if crease == Crease::OF_ROUNDED {
        return;
    }
    let position = |index: u32| found.vertices[index as usize].as_dvec3();
    let normals: Vec<Option<DVec3>> = (found.triangles.iter())
        .map(|triangle| {
            let [a, b, c] = triangle.map(position);
            (b - a).cross(c - a).direction()
        })
        .collect();
    let mut sides: Vec<TriangleSide> = sides(&found.triangles).collect();
    sides.sort_unstable();
    for group in sides.chunk_by(|a, b| a.ends == b.ends) {
        let is_smooth = if let [a, b] = group
            && let (Some(at_a), Some(at_b)) = (normals[a.triangle], normals[b.triangle])
        {
            // Two triangles that run along their common side in the same direction face opposite ways.
            let is_flipped = a.is_backwards == b.is_backwards;
            !crease.is_between(at_a, if is_flipped { -at_b } else { at_b })
        } else {
            false
        };
        if !is_smooth {
            found.edges.push(group[0].ends);
        }
    }
}

fn sides(triangles: &[[u32; 3]]) -> impl Iterator<Item = TriangleSide> {
    triangles
        .iter()
        .enumerate()
        .flat_map(|(triangle, &[a, b, c])| {
            let sides = [[a, b], [b, c], [c, a]].into_iter();
            sides
                .filter(|[from, to]| from != to)
                .map(move |[from, to]| TriangleSide {
                    ends: [from.min(to), from.max(to)],
                    triangle,
                    is_backwards: from > to,
                })
        })
}
