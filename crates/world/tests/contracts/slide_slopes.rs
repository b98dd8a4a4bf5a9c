//! A slope is the same slope, whatever it is made of.

use clearance_gjk::Placed;
use clearance_math::{Pose, Quat, Real, Vec3};
use clearance_shapes::Shape;
use clearance_world::{Body, World};

use crate::random::{Random, iterations};
use crate::slide_levels::{fixed, grid};
use crate::slide_obstacles;
use crate::slide_walk::{
    HALF_HEIGHT, SKIN, Walker, assert_none, gap, length, level, walkers, world_of,
};

/// Half of how wide a slope is, in cells of 1.
const WIDE: i32 = 3;

/// A slope that rises along x, through the origin.
#[derive(Clone, Copy)]
struct Slope {
    angle: Real,
    /// How far it leads up and down.
    length: i32,
    /// How large a tile is.
    tile: Real,
}

impl Slope {
    fn uphill(self) -> Vec3 {
        Quat::from_rotation_z(self.angle) * Vec3::X
    }

    fn normal(self) -> Vec3 {
        Quat::from_rotation_z(self.angle) * Vec3::Y
    }

    fn mesh(self) -> Body<Vec3> {
        let corner = self.uphill() * -self.length as Real - Vec3::Z * WIDE as Real;
        let count = [WIDE, self.length].map(|half| 2 * half as u32);
        let (vertices, triangles) = grid(corner, [Vec3::Z, self.uphill()], count);
        let mesh = Shape::mesh_welded(&vertices, &triangles);
        fixed(mesh.unwrap(), Vec3::ZERO)
    }

    fn field(self) -> Body<Vec3> {
        let half = (self.length as Real * self.angle.cos()).ceil();
        let columns = 2 * half as usize + 1;
        let rows = 2 * WIDE as usize + 1;
        let heights =
            (0..columns * rows).map(|k| ((k % columns) as Real - half) * self.angle.tan());
        let scale = Vec3::new(2.0 * half, 1.0, 2.0 * WIDE as Real);
        fixed(
            Shape::height_field(heights.collect::<Vec<_>>(), columns, scale).unwrap(),
            Vec3::ZERO,
        )
    }

    fn tiles(self) -> Vec<Body<Vec3>> {
        let [long, wide] = [self.length, WIDE].map(|half| (half as Real / self.tile) as i32);
        let places = (-long..long).flat_map(|i| (-wide..wide).map(move |k| (i, k)));
        let tile = Shape::cuboid(Vec3::splat(0.5 * self.tile)).unwrap();
        let tiles = places.map(|(i, k)| {
            let place = self.uphill() * (i as Real + 0.5) + Vec3::Z * (k as Real + 0.5);
            let pose = Pose::new(
                (place - self.normal() * 0.5) * self.tile,
                Quat::from_rotation_z(self.angle),
            );
            Body::fixed(tile.clone(), pose)
        });
        tiles.collect()
    }

    /// The same slope as a half-space, a mesh, a height field and tiles.
    fn worlds(self) -> [World<Vec3>; 4] {
        let half_space = slide_obstacles::slope(self.angle, Vec3::ZERO);
        [
            world_of([half_space]),
            world_of([self.mesh()]),
            world_of([self.field()]),
            world_of(self.tiles()),
        ]
    }
}

const KINDS: [&str; 4] = ["half-space", "mesh", "height field", "tiles"];

fn heroes() -> Vec<Shape<Vec3>> {
    let ball = Shape::ball(0.5).unwrap();
    walkers().into_iter().chain([ball]).collect()
}

/// The skin of heroes: 2 % of half of their width.
fn skin_of(shape: &Shape<Vec3>) -> Real {
    if shape.kind_name() == "ball" {
        0.01
    } else {
        SKIN
    }
}

/// How far a shape comes down in five seconds.
fn comes_down(world: &World<Vec3>, shape: &Shape<Vec3>, start: Vec3) -> Real {
    const STEP: Real = 1.0 / 60.0;
    let mut walker = Walker::new(world, shape.clone(), start);
    let mut velocity = Vec3::ZERO;
    for _ in 0..300 {
        velocity.y -= 9.81 * STEP;
        velocity = walker.go(velocity * STEP).motion / STEP;
    }
    start.y - walker.height()
}

#[test]
fn every_slope_is_slid_down_alike() {
    let mut random = Random::new(5);
    let (mut failed, mut count) = (Vec::new(), 0);
    let any = |_| random.between(45.0, 80.0);
    let more: Vec<_> = (5..5 * iterations(1)).map(any).collect();
    for degrees in [45.0, 52.0, 55.0, 60.0, 80.0].into_iter().chain(more) {
        let slope = Slope {
            angle: degrees.to_radians(),
            length: 140,
            tile: 1.0,
        };
        let worlds = slope.worlds();
        for shape in heroes() {
            let start = Vec3::new(random.between(-1.0, 1.0), 0.0, random.between(-1.0, 1.0));
            let start = start.with_y(start.x * slope.angle.tan() + 3.5);
            let ways = [0, 1, 2, 3].map(|k| comes_down(&worlds[k], &shape, start));
            for (kind, way) in KINDS.into_iter().zip(ways) {
                count += 1;
                if (way - ways[0]).abs() > 0.01 * ways[0] {
                    failed.push(format!("{degrees} {kind} {shape:?}: {way} for {}", ways[0]));
                }
            }
        }
    }
    assert_none(&failed, count);
}

/// Without a seam: as far as asked, seen from above, at the whole skin, and on the normal of the slope.
#[test]
fn every_slope_is_walked_on_as_on_a_plane() {
    let mut random = Random::new(6);
    for (degrees, tile) in [(0.0, 0.25), (20.0, 0.35), (35.0, 1.0), (48.0, 0.25)] {
        let slope = Slope {
            angle: Real::to_radians(degrees),
            length: 20,
            tile,
        };
        let worlds = slope.worlds();
        for (kind, world) in KINDS.into_iter().zip(&worlds) {
            for shape in heroes() {
                let start = Vec3::new(0.1, HALF_HEIGHT + 2.0, 0.2);
                let mut walker = Walker::new(world, shape, start).land();
                for _ in 0..iterations(8) {
                    let start = walker.pose.translation();
                    let speed = (10.0 as Real).powf(random.between(-2.7, -0.5));
                    // Towards the middle again.
                    let way = random.vector::<Vec3>(0.0, speed).with_y(0.0);
                    let way = way * -start.signum();
                    for frame in 1..=((2.0 / speed) as usize).min(100) {
                        let ground = walker.walk(way).ground.unwrap();
                        let place = walker.pose.translation();
                        let off = length(level(place - start) - way * frame as Real);
                        // On slopes normals are rounded.
                        let most = 2e-5 + 3e-4 * slope.angle.sin() * length(place - start);
                        let tilt = (ground.normal - slope.normal()).length();
                        // Upper sides of tiles are level up to 1e-7, and seen from the skin away.
                        let most_tilt = if kind == KINDS[3] { 5e-3 } else { 1e-3 };
                        let placed = Placed::new(&walker.shape, &walker.pose);
                        let sunk = gap(&worlds[0], placed, |_| true) / skin_of(&walker.shape) - 1.0;
                        let shape = &walker.shape;
                        assert!(
                            off < most && tilt < most_tilt && sunk.abs() < 4e-3,
                            "{degrees} {kind} {frame} by {way}: {off} {tilt} {sunk} {shape:?}"
                        );
                    }
                }
            }
        }
    }
}
