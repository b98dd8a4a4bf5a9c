//! The support vertex of a large hull by hill climbing: from vertex to vertex along edges, each time to
//! the neighbour that is farthest along the direction.
//!
//! Hulls are convex, so a vertex is the farthest one if none of its neighbours is farther. The start
//! vertex comes from a table and depends on the direction alone, not on earlier queries. So a query has
//! the same answer in every order and on every thread.
//!
//! Source: G. van den Bergen, "A Fast and Robust GJK Implementation for Collision Detection of
//! Convex Objects", 1999, for hill climbing. The table of start vertices is our own.

use clearance_math::internal::lanes::{Simd, dispatch};
use clearance_math::{PreciseVector, Vector};

use super::edge_blocks::{EdgeBlocks, LaneDirection, Step};
use super::index_lists::IndexLists;
use super::vertex_tree::VertexTree;

/// A climb may examine the number of vertices divided by this. A search of the vertex tree is faster
/// than a longer climb.
const BUDGET_DIVISOR: usize = 2;

/// The most vertices that a climb may examine, however many the hull has.
///
/// Climbs are short with two exceptions: along circles of many vertices, such as the ends of a cylinder,
/// for which no table is fine enough, and past vertices with very many neighbours.
const MAX_BUDGET: usize = 240;

/// About how many vertices a step of a climb examines.
const VERTICES_PER_STEP: usize = 6;

/// The approximate number of table cells for each vertex. More cells hardly make the climbs shorter.
const CELLS_PER_VERTEX: f64 = 2.0;

/// The start vertices: for each cell of directions, the vertex farthest along the centre of the cell.
///
/// The cells form a cube map, that is a grid on each face of a cube. Directions are scaled by the
/// bounding box of the vertices first, so that the cells are used evenly even if the hull is a needle.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StartTable<P> {
    /// Half the sides of the bounding box.
    half_extents: P,
    /// The number of cells along each side of a face of the cube.
    resolution: usize,
    /// The start vertex of each cell.
    starts: Vec<u32>,
}

impl<P: PreciseVector> StartTable<P> {
    /// Fills the table for a hull.
    pub(super) fn new<V: Vector<Precise = P>>(hull: &HillClimb<V>) -> Self {
        let count = hull.vertices.len();
        let faces = 2 * P::DIM;
        let cells = CELLS_PER_VERTEX * count as f64 / faces as f64;
        let resolution = if const { P::DIM == 2 } {
            cells
        } else {
            cells.sqrt()
        }
        .ceil() as usize;
        let mut table = Self {
            half_extents: half_extents(hull.vertices),
            resolution,
            starts: Vec::new(),
        };
        let mut start = 0;
        for cell in 0..faces * resolution.pow(P::DIM as u32 - 1) {
            let centre = table.centre(cell);
            start = dispatch!(simd => hull.farthest(simd, centre, start));
            table.starts.push(start);
        }
        table
    }

    /// The start vertex for `direction`, which need not have unit length.
    #[inline(always)]
    pub(super) fn start(&self, direction: P) -> u32 {
        let scaled = direction.scaled_by(self.half_extents).in_space().to_array();
        // Which component is the longest is hard to predict, so there is no branch.
        let mut major = 0;
        for k in 1..P::DIM {
            let is_longer = scaled[k].abs() > scaled[major].abs();
            major += (k - major) * usize::from(is_longer);
        }
        let length = scaled[major];
        let last = (self.resolution - 1) as f64;
        let half = 0.5 * self.resolution as f64;
        let scale = half / length.abs();
        let mut cell = 2 * major + usize::from(length < 0.0);
        for step in 1..P::DIM {
            let across = scaled[NEXT[P::DIM - 2][major + step]];
            // The centre of the first cell is at zero. A place that is out of range or NaN becomes
            // the first or the last cell.
            let place = across * scale + (half - 0.5);
            let place = if place > 0.0 { place } else { 0.0 };
            let place = if place < last { place } else { last };
            cell = cell * self.resolution + rounded(place);
        }
        self.starts[cell]
    }

