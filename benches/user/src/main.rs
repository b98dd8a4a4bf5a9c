//! Steps a mixed scene in space or in the plane: `user space 60` makes 60 steps in space.

use std::error::Error;

use clearance::{dim2, dim3};

const DT: f32 = 1.0 / 60.0;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, dimension, frames] = &arguments[..] else {
        return Err("usage: user space|plane FRAMES".into());
    };
    let frames: usize = frames.parse()?;
    let mut contacts = 0;
    if dimension == "plane" {
        let mut world = plane(2_000)?;
        for _ in 0..frames {
            world.step(DT)?;
            contacts += world.contacts().len();
        }
    } else {
        let mut world = space(2_000)?;
        for _ in 0..frames {
            world.step(DT)?;
            contacts += world.contacts().len();
        }
    }
    println!("{} contacts in {frames} frames", contacts);
    Ok(())
}

/// Bodies of six kinds that turn and drift in a cube; each has about one neighbour within the margin.
fn space(count: usize) -> Result<dim3::World, Box<dyn Error>> {
    use dim3::{Body, Options, Pose, Quat, Shape, Vec3, Velocity, World};
    let mut random = Random(1);
    let corners: Vec<Vec3> = (0..32)
        .map(|_| Vec3::new(random.signed(), random.signed(), random.signed()).normalize() * 0.5)
        .collect();
    let shapes = [
        Shape::ball(0.5)?,
        Shape::cuboid(Vec3::new(0.5, 0.4, 0.3))?,
        Shape::capsule(0.4, 0.3)?,
        Shape::cylinder(0.5, 0.3)?,
        Shape::cone(0.5, 0.4)?,
        Shape::hull(&corners)?,
    ];
    let size = (count as f32).cbrt() * 0.6;
    let mut world = World::new(Options {
        margin: 0.05,
        ..Options::default()
    })?;
    for k in 0..count {
        let mut vector = || Vec3::new(random.signed(), random.signed(), random.signed());
        let pose = Pose::new(vector() * size, Quat::from_scaled_axis(vector() * 3.0));
        let velocity = Velocity::new(vector() * 0.5, vector());
        world
            .insert(Body::moving(shapes[k % shapes.len()].clone(), pose).with_velocity(velocity))?;
    }
    Ok(world)
}

/// Bodies of four kinds that turn and drift in a square.
fn plane(count: usize) -> Result<dim2::World, Box<dyn Error>> {
    use dim2::{Body, Options, Pose, Rotation, Shape, Vec2, Velocity, World};
    let mut random = Random(2);
    let corners = [
        [-0.5, -0.3],
        [0.4, -0.4],
        [0.5, 0.2],
        [0.0, 0.5],
        [-0.4, 0.3],
    ]
    .map(Vec2::from);
    let shapes = [
        Shape::ball(0.4)?,
        Shape::cuboid(Vec2::new(0.5, 0.3))?,
        Shape::capsule(0.3, 0.2)?,
        Shape::hull(&corners)?,
    ];
    let size = (count as f32).sqrt() * 0.6;
    let mut world = World::new(Options {
        margin: 0.05,
        ..Options::default()
    })?;
    for k in 0..count {
        let mut vector = || Vec2::new(random.signed(), random.signed());
        let pose = Pose::new(vector() * size, Rotation::from_angle(vector().x * 3.0));
        let velocity = Velocity::new(vector() * 0.5, vector().x);
        world
            .insert(Body::moving(shapes[k % shapes.len()].clone(), pose).with_velocity(velocity))?;
    }
    Ok(world)
}

/// A linear congruential generator: good enough to scatter bodies, and no dependency.
struct Random(u64);

impl Random {
    /// A number from -1 to 1.
    fn signed(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
    }
}
