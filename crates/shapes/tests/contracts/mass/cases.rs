//! Surfaces, compounds, clouds, any size, and what has no mass.

use clearance::generic::{Placed, point_proximity};
use clearance_math::{DMat3, DVec2, DVec3, Pose, Quat, Rotation2, Vec2, Vec3, Vector};
use clearance_shapes::{CompoundPart, MassProperties, Shape, ShapeError};
use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::{assert_near, near, shapes_of_space, vector};

/// A cube as a mesh, far from the origin, and an outline with a hole.
#[test]
fn closed_surfaces() {
    let corner = |k: u32| Vec3::new((k & 1) as f32, (k >> 1 & 1) as f32, (k >> 2) as f32) + 4096.0;
    let quads = [
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ];
    let triangles = quads
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    let solid = Shape::solid_mesh(
        (0..8).map(corner).collect::<Vec<_>>(),
        triangles.clone().collect::<Vec<_>>(),
    );
    let of = MassProperties::of_surface(triangles.map(|face| face.map(corner)), 6.0);
    assert_eq!(solid.unwrap().mass_properties(6.0).unwrap(), of);
    assert_eq!(
        (of.volume, of.mass, of.center_of_mass),
        (1.0, 6.0, DVec3::splat(4096.5))
    );
    assert!(
        (of.inertia() - DMat3::IDENTITY).abs_diff_eq(DMat3::ZERO, 1e-14),
        "{of:?}"
    );
    assert_eq!(
        MassProperties::of_surface(quads.map(|face| face.map(corner)), 6.0),
        of
    );
    let inside_out = quads.map(|[a, b, c, d]| [d, c, b, a].map(corner));
    assert_eq!(MassProperties::of_surface(inside_out, 6.0).volume, -1.0);
    let ring = |half: f32, turn: f32| {
        let corners = [
            [-1.0, -1.0],
            [1.0, -1.0],
            [1.0, 1.0],
            [-1.0, 1.0],
            [-1.0, -1.0],
        ];
        corners.map(|[x, y]| Vec2::new(x * half, y * half * turn) + Vec2::X)
    };
    let frame = MassProperties::of_surface([ring(2.0, 1.0), ring(1.0, -1.0)], 1.0);
    assert_eq!((frame.mass, frame.center_of_mass), (12.0, DVec2::X));
    assert!(near(
        frame.inertia(),
        16.0 * 32.0 / 12.0 - 4.0 * 8.0 / 12.0,
        1e-14
    ));
    let outer = [[-1.0, -2.0], [3.0, -2.0], [3.0, 2.0], [-1.0, 2.0]].map(Vec2::from);
    let hole = [[0.0, -1.0], [2.0, -1.0], [2.0, 1.0], [0.0, 1.0]].map(Vec2::from);
    let polygon = Shape::polygon(outer, &[hole.to_vec()]).unwrap();
    let of_polygon = polygon.mass_properties(1.0).unwrap();
    assert!(near(of_polygon.mass, frame.mass, 1e-14));
    assert!(near(of_polygon.inertia(), frame.inertia(), 1e-14));
    let nothing: [[Vec3; 3]; 0] = [];
    assert_eq!(MassProperties::of_surface(nothing, 1.0).mass, 0.0);
}

/// Poses turn the tensor and move the centre; a part of a compound is where its pose says.
#[test]
fn poses_and_compounds() {
    let random = &mut Pcg64::seed_from_u64(54);
    for shape in shapes_of_space(random) {
        let turn = Quat::from_xyzw(0.1, -0.7, 0.5, 0.5).normalize();
        let pose = Pose::new(vector::<Vec3>(random, 5.0), turn);
        let of = shape.mass_properties(1.5).unwrap();
        let moved = of.transformed(&pose);
        let back = moved.transformed(&pose.inverse());
        assert_near(&back, &of, 3e-6, "there and back");
        let part = |pose| CompoundPart::new(shape.clone(), pose);
        let compound = Shape::compound([part(pose), part(Pose::IDENTITY)]).unwrap();
        let nested = Shape::compound([CompoundPart::new(compound, pose)]).unwrap();
        let sum = (moved + of).transformed(&pose);
        assert_near(
            &nested.mass_properties(1.5).unwrap(),
            &sum,
            1e-14,
            "compound",
        );
        // What rotates about the origin of a body: the parallel axis theorem.
        let arm = of.center_of_mass;
        let moved = DMat3::from_diagonal(DVec3::splat(arm.length_squared()))
            - DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
        let about = of.inertia_about(DVec3::ZERO) - of.inertia() - moved * of.mass;
        assert!(about.abs_diff_eq(DMat3::ZERO, 1e-12 * of.mass));
    }
    let quarter = Pose::new(Vec2::X, Rotation2::from_angle(std::f32::consts::FRAC_PI_2));
    let plate = Shape::cuboid(Vec2::new(1.0, 2.0))
        .unwrap()
        .mass_properties(1.0)
        .unwrap();
    let turned = plate.transformed(&quarter);
    assert!((turned.center_of_mass - DVec2::X).length() < 1e-15);
    assert!(near(
        turned.inertia_about(DVec2::ZERO),
        plate.inertia() + 8.0,
        1e-14
    ));
}

