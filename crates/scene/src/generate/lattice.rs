//! Bodies in rows: piles, assemblies and a city.

use clearance_math::{Aabb, Pose, Quat, Real, Vec3};
use clearance_shapes::Shape;
use clearance_world::{BodyKind, Velocity};

use super::density::Measured;
use super::library::Library;
use super::random::{Random, Turning};
use super::scatter::any_velocity;
use crate::scene::{BodyShape, Scene, SceneBody};

/// How bodies stand in rows along every axis.
pub(super) struct Lattice {
    /// The distance of neighbours.
    pub(super) pitch: Real,
    /// How far a body is from its place, at most along each axis.
    pub(super) jitter: Real,
    /// By how much a body is turned at most.
    pub(super) angle: f64,
    /// The greatest component of the velocity.
    pub(super) speed: Real,
    /// The greatest component of the angular velocity.
    pub(super) spin: f64,
}

/// Unit cuboids with gaps of about 0.01, hardly turned, in slow motion.
pub(super) fn pile<V: Measured>(random: &mut Random, count: usize) -> Scene<V> {
    let mut library = Library::new();
    let half_extents = V::splat(0.5);
    library.add("box", Shape::cuboid(half_extents));
    let lattice = Lattice {
        pitch: 1.01,
        jitter: 0.003,
        angle: 0.002,
        speed: 0.02,
        spin: 0.01,
    };
    in_rows(random, count, &lattice, library)
}

/// Bodies that have the shapes of the library in turn.
pub(super) fn in_rows<V: Measured>(
    random: &mut Random,
    count: usize,
    lattice: &Lattice,
    library: Library<V>,
) -> Scene<V> {
    let names: Vec<&String> = library.shapes.iter().map(|(name, _)| name).collect();
    let Lattice {
        pitch,
        jitter,
        speed,
        ..
    } = *lattice;
    let side = side_of(count, V::DIM);
    let center = 0.5 * side.saturating_sub(1) as Real * pitch;
    let bodies = (0..count).map(|k| {
        let mut translation = random.inside(V::splat(-jitter), V::splat(jitter));
        for axis in 0..V::DIM {
            let cell = k / side.pow(axis as u32) % side;
            let value = translation.component(axis) + cell as Real * pitch - center;
            translation = translation.with_component(axis, value);
        }
        let pose = Pose::new(translation, V::small_rotation(random, lattice.angle));
        let velocity = Velocity {
            linear: random.inside(V::splat(-speed), V::splat(speed)),
            angular: V::any_angular(random, lattice.spin),
        };
        SceneBody::moving(names[k % names.len()], pose, velocity)
    });
    let bodies = bodies.collect();
    let edge = V::splat(center + 0.5);
    library.scene(Aabb::new(V::ZERO - edge, edge), bodies)
}

/// The least side of a cube (square) of at least `count` cells.
fn side_of(count: usize, dimension: usize) -> usize {
    let mut side = 1_usize;
    while side.pow(dimension as u32) < count {
        side += 1;
    }
    side
}

const BUILDINGS: usize = 48;
const MOVERS: [&str; 3] = ["drone", "pole", "crate"];

/// Nine fixed buildings on a grid to one body that flies between them; the ground is y = 0.
pub(super) fn city(random: &mut Random, count: usize) -> Scene<Vec3> {
    const PITCH: Real = 3.0;
    let buildings = count * 9 / 10;
    let side = side_of(buildings, 2);
    let half = side as Real * PITCH / 2.0;
    let (library, heights) = city_library(random);
    let mut bodies: Vec<SceneBody<Vec3>> = (0..buildings)
        .map(|k| {
            let which = random.index(BUILDINGS);
            let along = |cell: usize| (cell as Real + 0.5) * PITCH - half;
            let translation = Vec3::new(along(k % side), heights[which], along(k / side));
            let pose = Pose::new(translation, upright(random.between(-0.1, 0.1)));
            SceneBody {
                kind: BodyKind::Fixed,
                ..SceneBody::new(BodyShape::Named(format!("building{which}")), pose)
            }
        })
        .collect();
    let bounds = Aabb::new(Vec3::new(-half, 0.0, -half), Vec3::new(half, 24.0, half));
    bodies.extend((buildings..count).map(|_| {
        let name = MOVERS[random.index(MOVERS.len())];
        let translation = random.inside(bounds.min, bounds.max);
        let pose = Pose::new(translation, Vec3::any_rotation(random));
        let velocity = Velocity {
            linear: any_velocity(random, 1.0, 6.0),
            angular: Vec3::any_angular(random, 2.0),
        };
        SceneBody::moving(name, pose, velocity)
    }));
    library.scene(bounds, bodies)
}

/// The shapes of a city, and half the height of each building.
fn city_library(random: &mut Random) -> (Library<Vec3>, Vec<Real>) {
    let mut library = Library::new();
    let mut heights = Vec::new();
    for k in 0..BUILDINGS {
        let half_extents = Vec3::new(
            random.between(0.7, 1.2) as Real,
            random.of_any_size(1.0, 12.0) as Real,
            random.between(0.7, 1.2) as Real,
        );
        heights.push(half_extents.y);
        library.add(format!("building{k}"), Shape::cuboid(half_extents));
    }
    let [drone, pole, crate_] = MOVERS;
    library.add(drone, Shape::ball(0.3));
    let capsule = Shape::capsule(0.6, 0.2);
    library.add(pole, capsule);
    let half_extents = Vec3::new(0.4, 0.3, 0.5);
    library.add(crate_, Shape::cuboid(half_extents));
    (library, heights)
}

/// The rotation by `angle` about the vertical.
fn upright(angle: f64) -> Quat {
    let (sin, cos) = libm::sincos(0.5 * angle);
    Quat::from_array([0.0, sin as Real, 0.0, cos as Real])
}
