//! Shapes that are tiny beside their distance from the ray's start. Once the ray was said to start inside of them, or to
//! hit them at the greatest number, since it was parallel to all of their surfaces as far as rounding can tell.

use clearance_gjk::{Interior, Placed, RayOptions, cast_ray};
use clearance_math::{Pose, Ray, Real, Vec2, Vec3};
use clearance_shapes::Shape;

fn shapes(size: Real) -> Vec<Shape<Vec3>> {
    let (x, y, z) = (Vec3::X * size, Vec3::Y * size, Vec3::Z * size);
    vec![
        Shape::ball(size).unwrap(),
        Shape::cuboid(Vec3::splat(size)).unwrap(),
        Shape::segment(-x, z).unwrap(),
        Shape::capsule(size, 0.5 * size).unwrap(),
        Shape::cylinder(size, size).unwrap(),
        Shape::cone(size, size).unwrap(),
        Shape::triangle(-x - y, x, z).unwrap(),
        Shape::hull(&[-x - y, x, z, y]).unwrap(),
        Shape::cuboid(Vec3::splat(size))
            .unwrap()
            .rounded(size)
            .unwrap(),
    ]
}

#[test]
fn rays_at_tiny_shapes_hit_them_where_they_are() {
    let direction = Vec3::new(6.837_982, 2.139_434_6, 1.722_706);
    let distance = direction.length();
    for exponent in 1..=20 {
        let size = 10.0_f32.powi(-exponent);
        for shape in shapes(size) {
            for interior in [Interior::Solid, Interior::Hollow] {
                let ray = Ray::new(-direction, direction).unwrap();
                let options = RayOptions {
                    interior,
                    ..RayOptions::default()
                };
                let hit = cast_ray(&ray, Placed::new(&shape, &Pose::IDENTITY), options).unwrap();
                // A flat shape may be missed by rounding.
                let Some(hit) = hit else {
                    continue;
                };
                let error = (hit.distance - distance).abs();
                assert!(error <= 4.0 * size + 1e-6 * distance, "{shape:?}: {hit:?}");
                assert!(hit.lower <= hit.distance && hit.distance <= hit.upper);
                let gap = hit.upper - hit.lower;
                assert!(gap <= 16.0 * size + 4e-6 * distance, "{shape:?}: {hit:?}");
                assert!(hit.normal.is_some(), "{shape:?}: {hit:?}");
            }
        }
    }
}

/// All but the flat ones are hit, as a ray straight at their middle must.
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
    let direction = Vec2::new(6.837_982, 2.139_434_6);
    let distance = direction.length();
    for exponent in 1..=20 {
        let size = 10.0_f32.powi(-exponent);
        let (x, y) = (Vec2::X * size, Vec2::Y * size);
        let shapes = [
            Shape::triangle(-x - y, x - y, y).unwrap(),
            Shape::cuboid(Vec2::splat(size)).unwrap(),
            Shape::hull(&[-x - y, x - y, x, y, -x]).unwrap(),
            Shape::capsule(size, size).unwrap(),
        ];
        for shape in shapes {
            for interior in [Interior::Solid, Interior::Hollow] {
                let ray = Ray::new(-direction, direction).unwrap();
                let options = RayOptions {
                    interior,
                    ..RayOptions::default()
                };
                let hit = cast_ray(&ray, Placed::new(&shape, &Pose::IDENTITY), options).unwrap();
                let hit = hit.expect("the ray goes through the middle");
                let error = (hit.distance - distance).abs();
                assert!(error <= 4.0 * size + 1e-6 * distance, "{shape:?}: {hit:?}");
                assert!(hit.normal.is_some(), "{shape:?}: {hit:?}");
            }
        }
    }
}
