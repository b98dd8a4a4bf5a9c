//! Shapes of every kind, of random sizes.

use clearance_math::{Quat, Real, Vec3, Vector};
use clearance_shapes::Shape;
use rand::RngExt;
use rand_pcg::Pcg64;

pub(crate) fn vector<V: Vector>(random: &mut Pcg64, range: core::ops::Range<Real>) -> V {
    V::from_fn(|_| random.random_range(range.clone()))
}

/// Shapes of every kind that exists in both dimensions, without radius and with.
pub(crate) fn shapes<V: Vector>(random: &mut Pcg64) -> Vec<Shape<V>> {
    let points: Vec<V> = (0..90).map(|_| vector(random, -1.0..1.0)).collect();
    let mut size = || random.random_range(0.1..2.0_f32);
    let made = [
        Shape::ball(size()),
        Shape::cuboid(V::splat(size()).with_component(1, size())),
        Shape::capsule(size(), size()),
        Shape::capsule_from_endpoints(points[0], points[1], size()),
        Shape::hull(&points[..1]),
        Shape::segment(points[0], points[1]),
        Shape::triangle(points[2], points[3], points[4]),
        Shape::hull(&points[..12]),
        Shape::hull(&points),
        Shape::ellipsoid(V::splat(size()).with_component(0, size())),
    ];
    let made: Vec<Shape<V>> = made.into_iter().map(Result::unwrap).collect();
    let rounded = made.iter().map(|shape| shape.rounded(0.3).unwrap());
    made.iter().cloned().chain(rounded).collect()
}

pub(crate) fn shapes_of_space(random: &mut Pcg64) -> Vec<Shape<Vec3>> {
    let mut shapes = shapes(random);
    for shape in [
        Shape::cylinder(0.7, 0.4),
        Shape::cone(1.5, 0.6),
        Shape::tapered_cylinder(0.8, 0.2, 0.5),
        Shape::tapered_capsule(0.8, 0.2, 0.5),
    ] {
        let shape = shape.unwrap();
        shapes.extend([shape.rounded(0.1).unwrap(), shape]);
    }
    shapes
}

pub(crate) fn turn(random: &mut Pcg64) -> Quat {
    let [x, y, z, w] = [0; 4].map(|_| random.random_range(-1.0..1.0_f32));
    Quat::from_xyzw(x, y, z, w + 1e-3).normalize()
}
