//! A hero walks over terrain, stairs, ramps and a floor of tiles, jumps, rides a lift, and ends in a corner.
//!
//! The engine moves nobody: the game keeps a velocity, asks where it leads, and puts the hero there.

#![allow(clippy::print_stdout, reason = "an example prints what happens")]

use std::f32::consts::FRAC_PI_2;

use clearance::dim3::{
    Body, BodyId, Pose, Quat, Shape, Slide, SlideContact, SlideOptions, SlidingBody, Vec3,
    Velocity, World,
};
use clearance::{Options, WorldError};

/// Length of a frame in seconds.
const FRAME: f32 = 1.0 / 60.0;
const GRAVITY: f32 = -20.0;
const SPEED: f32 = 4.0;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// What a game keeps of its hero.
struct Hero {
    body: BodyId,
    /// How fast it falls, or rises in a jump, relative to `inherited`.
    fall: f32,
    /// The velocity of the ground that it stood on last. In the air it keeps that.
    inherited: Vec3,
    /// The answer of the frame before.
    last: Option<Slide>,
    /// What it touches.
    contacts: Vec<SlideContact>,
}

impl Hero {
    /// Walks for a frame, with the speed and the direction of a stick, and perhaps jumps.
    fn walk(&mut self, world: &mut World, stick: Vec3, jump: Option<f32>) -> Outcome<Slide> {
        let ground = self.last.and_then(|last| last.ground);
        let mut velocity = stick * SPEED;
        if let Some(ground) = ground {
            // The ground carries it in this frame, also in that of a jump.
            (self.fall, self.inherited) = (0.0, ground.velocity);
        } else {
            velocity += self.inherited;
        }
        self.fall = jump.unwrap_or(self.fall + GRAVITY * FRAME);
        velocity += Vec3::Y * self.fall;
        let sliding = SlidingBody::new(self.body, velocity * FRAME).standing_on(ground);
        let slide =
            world
                .query()
                .slide_body_into(sliding, SlideOptions::default(), &mut self.contacts)?;
        world.body_mut(self.body)?.set_pose(slide.pose)?;
        self.last = Some(slide);
        Ok(slide)
    }

    /// Walks straight to a place, and tells in how many frames it did not stand.
    fn go_to(&mut self, world: &mut World, place: Vec3) -> Outcome<usize> {
        let mut in_the_air = 0;
        for _ in 0..2000 {
            let way = (place - world.body(self.body)?.pose().translation()).with_y(0.0);
            if way.length() < 0.05 {
                return Ok(in_the_air);
            }
            world.step(FRAME)?;
            let slide = self.walk(world, way.clamp_length_max(1.0), None)?;
            in_the_air += usize::from(slide.ground.is_none());
        }
        Err(format!(
            "{place} is out of reach from {}",
            *world.body(self.body)?.pose()
        )
        .into())
    }
}

fn at(x: f32, y: f32, z: f32) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

/// How high above a lift that moves at a speed a hero gets by a jump, and how far its height is off that lift's path
/// when it lands.
fn jump_from_a_lift(speed: f32) -> Outcome<f32> {
    let mut world = World::new(Options::default())?;
    let plate = Shape::cuboid(Vec3::new(2.0, 0.1, 2.0))?;
    let up = Velocity::from_linear(Vec3::Y * speed);
    let lift = world.insert(Body::moving(plate, at(0.0, 0.0, 0.0)).with_velocity(up))?;
    let hero = Shape::capsule(0.5, 0.4)?;
    let body = world.insert(Body::moving(hero, at(0.0, 1.05, 0.0)))?;
    let mut hero = Hero {
        body,
        fall: 0.0,
        inherited: Vec3::ZERO,
        last: None,
        contacts: Vec::new(),
    };
    for _ in 0..20 {
        world.step(FRAME)?;
        hero.walk(&mut world, Vec3::ZERO, None)?;
    }
    let above = |world: &World| Ok::<_, WorldError>(place(world, body)?.y - place(world, lift)?.y);
    let (start, mut highest) = (above(&world)?, 0.0_f32);
    for frame in 0..60 {
        world.step(FRAME)?;
        let slide = hero.walk(&mut world, Vec3::ZERO, (frame == 0).then_some(4.0))?;
        highest = highest.max(above(&world)? - start);
        if slide.ground.is_some() {
            return Ok(highest);
        }
    }
    Err("it never lands".into())
}

