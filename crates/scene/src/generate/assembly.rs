//! Meshes close together.

use core::f64::consts::TAU;

use clearance_math::{Real, Vec3};
use clearance_shapes::{Shape, ShapeError};

use super::lattice::{Lattice, in_rows};
use super::library::Library;
use super::random::Random;
use crate::scene::Scene;

/// How many meshes the bodies share.
const MESHES: usize = 8;
/// The cells around a ring, and around its tube: 1,000 triangles.
const AROUND: usize = 25;
const TUBE: usize = 20;

/// Toothed rings of 1,000 triangles each, turned anyhow, in slow motion.
pub(super) fn assembly(random: &mut Random, count: usize) -> Scene<Vec3> {
    let mut library = Library::new();
    for k in 0..MESHES.min(count) {
        library.add(format!("ring{k}"), ring(random));
    }
    let lattice = Lattice {
        pitch: 1.4,
        jitter: 0.1,
        angle: core::f64::consts::PI,
        speed: 0.1,
        spin: 0.2,
    };
    in_rows(random, count, &lattice, library)
}

/// A torus about y, thicker and thinner along its round.
fn ring(random: &mut Random) -> Result<Shape<Vec3>, ShapeError> {
    let radius = random.between(0.5, 0.65);
    let thickness = random.between(0.15, 0.25);
    let depth = random.between(0.0, 0.4);
    let teeth = (3 + random.index(6)) as f64;
    let mut vertices = Vec::with_capacity(AROUND * TUBE);
    for k in 0..AROUND * TUBE {
        let (around, tube) = (k / TUBE, k % TUBE);
        let angle = TAU * around as f64 / AROUND as f64;
        let thickness = thickness * (1.0 + depth * libm::cos(teeth * angle));
        let (up, out) = libm::sincos(TAU * tube as f64 / TUBE as f64);
        let (sin, cos) = libm::sincos(angle);
        let out = radius + thickness * out;
        let vertex = [out * cos, thickness * up, out * sin];
        vertices.push(Vec3::from_array(vertex.map(|axis| axis as Real)));
    }
    let vertex = |around: usize, tube: usize| (around % AROUND * TUBE + tube % TUBE) as u32;
    let mut triangles = Vec::with_capacity(2 * AROUND * TUBE);
    for k in 0..AROUND * TUBE {
        let (around, tube) = (k / TUBE, k % TUBE);
        let [a, b] = [vertex(around, tube), vertex(around, tube + 1)];
        let [c, d] = [vertex(around + 1, tube), vertex(around + 1, tube + 1)];
        triangles.extend([[a, b, d], [a, d, c]]);
    }
    Shape::mesh(vertices, triangles)
}
