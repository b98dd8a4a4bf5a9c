//! Bodies on the ground of a height field.

use core::f64::consts::TAU;

use clearance_math::{Aabb, DVec3, Pose, Real, Vec3};
use clearance_shapes::{Shape, ShapeError};
use clearance_world::Velocity;

use super::library::Library;
use super::random::{Random, Turning};
use super::wave::{Roughness, Waves};
use crate::scene::Scene;

/// The distance of two heights.
const PITCH: f64 = 0.25;

/// No ground is higher or lower.
const HIGHEST: Real = 8.0;

const ROUGHNESS: Roughness = Roughness {
    length: 40.0,
    height: 3.0,
    octaves: 4,
};

/// A height field, and mixed bodies that lie on it and roll along. 2,000 bodies have a field of 256 x
/// 256 heights; fewer or more have as much ground each.
pub(super) fn terrain(random: &mut Random, count: usize) -> Scene<Vec3> {
    let side = 256.0 * (count as f64 / 2000.0).sqrt();
    let ground = Ground {
        waves: Waves::new(random, &ROUGHNESS),
        side: (side.round() as usize).max(2),
    };
    let mut library = Library::<Vec3>::mixed(random);
    let bodies =
        library.bodies_on_ground(random, count, |random, shape| ground.rolling(random, shape));
    library.add("ground", ground.shape());
    let half = ground.half_length() as Real;
    let corner = Vec3::new(half, HIGHEST, half);
    library.scene(Aabb::new(-corner, corner), bodies)
}

struct Ground {
    waves: Waves,
    /// How many heights there are along each axis.
    side: usize,
}

impl Ground {
    fn half_length(&self) -> f64 {
        0.5 * PITCH * (self.side - 1) as f64
    }

    fn height(&self, x: f64, z: f64) -> f64 {
        self.waves.at(DVec3::new(x, 0.0, z))
    }

    fn shape(&self) -> Result<Shape<Vec3>, ShapeError> {
        let along = |index: usize| PITCH * index as f64 - self.half_length();
        let height = |row: usize, column: usize| self.height(along(column), along(row)) as Real;
        let row = |row| (0..self.side).map(move |column| height(row, column));
        let length = 2.0 * self.half_length() as Real;
        let heights = (0..self.side).flat_map(row).collect::<Vec<_>>();
        Shape::height_field(heights, self.side, Vec3::new(length, 1.0, length))
    }

    /// A body that touches the ground, and moves along it.
    fn rolling(&self, random: &mut Random, shape: &Shape<Vec3>) -> (Pose<Vec3>, Velocity<Vec3>) {
        const STEP: f64 = 0.25;
        let half = self.half_length();
        let (x, z) = (random.between(-half, half), random.between(-half, half));
        let rotation = Vec3::any_rotation(random);
        let lowest = f64::from(shape.bounds(&Pose::from_rotation(rotation)).min.y);
        let y = self.height(x, z) - lowest + random.between(-0.15, 0.03);
        let pose = Pose::new(Vec3::new(x as Real, y as Real, z as Real), rotation);
        let (sin, cos) = libm::sincos(random.between(0.0, TAU));
        let rise = self.height(x + STEP * cos, z + STEP * sin)
            - self.height(x - STEP * cos, z - STEP * sin);
        let speed = random.between(0.25, 1.0);
        let heading = DVec3::new(cos, rise / (2.0 * STEP), sin) * speed;
        let velocity = Velocity::new(heading.as_vec3(), Vec3::any_angular(random, 1.5));
        (pose, velocity)
    }
}
