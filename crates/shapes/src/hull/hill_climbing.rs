//! The farthest vertex by walking uphill from a vertex that is already close.
//!
//! A polyhedron is convex, so a vertex no neighbour of which lies farther is the farthest.
//! Where to start depends on the direction alone, not on earlier questions: the same question
//! always has the same answer, in every order and on every thread.
//!
//! Source: G. van den Bergen, "A Fast and Robust GJK Implementation for Collision Detection of
//! Convex Objects", 1999, for the walk; the table of starts is ours.

use clearance_math::lanes::{Simd, dispatch, level};
use clearance_math::{PreciseVector, Vector};

use super::edge_blocks::{Along, EdgeBlocks, Step};
use super::lists::Lists;
use super::vertex_tree::VertexTree;

/// A walk may look at one in this many vertices; then a search in the tree is the better choice.
const BUDGET_DIVISOR: usize = 2;

/// The most vertices that a walk may look at, however many there are.
///
/// Walks are short except around rims, such as the ends of a cylinder, where no table is fine enough, and
/// at vertices with very many neighbours.
const MOST_BUDGET: usize = 240;

/// About how many vertices a step looks at.
const VERTICES_A_STEP: usize = 6;

/// How many cells of the table there are for each vertex, about: more hardly shorten the walks.
const CELLS_PER_VERTEX: f64 = 2.0;

/// Where walks start: for each cell of directions the vertex farthest along its centre.
///
/// The cells are those of a grid on the faces of the box around the vertices, stretched to a cube
/// so that the tips of a needle do not take nearly all cells.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Climb<P> {
    /// Half the sides of the box.
    half_extents: P,
    /// Cells along each side of a face of the cube.
    resolution: usize,
    starts: Vec<u32>,
}

impl<P: PreciseVector> Climb<P> {
    /// The table for a hull.
    pub(super) fn new<V: Vector<Precise = P>>(hull: &Uphill<V>) -> Self {
        let count = hull.vertices.len();
        let faces = 2 * P::DIM;
        let cells = CELLS_PER_VERTEX * count as f64 / faces as f64;
        let resolution = if P::DIM == 2 { cells } else { cells.sqrt() }.ceil() as usize;
        let mut table = Self {
            half_extents: half_extents(hull.vertices),
            resolution,
            starts: Vec::new(),
        };
        let mut start = 0;
        for cell in 0..faces * resolution.pow(P::DIM as u32 - 1) {
            let centre = table.centre(cell);
            start = dispatch!(level(), simd => hull.farthest(simd, centre, start));
            table.starts.push(start);
        }
        table
    }

    /// Where to start for `direction`, which need not be of unit length.
    #[inline(always)]
    pub(super) fn start(&self, direction: P) -> u32 {
        let stretched = direction.scaled_by(self.half_extents).in_space().to_array();
        // Which is longest cannot be predicted.
        let mut major = 0;
        for k in 1..P::DIM {
            let is_longer = stretched[k].abs() > stretched[major].abs();
            major += (k - major) * usize::from(is_longer);
        }
        let length = stretched[major];
        let last = (self.resolution - 1) as f64;
        let half = 0.5 * self.resolution as f64;
        let scale = half / length.abs();
        let mut cell = 2 * major + usize::from(length < 0.0);
        for step in 1..P::DIM {
            let across = stretched[NEXT[P::DIM - 2][major + step]];
            // The middle of the first cell is at zero. What is out of range or not a number
            // becomes the first or the last cell.
            let place = across * scale + (half - 0.5);
            let place = if place > 0.0 { place } else { 0.0 };
            let place = if place < last { place } else { last };
            cell = cell * self.resolution + rounded(place);
        }
        self.starts[cell]
    }

    /// The direction of the centre of a cell, as `start` counts them.
    fn centre(&self, cell: usize) -> P {
        let mut rest = cell;
        let mut places = [0.0; 2];
        for step in (1..P::DIM).rev() {
            let place = (rest % self.resolution) as f64;
            places[step - 1] = (place + 0.5) / (0.5 * self.resolution as f64) - 1.0;
            rest /= self.resolution;
        }
        let major = rest / 2;
        let mut cube =
            P::ZERO.with_component(major, if rest.is_multiple_of(2) { 1.0 } else { -1.0 });
        for step in 1..P::DIM {
            cube = cube.with_component((major + step) % P::DIM, places[step - 1]);
        }
        let mut centre = cube;
        for k in 0..P::DIM {
            // A flat box gives no direction along its normal; any start does there.
            let extent = self.half_extents.component(k).max(f64::MIN_POSITIVE);
            centre = centre.with_component(k, cube.component(k) / extent);
        }
        centre
    }

