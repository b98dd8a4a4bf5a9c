//! Smooth ground and rough rock: sums of waves in random directions.

use core::f64::consts::TAU;

use clearance_math::{DVec3, Vec3};

use super::random::Random;

/// A sum of sine waves in space.
pub(super) struct Waves(Vec<Wave>);

struct Wave {
    /// Radians per unit of length along each axis.
    number: DVec3,
    phase: f64,
    height: f64,
}

/// How long and high the longest waves are, and how often they are halved: waves of half the length
/// have half the height.
pub(super) struct Roughness {
    pub(super) length: f64,
    pub(super) height: f64,
    pub(super) octaves: usize,
}

impl Waves {
    const PER_OCTAVE: usize = 3;

    pub(super) fn new(random: &mut Random, roughness: &Roughness) -> Self {
        let mut waves = Vec::new();
        let mut scale = 1.0;
        for _ in 0..roughness.octaves {
            for _ in 0..Self::PER_OCTAVE {
                waves.push(Wave {
                    number: random.direction::<Vec3>() * (TAU / (roughness.length * scale)),
                    phase: random.between(0.0, TAU),
                    height: roughness.height * scale / Self::PER_OCTAVE as f64,
                });
            }
            scale *= 0.5;
        }
        Self(waves)
    }

    pub(super) fn at(&self, place: DVec3) -> f64 {
        let heights = self.0.iter().map(|wave| {
            let angle = wave.number.dot(place) + wave.phase;
            wave.height * libm::sin(angle)
        });
        heights.sum()
    }
}
