//! The Gauss map of a small polyhedron, in single precision and in rows for SIMD code.
//!
//! The Gauss map is the unit sphere of directions. The outward normal of a face is a point on it, and an edge is the arc
//! between the normals of its two faces: along these directions both ends of the edge are farthest. Arcs bound regions in
//! which one vertex is farthest.

use clearance_math::lanes::{Simd, SimdBase, f32x16};
use clearance_math::{DVec3, PreciseVector, Vector};

use super::f32_filter::{MAX_VERTICES, RANGE, l1_size};
use super::faces::Edge;

/// The least cosine of the angle between the normals of two faces that share an edge: 143 degrees, which leaves 37 degrees
/// between the faces themselves. The chord of such an arc is 0.3 away from the origin.
const SHARPEST: f64 = -0.8;

/// The number of directions in a block.
pub const SIXTEEN: usize = 16;

/// Sixteen numbers in a row, aligned so that one instruction can load them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub struct SixteenNumbers(pub [f32; SIXTEEN]);

impl SixteenNumbers {
    /// The numbers in a register.
    #[inline(always)]
    #[must_use]
    pub fn load<S: Simd>(&self, simd: S) -> f32x16<S> {
        f32x16::load_array_ref(simd, &self.0)
    }
}

/// Sixteen unit vectors: all x, all y and all z.
pub type SixteenDirections = [SixteenNumbers; 3];

/// The directions of faces and edges of a polyhedron, in its own frame. Each component is rounded to single precision.
///
/// Directions of one block are near each other, so that what is known about some of them often decides about all. Unused
/// places of the last block are filled with copies of its last face or edge.
#[derive(Clone, Debug, PartialEq)]
pub struct GaussMap {
    normals: Vec<SixteenDirections>,
    faces: Vec<u32>,
    arcs: Vec<[SixteenDirections; 2]>,
    edges: Vec<u32>,
}

impl GaussMap {
    /// `None` for hulls of more than 64 vertices, and for those that are so large or small that products in single precision
    /// would be out of range. `None`, too, for hulls with an edge so sharp that its two faces are nearly back to back, since the
    /// arc between them is hardly determined.
    pub(super) fn new<V: Vector>(
        vertices: &[V],
        normals: &[V::Precise],
        edges: &[Edge],
    ) -> Option<Self> {
        if vertices.len() > MAX_VERTICES || !RANGE.contains(&l1_size(vertices)) {
            return None;
        }
        let normals: Vec<DVec3> = normals.iter().map(|normal| normal.in_space()).collect();
        let end = |edge: &Edge, end: usize| normals[edge.faces[end] as usize];
        if edges
            .iter()
            .any(|edge| end(edge, 0).dot(end(edge, 1)) < SHARPEST)
        {
            return None;
        }
        let middle = |edge: &Edge| end(edge, 0) + end(edge, 1);
        let faces = near_each_other(&normals);
        let edge_numbers = near_each_other(&edges.iter().map(middle).collect::<Vec<_>>());
        let of_arcs = |which: usize| {
            let direction = |&edge: &u32| end(&edges[edge as usize], which);
            blocks(edge_numbers.iter().map(direction))
        };
        Some(Self {
            normals: blocks(faces.iter().map(|&face| normals[face as usize])),
            faces,
            arcs: (of_arcs(0).into_iter().zip(of_arcs(1)))
                .map(|(from, to)| [from, to])
                .collect(),
            edges: edge_numbers,
        })
    }

    /// The outward unit normals of the faces.
    #[inline]
    #[must_use]
    pub fn normals(&self) -> &[SixteenDirections] {
        &self.normals
    }

    /// The number of the face to which each of [`Self::normals`] belongs.
    #[inline]
    #[must_use]
    pub fn faces(&self) -> &[u32] {
        &self.faces
    }

    /// The arcs of the edges: the normals of the first and of the second face of each.
    #[inline]
    #[must_use]
    pub fn arcs(&self) -> &[[SixteenDirections; 2]] {
        &self.arcs
    }

    /// The number of the edge to which each of [`Self::arcs`] belongs.
    #[inline]
    #[must_use]
    pub fn edges(&self) -> &[u32] {
        &self.edges
    }

    /// The memory that it occupies, in bytes.
    pub(super) fn memory(&self) -> usize {
        size_of::<Self>()
            + self.normals.capacity() * size_of::<SixteenDirections>()
            + self.arcs.capacity() * size_of::<[SixteenDirections; 2]>()
            + (self.faces.capacity() + self.edges.capacity()) * size_of::<u32>()
    }
}

/// The numbers of all directions, ordered such that the sixteen of each block are near each other.
fn near_each_other(directions: &[DVec3]) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..directions.len() as u32).collect();
    let mut parts = vec![numbers.as_mut_slice()];
    while let Some(part) = parts.pop() {
        if part.len() <= SIXTEEN {
            continue;
        }
        let positions = || part.iter().map(|&number| directions[number as usize]);
        let least = positions().fold(DVec3::INFINITY, DVec3::min);
        let greatest = positions().fold(DVec3::NEG_INFINITY, DVec3::max);
        let axis = (greatest - least).max_position();
        // Whole blocks on both sides.
        let half = part.len().div_ceil(SIXTEEN) / 2 * SIXTEEN;
        part.sort_unstable_by(|&one, &other| {
            let [p, q] = [one, other].map(|number| directions[number as usize][axis]);
            p.total_cmp(&q).then(one.cmp(&other))
        });
        let (before, after) = part.split_at_mut(half);
        parts.push(before);
        parts.push(after);
    }
    numbers
}

/// Arranges directions in blocks.
fn blocks(directions: impl Iterator<Item = DVec3>) -> Vec<SixteenDirections> {
    let directions: Vec<DVec3> = directions.collect();
    let block = |block: &[DVec3]| {
        let number = |lane: usize, axis: usize| block[lane.min(block.len() - 1)][axis] as f32;
        core::array::from_fn(|axis| SixteenNumbers(core::array::from_fn(|lane| number(lane, axis))))
    };
    directions.chunks(SIXTEEN).map(block).collect()
}
