//! Slopes and other tiles of voxels continue the surface of their neighbours: what slides over them meets no edges between.

use clearance_math::{IVec3, Pose, Real, Vec3};
use clearance_shapes::{Cells, Shape, Tile};
use clearance_world::{Body, BodyId, Velocity, World};

use crate::crowd::{Sure, world_of};
use crate::flat_floors_have_no_seams::{normal_to, wanting};
use crate::random::Random;

/// How many cells a slope rises.
const RISE: i32 = 4;
const RADIUS: Real = 0.25;
/// How deep balls are in the ground.
const DEPTHS: [Real; 5] = [0.0, 1e-5, 1e-3, 0.02, -0.01];

/// A slope along x, and a slab that is the upper half of its cell.
fn palette() -> [Tile<Vec3>; 2] {
    let hull = |corners: &[[Real; 2]]| {
        let corners = corners.iter();
        let corners = corners.flat_map(|&[x, y]| [0.0, 1.0].map(|z| Vec3::new(x, y, z)));
        Shape::hull(corners.collect::<Vec<_>>()).unwrap()
    };
    let slope = hull(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]);
    let slab = hull(&[[0.0, 0.5], [1.0, 0.5], [0.0, 1.0], [1.0, 1.0]]);
    [slope, slab].map(Tile::new)
}

/// A floor at y = 0 of whole cells and slabs, a slope that rises from x = 0, and a plateau at its end.
fn ground() -> Shape<Vec3> {
    let mut random = Random::new(71);
    let mut cells = Cells::new();
    let floor = [IVec3::new(-9, -3, 0), IVec3::new(9, -1, 9)];
    cells.set_box(floor[0], floor[1], true).unwrap();
    let plateau = [IVec3::ZERO, IVec3::new(9, RISE - 1, 9)];
    cells.set_box(plateau[0], plateau[1], true).unwrap();
    for (x, z) in (0..RISE).flat_map(|x| (0..=9).map(move |z| (x, z))) {
        let above = [IVec3::new(x, x + 1, z), IVec3::new(x, RISE, z)];
        cells.set_box(above[0], above[1], false).unwrap();
        cells.set_tile(IVec3::new(x, x, z), 1).unwrap();
    }
    for (x, z) in (-9..0).flat_map(|x| (0..=9).map(move |z| (x, z))) {
        let entry = [0, 2][random.below(2)];
        cells.set_tile(IVec3::new(x, -1, z), entry).unwrap();
    }
    Shape::tiles_of(Vec3::ONE, cells, palette()).unwrap()
}

struct Ball {
    world: World<Vec3>,
    id: BodyId,
    random: Random,
}

impl Ball {
    fn new() -> Self {
        let ground = Body::fixed(ground(), Pose::IDENTITY);
        let (mut world, _) = world_of(wanting(), vec![ground]);
        let shape = Shape::ball(RADIUS).unwrap();
        let id = world.insert(Body::moving(shape, Pose::IDENTITY)).unwrap();
        Self {
            world,
            id,
            random: Random::new(72),
        }
    }

    /// The normals of the surface contacts of the ball over a place of the ground, somewhere along z, and how many contacts
    /// of parts there are.
    fn normals_at(&mut self, place: Vec3, up: Vec3) -> (Vec<Vec3>, usize) {
        let depth = DEPTHS[self.random.below(DEPTHS.len())];
        let at = place + up * (RADIUS - depth) + Vec3::Z * self.random.between(1.0, 8.0);
        self.world
            .at(self.id)
            .set_pose(Pose::from_translation(at))
            .unwrap();
        let velocity = Vec3::new(1.0, 0.0, 0.5) * self.random.between(-3.0, 3.0);
        self.world
            .at(self.id)
            .set_velocity(Velocity::from_linear(velocity))
            .unwrap();
        self.world.step(0.0).unwrap();
        let surface = self.world.surface_contacts();
        let normals = surface.map(|contact| normal_to(self.id, contact));
        (normals.collect(), self.world.part_contacts().len())
    }
}

#[test]
fn tiles_continue_the_surface_of_their_neighbours() {
    let slope = Vec3::new(-1.0, 1.0, 0.0).normalize();
    let mut ball = Ball::new();
    let (mut parts, mut left) = (0, 0);
    for _ in 0..2000 {
        let flat = ball.random.between(-8.0, -1.0);
        let on_slope = ball.random.between(0.5, RISE as Real - 0.5);
        for (place, up) in [
            (Vec3::X * flat, Vec3::Y),
            (Vec3::new(on_slope, on_slope, 0.0), slope),
        ] {
            let (normals, count) = ball.normals_at(place, up);
            assert!(!normals.is_empty(), "nothing is left at {place}");
            for normal in &normals {
                assert!((normal - up).length() < 1e-3, "{normal} at {place}");
            }
            (parts, left) = (parts + count, left + normals.len());
        }
    }
    assert!(left < parts, "no seams");
}

#[test]
fn a_slope_has_a_foot_and_a_ridge() {
    let slope = Vec3::new(-1.0, 1.0, 0.0).normalize();
    let mut ball = Ball::new();
    for _ in 0..2000 {
        // On the floor before the slope it touches one of both, or both.
        let foot = ball.random.between(-1.0, -0.104);
        for normal in ball.normals_at(Vec3::X * foot, Vec3::Y).0 {
            let off = [Vec3::Y, slope].map(|face| (normal - face).length());
            assert!(off[0].min(off[1]) < 1e-3, "{normal} at {foot}");
        }
        // Over the edge at the top it touches what lies between both.
        let way = ball.random.between(-0.3, 0.3);
        let top = RISE as Real;
        let (place, up) = if way < 0.0 {
            (Vec3::new(top + way, top + way, 0.0), slope)
        } else {
            (Vec3::new(top + way, top, 0.0), Vec3::Y)
        };
        let (normals, _) = ball.normals_at(place, up);
        assert!(!normals.is_empty(), "nothing is left at {place}");
        for normal in normals {
            let is_between = normal.x < 1e-3 && normal.y > slope.y - 1e-3 && normal.z.abs() < 1e-3;
            assert!(is_between, "{normal} at {place}");
        }
    }
}
