//! A shape of your own: a superellipsoid, somewhere between a ball and a box, among other shapes.

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::error::Error;
use std::f32::consts::FRAC_PI_2;

use clearance::dim3::*;
use clearance::math::DVec3;
use clearance::shapes::{CustomShape, Support};

/// All points with |x/a|^p + |y/b|^p + |z/c|^p <= 1, where p is at least 2.
#[derive(Debug)]
struct Superellipsoid {
    /// a, b and c.
    radii: Vec3,
    /// p: 2 makes an ellipsoid, and the greater it is, the nearer to a box.
    power: f32,
}

impl Support<DVec3> for Superellipsoid {
    /// At the farthest point the gradient of the left side is along the direction d, which solves to
    /// x/a = (a d_x / n)^(1 / (p - 1)), where n is such that the point is on the surface. The last bit
    /// of a power depends on the platform: where that matters, take `libm::pow`.
    fn support(&self, direction: DVec3) -> DVec3 {
        let power = f64::from(self.power);
        let radii = self.radii.as_dvec3();
        let scaled = radii * direction;
        // Relative to the greatest, so that no power becomes infinite.
        let scaled = scaled / scaled.abs().max_element();
        let share = scaled.abs().powf(1.0 / (power - 1.0));
        let length = share.powf(power).element_sum().powf(1.0 / power);
        radii * share.copysign(scaled) / length
    }

    fn center(&self) -> DVec3 {
        DVec3::ZERO
    }

    /// The shape lies in the box of its radii.
    fn bounding_radius(&self) -> f64 {
        self.radii.as_dvec3().length()
    }
}

impl CustomShape<DVec3> for Superellipsoid {
    /// The numbers that define the shape, after one that no other type of this program has.
    fn key(&self) -> [u32; 8] {
        let [a, b, c] = self.radii.to_array().map(f32::to_bits);
        [1, a, b, c, self.power.to_bits(), 0, 0, 0]
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new(Options {
        margin: 0.5,
        ..Options::default()
    })?;
    let at = |x: f32, y: f32| Pose::from_translation(Vec3::new(x, y, 0.0));
    let ground = world.insert(Body::fixed(Shape::half_space(Vec3::Y)?, Pose::IDENTITY))?;
    let pebble = Shape::custom(Superellipsoid {
        radii: Vec3::new(2.0, 1.0, 1.5),
        power: 4.0,
    })?;
    // A second one shares the shape, on its side and sunk into the ground.
    let flat = world.insert(Body::moving(pebble.clone(), at(0.0, 1.25)))?;
    let quarter_turn = Quat::from_rotation_z(FRAC_PI_2);
    let on_side = Pose::new(Vec3::new(-3.25, 1.25, 0.0), quarter_turn);
    let upright = world.insert(Body::moving(pebble, on_side))?;
    let ball = world.insert(Body::moving(Shape::ball(0.5)?, at(2.75, 1.25)))?;
    world.step(0.0)?;
    let expected = [
        (ground, flat, 0.25),
        (ground, upright, -0.75),
        (flat, upright, 0.25),
        (flat, ball, 0.25),
    ];
    assert_eq!(world.contacts().len(), expected.len());
    for (contact, (a, b, distance)) in world.contacts().iter().zip(expected) {
        println!("{a} and {b}: {}", contact.distance());
        assert!((contact.a, contact.b) == (a, b) && (contact.distance() - distance).abs() < 1e-5);
    }
    // From above, down to where x = 1: there |1/2|^4 + |y|^4 = 1.
    let down = Ray::new(Vec3::new(1.0, 10.0, 0.0), Vec3::NEG_Y)?;
    let hit = world.query().cast_ray(&down, RayOptions::default())?;
    let hit = hit.ok_or("the pebble is in the way")?;
    println!("the ray hits {} at {}", hit.body, hit.hit.point());
    let height = 1.25 + (1.0 - 0.5_f32.powi(4)).powf(0.25);
    assert!(hit.body == flat && (hit.hit.point().y - height).abs() < 1e-5);
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn holds_what_it_says() -> Result<(), Box<dyn std::error::Error>> {
        super::main()
    }
}