/// A cloud is the sum of its balls.
#[test]
fn clouds_of_points() {
    let random = &mut Pcg64::seed_from_u64(57);
    for radius in [0.25, 0.0] {
        let points: Vec<Vec3> = (0..40).map(|_| vector::<Vec3>(random, 2.0) + 5.0).collect();
        let cloud = Shape::points(&points, radius)
            .unwrap()
            .mass_properties(2.0)
            .unwrap();
        if radius == 0.0 {
            assert_eq!((cloud.mass, cloud.inertia()), (0.0, DMat3::ZERO));
            continue;
        }
        let ball = |at: &Vec3| Shape::ball(radius).unwrap().translated(*at).unwrap();
        let balls = points
            .iter()
            .map(|at| ball(at).mass_properties(2.0).unwrap());
        assert_near(
            &cloud,
            &balls.reduce(|sum, ball| sum + ball).unwrap(),
            1e-13,
            "cloud",
        );
    }
}

/// A shape of the size s has s^d times the volume and s^(d + 2) times the inertia, for all sizes that numbers have.
#[test]
fn any_size() {
    let random = &mut Pcg64::seed_from_u64(55);
    for shape in shapes_of_space(random) {
        let of = shape.mass_properties(1.0).unwrap();
        for power in [-100, -30, 30, 100] {
            let factor = 2.0_f64.powi(power);
            let scaled = shape
                .scaled(factor as f32)
                .unwrap()
                .mass_properties(1.0)
                .unwrap();
            let volume = factor.powi(3);
            assert!(
                near(scaled.volume, of.volume * volume, 1e-12),
                "{shape} {power}"
            );
            let (found, expected) = (scaled.inertia(), of.inertia() * (volume * factor * factor));
            for k in 0..3 {
                let (found, expected) = (found.col(k)[k], expected.col(k)[k]);
                assert!(
                    near(found, expected, 1e-11),
                    "{shape} {power}: {found} {expected}"
                );
            }
        }
    }
}

/// The centre stays in the shape, and no axis has a negative inertia, however thin a hull is.
#[test]
fn thin_hulls() {
    let random = &mut Pcg64::seed_from_u64(56);
    for round in 0..2000 {
        let thin = 10.0_f32.powi(-(round % 12));
        let normal = vector::<Vec3>(random, 1.0).normalize();
        let far = vector::<Vec3>(random, 100.0);
        let points: Vec<Vec3> = (0..6)
            .map(|_| {
                let point = vector::<Vec3>(random, 1.0);
                far + point - normal * (point.dot(normal) * (1.0 - thin))
            })
            .collect();
        let shape = Shape::hull(&points).unwrap();
        let of = shape.mass_properties(1.0).unwrap();
        let center = Vec3::from_precise(of.center_of_mass);
        let out = point_proximity(center, Placed::new(&shape, &Pose::IDENTITY), f32::INFINITY);
        assert!(out.unwrap().near().unwrap().distance < 3e-5, "{points:?}");
        let inertia = of.inertia();
        let [x, y, z] = [0, 1, 2].map(|k| inertia.col(k)[k]);
        let slack = 1e-12 * (x + y + z);
        assert!(
            x + y + slack >= z && y + z + slack >= x && z + x + slack >= y,
            "{points:?}"
        );
    }
}

#[test]
fn what_has_no_volume_has_no_mass() {
    let square = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)];
    let flat = [
        (Shape::segment(Vec3::X, Vec3::Y), DVec3::new(0.5, 0.5, 0.0)),
        (Shape::segment(Vec3::X, Vec3::X), DVec3::X),
        (
            Shape::triangle(Vec3::ZERO, Vec3::X * 3.0, Vec3::Y * 3.0),
            DVec3::new(1.0, 1.0, 0.0),
        ),
        (Shape::hull(square), DVec3::new(0.5, 0.5, 0.0)),
    ];
    for (shape, center) in flat {
        let of = shape.unwrap().mass_properties(1.0).unwrap();
        assert_eq!(of, MassProperties::of_point(center, 0.0));
    }
    let sum = MassProperties::<Vec3>::of_point(DVec3::ZERO, 0.0)
        + MassProperties::of_point(DVec3::X, 0.0);
    assert_eq!(sum, MassProperties::of_point(DVec3::X * 0.5, 0.0));
}

#[test]
fn refusals_say_what_to_use() {
    let refused = |shape: Result<Shape<Vec3>, ShapeError>, density| {
        shape
            .unwrap()
            .mass_properties(density)
            .unwrap_err()
            .to_string()
    };
    let ball = || Shape::ball(1.0);
    assert_eq!(
        refused(ball(), -1.0),
        "ball: density is -1, must be finite and >= 0"
    );
    assert_eq!(
        refused(ball(), f32::NAN),
        "ball: density is NaN, must be finite and >= 0"
    );
    assert_eq!(ball().unwrap().mass_properties(0.0).unwrap().mass, 0.0);
    let plane = refused(Shape::half_space(Vec3::Y), 1.0);
    assert_eq!(
        plane,
        "a half_space has no mass properties: it has no end; use a large cuboid, or leave out the mass of what cannot move"
    );
    let mesh = || Shape::mesh([Vec3::ZERO, Vec3::X, Vec3::Y], [[0, 1, 2]]);
    let closed = "it is a surface without an inside; use Shape::solid if it is closed, or a compound of convex parts";
    assert_eq!(
        refused(mesh(), 1.0),
        format!("a mesh has no mass properties: {closed}")
    );
    let part =
        |shape: Result<Shape<Vec3>, ShapeError>| CompoundPart::new(shape.unwrap(), Pose::IDENTITY);
    let compound = refused(Shape::compound([part(ball()), part(mesh())]), 1.0);
    assert_eq!(
        compound,
        format!("compound: parts[1]: a mesh has no mass properties: {closed}")
    );
}
