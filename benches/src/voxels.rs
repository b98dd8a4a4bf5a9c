//! The workload of voxels: a cube of 128 x 128 x 128 cells with caves, and questions in and around the caves.

use clearance_gjk::Placed;
use clearance_math::{DVec3, IVec3, Pose, Ray, Real, Vec3};
use clearance_shapes::{Cells, Shape, ShapeError};

use crate::Random;
use crate::questions::{QUESTIONS, point, rays, turn};

/// How many cells the cube has along each axis; each is a unit cube.
const SIDE: i32 = 128;

/// A cube of cells with caves, and places in them.
pub struct VoxelQuestions {
    /// The filled cells.
    pub filled: Vec<IVec3>,
    /// The cells as a shape, at the origin.
    pub shape: Shape<Vec3>,
    /// Rays, half of them from outside and half from within caves.
    pub rays: Vec<Ray<Vec3>>,
    /// Points in caves.
    pub points: Vec<Vec3>,
    /// Poses of bodies in cells at the surface of caves.
    pub near: Vec<Pose<Vec3>>,
    /// How far bodies are cast from there.
    pub ways: Vec<Vec3>,
}

impl VoxelQuestions {
    /// The same questions at each call.
    ///
    /// # Errors
    /// None, unless the cells are made wrongly.
    pub fn new() -> Result<Self, ShapeError> {
        let filled: Vec<IVec3> = cube().filter(|&cell| is_filled(cell)).collect();
        let mut cells = Cells::new();
        for &cell in &filled {
            cells.set(cell, true)?;
        }
        let at_surface = |cell: &IVec3| {
            let beside = [IVec3::X, IVec3::Y, IVec3::Z].into_iter();
            let mut beside = beside.flat_map(|axis| [*cell + axis, *cell - axis]);
            !cells.contains(*cell) && beside.any(|cell| cells.contains(cell))
        };
        let caves: Vec<IVec3> = cube().filter(at_surface).collect();
        let mut random = Random::new(94);
        let mut place = || {
            let cell = caves[random.between(0.0, caves.len() as Real) as usize];
            cell.as_vec3() + 0.5 + point(&mut random, 0.5)
        };
        let points: Vec<Vec3> = (0..QUESTIONS).map(|_| place()).collect();
        let places: Vec<Vec3> = (0..QUESTIONS).map(|_| place()).collect();
        let starts: Vec<Vec3> = (0..QUESTIONS / 2).map(|_| place()).collect();
        let middle = DVec3::splat(0.5 * f64::from(SIDE));
        let mut all_rays = Vec::new();
        for ray in rays(&mut random, 200.0, 60.0).iter().take(QUESTIONS / 2) {
            all_rays.extend(Ray::new(middle + ray.origin(), ray.direction()).ok());
        }
        for start in starts {
            all_rays.extend(Ray::new(start, random.direction::<Vec3>()).ok());
        }
        let turned = |place| Pose::new(place, turn(&mut random));
        let near = places.into_iter().map(turned).collect();
        Ok(Self {
            shape: Shape::voxels_of(Vec3::ONE, cells)?,
            filled,
            rays: all_rays,
            points,
            near,
            ways: (0..QUESTIONS)
                .map(|_| random.direction::<Vec3>() * 20.0)
                .collect(),
        })
    }

    /// The cells at the origin.
    #[must_use]
    pub fn placed(&self) -> Placed<'_, Vec3> {
        Placed::new(&self.shape, &Pose::IDENTITY)
    }
}

/// All cells of the cube.
fn cube() -> impl Iterator<Item = IVec3> {
    let plane = |z| (0..SIDE).flat_map(move |y| (0..SIDE).map(move |x| IVec3::new(x, y, z)));
    (0..SIDE).flat_map(plane)
}

/// Caves lie where a gyroid (Alan Schoen, 1970) is high.
fn is_filled(cell: IVec3) -> bool {
    let [x, y, z] = (0.3 * (cell.as_dvec3() + 0.5)).to_array();
    let gyroid =
        libm::sin(x) * libm::cos(y) + libm::sin(y) * libm::cos(z) + libm::sin(z) * libm::cos(x);
    gyroid < 0.5
}
