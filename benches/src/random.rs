//! Random numbers of a fixed seed: every run measures the same work.

use clearance_math::{PreciseVector, Real, Vector};

/// SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
pub struct Random(u64);

impl Random {
    /// The sequence of `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Uniform in [low, high).
    pub fn between(&mut self, low: Real, high: Real) -> Real {
        let unit = (self.bits() >> 40) as Real / (1u64 << 24) as Real;
        low + (high - low) * unit
    }

    /// Every component uniform in [-1, 1).
    pub fn vector<V: Vector>(&mut self) -> V {
        V::from_fn(|_| self.between(-1.0, 1.0))
    }

    /// Any direction, of length one up to rounding.
    pub fn direction<V: Vector>(&mut self) -> V {
        loop {
            let vector = self.vector::<V>().to_precise();
            let length = vector.length();
            if (0.1..=1.0).contains(&length) {
                return V::from_precise(vector / length);
            }
        }
    }
}