    /// The direction of the centre of a cell; the inverse of the computation in [`Self::start`].
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
            // The bounding box of a flat hull has no extent along one axis. Then any start will do.
            let extent = self.half_extents.component(k).max(f64::MIN_POSITIVE);
            centre = centre.with_component(k, cube.component(k) / extent);
        }
        centre
    }

    /// The allocated memory in bytes.
    pub(super) fn memory(&self) -> usize {
        self.starts.capacity() * size_of::<u32>()
    }
}

/// The axes in cyclic order from axis 0, once for 2D and once for 3D; an index beyond the last axis
/// wraps around.
const NEXT: [[usize; 6]; 2] = [[0, 1, 0, 1, 0, 1], [0, 1, 2, 0, 1, 2]];

/// Rounds a number from 0 to 2^32 to the nearest whole number.
///
/// A number between 2^52 and 2^53 has no bits for fractions, so adding 2^52 rounds to a whole number,
/// which is then in the lowest bits.
#[inline]
fn rounded(number: f64) -> usize {
    const SHIFT: f64 = (1_u64 << 52) as f64;
    (number + SHIFT).to_bits() as u32 as usize
}

/// Half the sides of the bounding box of the vertices.
fn half_extents<V: Vector>(vertices: &[V]) -> V::Precise {
    let (low, high) = vertices
        .iter()
        .fold((vertices[0], vertices[0]), |(low, high), &vertex| {
            (low.min(vertex), high.max(vertex))
        });
    (high.to_precise() - low.to_precise()) * 0.5
}

/// The parts of a hull that hill climbing uses.
pub(super) struct HillClimb<'a, V: Vector> {
    pub(super) vertices: &'a [V],
    pub(super) neighbours: &'a IndexLists,
    pub(super) tree: &'a VertexTree<V::Precise>,
    pub(super) blocks: Option<&'a EdgeBlocks>,
}

impl<V: Vector> HillClimb<'_, V> {
    /// The vertex farthest along `direction`, up to rounding. The climb begins at vertex `start`.
    #[inline(always)]
    pub(super) fn farthest<S: Simd>(&self, simd: S, direction: V::Precise, start: u32) -> u32 {
        let Some(blocks) = self.blocks else {
            return self.climb_precisely(direction, start);
        };
        match blocks.lane_direction(simd, direction) {
            Some(lanes) => self.climb_by_blocks(blocks, direction, &lanes, start),
            None => self.climb_precisely(direction, start),
        }
    }

    /// Climbs in single precision. Steps for which that is not precise enough are taken in double
    /// precision.
    #[inline(always)]
    fn climb_by_blocks<S: Simd>(
        &self,
        blocks: &EdgeBlocks,
        direction: V::Precise,
        lanes: &LaneDirection<S>,
        start: u32,
    ) -> u32 {
        let mut here = start;
        for _ in 0..self.budget() / VERTICES_PER_STEP {
            match blocks.step(here, lanes) {
                Step::To(neighbour) => here = neighbour,
                Step::Farthest => return here,
                Step::TooManyNeighbours => break,
                Step::Uncertain => match self.steepest(direction, here) {
                    Some(neighbour) => here = neighbour,
                    None => return here,
                },
            }
        }
        self.tree.farthest(direction)
    }

    /// The number of vertices that a climb may examine.
    #[inline(always)]
    fn budget(&self) -> usize {
        (self.vertices.len() / BUDGET_DIVISOR).min(MAX_BUDGET)
    }

    /// Climbs in double precision, for hulls and directions that are out of the range of single
    /// precision.
    #[cold]
    fn climb_precisely(&self, direction: V::Precise, start: u32) -> u32 {
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

    /// The neighbour that is farthest along `direction`; `None` if none is farther than vertex `here`.
    #[inline(never)]
    fn steepest(&self, direction: V::Precise, here: u32) -> Option<u32> {
        let position = |vertex: u32| self.vertices[vertex as usize].to_precise();
        let (from, mut next, mut most) = (position(here), None, 0.0);
        for &neighbour in self.neighbours.get(here as usize) {
            // The product with the edge, not the difference of the products with its ends: for an
            // edge of length 1e-7 that would be rounding, and the climb might end too early.
            let rise = (position(neighbour) - from).dot(direction);
            if rise > most {
                (next, most) = (Some(neighbour), rise);
            }
        }
        next
    }
}
