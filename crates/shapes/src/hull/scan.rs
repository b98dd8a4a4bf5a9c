//! The farthest vertex by looking at all of them.

use clearance_math::{PreciseVector, Vector};

use super::sieve::Sieve;

/// How many vertices are looked at together.
///
/// Eight `f64` are four registers of the narrowest machine, which hides the latency of each step.
const LANES: usize = 8;

/// The vertices in blocks of [`LANES`], in each block first all x, then all y, then all z.
///
/// The last block is filled up with copies of the last vertex.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scan {
    rows: Vec<[f64; LANES]>,
    sieve: Option<Sieve>,
}

impl Scan {
    /// Prepares at least one vertex.
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
            sieve: Sieve::new(vertices),
        }
    }

    /// The first vertex with the greatest computed scalar product; O(n).
    ///
    /// A direction that is not a number gives some vertex.
    #[inline]
    pub(super) fn farthest<P: PreciseVector>(&self, direction: P) -> u32 {
        let sieve = self.sieve.as_ref();
        match sieve.and_then(|sieve| sieve.candidates(direction)) {
            Some(candidates) if candidates.is_power_of_two() => candidates.trailing_zeros(),
            Some(candidates) => self.farthest_among(candidates, direction),
            None => self.farthest_of_all(direction),
        }
    }

    /// The first with the greatest product of the vertices whose bits are set.
    #[inline(never)]
    fn farthest_among<P: PreciseVector>(&self, mut candidates: u64, direction: P) -> u32 {
        let mut best = (0, f64::NEG_INFINITY);
        while candidates != 0 {
            let vertex = candidates.trailing_zeros();
            candidates &= candidates - 1;
            let (block, lane) = (vertex as usize / LANES, vertex as usize % LANES);
            let mut product = 0.0;
            for axis in 0..P::DIM {
                product += self.rows[block * P::DIM + axis][lane] * direction.component(axis);
            }
            if product > best.1 {
                best = (vertex, product);
            }
        }
        best.0
    }

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
        // A mask, not a search: where the first equal one lies cannot be predicted.
        let mut equal = 0u32;
        for (lane, product) in winners.iter().enumerate() {
            equal |= u32::from(*product == best.1) << lane;
        }
        let lane = equal.trailing_zeros() as usize % LANES;
        (best.0 * LANES + lane) as u32
    }

    /// The least and the greatest computed scalar product with `direction`; O(n).
    #[inline]
    pub(super) fn span<P: PreciseVector>(&self, direction: P) -> (f64, f64) {
        let mut low = [f64::INFINITY; LANES];
        let mut high = [f64::NEG_INFINITY; LANES];
        for block in self.rows.chunks_exact(P::DIM) {
            let products = products(block, direction);
            for lane in 0..LANES {
                let product = products[lane];
                low[lane] = if product < low[lane] {
                    product
                } else {
                    low[lane]
                };
                high[lane] = if product > high[lane] {
                    product
                } else {
                    high[lane]
                };
            }
        }
        (-greatest(&low.map(|product| -product)), greatest(&high))
    }

    /// The bytes allocated.
    pub(super) fn memory(&self) -> usize {
        self.rows.capacity() * size_of::<[f64; LANES]>()
            + self.sieve.as_ref().map_or(0, Sieve::memory)
    }
}

/// The scalar products of the vertices of one block.
#[inline]
fn products<P: PreciseVector>(block: &[[f64; LANES]], direction: P) -> [f64; LANES] {
    let mut sums = [0.0; LANES];
    for (axis, row) in block.iter().enumerate() {
        for (sum, coordinate) in sums.iter_mut().zip(row) {
            *sum += coordinate * direction.component(axis);
        }
    }
    sums
}

/// The greatest of the numbers, by halves so that they compare in parallel.
#[inline]
fn greatest(numbers: &[f64; LANES]) -> f64 {
    // Not `f64::max`, whose rule for NaN takes three more instructions.
    let greater = |a: f64, b: f64| if a > b { a } else { b };
    let four: [f64; 4] = core::array::from_fn(|k| greater(numbers[k], numbers[k + 4]));
    greater(greater(four[0], four[2]), greater(four[1], four[3]))
}
