//! How far apart are two shapes in space, and where are they nearest?

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::error::Error;

use clearance::dim3::{Placed, Pose, Quat, Shape, Vec3, intersects, proximity};

fn main() -> Result<(), Box<dyn Error>> {
    // A cone stands on its base; a gem, the hull of a few points, floats above its tip.
    let cone = Shape::cone(1.0, 0.5)?;
    let gem = Shape::hull([
        Vec3::new(0.0, -1.0, 0.0),
        Vec3::new(0.5, 0.0, 0.5),
        Vec3::new(-0.5, 0.0, 0.5),
        Vec3::new(0.0, 0.0, -0.5),
        Vec3::new(0.0, 0.5, 0.0),
    ])?;
    let above = Pose::from_translation(Vec3::new(0.0, 2.5, 0.0));

    let (a, b) = (
        Placed::new(&cone, &Pose::IDENTITY),
        Placed::new(&gem, &above),
    );
    let near = proximity(a, b, f32::INFINITY)?
        .near()
        .ok_or("no range was asked for")?;
    println!(
        "gap {} from {} to {}",
        near.distance,
        near.point_a(),
        near.point_b()
    );
    assert!((near.distance - 0.5).abs() < 1e-6);
    assert!((near.point_a() - Vec3::Y).length() < 1e-5);
    assert!((near.point_b() - Vec3::new(0.0, 1.5, 0.0)).length() < 1e-5);

    // Asked the other way round, the answer is the same with its sides exchanged.
    let back = proximity(b, a, f32::INFINITY)?
        .near()
        .ok_or("no range was asked for")?;
    assert_eq!(back.flipped(), near);

    // Lower, and lying on its side, the gem has its point in the cone.
    let turned = Quat::from_rotation_z(core::f32::consts::FRAC_PI_2);
    let lower = Pose::new(Vec3::new(-0.75, 0.0, 0.0), turned);
    let b = Placed::new(&gem, &lower);
    let deep = proximity(a, b, 0.0)?.near().ok_or("they overlap")?;
    println!("depth {} along {}", -deep.distance, deep.normal);
    assert!(deep.distance < 0.0 && intersects(a, b)?);
    assert!((deep.point_a() + deep.normal * deep.distance - deep.point_b()).length() < 1e-5);

    // Moved out by the depth along the normal, it touches.
    let out = Pose::new(lower.translation() + deep.normal * -deep.distance, turned);
    let touching = proximity(a, Placed::new(&gem, &out), 1.0)?;
    assert!(touching.near().ok_or("they touch")?.distance.abs() < 1e-5);
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn holds_what_it_says() -> Result<(), Box<dyn std::error::Error>> {
        super::main()
    }
}
