//! Random numbers of a fixed seed.

use clearance_math::{Real, Vector};

/// SplitMix64: the same numbers on every platform.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `end`, `end` excluded.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.bits() % end as u64) as usize
    }

    /// True once in `times`.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn between(&mut self, low: Real, high: Real) -> Real {
        low + (high - low) * ((self.bits() >> 40) as Real / (1u32 << 24) as Real)
    }

    pub(crate) fn vector<V: Vector>(&mut self, low: Real, high: Real) -> V {
        V::from_fn(|_| self.between(low, high))
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// How often a test repeats: `base` times the environment variable CLEARANCE_TEST_ITERATIONS.
pub(crate) fn iterations(base: usize) -> usize {
    let factor = std::env::var("CLEARANCE_TEST_ITERATIONS");
    let factor: f64 = factor.map_or(1.0, |text| text.parse().expect("a number"));
    ((base as f64 * factor) as usize).max(1)
}