/// A level, and its lift.
fn level() -> Outcome<(World, BodyId)> {
    let mut world = World::new(Options::default())?;
    // Hills from x = -20 to 0.
    let height = |k: usize| 0.4 * ((k % 41) as f32 * 0.7).sin() * ((k / 41) as f32 * 0.5).cos();
    let heights = (0..41 * 41).map(|k| if k % 41 > 36 { 0.0 } else { height(k) });
    let hills = Shape::height_field(heights.collect::<Vec<_>>(), 41, Vec3::new(20.0, 1.0, 20.0))?;
    world.insert(Body::fixed(hills, at(-10.0, 0.0, 0.0)))?;
    // A floor of tiles, from x = 0 to 10.
    let tile = Shape::cuboid(Vec3::new(0.25, 0.25, 0.25))?;
    for k in 0..20 * 40 {
        let [x, z] = [k % 20, k / 20].map(|cell| 0.5 * cell as f32 + 0.25);
        world.insert(Body::fixed(tile.clone(), at(x, -0.25, z - 10.0)))?;
    }
    // Stairs up to a gallery, and a ramp down from it.
    for k in 0..10 {
        let step = Shape::cuboid(Vec3::new(0.2, 0.1 * (k + 1) as f32, 1.5))?;
        world.insert(Body::fixed(
            step,
            at(10.2 + 0.4 * k as f32, 0.1 * (k + 1) as f32, 0.0),
        ))?;
    }
    let gallery = Shape::cuboid(Vec3::new(2.0, 0.1, 4.0))?;
    world.insert(Body::fixed(gallery, at(16.0, 1.9, 2.5)))?;
    let down = Quat::from_rotation_z(0.5);
    let ramp = Shape::cuboid(Vec3::new(2.2, 0.1, 1.0))?;
    let middle = Vec3::new(14.0, 2.0, 5.5) - down * Vec3::new(2.2, 0.1, 0.0);
    world.insert(Body::fixed(ramp, Pose::new(middle, down)))?;
    // Two walls that meet at an angle of 45 degrees, and a lift in front of a tower.
    for angle in [0.0, FRAC_PI_2 / 2.0] {
        let (turn, wall) = (
            Quat::from_rotation_y(angle),
            Shape::cuboid(Vec3::new(3.0, 2.0, 0.1))?,
        );
        let middle = Vec3::new(2.0, 1.0, 8.0) + turn * Vec3::X * 3.0;
        world.insert(Body::fixed(wall, Pose::new(middle, turn)))?;
    }
    world.insert(Body::fixed(
        Shape::cuboid(Vec3::new(1.0, 2.0, 1.0))?,
        at(5.0, 2.0, -7.0),
    ))?;
    let lift = Body::moving(
        Shape::cuboid(Vec3::new(1.0, 0.05, 1.0))?,
        at(5.0, -0.04, -5.0),
    );
    let lift = world.insert(lift)?;
    Ok((world, lift))
}

fn place(world: &World, body: BodyId) -> Result<Vec3, WorldError> {
    Ok(world.body(body)?.pose().translation())
}

fn main() -> Outcome<()> {
    let (mut world, lift) = level()?;
    let start = at(-18.0, 2.0, -3.0);
    let body = world.insert(Body::moving(Shape::capsule(0.5, 0.4)?, start))?;
    let mut hero = Hero {
        body,
        fall: 0.0,
        inherited: Vec3::ZERO,
        last: None,
        contacts: Vec::new(),
    };
    while hero.walk(&mut world, Vec3::ZERO, None)?.ground.is_none() {}

    // It stands in every frame: on hills, over the seams of the tiles, on each step, and down the ramp.
    assert_eq!(hero.go_to(&mut world, Vec3::new(9.0, 0.0, 0.0))?, 0);
    println!("through the hills: {}", place(&world, body)?);
    assert_eq!(hero.go_to(&mut world, Vec3::new(16.0, 0.0, 0.0))?, 0);
    println!("up the stairs: {}", place(&world, body)?);
    assert!(place(&world, body)?.y > 2.8);
    assert_eq!(hero.go_to(&mut world, Vec3::new(16.0, 0.0, 5.5))?, 0);
    assert_eq!(hero.go_to(&mut world, Vec3::new(8.0, 0.0, 5.5))?, 0);
    println!("down the ramp: {}", place(&world, body)?);
    assert!((place(&world, body)?.y - 0.908).abs() < 1e-4);

    // A jump is a motion that leads up.
    let (mut highest, mut frames) = (0.0_f32, 0);
    hero.walk(&mut world, Vec3::ZERO, Some(6.0))?;
    while hero.walk(&mut world, Vec3::ZERO, None)?.ground.is_none() {
        highest = highest.max(place(&world, body)?.y);
        frames += 1;
    }
    println!("a jump of {frames} frames, up to {highest:.2}");
    assert!(highest > 1.6 && frames > 25);

    // From a lift it jumps as high above it as from the floor, whichever way the lift goes: v^2 / 2g, and half a frame.
    for speed in [0.0, 3.0, -3.0] {
        let highest = jump_from_a_lift(speed)?;
        println!("a jump from a lift at {speed} m/s: {highest:.3} m above it");
        assert!((highest - 0.4333).abs() < 1e-3);
    }

    // On the lift to the top of the tower; the ground carries the hero.
    hero.go_to(&mut world, Vec3::new(5.0, 0.0, -4.8))?;
    let up = Velocity::from_linear(Vec3::Y);
    world.body_mut(lift)?.set_velocity(up)?;
    for _ in 0..240 {
        world.step(FRAME)?;
        let ground = hero.walk(&mut world, Vec3::ZERO, None)?.ground;
        assert_eq!(ground.map(|ground| ground.body), Some(lift));
    }
    world.body_mut(lift)?.set_velocity(Velocity::default())?;
    assert_eq!(hero.go_to(&mut world, Vec3::new(5.0, 0.0, -7.0))?, 0);
    println!("on top of the tower: {}", place(&world, body)?);
    assert!(place(&world, body)?.y > 4.8);

    // Into the corner, and there without a tremble.
    world.body_mut(body)?.set_pose(at(6.0, 1.0, 7.0))?;
    for _ in 0..120 {
        hero.walk(&mut world, Vec3::new(-0.8, 0.0, 0.4), None)?;
    }
    let corner = place(&world, body)?;
    for _ in 0..60 {
        hero.walk(&mut world, Vec3::new(-0.8, 0.0, 0.4), None)?;
        assert!(place(&world, body)?.distance(corner) < 1e-5);
    }
    println!(
        "in the corner: {corner}, touching {} bodies",
        hero.contacts.len()
    );
    Ok(())
}

#[test]
fn holds_what_it_says() -> Outcome<()> {
    main()
}
