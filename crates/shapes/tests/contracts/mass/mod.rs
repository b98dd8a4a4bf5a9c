//! Mass properties against formulas of textbooks, surfaces of support points, and points that were thrown at random.

use clearance_math::{DMat3, DVec3, PreciseVector, Vec3, Vector};
use clearance_shapes::{MassProperties, Shape, ShapeError, Support};
use rand::RngExt;
use rand_pcg::Pcg64;

mod cases;
mod formulas;
mod sampled;

fn near(found: f64, expected: f64, slack: f64) -> bool {
    (found - expected).abs() <= slack * expected.abs().max(1e-300)
}

/// The inertia about the centre of mass, in space.
fn inertia<V: Vector>(of: &MassProperties<V>) -> DMat3 {
    of.inertia_in_space(of.center_of_mass)
}

/// Asserts that all numbers agree, relative to the size of the shape.
fn assert_near<V: Vector>(
    found: &MassProperties<V>,
    expected: &MassProperties<V>,
    slack: f64,
    what: &str,
) {
    let [a, b] = [found, expected].map(inertia);
    let greatest = b
        .to_cols_array()
        .iter()
        .fold(0.0, |most: f64, x| most.max(x.abs()));
    let size = (greatest / expected.mass).sqrt();
    let apart = (found.center_of_mass - expected.center_of_mass).length();
    let off = (a - b)
        .to_cols_array()
        .iter()
        .fold(0.0, |most: f64, x| most.max(x.abs()));
    assert!(
        near(found.volume, expected.volume, slack),
        "{what}: {found:?} {expected:?}"
    );
    assert!(
        near(found.mass, expected.mass, slack),
        "{what}: {found:?} {expected:?}"
    );
    assert!(apart <= slack * size, "{what}: {found:?} {expected:?}");
    assert!(off <= slack * greatest, "{what}: {found:?} {expected:?}");
}

/// Volume, centre along y, and the inertia about x, y and z of a shape in space whose axes are those of its body.
fn assert_upright(shape: Result<Shape<Vec3>, ShapeError>, volume: f64, y: f64, axes: [f64; 3]) {
    let shape = shape.unwrap();
    let of = shape.mass_properties(2.0).unwrap();
    assert!(
        near(of.volume, volume, 3e-15) && near(of.mass, 2.0 * volume, 3e-15),
        "{shape}: {of:?}"
    );
    let size = shape.bounding_radius();
    assert!(
        (of.center_of_mass - DVec3::Y * y).length() < 1e-15 * size,
        "{shape}: {of:?}"
    );
    let inertia = of.inertia();
    for k in 0..3 {
        assert!(
            near(inertia.col(k)[k], 2.0 * axes[k], 1e-14),
            "{shape}: {inertia} {axes:?}"
        );
        let beside = inertia.col(k)[(k + 1) % 3];
        assert!(beside.abs() < 1e-15 * 2.0 * axes[k], "{shape}: {inertia}");
    }
}

fn number(random: &mut Pcg64, low: f32, high: f32) -> f32 {
    random.random_range(low..high)
}

fn vector<V: Vector>(random: &mut Pcg64, size: f32) -> V {
    V::from_fn(|_| number(random, -size, size))
}

/// Shapes with an inside of every kind that both dimensions have, plain and rounded.
fn shapes<V: Vector>(random: &mut Pcg64) -> Vec<Shape<V>> {
    let points: Vec<V> = (0..40).map(|_| vector(random, 1.0)).collect();
    let mut size = || number(random, 0.3, 1.5);
    let sizes = V::from_fn(|_| size());
    let plain = [
        Shape::ball(size()),
        Shape::cuboid(sizes),
        Shape::capsule(size(), size()),
        Shape::hull(&points[..V::DIM + 1]),
        Shape::hull(&points),
        Shape::ellipsoid(sizes),
        Shape::tapered_capsule(1.5, size(), 1.6),
        Shape::tapered_capsule(1.5, 1.6, size()),
    ];
    let thin = [
        Shape::segment(points[0], points[1]),
        Shape::triangle(points[2], points[3], points[4]),
    ];
    let plain = plain.map(Result::unwrap);
    let rounded: Vec<_> = plain
        .iter()
        .chain(&thin.map(Result::unwrap))
        .map(|shape| shape.rounded(size()).unwrap())
        .collect();
    plain.into_iter().chain(rounded).collect()
}

fn shapes_of_space(random: &mut Pcg64) -> Vec<Shape<Vec3>> {
    let mut size = || number(random, 0.3, 1.5);
    let plain = [
        Shape::cylinder(size(), size()),
        Shape::cone(size(), size()),
        Shape::tapered_cylinder(size(), size(), size()),
        Shape::tapered_cylinder(size(), size(), 0.0),
    ];
    let plain = plain.map(Result::unwrap);
    let rounded: Vec<_> = plain
        .iter()
        .map(|shape| shape.rounded(size()).unwrap())
        .collect();
    let flat = [Vec3::ZERO, Vec3::X, Vec3::ONE, Vec3::new(0.2, 1.0, 1.0)];
    let flat = Shape::hull(flat).unwrap().rounded(0.3).unwrap();
    shapes(random)
        .into_iter()
        .chain(plain)
        .chain(rounded)
        .chain([flat])
        .collect()
}

/// The point of the shape that is farthest along a unit direction.
fn farthest<V: Vector>(shape: &Shape<V>, direction: V::Precise) -> V {
    let Shape::Convex(convex) = shape else {
        panic!("{shape} is convex")
    };
    V::from_precise(convex.core().support(direction) + direction * convex.radius())
}
