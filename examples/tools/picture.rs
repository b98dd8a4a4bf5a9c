//! Draws bodies of the plane and what a step reports of them, as an SVG image on standard output.
//!
//! ```text
//! cargo run --release --example picture > docs/book/src/pictures/contacts.svg
//! ```

#![allow(clippy::print_stdout, reason = "the drawing is the output")]

use std::error::Error;

use clearance::dim2::Vec2;
use clearance::math::Aabb;
use clearance_render::{SvgOptions, svg};
use clearance_scene::{RunOptions, SceneKind, SceneRunner, generate};

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", picture()?);
    Ok(())
}

/// A scene after a hundred frames, seen through a window around its middle.
fn picture() -> Result<String, Box<dyn Error>> {
    let mut scene = generate(SceneKind::Mixed2, 120, 5)
        .into_plane()
        .ok_or("a scene of the plane was asked for")?;
    scene.margin = 0.5;
    let mut runner = SceneRunner::new(&scene, RunOptions::default())?;
    for _ in 0..100 {
        runner.step(1.0 / 60.0)?;
    }
    let half = Vec2::new(6.0, 3.0);
    let options = SvgOptions {
        width: 768,
        height: 416,
        window: Some(Aabb::new(-half, half)),
        ..SvgOptions::default()
    };
    Ok(svg(runner.world(), &options))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_picture_shows_gaps_and_overlaps() -> Result<(), Box<dyn std::error::Error>> {
        let svg = super::picture()?;
        let lines = |colour| {
            svg.split(colour)
                .nth(1)
                .map_or(0, |group| group.matches("h0").count())
        };
        assert!(lines("#00836b") > 20 && lines("#c62828") > 6);
        assert!(svg.len() < 60_000 && svg.ends_with("</svg>\n"));
        Ok(())
    }
}
