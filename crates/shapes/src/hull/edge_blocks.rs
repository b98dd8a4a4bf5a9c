//! The edges around each vertex in blocks of eight for SIMD, to find the steepest one quickly in single
//! precision.

use clearance_math::internal::lanes::{Simd, SimdBase, SimdMask, f32x8};
use clearance_math::{PreciseVector, Vector, tolerances};

use super::f32_filter::{
    F32Row, LANES, RANGE, greatest, l1_size, largest_component, products, splat,
};
use super::index_lists::IndexLists;

/// The most blocks of one vertex that are examined. Hill climbing gives up at vertices with more
/// neighbours.
const MAX_BLOCKS: usize = 8;

/// The flag of a last entry that contains the index of the vertex's next block instead of an end.
const NEXT_BLOCK: u32 = 1 << 31;

/// The edges from each vertex to its neighbours, in single precision.
///
/// A step of hill climbing then reads about 128 bytes in one place, while the coordinates of the
/// neighbours are scattered in memory.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct EdgeBlocks {
    /// The first block of each vertex, followed by further blocks of vertices with many neighbours.
    blocks: Vec<EdgeBlock>,
    /// The greatest sum of the absolute coordinates of an edge.
    size: f64,
}

/// Up to [`LANES`] edges from a vertex. Unused entries are copies of the last edge.
#[derive(Clone, Copy, Debug, PartialEq)]
struct EdgeBlock {
    /// The coordinates of the edges: first all x, then all y, then all z, which are zero in 2D.
    edges: [F32Row; 3],
    /// The vertices at the other ends. The last entry may instead be the index of the next block, marked
    /// by [`NEXT_BLOCK`].
    ends: [u32; LANES],
}

/// The next step of hill climbing from a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    /// To this neighbour, which is farther along the direction. Up to rounding, it is the farthest.
    To(u32),
    /// None: the vertex is farther than all of its neighbours.
    Farthest,
    /// Unknown: single precision is not precise enough.
    Uncertain,
    /// Unknown: the vertex has too many neighbours to examine.
    TooManyNeighbours,
}

/// A direction, prepared for [`EdgeBlocks::step`].
pub(super) struct LaneDirection<S: Simd> {
    lanes: [f32x8<S>; 3],
    /// The greatest rounding error of a scalar product with an edge.
    rounding: f32,
}

impl EdgeBlocks {
    /// The blocks of a hull; `None` if it is too large or too small for single precision, or if a vertex
    /// has no neighbours.
    pub(super) fn new<V: Vector>(vertices: &[V], neighbours: &IndexLists) -> Option<Self> {
        let is_ordinary =
            RANGE.contains(&l1_size(vertices)) && vertices.len() < NEXT_BLOCK as usize;
        if !is_ordinary || neighbours.iter().any(<[u32]>::is_empty) {
            return None;
        }
        let mut blocks = Self {
            blocks: vec![EdgeBlock::EMPTY; neighbours.len()],
            size: 0.0,
        };
        for (vertex, around) in neighbours.iter().enumerate() {
            let from = vertices[vertex].to_precise();
            let edge = |&end: &u32| (end, vertices[end as usize].to_precise() - from);
            let edges: Vec<_> = around.iter().map(edge).collect();
            for (_, edge) in &edges {
                let sum = (0..V::DIM).fold(0.0, |sum, k| sum + edge.component(k).abs());
                blocks.size = blocks.size.max(sum);
            }
            blocks.fill(vertex, &edges);
        }
        Some(blocks)
    }

    /// Writes the edges of a vertex into block `block`, and those that do not fit into new blocks.
    fn fill<P: PreciseVector>(&mut self, mut block: usize, mut edges: &[(u32, P)]) {
        while edges.len() > LANES {
            let (some, rest) = edges.split_at(LANES - 1);
            let next = self.blocks.len();
            self.blocks[block] = EdgeBlock::of(some);
            self.blocks[block].ends[LANES - 1] = NEXT_BLOCK | next as u32;
            self.blocks.push(EdgeBlock::EMPTY);
            (block, edges) = (next, rest);
        }
        self.blocks[block] = EdgeBlock::of(edges);
    }

    /// Prepares a direction for [`EdgeBlocks::step`]; `None` if it is out of the range of single
    /// precision.
    #[inline(always)]
    pub(super) fn lane_direction<S: Simd, P: PreciseVector>(
        &self,
        simd: S,
        direction: P,
    ) -> Option<LaneDirection<S>> {
        let largest = largest_component(direction);
        if !RANGE.contains(&largest) {
            return None;
        }
        Some(LaneDirection {
            lanes: splat(simd, direction),
            rounding: (tolerances::F32_PRODUCT_ROUNDING * self.size * largest) as f32,
        })
    }

    /// The next step of hill climbing from `vertex`.
    #[inline(always)]
    pub(super) fn step<S: Simd>(&self, vertex: u32, direction: &LaneDirection<S>) -> Step {
        let mut block = &self.blocks[vertex as usize];
        let (mut rise, mut end) = block.steepest(direction);
        let mut left = MAX_BLOCKS;
        while block.ends[LANES - 1] & NEXT_BLOCK != 0 {
            left -= 1;
            if left == 0 {
                return Step::TooManyNeighbours;
            }
            block = &self.blocks[(block.ends[LANES - 1] ^ NEXT_BLOCK) as usize];
            let (other, other_end) = block.steepest(direction);
            if other > rise {
                (rise, end) = (other, other_end);
            }
        }
        if rise > direction.rounding {
            Step::To(end)
        } else if rise < -direction.rounding {
            Step::Farthest
        } else {
            Step::Uncertain
        }
    }

    /// The allocated memory in bytes.
    pub(super) fn memory(&self) -> usize {
        self.blocks.capacity() * size_of::<EdgeBlock>()
    }
}

impl EdgeBlock {
    const EMPTY: Self = Self {
        edges: [F32Row([0.0; LANES]); 3],
        ends: [0; LANES],
    };

    /// A block of at least one and at most [`LANES`] edges.
    fn of<P: PreciseVector>(edges: &[(u32, P)]) -> Self {
        let mut block = Self::EMPTY;
        for lane in 0..LANES {
            let (end, edge) = edges[lane.min(edges.len() - 1)];
            block.ends[lane] = end;
            let edge = edge.in_space().as_vec3();
            for axis in 0..3 {
                block.edges[axis].0[lane] = edge[axis];
            }
        }
        block
    }

    /// The greatest scalar product of an edge with the direction, and the end of the first edge that has
    /// it.
    #[inline(always)]
    fn steepest<S: Simd>(&self, direction: &LaneDirection<S>) -> (f32, u32) {
        #[cfg(test)]
        super::cost::count_step();
        let rises = products(&self.edges, direction.lanes);
        let most = greatest(rises);
        let mask = rises.simd_ge(most).to_bitmask();
        let lane = mask.trailing_zeros() as usize % LANES;
        // The last entry may be a link to the next block. Its edge is a copy, so it is never the first.
        (most, self.ends[lane])
    }
}
