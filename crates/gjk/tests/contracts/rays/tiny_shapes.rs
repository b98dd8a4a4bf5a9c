//! Shapes that are tiny beside their distance from the ray's start. Once the ray was said to start inside of them, or to
//! hit them at the greatest number, since it was parallel to all of their surfaces as far as rounding can tell.

use clearance_gjk::{Interior, Placed, RayHit, RayOptions, cast_ray};
use clearance_math::{Pose, PreciseVector, Ray, Real, Vec2, Vec3, Vector};
use clearance_shapes::Shape;

/// A ray through the origin, from outside, at a shape of that size around it.
fn check<V: Vector>(shape: &Shape<V>, size: Real, direction: V) -> [Option<RayHit<V>>; 2] {
    let distance = direction.to_precise().length() as Real;
    [Interior::Solid, Interior::Hollow].map(|interior| {
        let ray = Ray::new(-direction, direction).unwrap();
        let options = RayOptions {
            interior,
            ..RayOptions::default()
        };
        let hit = cast_ray(&ray, Placed::new(shape, &Pose::IDENTITY), options).unwrap()?;
        let error = (hit.distance - distance).abs();
        assert!(error <= 4.0 * size + 1e-6 * distance, "{shape:?}: {hit:?}");
        assert!(
            hit.lower <= hit.distance && hit.distance <= hit.upper,
            "{shape:?}: {hit:?}"
        );
        let gap = hit.upper - hit.lower;
        assert!(gap <= 16.0 * size + 4e-6 * distance, "{shape:?}: {hit:?}");
        assert!(hit.normal.is_some(), "{shape:?}: {hit:?}");
        Some(hit)
    })
}

#[test]
fn rays_at_tiny_shapes_hit_them_where_they_are() {
    for exponent in 1..=20 {
        let size = 10.0_f32.powi(-exponent);
        let direction = Vec3::new(6.837_982, 2.139_434_6, 1.722_706);
        let (x, y, z) = (Vec3::X * size, Vec3::Y * size, Vec3::Z * size);
        let solid = [
            Shape::ball(size),
            Shape::cuboid(Vec3::splat(size)),
            Shape::capsule(size, 0.5 * size),
            Shape::cylinder(size, size),
            Shape::cone(size, size),
            Shape::hull([-x - y - z, x - z, y - z, z]),
            Shape::cuboid(Vec3::splat(size)).unwrap().rounded(size),
        ];
        for shape in solid.map(Result::unwrap) {
            let hits = check(&shape, size, direction);
            assert!(hits.iter().all(Option::is_some), "{shape:?}");
        }
        // Rounding may let a ray pass these.
        for flat in [Shape::segment(-x, z), Shape::triangle(-x - y, x, z)] {
            check(&flat.unwrap(), size, direction);
        }
    }
}

#[test]
fn rays_at_the_middle_of_tiny_shapes_do_not_miss() {
    for exponent in 1..=20 {
        let size = 10.0_f32.powi(-exponent);
        for half in [Vec3::splat(size), Vec3::new(size, 2.0 * size, 3.0 * size)] {
            let shape = Shape::cuboid(half).unwrap();
            let ray = Ray::new(Vec3::Z * -26.0, Vec3::Z).unwrap();
            let options = RayOptions::default();
            let hit = cast_ray(&ray, Placed::new(&shape, &Pose::IDENTITY), options).unwrap();
            let hit = hit.expect("the ray goes through the middle");
            assert!((hit.distance - (26.0 - half.z)).abs() <= 4e-6, "{hit:?}");
            assert_eq!(hit.normal, Some(Vec3::NEG_Z), "{hit:?}");
        }
    }
}

#[test]
fn rays_at_tiny_shapes_of_the_plane_hit_them_where_they_are() {
    for exponent in 1..=20 {
        let size = 10.0_f32.powi(-exponent);
        let (x, y) = (Vec2::X * size, Vec2::Y * size);
        let shapes = [
            Shape::triangle(-x - y, x - y, y),
            Shape::cuboid(Vec2::splat(size)),
            Shape::hull([-x - y, x - y, x, y, -x]),
            Shape::capsule(size, size),
        ];
        for shape in shapes.map(Result::unwrap) {
            let hits = check(&shape, size, Vec2::new(6.837_982, 2.139_434_6));
            assert!(hits.iter().all(Option::is_some), "{shape:?}");
        }
    }
}
