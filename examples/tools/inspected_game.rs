//! A game that can be looked at while it runs: balls that bounce about in a room.
//!
//! `cargo run --release --example inspected_game` prints the command that opens the page.

#![allow(clippy::print_stdout, reason = "an example prints what to do")]

use std::{error::Error, thread::sleep, time::Duration};

use clap::Parser;
use clearance::dim2::*;
use clearance_inspect::Inspector;

#[derive(Parser)]
struct Arguments {
    /// How many frames the game runs; there are 60 in a second
    #[arg(long, default_value_t = 36_000)]
    frames: u32,
}

fn main() -> Result<(), Box<dyn Error>> {
    play(Arguments::parse().frames)
}

fn play(frames: u32) -> Result<(), Box<dyn Error>> {
    let mut world = World::new(Options::default())?;
    for normal in [Vec2::X, -Vec2::X, Vec2::Y, -Vec2::Y] {
        let wall = Pose::from_translation(normal * -10.0);
        world.insert(Body::fixed(Shape::half_space(normal)?, wall))?;
    }
    let ball = Shape::ball(0.5)?;
    for k in 0..60 {
        let place = Vec2::new((k % 8) as f32 * 2.0 - 7.0, (k / 8) as f32 * 2.0 - 7.0);
        let speed = Velocity::from_linear(Rotation::from_angle(k as f32) * Vec2::new(3.0, 0.0));
        let body = Body::moving(ball.clone(), Pose::from_translation(place));
        world.insert(body.with_velocity(speed))?;
    }

    let mut inspector = Inspector::listen("127.0.0.1:0")?;
    println!("clearance view --open --attach {}", inspector.address());
    for _ in 0..frames {
        world.step(1.0 / 60.0)?;
        inspector.frame(&world)?;
        for contact in world.contacts().to_vec() {
            let normal = contact.separation.normal;
            for (id, away) in [(contact.a, -normal), (contact.b, normal)] {
                let Velocity { linear, angular } = world.body(id)?.velocity();
                let linear = linear - away * (2.0 * linear.dot(away).min(0.0));
                world
                    .body_mut(id)?
                    .set_velocity(Velocity { linear, angular })?;
            }
        }
        sleep(Duration::from_secs_f64(1.0 / 60.0));
    }
    Ok(())
}

#[test]
fn runs() -> Result<(), Box<dyn Error>> {
    play(20)
}
