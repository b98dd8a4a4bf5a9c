//! Bodies whose volume and inertia are known from textbooks.

use clearance_math::{DVec2, Pose, Quat, Vec2, Vec3};
use clearance_shapes::{Shape, ShapeError};
use std::f64::consts::PI;

use super::{assert_near, assert_upright, near};

#[test]
fn formulas_of_textbooks_in_space() {
    let ball = 4.0 / 3.0 * PI * 8.0;
    assert_upright(Shape::ball(2.0), ball, 0.0, [0.4 * ball * 4.0; 3]);
    let squares = |a: f64, b: f64| (a * a + b * b) / 3.0;
    let half = Vec3::new(1.0, 2.0, 3.0);
    let axes = [squares(2.0, 3.0), squares(1.0, 3.0), squares(1.0, 2.0)];
    assert_upright(Shape::cuboid(half), 48.0, 0.0, axes.map(|x| 48.0 * x));
    let (r, h) = (1.5, 4.0);
    let round = PI * r * r * h;
    let across = round * (3.0 * r * r + h * h) / 12.0;
    assert_upright(
        Shape::cylinder(2.0, 1.5),
        round,
        0.0,
        [across, round * r * r / 2.0, across],
    );
    let cone = round / 3.0;
    let across = cone * (3.0 / 20.0 * r * r + 3.0 / 80.0 * h * h);
    assert_upright(
        Shape::cone(2.0, 1.5),
        cone,
        -1.0,
        [across, 0.3 * cone * r * r, across],
    );
    let (middle, ends) = (round, 4.0 / 3.0 * PI * r * r * r);
    let along = r * r * (middle / 2.0 + 0.4 * ends);
    let across = middle * (h * h / 12.0 + r * r / 4.0)
        + ends * (0.4 * r * r + h * h / 4.0 + 3.0 / 8.0 * h * r);
    assert_upright(
        Shape::capsule(2.0, 1.5),
        middle + ends,
        0.0,
        [across, along, across],
    );
    let ellipsoid = 4.0 / 3.0 * PI * 6.0;
    let axes = [13.0, 10.0, 5.0].map(|squares| ellipsoid * squares / 5.0);
    assert_upright(Shape::ellipsoid(half), ellipsoid, 0.0, axes);
}

#[test]
fn a_frustum_is_a_cone_without_its_top() {
    let whole = Shape::cone(4.0, 2.0).unwrap().mass_properties(1.0).unwrap();
    let shape = Shape::tapered_cylinder(2.0, 1.0, 2.0).unwrap();
    let at = |y| Pose::from_translation(Vec3::Y * y);
    let bottom = shape.mass_properties(1.0).unwrap().transformed(&at(-2.0));
    let top = Shape::cone(2.0, 1.0).unwrap().mass_properties(1.0).unwrap();
    assert_near(
        &(bottom + top.transformed(&at(2.0))),
        &whole,
        1e-14,
        "frustum",
    );
}

#[test]
fn formulas_of_textbooks_in_the_plane() {
    let of = |shape: Result<Shape<Vec2>, ShapeError>| shape.unwrap().mass_properties(0.5).unwrap();
    let disc = of(Shape::ball(2.0));
    assert!(near(disc.volume, 4.0 * PI, 1e-15) && near(disc.inertia(), 0.5 * 8.0 * PI, 1e-15));
    let plate = of(Shape::cuboid(Vec2::new(1.0, 3.0)));
    assert_eq!((plate.mass, plate.center_of_mass), (6.0, DVec2::ZERO));
    assert!(near(plate.inertia(), 6.0 * 10.0 / 3.0, 1e-15));
    let ellipse = of(Shape::ellipsoid(Vec2::new(1.0, 3.0)));
    assert!(near(ellipse.inertia(), 0.5 * 3.0 * PI * 10.0 / 4.0, 1e-15));
    // A right triangle has (a^2 + b^2) / 18 of its mass, about its centre.
    let corners = [Vec2::ONE, Vec2::new(4.0, 1.0), Vec2::new(1.0, 2.0)];
    let triangle = of(Shape::triangle(corners[0], corners[2], corners[1]));
    assert!(
        near(triangle.mass, 0.75, 1e-15) && near(triangle.inertia(), 0.75 * 10.0 / 18.0, 1e-14)
    );
    assert!((triangle.center_of_mass - DVec2::new(2.0, 4.0 / 3.0)).length() < 1e-15);
    let stadium = of(Shape::capsule(1.0, 1.0));
    let (bar, ends) = (4.0, PI);
    // Half discs have their centres 4 / 3 pi away from their middles.
    let inertia = bar * 8.0 / 12.0 + ends * (0.5 + 1.0 + 2.0 * 4.0 / (3.0 * PI));
    assert!(
        near(stadium.volume, bar + ends, 1e-15) && near(stadium.inertia(), 0.5 * inertia, 1e-14)
    );
}