    /// The bytes allocated.
    pub(super) fn memory(&self) -> usize {
        self.starts.capacity() * size_of::<u32>()
    }
}

/// The axes one after the other, twice around, in the plane and in space.
const NEXT: [[usize; 6]; 2] = [[0, 1, 0, 1, 0, 1], [0, 1, 2, 0, 1, 2]];

/// The nearest whole number to one from 0 to 2^32.
///
/// Numbers from 2^52 on have the place of ones in their last bit.
#[inline]
fn rounded(number: f64) -> usize {
    const SHIFT: f64 = (1_u64 << 52) as f64;
    (number + SHIFT).to_bits() as u32 as usize
}

/// Half the sides of the box around the vertices.
fn half_extents<V: Vector>(vertices: &[V]) -> V::Precise {
    let (low, high) = vertices
        .iter()
        .fold((vertices[0], vertices[0]), |(low, high), &vertex| {
            (low.min(vertex), high.max(vertex))
        });
    (high.to_precise() - low.to_precise()) * 0.5
}

/// What a walk needs to know of a hull.
pub(super) struct Uphill<'a, V: Vector> {
    pub(super) vertices: &'a [V],
    pub(super) neighbours: &'a Lists,
    pub(super) tree: &'a VertexTree<V::Precise>,
    pub(super) blocks: Option<&'a EdgeBlocks>,
}

impl<V: Vector> Uphill<'_, V> {
    /// A vertex with the greatest scalar product up to rounding, from vertex `start`.
    #[inline(always)]
    pub(super) fn farthest<S: Simd>(&self, simd: S, direction: V::Precise, start: u32) -> u32 {
        let Some(blocks) = self.blocks else {
            return self.farthest_by_rises(direction, start);
        };
        match blocks.along(simd, direction) {
            Some(along) => self.farthest_by_blocks(direction, start, (blocks, &along)),
            None => self.farthest_by_rises(direction, start),
        }
    }

    /// The walk in single precision, where that is certain; else a step in double precision.
    #[inline(always)]
    fn farthest_by_blocks<S: Simd>(
        &self,
        direction: V::Precise,
        start: u32,
        (blocks, along): (&EdgeBlocks, &Along<S>),
    ) -> u32 {
        let mut here = start;
        for _ in 0..self.budget() / VERTICES_A_STEP {
            match blocks.step(here, along) {
                Step::To(neighbour) => here = neighbour,
                Step::Stay => return here,
                Step::Crowded => break,
                Step::Unclear => match self.steepest(direction, here) {
                    Some(neighbour) => here = neighbour,
                    None => return here,
                },
            }
        }
        self.tree.farthest(direction)
    }

    /// How many vertices a walk may look at.
    #[inline(always)]
    fn budget(&self) -> usize {
        (self.vertices.len() / BUDGET_DIVISOR).min(MOST_BUDGET)
    }

    /// The walk in double precision, for hulls and directions out of the range of single precision.
    #[cold]
    fn farthest_by_rises(&self, direction: V::Precise, start: u32) -> u32 {
        let mut budget = self.budget();
        let mut here = start;
        loop {
            let around = self.neighbours.get(here as usize);
            if around.len() > budget {
                return self.tree.farthest(direction);
            }
            budget -= around.len();
            match self.steepest(direction, here) {
                Some(neighbour) => here = neighbour,
                None => return here,
            }
        }
    }

    /// The neighbour that lies farthest, if one lies farther than vertex `here`.
    #[inline(never)]
    fn steepest(&self, direction: V::Precise, here: u32) -> Option<u32> {
        let position = |vertex: u32| self.vertices[vertex as usize].to_precise();
        let (from, mut next, mut most) = (position(here), None, 0.0);
        for &neighbour in self.neighbours.get(here as usize) {
            // The rise of the edge, not the difference of two products: along an edge of
            // length 1e-7 that would be rounding, and the walk might end halfway.
            let rise = (position(neighbour) - from).dot(direction);
            if rise > most {
                (next, most) = (Some(neighbour), rise);
            }
        }
        next
    }
}
