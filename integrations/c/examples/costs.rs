//! What a frame of 10,000 bodies and a ray cost in Rust, to be compared with `benches/costs.c`: the same scene by the calls of C.
//!
//! `cargo run --release -p clearance-c --example costs`, with the numbers of frames and of rays, if other ones are wanted.

#![allow(clippy::print_stdout, reason = "an example prints what it measures")]

use std::time::Instant;

use clearance::dim3::{Body, BodyPose, DVec3, Options, Pose, Ray, RayOptions, Shape, Vec3, World};

const COUNT: usize = 10_000;

/// Rows of balls that touch. Each frame moves all of them a little.
fn pose(k: usize, round: usize) -> Pose {
    let shift = 0.01 * (round % 7) as f64;
    Pose::from_translation(DVec3::new(
        (k % 100) as f64 * 1.01 + shift,
        0.0,
        (k / 100) as f64 * 1.02,
    ))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args()
        .skip(1)
        .filter_map(|number| number.parse().ok());
    let mut next = |usual| arguments.next().unwrap_or(usual);
    let (rounds, rays) = (next(100), next(2_000_000));
    let mut world = World::new(Options::default())?;
    let mut poses = Vec::new();
    for k in 0..COUNT {
        let body = world.insert(Body::moving(Shape::ball(0.5)?, pose(k, 0)))?;
        let pose = pose(k, 0);
        poses.push(BodyPose { body, pose });
    }
    let (mut least, mut sum, mut contacts) = (f64::INFINITY, 0.0, 0);
    for round in 0..rounds {
        for (k, of_body) in poses.iter_mut().enumerate() {
            of_body.pose = pose(k, round);
        }
        let start = Instant::now();
        world.set_poses(&poses)?;
        world.step(0.0)?;
        sum += world
            .contacts()
            .iter()
            .map(|contact| f64::from(contact.distance()))
            .sum::<f64>();
        least = least.min(start.elapsed().as_secs_f64());
        contacts = world.contacts().len();
    }
    let start = Instant::now();
    for k in 0..rays {
        let x = 0.25 + (k % 97) as f64;
        let ray = Ray::new(DVec3::new(x, 3.0, 20.0), Vec3::NEG_Y)?;
        let hit = world.query().cast_ray(&ray, RayOptions::default())?;
        sum += hit.map_or(0.0, |hit| f64::from(hit.hit.distance));
    }
    let of_ray = start.elapsed().as_secs_f64() / rays as f64;
    println!(
        "Rust: {:.1} us a frame with {contacts} contacts, {:.1} ns a ray (sum {sum})",
        1e6 * least,
        1e9 * of_ray
    );
    Ok(())
}
