//! Numbers for tests that look random and are the same in every run.

use clearance_math::{Real, Vec3, Vector};

/// A number from -1 to 1 that depends on case `k` and on `salt`, which is less than 64, in no simple way.
pub(crate) fn number(k: u32, salt: u32) -> Real {
    let mixed = (k * 64 + salt).wrapping_mul(0x9e37_79b9).rotate_left(13);
    mixed.wrapping_mul(0x85eb_ca6b) as i32 as Real / 2.0_f32.powi(31)
}

/// Three such numbers, with three salts in a row.
pub(crate) fn vector(k: u32, salt: u32) -> Vec3 {
    Vec3::new(number(k, salt), number(k, salt + 1), number(k, salt + 2))
}

/// A linear congruential generator of numbers from -1 to 1.
///
/// Source: Knuth, "The Art of Computer Programming", volume 2 (1997), section 3.3.4, for the multiplier.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn number(&mut self) -> Real {
        self.0 = (self.0)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as Real / (1_u64 << 23) as Real - 1.0
    }

    pub(crate) fn vector<V: Vector>(&mut self) -> V {
        (0..V::DIM).fold(V::ZERO, |v, k| v.with_component(k, self.number()))
    }
}
