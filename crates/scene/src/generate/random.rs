//! Random numbers that are the same on every platform and stay the same.
//!
//! The generator is a fixed algorithm; what is made of its bits is written out here, because
//! libraries of distributions change theirs from version to version.

use core::f64::consts::PI;

use clearance_math::{PreciseVector, Quat, Real, Rotation2, Vec2, Vec3, Vector};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

use crate::FileVector;

pub(super) struct Random(Pcg64);

impl Random {
    /// Kinds of scenes, which have different names, get different numbers of the same seed.
    pub(super) fn new(kind: &str, seed: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        for (byte, letter) in bytes[8..24].iter_mut().zip(kind.bytes()) {
            *byte = letter;
        }
        let mut generator = Pcg64::from_seed(bytes);
        // Seeds that differ in few bits need some steps to part.
        for _ in 0..16 {
            generator.next_u64();
        }
        Self(generator)
    }

    /// At least 0 and below 1.
    fn unit_interval(&mut self) -> f64 {
        const STEP: f64 = 1.0 / (1u64 << 53) as f64;
        (self.0.next_u64() >> 11) as f64 * STEP
    }

    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit_interval()
    }

    /// Between two positive numbers, each magnitude as likely as any other.
    pub(super) fn of_any_size(&mut self, low: f64, high: f64) -> f64 {
        libm::exp(self.between(libm::log(low), libm::log(high)))
    }

    /// Below `count`, which is not 0.
    pub(super) fn index(&mut self, count: usize) -> usize {
        let product = u128::from(self.0.next_u64()) * count as u128;
        (product >> 64) as usize
    }

    /// Each component between those of two vectors.
    pub(super) fn inside<V: Vector>(&mut self, low: V, high: V) -> V {
        V::from_fn(|axis| {
            let (low, high) = (low.component(axis), high.component(axis));
            self.between(f64::from(low), f64::from(high)) as Real
        })
    }

    pub(super) fn direction<V: Vector>(&mut self) -> V::Precise {
        let numbers = self.on_sphere(V::DIM);
        V::Precise::from_fn(|axis| numbers[axis])
    }

    /// A point on the unit sphere of `dimension` dimensions, by rejection from the cube.
    fn on_sphere(&mut self, dimension: usize) -> [f64; 4] {
        loop {
            let mut point = [0.0; 4];
            for value in &mut point[..dimension] {
                *value = self.between(-1.0, 1.0);
            }
            let squared: f64 = point.iter().map(|value| value * value).sum();
            if squared > 0.01 && squared <= 1.0 {
                let length = squared.sqrt();
                return point.map(|value| value / length);
            }
        }
    }
}

/// Rotations and angular velocities at random.
pub(super) trait Turning: FileVector {
    fn any_rotation(random: &mut Random) -> Self::Rotation;
    /// A rotation by at most `angle`.
    fn small_rotation(random: &mut Random, angle: f64) -> Self::Rotation;
    /// Each component between -`spin` and `spin`.
    fn any_angular(random: &mut Random, spin: f64) -> Self::Angular;
}

impl Turning for Vec2 {
    fn any_rotation(random: &mut Random) -> Rotation2 {
        Self::small_rotation(random, PI)
    }
    fn small_rotation(random: &mut Random, angle: f64) -> Rotation2 {
        Rotation2::from_angle(random.between(-angle, angle) as Real)
    }
    fn any_angular(random: &mut Random, spin: f64) -> Real {
        random.between(-spin, spin) as Real
    }
}

impl Turning for Vec3 {
    fn any_rotation(random: &mut Random) -> Quat {
        Quat::from_array(random.on_sphere(4).map(|value| value as Real))
    }
    fn small_rotation(random: &mut Random, angle: f64) -> Quat {
        let [x, y, z, _] = random.on_sphere(3);
        let (sin, cos) = libm::sincos(0.5 * random.between(0.0, angle));
        Quat::from_array([x * sin, y * sin, z * sin, cos].map(|value| value as Real))
    }
    fn any_angular(random: &mut Random, spin: f64) -> Vec3 {
        let spin = Vec3::splat(spin as Real);
        random.inside(-spin, spin)
    }
}
