//! Draws bodies of the plane and what a step reports of them, as an SVG image on standard output.
//!
//! ```text
//! cargo run --release --example picture > docs/picture.svg
//! ```

#![allow(clippy::print_stdout, reason = "the drawing is the output")]

use core::fmt::{self, Write};
use std::error::Error;

use clearance::dim2::{Contact, Hull, Pose, Shape, Vec2};
use clearance::gjk::core_corners;
use clearance::math::{Aabb, Matrix, Rotation, Vector};
use clearance::shapes::{Convex, Core};
use clearance_scene::{RunOptions, SceneKind, SceneRunner, generate};

/// Pixels a unit of length.
const ZOOM: f64 = 64.0;

/// The side of the window that is drawn, in units of length.
const SIDE: Vec2 = Vec2::new(12.0, 6.0);

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
    let world = runner.world();
    let window = Aabb::new(SIDE * -0.5, SIDE * 0.5);
    let mut svg = String::new();
    begin(&mut svg)?;
    let seen = world
        .bodies()
        .filter(|body| body.bounds().overlaps(&window));
    for body in seen {
        draw_shape(&mut svg, body.shape(), body.pose())?;
    }
    for contact in world.contacts() {
        draw_contact(&mut svg, contact, &window)?;
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}

fn begin(svg: &mut String) -> fmt::Result {
    let size = SIDE.to_precise() * ZOOM;
    let [x, y] = [size.x * -0.5, size.y * -0.5];
    writeln!(
        svg,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x} {y} {} {}" stroke-linejoin="round" stroke-linecap="round">
<title>Bodies, and the closest points of all pairs nearer than a margin</title>
<style>
.s{{fill:#c9d6e8;stroke:#c9d6e8}}
.e{{stroke:#5b728f}}
.o{{fill:#c9d6e8;stroke:#5b728f;stroke-width:1}}
.near{{stroke:#1b7f4d;fill:#1b7f4d}}
.over{{stroke:#c0392b;fill:#c0392b}}
</style>
<rect x="{x}" y="{y}" width="{}" height="{}" fill="#fbfbf8"/>"##,
        size.x, size.y, size.x, size.y
    )
}

/// A core swept by a ball: the corners of the core, drawn with a pen as wide as the ball.
fn draw_shape(svg: &mut String, shape: &Shape, pose: &Pose) -> Result<(), Box<dyn Error>> {
    let Shape::Convex(convex) = shape else {
        return Ok(());
    };
    let radius = convex.radius() * ZOOM;
    if let Core::Point(point) = convex.core() {
        let [x, y] = pixel(placed(pose, *point));
        writeln!(
            svg,
            r#"<circle cx="{x:.1}" cy="{y:.1}" r="{radius:.1}" class="o"/>"#
        )?;
        return Ok(());
    }
    let mut path = String::new();
    for (index, corner) in outline(convex)?.into_iter().enumerate() {
        let [x, y] = pixel(placed(pose, corner));
        let command = if index == 0 { 'M' } else { 'L' };
        write!(path, "{command}{x:.1} {y:.1}")?;
    }
    if radius > 0.0 {
        // A wide dark line under a narrower light one leaves an outline of one pixel.
        let (wide, narrow) = (2.0 * radius + 1.0, 2.0 * radius - 1.0);
        writeln!(
            svg,
            r#"<path class="e" d="{path}Z" stroke-width="{wide:.1}"/><path class="s" d="{path}Z" stroke-width="{narrow:.1}"/>"#
        )?;
    } else {
        writeln!(svg, r#"<path class="o" d="{path}Z"/>"#)?;
    }
    Ok(())
}

fn outline(convex: &Convex<Vec2>) -> Result<Vec<Vec2>, Box<dyn Error>> {
    let corners = core_corners(convex.core()).ok_or("the scene has no ellipses")?;
    Ok(Hull::from_points(&corners)?.vertices().to_vec())
}

fn placed(pose: &Pose, point: Vec2) -> Vec2 {
    pose.translation + Vec2::from_precise(pose.rotation.matrix().apply(point.to_precise()))
}

/// The y axis of an image points down.
fn pixel(point: Vec2) -> [f64; 2] {
    let point = point.to_precise() * ZOOM;
    [point.x, -point.y]
}

/// The closest points with the segment between them, and the normal as a short stroke from a.
fn draw_contact(svg: &mut String, contact: &Contact, window: &Aabb<Vec2>) -> fmt::Result {
    let separation = &contact.separation;
    let (a, b) = (separation.point_a, separation.point_b);
    if !window.contains_point(a) || !window.contains_point(b) {
        return Ok(());
    }
    let class = if contact.distance() < 0.0 {
        "over"
    } else {
        "near"
    };
    let [ax, ay] = pixel(a);
    let [bx, by] = pixel(b);
    let [nx, ny] = pixel(b + separation.normal * 0.25);
    writeln!(
        svg,
        r#"<g class="{class}"><path stroke-width="2" d="M{ax:.1} {ay:.1}L{bx:.1} {by:.1}"/><path stroke-width="0.8" d="M{bx:.1} {by:.1}L{nx:.1} {ny:.1}"/><circle cx="{ax:.1}" cy="{ay:.1}" r="2.5"/><circle cx="{bx:.1}" cy="{by:.1}" r="2.5"/></g>"#
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_picture_shows_gaps_and_overlaps() -> Result<(), Box<dyn std::error::Error>> {
        let svg = super::picture()?;
        assert!(svg.matches(r#"class="near""#).count() > 10);
        assert!(svg.matches(r#"class="over""#).count() > 3);
        assert!(svg.len() < 100_000 && svg.ends_with("</svg>\n"));
        Ok(())
    }
}
