//! The edges around each vertex in lanes, to see at once which of them rise.

use clearance_math::lanes::{Simd, SimdBase, SimdMask, f32x8};
use clearance_math::{PreciseVector, Vector, tolerances};

use super::lists::Lists;
use super::sieve::{Eight, LANES, RANGE, greatest, in_lanes, l1_size, largest, products};

/// How many blocks of one vertex are looked at: vertices with more neighbours than these hold are too much
/// for a walk.
const MOST_BLOCKS: usize = 8;

/// Marks the last place of a block that holds the number of the vertex's next block.
const LINK: u32 = 1 << 31;

/// The edges from each vertex to its neighbours, in single precision.
///
/// A step of a walk then reads some 128 bytes in one place, where the neighbours themselves lie
/// anywhere.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct EdgeBlocks {
    /// The first block of each vertex, then further blocks of those with many neighbours.
    blocks: Vec<EdgeBlock>,
    /// The greatest sum of the coordinates of an edge, without their signs.
    size: f64,
}

/// Up to [`LANES`] edges from a vertex; filled up with copies of the last one.
#[derive(Clone, Copy, Debug, PartialEq)]
struct EdgeBlock {
    /// First all x, then all y, then all z, which are zero in the plane.
    edges: [Eight; 3],
    ends: [u32; LANES],
}

/// Where to go from a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    /// This neighbour lies farther; none by much more.
    To(u32),
    /// No neighbour lies as far.
    Stay,
    /// Single precision does not tell.
    Unclear,
    /// The vertex has too many neighbours to look at.
    Crowded,
}

/// A direction in single precision.
pub(super) struct Along<S: Simd> {
    lanes: [f32x8<S>; 3],
    /// How much of a rise may be rounding.
    blur: f32,
}

impl EdgeBlocks {
    /// The blocks of a hull of ordinary size with at least one neighbour to each vertex, `None` for others.
    pub(super) fn new<V: Vector>(vertices: &[V], neighbours: &Lists) -> Option<Self> {
        let is_ordinary = RANGE.contains(&l1_size(vertices)) && vertices.len() < LINK as usize;
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

    /// Writes edges into the block `place` and as many more as they need.
    fn fill<P: PreciseVector>(&mut self, mut place: usize, mut edges: &[(u32, P)]) {
        while edges.len() > LANES {
            let (some, rest) = edges.split_at(LANES - 1);
            let next = self.blocks.len();
            self.blocks[place] = EdgeBlock::of(some);
            self.blocks[place].ends[LANES - 1] = LINK | next as u32;
            self.blocks.push(EdgeBlock::EMPTY);
            (place, edges) = (next, rest);
        }
        self.blocks[place] = EdgeBlock::of(edges);
    }

    /// A direction as [`EdgeBlocks::step`] wants it; `None` for those out of range.
    #[inline(always)]
    pub(super) fn along<S: Simd, P: PreciseVector>(
        &self,
        simd: S,
        direction: P,
    ) -> Option<Along<S>> {
        let largest = largest(direction);
        if !RANGE.contains(&largest) {
            return None;
        }
        Some(Along {
            lanes: in_lanes(simd, direction),
            blur: (tolerances::SIEVE_BLUR * self.size * largest) as f32,
        })
    }

    /// Where to go from `vertex`.
    #[inline(always)]
    pub(super) fn step<S: Simd>(&self, vertex: u32, along: &Along<S>) -> Step {
        let mut block = &self.blocks[vertex as usize];
        let (mut rise, mut end) = block.steepest(along);
        let mut left = MOST_BLOCKS;
        while block.ends[LANES - 1] & LINK != 0 {
            left -= 1;
            if left == 0 {
                return Step::Crowded;
            }
            block = &self.blocks[(block.ends[LANES - 1] ^ LINK) as usize];
            let (other, other_end) = block.steepest(along);
            if other > rise {
                (rise, end) = (other, other_end);
            }
        }
        if rise > along.blur {
            Step::To(end)
        } else if rise < -along.blur {
            Step::Stay
        } else {
            Step::Unclear
        }
    }

    /// The bytes allocated.
    pub(super) fn memory(&self) -> usize {
        self.blocks.capacity() * size_of::<EdgeBlock>()
    }
}

impl EdgeBlock {
    const EMPTY: Self = Self {
        edges: [Eight([0.0; LANES]); 3],
        ends: [0; LANES],
    };

    /// At least one edge, and no more than there are lanes.
    fn of<P: PreciseVector>(edges: &[(u32, P)]) -> Self {
        let lane = |lane: usize| edges[lane.min(edges.len() - 1)];
        Self {
            edges: core::array::from_fn(|axis| {
                Eight(core::array::from_fn(|k| lane(k).1.in_space()[axis] as f32))
            }),
            ends: core::array::from_fn(|k| lane(k).0),
        }
    }

    /// The greatest rise of an edge, and where the first edge ends that rises so.
    #[inline(always)]
    fn steepest<S: Simd>(&self, along: &Along<S>) -> (f32, u32) {
        #[cfg(test)]
        super::effort::count_step();
        let rises = products(&self.edges, along.lanes);
        let most = greatest(rises);
        let mask = rises.simd_ge(most).to_bitmask();
        let lane = mask.trailing_zeros() as usize % LANES;
        // The copy beside a link is not the first.
        (most, self.ends[lane])
    }
}
