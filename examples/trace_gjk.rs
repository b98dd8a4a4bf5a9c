//! What GJK does: every iteration of the search for the distance of two shapes. If they overlap, the
//! expanding polytope finds the depth: every step of it. And the times at which a cast looks at them.
//!
//! The search walks over the Minkowski difference a - b: all differences of a point of a and one
//! of b. Its point nearest the origin is as far from it as the shapes are from each other. Shapes
//! that overlap have the origin in the difference, as deep as they overlap.

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::error::Error;

use clearance::dim3::{
    Cast, CastOptions, Motion, Placed, Pose, Quat, Shape, Vec3, cast_shapes, proximity, trace,
    trace_cast, trace_expansion,
};

fn main() -> Result<(), Box<dyn Error>> {
    let cylinder = Shape::cylinder(1.0, 0.5)?;
    let cuboid = Shape::cuboid(Vec3::new(0.5, 1.0, 0.25))?;
    let place = Vec3::new(2.0, 1.0, 0.5);
    let turned = Pose::new(place, Quat::from_xyzw(0.1, 0.3, 0.9, 0.3).normalize());
    let overlapping = Pose::new(place * 0.25, turned.rotation);
    let a = Placed::new(&cylinder, &Pose::IDENTITY);
    let b = Placed::new(&cuboid, &turned);
    search(a, b)?;
    expand(a, Placed::new(&cuboid, &overlapping))?;
    let fall = Motion::new(-place, Vec3::new(0.0, 0.0, 3.0));
    advance(Cast::resting(a), Cast::new(b, fall))
}

/// The iterations of the search for a distance.
fn search(a: Placed, b: Placed) -> Result<(), Box<dyn Error>> {
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
            "{step:>4}  {lower:<17.12}  {upper:<17.12}  {} ({})",
            weights.join(" "),
            simplex.region()
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

/// The steps of the expanding polytope.
fn expand(a: Placed, b: Placed) -> Result<(), Box<dyn Error>> {
    let steps = trace_expansion(a, b)?;
    println!("step  depth at least     at most            vertices, faces, normal of the nearest");
    for (step, expansion) in steps.iter().enumerate() {
        println!(
            "{step:>4}  {:<17.12}  {:<17.12}  {}, {}, {:.3}",
            expansion.lower,
            expansion.upper,
            expansion.vertices.len(),
            expansion.faces().len(),
            expansion.normal
        );
    }
    for pair in steps.windows(2) {
        assert!(pair[0].lower <= pair[1].lower && pair[1].upper <= pair[0].upper);
    }
    let last = steps.last().ok_or("the shapes overlap")?;
    let near = proximity(a, b, 0.0)?.near().ok_or("the shapes overlap")?;
    println!("distance {}, {:?}", near.distance, near.status);
    let depth = -f64::from(near.distance);
    assert!(last.lower - 1e-6 < depth && depth < last.upper + 1e-6);
    Ok(())
}

/// The advances of a cast.
fn advance(a: Cast, b: Cast) -> Result<(), Box<dyn Error>> {
    let advances = trace_cast(a, b, CastOptions::default())?;
    println!("time            distance at least  at most            normal");
    for advance in &advances {
        println!(
            "{:<14.12}  {:<17.12}  {:<17.12}  {:.3}",
            advance.time, advance.lower, advance.upper, advance.normal
        );
    }
    assert!(advances.windows(2).all(|pair| pair[0].time < pair[1].time));
    let hit = cast_shapes(a, b, CastOptions::default())?.ok_or("they meet")?;
    println!("they meet at time {}, {:?}", hit.time, hit.status);
    let last = advances.last().ok_or("they meet")?;
    assert!(last.time as f32 == hit.time && last.upper < 1e-6);
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn holds_what_it_says() -> Result<(), Box<dyn std::error::Error>> {
        super::main()
    }
}
