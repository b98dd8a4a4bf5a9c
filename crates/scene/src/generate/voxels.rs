//! Bodies on a ground of voxels or tiles, with caves below.

use core::f64::consts::TAU;

use clearance_math::{Aabb, Cell, DVec3, Pose, PreciseVector, Real, Vec3};
use clearance_shapes::{Shape, ShapeError};
use clearance_world::Velocity;

use super::library::Library;
use super::random::{Random, Turning};
use super::wave::{Roughness, Waves};
use crate::scene::Scene;

/// The size of a cell along each axis.
const CELL: f64 = 0.5;

/// The lowest cells, which are all filled.
const LOWEST: i32 = -12;
/// No ground is higher.
const HIGHEST: i32 = 13;

const ROUGHNESS: Roughness = Roughness {
    length: 30.0,
    height: 3.0,
    octaves: 3,
};

const CAVES: Roughness = Roughness {
    length: 7.0,
    height: 1.0,
    octaves: 2,
};

/// Where the waves of the caves are higher than this the ground is empty.
const HOLLOW: f64 = 0.35;

/// Mixed bodies that lie on the ground and roll along. 2,000 bodies have 96 x 96 columns of cells in space, and 4,000 in the
/// plane; fewer or more have as much ground each.
pub(super) fn voxels<V: Turning>(
    random: &mut Random,
    mut library: Library<V>,
    count: usize,
) -> Scene<V> {
    let side = if V::DIM == 3 {
        96.0 * (count as f64 / 2000.0).sqrt()
    } else {
        2.0 * count as f64
    };
    let ground = VoxelGround {
        surface: Waves::new(random, &ROUGHNESS),
        caves: Waves::new(random, &CAVES),
        side: (side.round() as i32).max(2),
    };
    let bodies =
        library.bodies_on_ground(random, count, |random, shape| ground.rolling(random, shape));
    library.add("ground", ground.shape());
    let half = 0.5 * CELL * f64::from(ground.side);
    let corner = V::from_precise(V::Precise::from_space(DVec3::new(half, 8.0, half)));
    library.scene(Aabb::new(-corner, corner), bodies)
}

struct VoxelGround {
    surface: Waves,
    caves: Waves,
    /// How many columns there are along each level axis.
    side: i32,
}

impl VoxelGround {
    /// The first and the last column along an axis.
    fn columns(&self) -> [i32; 2] {
        let first = -self.side / 2;
        [first, first + self.side - 1]
    }

    fn is_filled(&self, [x, y, z]: [i32; 3]) -> bool {
        let place = (DVec3::new(x.into(), y.into(), z.into()) + 0.5) * CELL;
        let is_below = || place.y <= self.surface.at(place.with_y(0.0));
        y == LOWEST || is_below() && self.caves.at(place) < HOLLOW
    }

    fn shape<V: Turning>(&self) -> Result<Shape<V>, ShapeError> {
        let [first, last] = self.columns();
        let depth = if V::DIM == 3 { first..=last } else { 0..=0 };
        let columns = depth.flat_map(|z| (first..=last).map(move |x| (x, z)));
        let cells = columns
            .flat_map(|(x, z)| (LOWEST..=HIGHEST).map(move |y| [x, y, z]))
            .filter(|&cell| self.is_filled(cell));
        let cells = cells.map(V::Cell::from_components);
        Shape::voxels(V::splat(CELL as Real), cells.collect::<Vec<_>>())
    }

    /// A body that touches the highest cell of a column, and moves along the ground.
    fn rolling<V: Turning>(&self, random: &mut Random, shape: &Shape<V>) -> (Pose<V>, Velocity<V>) {
        let [first, last] = self.columns();
        let column = |random: &mut Random| first + random.index((last - first + 1) as usize) as i32;
        let x = column(random);
        let z = if V::DIM == 3 { column(random) } else { 0 };
        let mut cells = (LOWEST..=HIGHEST).rev();
        let top = cells.find(|&y| self.is_filled([x, y, z]));
        let rotation = V::any_rotation(random);
        let lowest = f64::from(
            shape
                .bounds(&Pose::from_rotation(rotation))
                .min
                .component(1),
        );
        let up = CELL * f64::from(top.unwrap_or(LOWEST) + 1) - lowest + random.between(-0.15, 0.03);
        let level =
            |at: i32, random: &mut Random| CELL * (f64::from(at) + random.between(0.0, 1.0));
        let place = DVec3::new(level(x, random), up, level(z, random));
        let place = V::from_precise(V::Precise::from_space(place));
        let pose = Pose::new(place, rotation);
        let (sin, cos) = libm::sincos(random.between(0.0, TAU));
        let speed = random.between(0.25, 1.0);
        let heading = Vec3::new(cos as Real, 0.0, sin as Real) * speed as Real;
        let velocity = Velocity {
            linear: V::from_precise(V::Precise::from_space(heading.as_dvec3())),
            angular: V::any_angular(random, 1.5),
        };
        (pose, velocity)
    }
}
