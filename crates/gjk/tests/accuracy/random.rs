//! Random numbers of a fixed seed, and how many pairs a run takes.

use clearance_math::{DVec3, PreciseVector, Real, Vector};

/// PCG-XSH-RR 64/32 (O'Neill, 2014): the same numbers on every platform.
pub(crate) struct Random {
    state: u64,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Self {
            state: seed.wrapping_add(0x1405_7b7e_f767_814f),
        };
        random.bits();
        random
    }

    fn bits(&mut self) -> u32 {
        let state = self.state;
        self.state = state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        let mixed = ((state >> 18) ^ state) >> 27;
        (mixed as u32).rotate_right((state >> 59) as u32)
    }

    /// A whole number from 0 to `end`, `end` excluded.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.bits() as usize % end
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

    /// Plus or minus one.
    pub(crate) fn sign(&mut self) -> f64 {
        if self.below(2) == 0 { 1.0 } else { -1.0 }
    }

    /// One of the items.
    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// Between three tenths of `size` and all of it.
    pub(crate) fn extent(&mut self, size: f64) -> Real {
        (size * self.between(0.3, 1.0)) as Real
    }

    /// A vector of extents.
    pub(crate) fn extents<V: Vector>(&mut self, size: f64) -> V {
        (0..V::DIM).fold(V::ZERO, |v, k| v.with_component(k, self.extent(size)))
    }

    /// A point of the box of half extent `size`.
    pub(crate) fn point<V: Vector>(&mut self, size: f64) -> V {
        (0..V::DIM).fold(V::ZERO, |v, k| {
            v.with_component(k, (size * self.between(-1.0, 1.0)) as Real)
        })
    }

    /// A unit vector of the space of `V`, all directions alike.
    pub(crate) fn direction<V: Vector>(&mut self) -> DVec3 {
        loop {
            let vector = self.point::<V>(1.0).to_precise().in_space();
            let length = vector.length();
            if (0.1..=1.0).contains(&length) {
                return vector / length;
            }
        }
    }
}

/// How many pairs a category takes: `base` times the environment variable
/// CLEARANCE_TEST_ITERATIONS.
pub(crate) fn iterations(base: usize) -> usize {
    match std::env::var("CLEARANCE_TEST_ITERATIONS") {
        Ok(text) => {
            let factor: f64 = text.parse().expect("CLEARANCE_TEST_ITERATIONS is a number");
            ((base as f64 * factor) as usize).max(1)
        }
        Err(_) => base,
    }
}
