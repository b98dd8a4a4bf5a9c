//! Scaled and moved shapes: their support is the scaled and moved support of the shape.

use clearance_math::{PreciseVector, Real, Vec2, Vec3, Vector};
use clearance_shapes::{CoreKind, HalfSpace, Shape, ShapeError, Support};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

fn vector<V: Vector>(random: &mut Pcg64, range: core::ops::Range<Real>) -> V {
    (0..V::DIM).fold(V::ZERO, |v, k| {
        v.with_component(k, random.random_range(range.clone()))
    })
}

/// Shapes of every kind that exists in both dimensions, without radius and with.
fn shapes<V: Vector>(random: &mut Pcg64) -> Vec<Shape<V>> {
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

fn shapes_of_space(random: &mut Pcg64) -> Vec<Shape<Vec3>> {
    let mut shapes = shapes(random);
    for shape in [Shape::cylinder(0.7, 0.4), Shape::cone(1.5, 0.6)] {
        let shape = shape.unwrap();
        shapes.extend([shape.rounded(0.1).unwrap(), shape]);
    }
    shapes
}

/// The greatest scalar product of a point of the shape with a direction.
fn height<V: Vector>(shape: &Shape<V>, direction: V::Precise) -> f64 {
    let Shape::Convex(convex) = shape else {
        panic!("{shape:?} is not bounded");
    };
    convex.core().support(direction).dot(direction) + convex.radius() * direction.length()
}

/// Rounding of coordinates to single precision, twice.
fn assert_near(found: f64, expected: f64, size: f64, what: &dyn core::fmt::Debug) {
    assert!(
        (found - expected).abs() <= 3e-7 * size,
        "{found} for {expected}: {what:?}"
    );
}

fn check<V: Vector>(shape: &Shape<V>, random: &mut Pcg64) {
    let factor = random.random_range(0.01..30.0_f32);
    let scaled = shape.scaled(factor).unwrap();
    let factors = vector::<V>(random, 0.1..3.0);
    let stretched = shape.scaled_by(factors);
    let along_axes = vector::<V>(random, 0.1..3.0);
    let along_axes = along_axes.with_component(0, along_axes.component(V::DIM - 1));
    let offset = vector::<V>(random, -5.0..5.0);
    let moved = shape.translated(offset);
    for _ in 0..20 {
        let direction = vector::<V>(random, -1.0..1.0).to_precise();
        let expected = height(shape, direction) * f64::from(factor);
        assert_near(
            height(&scaled, direction),
            expected,
            5.0 * f64::from(factor),
            &shape,
        );
        let transposed = direction.scaled_by(factors.to_precise());
        if let Ok(stretched) = &stretched {
            let expected = height(shape, transposed);
            assert_near(
                height(stretched, direction),
                expected,
                20.0,
                &(shape, factors),
            );
        }
        if let Ok(stretched) = shape.scaled_by(along_axes) {
            let expected = height(shape, direction.scaled_by(along_axes.to_precise()));
            assert_near(
                height(&stretched, direction),
                expected,
                20.0,
                &(shape, along_axes),
            );
        }
        if let Ok(moved) = &moved {
            let expected = height(shape, direction) + offset.to_precise().dot(direction);
            assert_near(height(moved, direction), expected, 20.0, &(shape, offset));
        }
    }
    assert_eq!(shape.scaled(1.0).as_ref(), Ok(shape));
    assert_eq!(shape.scaled_by(V::splat(1.0)).as_ref(), Ok(shape));
    let Shape::Convex(convex) = shape else { return };
    let kind = convex.core().kind();
    let is_round = convex.radius() > 0.0;
    let can_stretch = match kind {
        CoreKind::Point => !is_round || convex.core().center() == V::Precise::ZERO,
        CoreKind::Ellipsoid => shape == &Shape::ellipsoid(radii(shape)).unwrap(),
        CoreKind::Cylinder | CoreKind::Cone => false,
        _ => !is_round,
    };
    assert_eq!(stretched.is_ok(), can_stretch, "{shape:?}");
    let can_move = !matches!(
        kind,
        CoreKind::Ellipsoid | CoreKind::Cylinder | CoreKind::Cone
    );
    assert_eq!(moved.is_ok(), can_move, "{shape:?}");
}

fn radii<V: Vector>(shape: &Shape<V>) -> V {
    match shape {
        Shape::Convex(convex) => match convex.core() {
            clearance_shapes::Core::Ellipsoid(ellipsoid) => ellipsoid.radii(),
            core => panic!("{core:?}"),
        },
        _ => panic!("{shape:?}"),
    }
}

#[test]
fn supports_scale_and_move_with_the_shape() {
    let random = &mut Pcg64::seed_from_u64(23);
    for _ in 0..30 {
        for shape in shapes::<Vec2>(random) {
            check(&shape, random);
        }
        for shape in shapes_of_space(random) {
            check(&shape, random);
        }
    }
}

#[test]
fn a_ball_off_the_origin_is_not_stretched() {
    let ball = Shape::ball(1.0).unwrap().translated(Vec2::X).unwrap();
    let error = ball.scaled_by(Vec2::new(1.0, 2.0)).unwrap_err();
    let (kind, valid) = ("ball", "equal");
    assert_eq!(error, ShapeError::CannotStretch { kind, valid });
    let moved = Shape::ball(2.0)
        .unwrap()
        .translated(Vec2::new(2.0, 0.0))
        .unwrap();
    assert_eq!(ball.scaled(2.0), Ok(moved));
}

fn half_space<V: Vector>(shape: &Shape<V>) -> &HalfSpace<V> {
    match shape {
        Shape::HalfSpace(half_space) => half_space,
        _ => panic!("{shape:?}"),
    }
}

#[test]
fn half_spaces_stretch_with_their_boundary() {
    let slope = Shape::half_space(Vec2::new(0.6, 0.8))
        .unwrap()
        .rounded(2.0)
        .unwrap();
    let doubled = slope.scaled(2.0).unwrap();
    assert_eq!(half_space(&doubled).normal(), half_space(&slope).normal());
    assert_eq!(half_space(&doubled).offset(), 4.0);
    let factors = Vec2::new(3.0, 0.5);
    let stretched = slope.scaled_by(factors).unwrap();
    // Two points of the boundary stay on it.
    for along in [-1.0, 5.0] {
        let on = half_space(&slope).normal() * 2.0 + half_space(&slope).normal().perp() * along;
        let on = on.scaled_by(factors.to_precise());
        let found = half_space(&stretched).normal().dot(on);
        assert!((found - half_space(&stretched).offset()).abs() < 1e-12);
    }
}

/// Radii are added in double precision, so they can be beyond single precision; scaling refuses no shape
/// that exists.
#[test]
fn a_radius_beyond_single_precision_can_be_scaled_unless_it_grows() {
    let ball = Shape::<Vec2>::ball(3e38).unwrap().rounded(3e38).unwrap();
    assert_eq!(ball.scaled(1.0).unwrap(), ball);
    assert_eq!(ball.scaled(0.5).unwrap(), Shape::ball(3e38).unwrap());
    let hull = Shape::hull(&[Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y]).unwrap();
    let round = hull.rounded(3e38).unwrap().rounded(2e38).unwrap();
    assert_eq!(round.scaled(1.0).unwrap(), round);
    let ground = Shape::half_space(Vec2::Y).unwrap();
    let ground = ground.rounded(3e38).unwrap().rounded(3e38).unwrap();
    assert_eq!(ground.scaled(1.0).unwrap(), ground);
    assert!(half_space(&ground.scaled(0.5).unwrap()).offset() < 3.1e38);
    for grown in [&ball, &round, &ground] {
        let refused = grown.scaled(1.25).unwrap_err().to_string();
        assert!(refused.starts_with("radius is inf"), "{refused}");
    }
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let text = |result: Result<Shape<Vec3>, ShapeError>| result.unwrap_err().to_string();
    let cylinder = Shape::cylinder(1.0, 2.0).unwrap();
    let cuboid = Shape::cuboid(Vec3::ONE).unwrap();
    let uneven = Vec3::new(1.0, 2.0, 3.0);
    assert_eq!(
        text(cylinder.scaled_by(uneven)),
        "factors do not fit a cylinder, must be equal along x and z"
    );
    assert_eq!(
        text(cuboid.rounded(0.1).unwrap().scaled_by(uneven)),
        "factors do not fit a rounded shape, must be equal"
    );
    assert_eq!(
        text(cuboid.scaled_by(Vec3::new(1.0, 0.0, 1.0))),
        "factors[1] is 0, must be finite and > 0"
    );
    assert_eq!(
        text(cuboid.scaled(Real::NAN)),
        "factor is NaN, must be finite and > 0"
    );
    assert_eq!(
        text(cuboid.translated(Vec3::new(0.0, 0.0, Real::INFINITY))),
        "offset[2] is inf, must be finite"
    );
    assert_eq!(
        text(cylinder.translated(Vec3::X)),
        "a cylinder cannot be moved in its body, move the pose of the body"
    );
    let huge = Shape::cuboid(Vec3::splat(1e38)).unwrap();
    assert!(text(huge.scaled(1e3)).starts_with("half_extents[0] is inf"));
    // What is wrong is not the offset, which is finite, but where it leads.
    assert!(
        text(huge.translated(Vec3::splat(3e38)))
            .starts_with("offset would bring a coordinate of the shape along axis 0 to 3.999")
    );
    let segment = Shape::segment(Vec3::ZERO, Vec3::Y * -1e38).unwrap();
    assert!(
        text(segment.scaled(10.0))
            .starts_with("factor would bring a coordinate of the shape along axis 1 to -9.999")
    );
    assert!(
        text(segment.scaled_by(Vec3::new(1.0, 5.0, 1.0)))
            .starts_with("factors would bring a coordinate of the shape along axis 1 to -4.999")
    );
    let tiny = Shape::ball(1e-40).unwrap();
    assert_eq!(
        text(tiny.scaled(1e-10)),
        "radius is 0, must be finite and > 0"
    );
    assert!(text(Shape::ball(1e30).unwrap().scaled(1e10)).starts_with("radius is inf"));
    let capsule = |radius| Shape::capsule_from_endpoints(Vec3::X, Vec3::Y, radius);
    assert_eq!(text(capsule(0.0)), "radius is 0, must be finite and > 0");
    let end = Vec3::new(0.0, Real::NAN, 0.0);
    assert_eq!(
        text(Shape::capsule_from_endpoints(Vec3::X, end, 1.0)),
        "b[1] is NaN, must be finite"
    );
}

#[test]
fn a_segment_of_length_zero_makes_a_ball() {
    let made = Shape::capsule_from_endpoints(Vec3::ZERO, Vec3::ZERO, 2.0);
    assert_eq!(made, Shape::ball(2.0));
}
