//! The support vertex of a hull with few vertices, by examining all of them.

use clearance_math::internal::lanes::{Simd, SimdBase, f64x4, greater_in_lanes, lesser_in_lanes};
use clearance_math::{Matrix, PreciseVector, Vector, greater_of, lesser_of};

use super::f32_filter::F32Filter;

/// The number of vertices in a block, which are examined together.
///
/// Eight `f64` fill four registers of the narrowest instruction set. That is enough for independent
/// instructions to hide each other's latency.
pub(super) const LANES: usize = 8;

/// The vertices in blocks of [`LANES`]. Each block has a row of all x, one of all y and, in 3D, one of
/// all z. Unused places of the last block are filled with copies of the last vertex.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scan {
    rows: Vec<[f64; LANES]>,
    /// Examined first, if the hull has one.
    filter: Option<F32Filter>,
}

impl Scan {
    /// Prepares the vertices of a hull; there must be at least one.
    pub(super) fn new<V: Vector>(vertices: &[V]) -> Self {
        let mut rows = Vec::with_capacity(vertices.len().div_ceil(LANES) * V::DIM);
        for block in vertices.chunks(LANES) {
            for axis in 0..V::DIM {
                rows.push(core::array::from_fn(|lane| {
                    f64::from(block[lane.min(block.len() - 1)].component(axis))
                }));
            }
        }
        Self {
            rows,
            filter: F32Filter::new(vertices),
        }
    }

    /// The first vertex with the greatest computed scalar product; O(n).
    ///
    /// The result for a direction that contains NaN is an unspecified vertex.
    #[inline(always)]
    pub(super) fn farthest<S: Simd, P: PreciseVector>(&self, simd: S, direction: P) -> u32 {
        let Some(filter) = &self.filter else {
            return self.farthest_of_all(direction);
        };
        match filter.candidates(simd, direction) {
            Some(candidates) if candidates.is_power_of_two() => candidates.trailing_zeros(),
            Some(candidates) => self.farthest_among(candidates, direction),
            None => self.farthest_of_all(direction),
        }
    }

    /// The first vertex with the greatest product among those whose bits are set in `candidates`.
    #[inline(never)]
    fn farthest_among<P: PreciseVector>(&self, mut candidates: u64, direction: P) -> u32 {
        let (mut best, mut greatest) = (0, f64::NEG_INFINITY);
        while candidates != 0 {
            let vertex = candidates.trailing_zeros();
            candidates &= candidates - 1;
            let (block, lane) = (vertex as usize / LANES, vertex as usize % LANES);
            let mut product = 0.0;
            for axis in 0..P::DIM {
                product += self.rows[block * P::DIM + axis][lane] * direction.component(axis);
            }
            if product > greatest {
                (best, greatest) = (vertex, product);
            }
        }
        best
    }

    /// [`Scan::farthest`] without the filter, for vertices and directions that are out of its range.
    #[inline(never)]
    fn farthest_of_all<P: PreciseVector>(&self, direction: P) -> u32 {
        let mut best = (0, f64::NEG_INFINITY);
        for (index, block) in self.rows.chunks_exact(P::DIM).enumerate() {
            let greatest = greatest(&products(block, direction));
            let is_greater = greatest > best.1;
            best.0 = if is_greater { index } else { best.0 };
            best.1 = if is_greater { greatest } else { best.1 };
        }
        let start = best.0 * P::DIM;
        let winners = products(&self.rows[start..start + P::DIM], direction);
        // A mask, not a loop that stops: where the first equal product is, is hard to predict.
        let mut equal = 0u32;
        for (lane, product) in winners.iter().enumerate() {
            equal |= u32::from(*product == best.1) << lane;
        }
        let lane = equal.trailing_zeros() as usize % LANES;
        (best.0 * LANES + lane) as u32
    }

    /// The least and the greatest coordinates of the vertices after rotation; O(n).
    #[inline(always)]
    pub(super) fn extent<S: Simd, P: PreciseVector>(
        &self,
        simd: S,
        rotation: &P::Matrix,
    ) -> [P; 2] {
        let mut rows = [[f64x4::splat(simd, 0.0); 3]; 3];
        for (k, lanes) in rows.iter_mut().enumerate().take(P::DIM) {
            let row = rotation.row(k).in_space();
            *lanes = [
                f64x4::splat(simd, row.x),
                f64x4::splat(simd, row.y),
                f64x4::splat(simd, row.z),
            ];
        }
        let mut low = [f64x4::splat(simd, f64::INFINITY); 3];
        let mut high = [f64x4::splat(simd, f64::NEG_INFINITY); 3];
        for block in self.rows.chunks_exact(P::DIM) {
            for half in [0, LANES / 2] {
                for k in 0..P::DIM {
                    let mut sum = four(simd, &block[0], half) * rows[k][0]
                        + four(simd, &block[1], half) * rows[k][1];
                    if const { P::DIM == 3 } {
                        sum += four(simd, &block[2], half) * rows[k][2];
                    }
                    low[k] = lesser_in_lanes(low[k], sum);
                    high[k] = greater_in_lanes(high[k], sum);
                }
            }
        }
        let mut extent = [P::ZERO; 2];
        for k in 0..P::DIM {
            let [a, b, c, d] = low[k].to_array();
            extent[0] = extent[0].with_component(k, lesser_of(lesser_of(a, b), lesser_of(c, d)));
            let [a, b, c, d] = high[k].to_array();
            extent[1] = extent[1].with_component(k, greater_of(greater_of(a, b), greater_of(c, d)));
        }
        extent
    }

    /// The allocated memory in bytes.
    pub(super) fn memory(&self) -> usize {
        self.rows.capacity() * size_of::<[f64; LANES]>()
            + self.filter.as_ref().map_or(0, F32Filter::memory)
    }
}

/// Half of a row, from `start` on.
#[inline(always)]
fn four<S: Simd>(simd: S, row: &[f64; LANES], start: usize) -> f64x4<S> {
    f64x4::from_slice(simd, &row[start..start + LANES / 2])
}

/// The scalar products of the vertices of one block.
#[inline]
pub(super) fn products<P: PreciseVector>(block: &[[f64; LANES]], direction: P) -> [f64; LANES] {
    let mut sums = [0.0; LANES];
    for (axis, row) in block.iter().enumerate() {
        for (sum, coordinate) in sums.iter_mut().zip(row) {
            *sum += coordinate * direction.component(axis);
        }
    }
    sums
}

/// The greatest of the numbers. They are compared in pairs, so that the comparisons run in parallel.
#[inline]
fn greatest(numbers: &[f64; LANES]) -> f64 {
    // Not `f64::max`, whose treatment of NaN takes three more instructions.
    let greater = |a: f64, b: f64| if a > b { a } else { b };
    let four: [f64; 4] = core::array::from_fn(|k| greater(numbers[k], numbers[k + 4]));
    greater(greater(four[0], four[2]), greater(four[1], four[3]))
}
