//! Random numbers of a fixed seed.

use clearance_math::{PreciseVector, Real, Vector};

/// PCG-XSH-RR 64/32 (O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
/// Algorithms for Random Number Generation", 2014): the same numbers on every platform.
pub(crate) struct Pcg {
    state: u64,
}

impl Pcg {
    pub(crate) fn new(seed: u64) -> Self {
        let mut pcg = Self {
            state: seed.wrapping_add(0x1405_7b7e_f767_814f),
        };
        pcg.bits();
        pcg
    }

    fn bits(&mut self) -> u32 {
        let state = self.state;
        self.state = state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        let mixed = ((state >> 18) ^ state) >> 27;
        (mixed as u32).rotate_right((state >> 59) as u32)
    }

    /// A seed for another generator.
    pub(crate) fn seed(&mut self) -> u64 {
        u64::from(self.bits()) << 32 | u64::from(self.bits())
    }

    /// A whole number from 0 to `end`, `end` excluded.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.bits() as usize % end
    }

    /// True with the given chance.
    pub(crate) fn chance(&mut self, chance: f64) -> bool {
        self.unit() < chance
    }

    /// Uniform in [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        f64::from(self.bits()) / 4_294_967_296.0
    }

    /// Uniform in [low, high).
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Its logarithm is uniform between those of `low` and `high`.
    pub(crate) fn log_between(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }

    /// One of the items.
    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// Plus or minus one.
    pub(crate) fn sign(&mut self) -> f64 {
        self.pick(&[1.0, -1.0])
    }

    /// Each component uniform in [-1, 1).
    pub(crate) fn vector<P: PreciseVector>(&mut self) -> P {
        (0..P::DIM).fold(P::ZERO, |vector, k| {
            vector.with_component(k, self.between(-1.0, 1.0))
        })
    }

    /// A unit vector, all directions alike.
    pub(crate) fn direction<P: PreciseVector>(&mut self) -> P {
        loop {
            let vector = self.vector::<P>();
            let length = vector.length();
            if (0.1..=1.0).contains(&length) {
                return vector / length;
            }
        }
    }

    /// A number of about `size`, between three tenths of it and all of it.
    ///
    /// Times a power of two of the size the answer is exactly that many times as large.
    pub(crate) fn extent(&mut self, size: f64) -> Real {
        (size * self.between(0.3, 1.0)) as Real
    }

    /// A vector of such numbers.
    pub(crate) fn extents<V: Vector>(&mut self, size: f64) -> V {
        (0..V::DIM).fold(V::ZERO, |v, k| v.with_component(k, self.extent(size)))
    }

    /// A point of the box of half extent `size`, in single precision.
    pub(crate) fn point<V: Vector>(&mut self, size: f64) -> V {
        V::from_precise(self.vector::<V::Precise>() * size)
    }
}

/// How often a test repeats: `base` times the environment variable CLEARANCE_TEST_ITERATIONS.
pub(crate) fn iterations(base: usize) -> usize {
    match std::env::var("CLEARANCE_TEST_ITERATIONS") {
        Ok(text) => {
            let factor: f64 = text.parse().expect("CLEARANCE_TEST_ITERATIONS is a number");
            ((base as f64 * factor) as usize).max(1)
        }
        Err(_) => base,
    }
}
