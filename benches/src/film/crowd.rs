//! People who walk to goals that change and avoid each other.

use std::error::Error;

use clearance_math::{Pose, Real, Rotation2, Vec2};
use clearance_scene::{BodyKind, RunOptions, Scene, SceneRunner};
use clearance_shapes::Shape;
use clearance_world::{BodyId, World};

use super::{Film, STEP, body, empty_scene};
use crate::Random;

/// How many people walk.
pub(super) const COUNT: usize = 5000;

/// How many frames are recorded.
const FRAMES: usize = 480;

/// How many columns stand in their way; they are the first bodies.
const COLUMNS: usize = 200;

/// Half the width of the place.
const HALF: Real = 45.0;

/// People begin to avoid each other at this distance, which is the margin of the scene.
const COMFORT: Real = 0.25;

/// How fast they turn to their goals and how strongly they avoid each other, in parts a second.
const EAGERNESS: Real = 3.0;
const AVOIDANCE: Real = 20.0;

/// The share of an overlap that a frame undoes.
const STIFFNESS: Real = 0.4;

/// Somebody who is this near to the goal chooses another.
const NEAR: Real = 2.0;

struct Walker {
    position: Vec2,
    velocity: Vec2,
    goal: Vec2,
    speed: Real,
}

impl Walker {
    fn new(random: &mut Random) -> Self {
        Self {
            position: random.vector::<Vec2>() * HALF,
            velocity: Vec2::ZERO,
            goal: random.vector::<Vec2>() * HALF,
            speed: random.between(0.6, 1.8),
        }
    }

    /// The pose, with the shoulders across the direction of walking.
    fn pose(&self) -> Result<Pose<Vec2>, Box<dyn Error>> {
        let ahead = self.velocity.to_array().map(f64::from);
        let length = (ahead[0] * ahead[0] + ahead[1] * ahead[1]).sqrt();
        let rotation = if length > 1e-3 {
            Rotation2::from_cos_sin(ahead[0] / length, ahead[1] / length)?
        } else {
            Rotation2::default()
        };
        Ok(Pose::new(self.position, rotation))
    }

    /// Walks on for a frame.
    fn walk(&mut self, random: &mut Random) {
        let to_goal = self.goal - self.position;
        let distance = to_goal.length();
        if distance < NEAR {
            self.goal = random.vector::<Vec2>() * HALF;
        } else {
            let wanted = to_goal * (self.speed / distance);
            self.velocity += (wanted - self.velocity) * (EAGERNESS * STEP);
        }
        self.position += self.velocity * STEP;
    }

    /// Makes room for somebody at this distance in the direction of `normal`.
    fn avoid(&mut self, normal: Vec2, distance: Real) {
        self.velocity -= normal * ((COMFORT - distance) * AVOIDANCE * STEP);
        self.position += normal * (STIFFNESS * distance.min(0.0));
    }
}

pub(super) fn record() -> Result<Film<Vec2>, Box<dyn Error>> {
    let random = &mut Random::new(3);
    let mut walkers: Vec<Walker> = (0..COUNT).map(|_| Walker::new(random)).collect();
    let scene = scene(random, &walkers)?;
    let mut world = SceneRunner::new(&scene, RunOptions::default())?
        .world()
        .clone();
    let ids: Vec<BodyId> = world.bodies().ids().collect();
    let mut poses: Vec<_> = scene.bodies.iter().map(|body| body.pose).collect();
    let mut film = Film::new(scene);
    for _ in 0..FRAMES {
        for (number, walker) in walkers.iter_mut().enumerate() {
            walker.walk(random);
            poses[COLUMNS + number] = walker.pose()?;
            world
                .body_mut(ids[COLUMNS + number])?
                .set_pose(poses[COLUMNS + number])?;
        }
        world.step(0.0)?;
        film.add_frame(&poses);
        make_room(&world, &mut walkers);
    }
    Ok(film)
}

fn scene(random: &mut Random, walkers: &[Walker]) -> Result<Scene<Vec2>, Box<dyn Error>> {
    let mut scene = empty_scene(COMFORT);
    for _ in 0..COLUMNS {
        let half_extents = Vec2::new(random.between(0.3, 1.5), random.between(0.3, 1.5));
        let angle = random.between(0.0, 3.0);
        let pose = Pose::new(random.vector::<Vec2>() * HALF, Rotation2::from_angle(angle));
        let column = Shape::cuboid(half_extents);
        scene.bodies.push(body(column, pose, BodyKind::Fixed)?);
    }
    for (number, walker) in walkers.iter().enumerate() {
        // Some carry nothing, some are seen from above with their shoulders, some push a cart.
        let shape = match number % 3 {
            0 => Shape::ball(0.25),
            1 => Shape::capsule(0.15, 0.15),
            _ => Shape::cuboid(Vec2::new(0.4, 0.25)),
        };
        scene
            .bodies
            .push(body(shape, walker.pose()?, BodyKind::Moving)?);
    }
    Ok(scene)
}

/// Lets the people of each contact make room for each other, or for a column.
fn make_room(world: &World<Vec2>, walkers: &mut [Walker]) {
    for contact in world.contacts() {
        let [a, b] = [contact.a, contact.b].map(|id| id.index() as usize);
        let (normal, distance) = (contact.separation.normal, contact.distance());
        if a >= COLUMNS {
            walkers[a - COLUMNS].avoid(normal, distance);
        }
        if b >= COLUMNS {
            walkers[b - COLUMNS].avoid(-normal, distance);
        }
    }
}
