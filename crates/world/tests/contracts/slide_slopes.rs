//! A slope is the same slope, whatever it is made of.

use clearance_math::{Pose, Quat, Real, Vec3};
use clearance_shapes::Shape;
use clearance_world::{Body, SlideGround, World};

use crate::random::{Random, iterations};
use crate::slide_levels::fixed;
use crate::slide_walk::{FALL, HALF_HEIGHT, Walker, walkers, world_of};

/// Half of how wide a slope is, in cells of 1.
const WIDE: i32 = 3;

/// A slope that rises along x, through the origin.
#[derive(Clone, Copy)]
struct Slope {
    angle: Real,
    /// How far it leads up and down.
    length: i32,
}

impl Slope {
    fn uphill(self) -> Vec3 {
        Quat::from_rotation_z(self.angle) * Vec3::X
    }

    fn normal(self) -> Vec3 {
        Quat::from_rotation_z(self.angle) * Vec3::Y
    }

    fn mesh(self) -> Body<Vec3> {
        let mut vertices = Vec::new();
        let mut triangles = Vec::new();
        let wide = 2 * WIDE as u32 + 1;
        for i in -self.length..=self.length {
            for k in -WIDE..=WIDE {
                if i < self.length && k < WIDE {
                    let first = vertices.len() as u32;
                    triangles.push([first, first + 1, first + wide]);
                    triangles.push([first + 1, first + wide + 1, first + wide]);
                }
                vertices.push(self.uphill() * i as Real + Vec3::Z * k as Real);
            }
        }
        fixed(
            Shape::mesh_welded(&vertices, &triangles).unwrap(),
            Vec3::ZERO,
        )
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
        let places = (-self.length..self.length).flat_map(|i| (-WIDE..WIDE).map(move |k| (i, k)));
        let tile = Shape::cuboid(Vec3::splat(0.5)).unwrap();
        let tiles = places.map(|(i, k)| {
            let place = self.uphill() * (i as Real + 0.5) + Vec3::Z * (k as Real + 0.5);
            let pose = Pose::new(
                place - self.normal() * 0.5,
                Quat::from_rotation_z(self.angle),
            );
            Body::fixed(tile.clone(), pose)
        });
        tiles.collect()
    }

    /// The same slope as a half-space, a mesh, a height field and tiles.
    fn worlds(self) -> [World<Vec3>; 4] {
        let half_space = fixed(Shape::half_space(self.normal()).unwrap(), Vec3::ZERO);
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
    let mut heroes = walkers()[..3].to_vec();
    heroes.push(Shape::ball(0.5).unwrap());
    heroes
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
    let mut failed = Vec::new();
    let degrees: Vec<Real> = (0..iterations(1))
        .flat_map(|_| [45.0, 52.0, 55.0, 60.0, 80.0])
        .collect();
    for (k, degrees) in degrees.into_iter().enumerate() {
        let degrees = if k < 5 {
            degrees
        } else {
            random.between(45.0, 80.0)
        };
        let slope = Slope {
            angle: degrees.to_radians(),
            length: 140,
        };
        let worlds = slope.worlds();
        for shape in heroes() {
            let start = Vec3::new(random.between(-1.0, 1.0), 0.0, random.between(-1.0, 1.0));
            let start = start.with_y(start.x * slope.angle.tan() + 3.5);
            let ways = [0, 1, 2, 3].map(|k| comes_down(&worlds[k], &shape, start));
            for (kind, way) in KINDS.into_iter().zip(ways) {
                if (way - ways[0]).abs() > 0.01 * ways[0] {
                    failed.push(format!("{degrees} {kind} {shape:?}: {way} for {}", ways[0]));
                }
            }
        }
    }
    assert!(failed.is_empty(), "{}: {failed:#?}", failed.len());
}

#[test]
fn the_ground_has_the_normal_of_the_slope() {
    let mut random = Random::new(6);
    let mut failed = Vec::new();
    let mut count = 0;
    for degrees in [0.0, 20.0, 35.0, 48.0] {
        let slope = Slope {
            angle: Real::to_radians(degrees),
            length: 20,
        };
        for (kind, world) in KINDS.into_iter().zip(slope.worlds()) {
            for shape in heroes() {
                let start = Vec3::new(0.1, HALF_HEIGHT + 2.0, 0.2);
                let mut walker = Walker::new(&world, shape.clone(), start).land();
                for _ in 0..iterations(150) {
                    let home = walker.pose.translation().with_y(0.0) * -0.01;
                    let way = random.vector::<Vec3>(-0.1, 0.1).with_y(FALL);
                    let ground = walker.go(way + home).ground;
                    count += 1;
                    let is_right = |ground: SlideGround<Vec3>| {
                        (ground.normal - slope.normal()).length() < 1e-3
                    };
                    if !ground.is_some_and(is_right) {
                        failed.push(format!("{degrees} {kind} {shape:?}: {ground:?}"));
                    }
                }
            }
        }
    }
    let some = &failed[..failed.len().min(12)];
    assert!(failed.is_empty(), "{} of {count}: {some:#?}", failed.len());
}
