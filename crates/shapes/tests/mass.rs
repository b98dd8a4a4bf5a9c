//! Mass properties against formulas of textbooks, surfaces of support points, and points that were thrown at random.

use std::f64::consts::PI;

use clearance::generic::{Placed, point_proximity};
use clearance_math::{
    DMat3, DVec2, DVec3, Pose, PreciseVector, Quat, Rotation2, Vec2, Vec3, Vector,
};
use clearance_shapes::{CompoundPart, MassProperties, Shape, ShapeError, Support};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

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

fn number(random: &mut Pcg64, low: f32, high: f32) -> f32 {
    random.random_range(low..high)
}

fn vector<V: Vector>(random: &mut Pcg64, size: f32) -> V {
    (0..V::DIM).fold(V::ZERO, |v, k| {
        v.with_component(k, number(random, -size, size))
    })
}

/// Shapes with an inside of every kind that both dimensions have, plain and rounded.
fn shapes<V: Vector>(random: &mut Pcg64) -> Vec<Shape<V>> {
    let points: Vec<V> = (0..40).map(|_| vector(random, 1.0)).collect();
    let mut size = || number(random, 0.3, 1.5);
    let sizes = (0..V::DIM).fold(V::ZERO, |v, k| v.with_component(k, size()));
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

fn assert_as_surface<V: Vector>(shape: &Shape<V>, surface: MassProperties<V>, slack: f64) {
    let of = shape.mass_properties(1.5).unwrap();
    assert_near(&surface, &of, slack, &format!("{shape}"));
}

#[test]
fn surfaces_of_support_points_in_the_plane() {
    let random = &mut Pcg64::seed_from_u64(51);
    for shape in (0..4)
        .flat_map(|_| shapes::<Vec2>(random))
        .collect::<Vec<_>>()
    {
        let count = 20_000;
        let at = |k: u32| {
            let (sin, cos) = (2.0 * PI * f64::from(k) / f64::from(count)).sin_cos();
            farthest(&shape, DVec2::new(cos, sin))
        };
        let outline: Vec<Vec2> = (0..count).chain([0]).map(at).collect();
        assert_as_surface(&shape, MassProperties::of_surface([&outline], 1.5), 1e-6);
    }
}

#[test]
fn surfaces_of_support_points_in_space() {
    let random = &mut Pcg64::seed_from_u64(52);
    for shape in shapes_of_space(random) {
        let (rows, columns) = (200, 400);
        let at = |[row, column]: [usize; 2]| {
            let (sin, cos) = (PI * row as f64 / rows as f64).sin_cos();
            // All columns have one point in common at each pole, also where zeros have signs.
            let sin = if row == rows { 0.0 } else { sin };
            let (east, north) = (2.0 * PI * (column as f64 + 0.1) / columns as f64).sin_cos();
            farthest(
                &shape,
                DVec3::new(sin * east, cos, sin * north) + DVec3::ZERO,
            )
        };
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let faces = cells.map(|(row, column)| {
            let next = (column + 1) % columns;
            [
                [row, column],
                [row + 1, column],
                [row + 1, next],
                [row, next],
            ]
            .map(at)
        });
        assert_as_surface(&shape, MassProperties::of_surface(faces, 1.5), 1e-3);
    }
}

/// Throws points into the box of the shape; also five standard deviations.
fn thrown<V: Vector>(shape: &Shape<V>, random: &mut Pcg64) -> (MassProperties<V>, f64) {
    let bounds = shape.bounds(&Pose::IDENTITY);
    let (low, size) = (
        bounds.min.to_precise(),
        (bounds.max - bounds.min).to_precise(),
    );
    let all = (0..V::DIM).fold(1.0, |volume, k| volume * size.component(k));
    let count = 40_000;
    let mut sum = MassProperties::of_point(V::Precise::ZERO, 0.0);
    for _ in 0..count {
        let place = (0..V::DIM).fold(low, |place, k| {
            let part = random.random_range(0.0..1.0);
            place.with_component(k, low.component(k) + part * size.component(k))
        });
        let at = V::from_precise(place);
        let near = point_proximity(at, Placed::new(shape, &Pose::IDENTITY), f32::INFINITY);
        if near.unwrap().near().unwrap().distance <= 0.0 {
            sum = sum + MassProperties::of_point(place, all / f64::from(count));
        }
    }
    sum.volume = sum.mass;
    (
        sum,
        5.0 * (f64::from(count) * sum.volume / all).sqrt().recip(),
    )
}

#[test]
fn points_thrown_at_random() {
    fn check<V: Vector>(shapes: Vec<Shape<V>>, random: &mut Pcg64) {
        for shape in shapes {
            let (found, slack) = thrown(&shape, random);
            let expected = shape.mass_properties(1.0).unwrap();
            assert_near(&found, &expected, slack, &format!("{shape}"));
        }
    }
    let random = &mut Pcg64::seed_from_u64(53);
    check(shapes_of_space(random), random);
    check(shapes::<Vec2>(random), random);
}

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
        let part = |pose| CompoundPart {
            shape: shape.clone(),
            pose,
        };
        let compound = Shape::compound([part(pose), part(Pose::IDENTITY)]).unwrap();
        let nested = Shape::compound([CompoundPart {
            shape: compound,
            pose,
        }])
        .unwrap();
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
    let part = |shape: Result<Shape<Vec3>, ShapeError>| CompoundPart {
        shape: shape.unwrap(),
        pose: Pose::IDENTITY,
    };
    let compound = refused(Shape::compound([part(ball()), part(mesh())]), 1.0);
    assert_eq!(
        compound,
        format!("compound: parts[1]: a mesh has no mass properties: {closed}")
    );
}