/// Steiner's formulas for the volume, and what is known about the inertia from elsewhere.
#[test]
fn rounded_boxes_and_triangles() {
    let (a, b, c, r) = (1.0, 2.0, 3.0, 0.5);
    let shape = Shape::cuboid(Vec3::new(0.5, 1.0, 1.5))
        .unwrap()
        .rounded(0.5)
        .unwrap();
    let of = shape.mass_properties(1.0).unwrap();
    let volume = a * b * c
        + 2.0 * r * (a * b + b * c + c * a)
        + PI * r * r * (a + b + c)
        + 4.0 / 3.0 * PI * r * r * r;
    assert!(near(of.volume, volume, 1e-15) && of.center_of_mass.length() < 1e-15);
    let flat = Shape::triangle(Vec3::ZERO, Vec3::X * 3.0, Vec3::Z * 4.0).unwrap();
    let of = flat.rounded(0.5).unwrap().mass_properties(1.0).unwrap();
    let volume = 6.0 * 2.0 * r + 12.0 * PI * r * r / 2.0 + 4.0 / 3.0 * PI * r * r * r;
    assert!(near(of.volume, volume, 1e-15) && of.center_of_mass.y.abs() < 1e-15);
    // In the plane all corners together make one disc.
    let of = Shape::triangle(Vec2::ZERO, Vec2::X * 3.0, Vec2::Y * 4.0);
    let of = of
        .unwrap()
        .rounded(0.5)
        .unwrap()
        .mass_properties(1.0)
        .unwrap();
    assert!(near(of.volume, 6.0 + 12.0 * r + PI * r * r, 1e-15));
}

/// Different ways to the same body.
#[test]
fn equal_bodies_of_different_kinds() {
    let of = |shape: Result<Shape<Vec3>, ShapeError>| shape.unwrap().mass_properties(3.0).unwrap();
    let rounded = |shape: Result<Shape<Vec3>, ShapeError>| shape.unwrap().rounded(0.25);
    let cuboid = Shape::cuboid(Vec3::new(1.0, 0.5, 2.0)).unwrap();
    let moved = cuboid.translated(Vec3::ZERO);
    assert_near(
        &of(moved.clone()),
        &of(Ok(cuboid.clone())),
        1e-14,
        "hull of a box",
    );
    assert_near(
        &of(rounded(moved)),
        &of(rounded(Ok(cuboid))),
        1e-14,
        "rounded hull of a box",
    );
    let tapered = Shape::tapered_capsule(1.0, 0.5, 0.25);
    let other = Shape::tapered_capsule(1.0, 0.75, 0.5);
    assert_near(&of(rounded(tapered)), &of(other), 1e-14, "tapered capsule");
    let nearly = Shape::tapered_capsule(1.0, 0.5, 0.5000001);
    assert_near(
        &of(nearly),
        &of(Shape::capsule(1.0, 0.5)),
        1e-6,
        "nearly a capsule",
    );
    let nearly = Shape::tapered_cylinder(1.0, 0.5, 0.5000001);
    let cylinder = Shape::cylinder(1.0, 0.5);
    assert_near(
        &of(rounded(nearly)),
        &of(rounded(cylinder)),
        1e-6,
        "nearly a cylinder",
    );
    let nearly = Shape::ellipsoid(Vec3::new(0.5, 0.5, 0.5000001));
    assert_near(
        &of(rounded(nearly)),
        &of(Shape::ball(0.75)),
        1e-6,
        "nearly a ball",
    );
    let needle = Shape::cylinder(1.0, 1e-6);
    assert_near(
        &of(rounded(needle)),
        &of(Shape::capsule(1.0, 0.25)),
        1e-5,
        "nearly a segment",
    );
    let thin = Shape::ellipsoid(Vec3::new(1e-4, 1e-4, 1e-4 * 1.001));
    assert_near(
        &of(rounded(thin)),
        &of(Shape::ball(0.25)),
        3e-3,
        "a point with a skin",
    );
}

/// The mean width and the surface of spheroids are known.
#[test]
fn rounded_spheroids_have_the_volume_of_steiner() {
    for aspect in [0.25_f64, 1e-2, 1e-4, 4.0, 1e2, 1e4] {
        let radii = Vec3::new(1.0, aspect as f32, 1.0);
        let (c, r) = (f64::from(radii.y), 0.5);
        let (area, mean) = if c < 1.0 {
            let e = (1.0 - c * c).sqrt();
            let area = 2.0 * PI * (1.0 + c * c / e * e.atanh());
            (area, 2.0 * PI * (c + e.asin() / e))
        } else {
            let e = (1.0 - 1.0 / (c * c)).sqrt();
            let area = 2.0 * PI * (1.0 + c / e * e.asin());
            (area, 2.0 * PI * (c + e.atanh() / (c * e)))
        };
        let volume = 4.0 / 3.0 * PI * (c + r * r * r) + area * r + mean * r * r;
        let shape = Shape::ellipsoid(radii).unwrap().rounded(0.5).unwrap();
        let of = shape.mass_properties(1.0).unwrap();
        assert!(
            near(of.volume, volume, 1e-12),
            "{aspect}: {} {volume}",
            of.volume
        );
        let turned = Shape::ellipsoid(Vec3::new(aspect as f32, 1.0, 1.0)).unwrap();
        let turned = turned.rounded(0.5).unwrap().mass_properties(1.0).unwrap();
        let other = Pose::from_rotation(Quat::from_rotation_z(std::f32::consts::FRAC_PI_2));
        assert_near(&turned.transformed(&other), &of, 1e-7, "turned spheroid");
        let (found, expected) = (turned.inertia(), of.inertia());
        assert!(
            near(found.y_axis.y, expected.x_axis.x, 1e-12),
            "{aspect}: {found} {expected}"
        );
        assert!(
            near(found.z_axis.z, expected.z_axis.z, 1e-12),
            "{aspect}: {found} {expected}"
        );
        assert!(
            near(found.x_axis.x, expected.y_axis.y, 1e-12),
            "{aspect}: {found} {expected}"
        );
    }
}
