//! What GJK does: every iteration of the search for the distance of two shapes.
//!
//! The search walks over the Minkowski difference a - b: all differences of a point of a and one
//! of b. Its point nearest the origin is as far from it as the shapes are from each other.

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::error::Error;

use clearance::dim3::{Placed, Pose, Quat, Shape, Vec3, proximity};
use clearance::gjk::trace;

fn main() -> Result<(), Box<dyn Error>> {
    let cylinder = Shape::cylinder(1.0, 0.5)?;
    let cuboid = Shape::cuboid(Vec3::new(0.5, 1.0, 0.25))?;
    let place = Vec3::new(2.0, 1.0, 0.5);
    let turned = Pose::new(place, Quat::from_xyzw(0.1, 0.3, 0.9, 0.3).normalize());
    let (a, b) = (
        Placed::new(&cylinder, &Pose::IDENTITY),
        Placed::new(&cuboid, &turned),
    );

    let iterations = trace(a, b)?;
    println!("step  distance at least  at most            weights of the vertices");
    for (step, iteration) in iterations.iter().enumerate() {
        let simplex = &iteration.simplex;
        let weights: Vec<String> = simplex
            .weights()
            .iter()
            .map(|w| format!("{w:.3}"))
            .collect();
        let (lower, upper) = (iteration.lower, iteration.upper);
        println!(
            "{step:>4}  {lower:<17.12}  {upper:<17.12}  {}",
            weights.join(" ")
        );
        for vertex in simplex.vertices() {
            println!(
                "        {:.3} = {:.3} - {:.3}",
                vertex.point, vertex.on_a, vertex.on_b
            );
        }
        println!(
            "        farthest along {:.3} is {:.3}",
            iteration.direction, iteration.support.point
        );
    }

    // Each step raises the lower bound or lowers the upper one, until they meet.
    for pair in iterations.windows(2) {
        assert!(pair[0].lower <= pair[1].lower && pair[1].upper <= pair[0].upper);
    }
    let last = iterations.last().ok_or("the shapes are apart")?;
    let answer = proximity(a, b, f32::INFINITY)?
        .near()
        .ok_or("no range was asked for")?;
    println!("distance {}, {:?}", answer.distance, answer.status);
    assert!(last.upper - last.lower < 1e-6 * last.upper);
    assert!((f64::from(answer.distance) - last.upper).abs() < 1e-6);
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn holds_what_it_says() -> Result<(), Box<dyn std::error::Error>> {
        super::main()
    }
}
