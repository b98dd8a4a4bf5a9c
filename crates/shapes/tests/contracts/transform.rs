//! Scaled and moved shapes: their support is the scaled and moved support of the shape.

use clearance_math::{DVec3, Pose, PreciseVector, Quat, Real, Vec2, Vec3, Vector};
use clearance_shapes::{
    CompositeKind, CompoundPart, CoreKind, HalfSpace, Shape, ShapeError, Support,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::any_shapes::{shapes, shapes_of_space, turn, vector};

/// The greatest scalar product of a point of the shape with a direction.
fn height<V: Vector>(shape: &Shape<V>, direction: V::Precise) -> f64 {
    let Shape::Convex(convex) = shape else {
        panic!("{shape:?} is not bounded");
    };
    convex.core().support(direction).dot(direction) + convex.radius() * direction.length()
}

/// The factors with random signs.
fn mirrored_or_not<V: Vector>(factors: V, random: &mut Pcg64) -> V {
    (0..V::DIM).fold(factors, |factors, k| {
        let sign = if random.random_bool(0.5) { 1.0 } else { -1.0 };
        factors.with_component(k, sign * factors.component(k))
    })
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
    let factors = mirrored_or_not(vector::<V>(random, 0.1..3.0), random);
    let stretched = shape.scaled_by(factors);
    let along_axes = vector::<V>(random, 0.1..3.0);
    let along_axes = along_axes.with_component(0, along_axes.component(V::DIM - 1));
    let along_axes = mirrored_or_not(along_axes, random);
    let even = mirrored_or_not(V::splat(factor), random);
    let mirrored = shape.scaled_by(even).unwrap();
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
        let expected = height(shape, direction.scaled_by(even.to_precise()));
        let size = 5.0 * f64::from(factor);
        assert_near(height(&mirrored, direction), expected, size, &(shape, even));
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
    check_refusals(shape, [stretched.is_ok(), moved.is_ok()]);
}

/// Only some kinds can be stretched, and only some moved.
fn check_refusals<V: Vector>(shape: &Shape<V>, [stretches, moves]: [bool; 2]) {
    let Shape::Convex(convex) = shape else { return };
    let kind = convex.core().kind();
    let is_round = convex.radius() > 0.0;
    let can_stretch = match kind {
        CoreKind::Point => !is_round || convex.core().center() == V::Precise::ZERO,
        CoreKind::Ellipsoid => shape == &Shape::ellipsoid(radii(shape)).unwrap(),
        CoreKind::Cylinder | CoreKind::Cone | CoreKind::TaperedCylinder => false,
        _ => !is_round,
    };
    assert_eq!(stretches, can_stretch, "{shape:?}");
    let can_move = !matches!(
        kind,
        CoreKind::Ellipsoid
            | CoreKind::Cylinder
            | CoreKind::Cone
            | CoreKind::TaperedCapsule
            | CoreKind::TaperedCylinder
    );
    assert_eq!(moves, can_move, "{shape:?}");
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

/// A part of a composite in the world: how far it reaches along a direction.
fn height_of_part(shape: &Shape<Vec3>, number: u32, direction: DVec3) -> Option<f64> {
    let Shape::Composite(composite) = shape else {
        panic!("{shape:?}");
    };
    let part = composite.part(number)?;
    let Some(pose) = part.pose else {
        return Some(height(&part.shape, direction));
    };
    let own = pose.inverse_transform_direction(direction);
    Some(height(&part.shape, own) + pose.translation.dot(direction))
}

/// Each part of a stretched composite reaches as far along n as the part did along S n.
fn assert_parts_are_scaled(shape: &Shape<Vec3>, factors: Vec3, random: &mut Pcg64) {
    let scaled = shape.scaled_by(factors).unwrap();
    for number in 0..100 {
        for _ in 0..5 {
            let direction = vector::<Vec3>(random, -1.0..1.0).to_precise();
            let before = direction.scaled_by(factors.to_precise());
            let expected = height_of_part(shape, number, before);
            let found = height_of_part(&scaled, number, direction);
            match (found, expected) {
                (Some(found), Some(expected)) => {
                    assert_near(found, expected, 60.0, &(shape, factors));
                }
                (found, expected) => assert_eq!(found, expected),
            }
        }
    }
}

#[test]
fn parts_of_compounds_are_mirrored_whatever_they_are_and_however_they_are_turned() {
    let random = &mut Pcg64::seed_from_u64(29);
    for _ in 0..30 {
        let part = |shape: Shape<Vec3>, random: &mut Pcg64| CompoundPart {
            pose: Pose::new(vector::<Vec3>(random, -2.0..2.0), turn(random)),
            shape,
        };
        let shapes = shapes_of_space(random);
        let parts: Vec<_> = shapes
            .into_iter()
            .map(|shape| part(shape, random))
            .collect();
        let compound = Shape::compound(parts).unwrap();
        let nested = Shape::compound(vec![part(compound.clone(), random)]).unwrap();
        for shape in [compound, nested] {
            let factors = Vec3::splat(random.random_range(0.1..3.0));
            assert_parts_are_scaled(&shape, mirrored_or_not(factors, random), random);
        }
    }
}

#[test]
fn parts_of_compounds_are_stretched_where_that_is_a_shape() {
    let random = &mut Pcg64::seed_from_u64(31);
    let half = core::f32::consts::FRAC_1_SQRT_2;
    let quarters = [
        Quat::IDENTITY,
        Quat::from_xyzw(half, 0.0, 0.0, half),
        Quat::from_rotation_z(core::f32::consts::FRAC_PI_2),
        Quat::from_xyzw(0.5, 0.5, 0.5, 0.5),
    ];
    for round in 0..120 {
        let points: Vec<Vec3> = (0..8).map(|_| vector(random, -1.0..1.0)).collect();
        let mesh = Shape::mesh(&points, vec![[0, 1, 2], [1, 2, 3]]).unwrap();
        let anyhow = [
            Shape::ball(0.5).unwrap(),
            Shape::cuboid(Vec3::new(0.3, 0.6, 0.9)).unwrap(),
            Shape::hull(&points).unwrap(),
            Shape::segment(points[0], points[1]).unwrap(),
            Shape::triangle(points[0], points[1], points[2]).unwrap(),
            mesh,
        ];
        let pose =
            |rotation, random: &mut Pcg64| Pose::new(vector::<Vec3>(random, -2.0..2.0), rotation);
        let mut parts: Vec<_> = anyhow
            .into_iter()
            .map(|shape| CompoundPart::new(shape, pose(turn(random), random)))
            .collect();
        let nested = Shape::compound(&parts).unwrap();
        let field = Shape::height_field(vec![0.0, 0.5, 1.0, 0.2], 2, Vec3::new(2.0, -1.0, 1.0));
        let straight = [
            Shape::ellipsoid(Vec3::new(0.5, 1.0, 1.5)).unwrap(),
            field.unwrap(),
        ];
        parts.extend(
            straight.into_iter().map(|shape| {
                CompoundPart::new(shape, pose(quarters[round % quarters.len()], random))
            }),
        );
        parts.push(CompoundPart::new(nested, pose(turn(random), random)));
        let compound = Shape::compound(parts).unwrap();
        let factors = mirrored_or_not(vector(random, 0.1..3.0), random);
        assert_parts_are_scaled(&compound, factors, random);
    }
    let cylinder = CompoundPart::new(
        Shape::cylinder(1.0, 0.5).unwrap(),
        Pose::from_rotation(Quat::from_rotation_z(0.5)),
    );
    let refused = Shape::compound(vec![cylinder]).unwrap();
    assert_eq!(
        refused
            .scaled_by(Vec3::new(1.0, 2.0, 1.0))
            .unwrap_err()
            .to_string(),
        "compound: parts[0]: factors do not fit a cylinder, must be equal but for their signs unless it is turned by quarter turns in its compound"
    );
}

/// The outer side of a triangle is where its corners are counter-clockwise.
#[test]
fn mirrored_meshes_and_fields_keep_their_outer_side() {
    let outward = |shape: &Shape<Vec3>, number: u32| {
        let Shape::Composite(composite) = shape else {
            panic!("{shape:?}");
        };
        let [a, b, c] = match composite.kind() {
            CompositeKind::Mesh(mesh) => mesh.corners(number),
            CompositeKind::HeightField(field) => field.corners(number).unwrap(),
            kind => panic!("{kind:?}"),
        };
        ((b - a).cross(c - a), (a + b + c) / 3.0)
    };
    let corners = [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::ONE];
    let sides = vec![[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]];
    let mesh = Shape::mesh(corners, sides).unwrap();
    let heights = vec![0.0, 0.3, 0.1, 0.7, 0.2, 0.9];
    let field = Shape::height_field(heights, 3, Vec3::new(4.0, 1.0, 2.0)).unwrap();
    let random = &mut Pcg64::seed_from_u64(37);
    for _ in 0..50 {
        let factors = mirrored_or_not(vector::<Vec3>(random, 0.1..3.0), random);
        for shape in [&mesh, &field] {
            let scaled = shape.scaled_by(factors).unwrap();
            for number in 0..4 {
                let (before, place) = outward(shape, number);
                let (after, scaled_place) = outward(&scaled, number);
                assert!((place * factors - scaled_place).length() < 1e-5);
                // A normal is divided by the factors.
                assert!((before / factors).dot(after) > 0.0, "{factors} {shape:?}");
            }
        }
    }
}

#[test]
fn a_ball_off_the_origin_is_not_stretched() {
    let ball = Shape::ball(1.0).unwrap().translated(Vec2::X).unwrap();
    let error = ball.scaled_by(Vec2::new(1.0, 2.0)).unwrap_err();
    let valid = "equal but for their signs; or make it anew, of other numbers";
    let kind = "ball";
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
    let hull = Shape::hull([Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y]).unwrap();
    let round = hull.rounded(3e38).unwrap().rounded(2e38).unwrap();
    assert_eq!(round.scaled(1.0).unwrap(), round);
    let ground = Shape::half_space(Vec2::Y).unwrap();
    let ground = ground.rounded(3e38).unwrap().rounded(3e38).unwrap();
    assert_eq!(ground.scaled(1.0).unwrap(), ground);
    assert!(half_space(&ground.scaled(0.5).unwrap()).offset() < 3.1e38);
    for grown in [&ball, &round, &ground] {
        let refused = grown.scaled(1.25).unwrap_err().to_string();
        assert!(refused.contains(": radius is inf"), "{refused}");
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
        "factors do not fit a cylinder, must be equal along x and z but for their signs"
    );
    assert_eq!(
        text(cuboid.rounded(0.1).unwrap().scaled_by(uneven)),
        "factors do not fit a rounded shape, must be equal but for their signs; or make it anew, of other numbers"
    );
    assert_eq!(
        text(cuboid.scaled_by(Vec3::new(1.0, 0.0, 1.0))),
        "cuboid: factors[1] is 0, must be finite and not 0"
    );
    assert_eq!(
        text(cuboid.scaled(Real::NAN)),
        "cuboid: factor is NaN, must be finite and > 0"
    );
    assert_eq!(
        text(cuboid.translated(Vec3::new(0.0, 0.0, Real::INFINITY))),
        "cuboid: offset[2] is inf, must be finite"
    );
    assert_eq!(
        text(cylinder.translated(Vec3::X)),
        "a cylinder cannot be moved in its body, move the pose of the body"
    );
    let huge = Shape::cuboid(Vec3::splat(1e38)).unwrap();
    assert!(text(huge.scaled(1e3)).starts_with("cuboid: half_extents[0] is inf"));
    // What is wrong is not the offset, which is finite, but where it leads.
    assert!(
        text(huge.translated(Vec3::splat(3e38)))
            .starts_with("cuboid: offset would bring a coordinate along axis 0 to 3.999")
    );
    let segment = Shape::segment(Vec3::ZERO, Vec3::Y * -1e38).unwrap();
    assert!(
        text(segment.scaled(10.0))
            .starts_with("segment: factor would bring a coordinate along axis 1 to -9.999")
    );
    assert!(
        text(segment.scaled_by(Vec3::new(1.0, 5.0, 1.0)))
            .starts_with("segment: factors would bring a coordinate along axis 1 to -4.999")
    );
    let tiny = Shape::ball(1e-40).unwrap();
    assert_eq!(
        text(tiny.scaled(1e-10)),
        "ball: radius is 0, must be finite and > 0"
    );
    assert!(text(Shape::ball(1e30).unwrap().scaled(1e10)).starts_with("ball: radius is inf"));
    let capsule = |radius| Shape::capsule_from_endpoints(Vec3::X, Vec3::Y, radius);
    assert_eq!(
        text(capsule(0.0)),
        "capsule: radius is 0, must be finite and > 0"
    );
    let end = Vec3::new(0.0, Real::NAN, 0.0);
    assert_eq!(
        text(Shape::capsule_from_endpoints(Vec3::X, end, 1.0)),
        "capsule: b[1] is NaN, must be finite"
    );
}

#[test]
fn a_segment_of_length_zero_makes_a_ball() {
    let made = Shape::capsule_from_endpoints(Vec3::ZERO, Vec3::ZERO, 2.0);
    assert_eq!(made, Shape::ball(2.0));
}
