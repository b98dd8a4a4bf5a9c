//! 10,000 moving bodies of six kinds, and where the time of a frame goes.
//!
//! ```text
//! cargo run --release -p clearance-examples --example stress -- 20000 2
//! ```
//!
//! steps 20,000 bodies on two threads. `clearance generate` and `clearance run` make and step scenes of other kinds.

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::error::Error;

use clearance::dim3::{Body, Pose, Quat, Shape, Vec3, Velocity, World};
use clearance::{Options, Profile};

const FRAMES: usize = 120;
/// Length of a step in seconds.
const STEP: f32 = 1.0 / 60.0;
/// Pairs up to this distance are contacts.
const MARGIN: f32 = 0.05;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default| arguments.next().map_or(Ok(default), |text| text.parse());
    let (Ok(bodies), Ok(threads)) = (number(10_000), number(1)) else {
        return Err("usage: stress [BODIES [THREADS]]".into());
    };
    println!(
        "{bodies} balls, cuboids, capsules, cylinders, cones and hulls, {FRAMES} frames on {threads} thread(s)\n"
    );
    let profiles = stress(bodies, threads)?;
    let middle = slower_than(&profiles, 50);
    println!("a frame in the middle  {middle}");
    println!("slower than 95 %       {}", slower_than(&profiles, 95));
    println!(
        "frames a second        {:.1}",
        1.0 / middle.total().as_secs_f64()
    );
    Ok(())
}

/// The fastest frame that is slower than a share of all of them, which are sorted.
fn slower_than(profiles: &[Profile], percent: usize) -> &Profile {
    &profiles[profiles.len() * percent / 100]
}

/// The profiles of all frames, the fastest first.
fn stress(bodies: usize, threads: usize) -> Result<Vec<Profile>, Box<dyn Error>> {
    let mut world = drifting(bodies, threads)?;
    world.set_profiling(Some(Profile::standard_clock));
    let mut profiles = Vec::with_capacity(FRAMES);
    for _ in 0..FRAMES {
        world.step(STEP)?;
        profiles.push(world.profile());
    }
    profiles.sort_by_key(Profile::total);
    Ok(profiles)
}

/// Bodies that turn and drift in a cube; four of five have another one within the margin.
fn drifting(bodies: usize, threads: usize) -> Result<World, Box<dyn Error>> {
    let mut random = Random(1);
    let corners: Vec<Vec3> = (0..32).map(|_| random.vector().normalize() * 0.5).collect();
    let shapes = [
        Shape::ball(0.5)?,
        Shape::cuboid(Vec3::new(0.5, 0.4, 0.3))?,
        Shape::capsule(0.4, 0.3)?,
        Shape::cylinder(0.5, 0.3)?,
        Shape::cone(0.5, 0.4)?,
        Shape::hull(&corners)?,
    ];
    let half_side = (bodies as f32).cbrt() * 0.65;
    let mut world = World::new(Options {
        margin: MARGIN,
        threads,
        ..Options::default()
    })?;
    for shape in shapes.iter().cycle().take(bodies) {
        let rotation = Quat::from_scaled_axis(random.vector() * 3.0);
        let pose = Pose::new(random.vector() * half_side, rotation);
        let velocity = Velocity::new(random.vector() * 0.5, random.vector());
        world.insert(Body::moving(shape.clone(), pose).with_velocity(velocity))?;
    }
    Ok(world)
}

/// A linear congruential generator: good enough to scatter bodies, and no dependency.
struct Random(u64);

impl Random {
    /// A vector whose components are from -1 to 1.
    fn vector(&mut self) -> Vec3 {
        Vec3::from_array([(); 3].map(|()| {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (self.0 >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
        }))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn contacts_are_those_of_all_pairs() -> Result<(), Box<dyn Error>> {
        let mut world = drifting(300, 1)?;
        for _ in 0..10 {
            world.step(STEP)?;
        }
        let bodies: Vec<_> = world.bodies().collect();
        let mut near = Vec::new();
        for (k, a) in bodies.iter().enumerate() {
            for b in &bodies[k + 1..] {
                let answer = clearance::dim3::proximity(a.placed(), b.placed(), MARGIN)?;
                near.extend(answer.near().map(|_| (a.id(), b.id())));
            }
        }
        assert!(near.len() > 100, "{}", near.len());
        let contacts = world.contacts().iter();
        assert!(contacts.map(|contact| (contact.a, contact.b)).eq(near));
        Ok(())
    }

    #[test]
    fn every_frame_is_in_the_list_which_is_sorted_by_time() -> Result<(), Box<dyn Error>> {
        let profiles = stress(300, 1)?;
        assert_eq!(profiles.len(), FRAMES);
        assert!(profiles.is_sorted_by_key(Profile::total));
        assert!(profiles.iter().all(|profile| profile.contacts > 100));
        Ok(())
    }

    #[test]
    fn frames_are_taken_by_their_place() {
        let frame = |number| {
            let mut profile = Profile::default();
            profile.measure = Duration::from_millis(number);
            profile
        };
        let profiles: Vec<_> = (0..120).map(frame).collect();
        let places = [0, 50, 95].map(|percent| slower_than(&profiles, percent).measure.as_millis());
        assert_eq!(places, [0, 60, 114]);
    }
}
