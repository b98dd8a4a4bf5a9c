//! How far apart are two shapes in the plane, and where are they nearest?

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::error::Error;

use clearance::dim2::{Placed, Pose, Proximity, Rotation, Shape, Vec2, proximity};

fn main() -> Result<(), Box<dyn Error>> {
    // A square turned by 45 degrees, its corner towards a disc.
    let square = Shape::cuboid(Vec2::new(1.0, 1.0))?;
    let turned = Pose::new(
        Vec2::ZERO,
        Rotation::from_angle(core::f32::consts::FRAC_PI_4),
    );
    let disc = Shape::ball(0.5)?;
    let beside = Pose::from_translation(Vec2::new(3.0, 0.0));

    let a = Placed::new(&square, &turned);
    let b = Placed::new(&disc, &beside);
    let near = proximity(a, b, f32::INFINITY)?
        .near()
        .ok_or("no range was asked for")?;
    println!(
        "gap {} from {} to {}",
        near.distance,
        near.point_a(),
        near.point_b()
    );
    assert!((near.distance - (2.5 - 2_f32.sqrt())).abs() < 1e-6);
    assert!((near.point_b() - Vec2::new(2.5, 0.0)).length() < 1e-6);
    assert!((near.normal - Vec2::X).length() < 1e-6);

    // The true distance of the shapes, as given, lies between the bounds.
    println!("proven to lie between {} and {}", near.lower, near.upper);
    assert!(near.lower <= near.distance && near.distance <= near.upper);

    // Shapes that overlap: the distance is the negated depth, along the shortest way out.
    let inside = Pose::from_translation(Vec2::new(0.25, 0.0));
    let upright = Placed::new(&square, &Pose::IDENTITY);
    let overlap = proximity(upright, Placed::new(&disc, &inside), 0.0)?;
    let overlap = overlap.near().ok_or("they overlap")?;
    println!("depth {} along {}", -overlap.distance, overlap.normal);
    assert!((overlap.distance + 1.25).abs() < 1e-6);
    assert!((overlap.normal - Vec2::X).length() < 1e-6);

    // If only near shapes are of interest, name a range: the search stops once it is exceeded.
    let (beam, slab) = (
        Shape::capsule(2.0, 0.1)?,
        Shape::cuboid(Vec2::new(4.0, 0.5))?,
    );
    let far = Pose::from_translation(Vec2::new(0.0, 9.0));
    let answer = proximity(Placed::new(&beam, &far), Placed::new(&slab, &turned), 0.1)?;
    assert!(matches!(answer, Proximity::Farther { lower } if lower > 0.1));
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn holds_what_it_says() -> Result<(), Box<dyn std::error::Error>> {
        super::main()
    }
}
