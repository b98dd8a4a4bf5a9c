//! Rays along planes of the axes: a zero in their direction may have either sign. A rotation by half a turn makes
//! negative ones of directions that have none.

use clearance_gjk::{Placed, RayHit, RayOptions, cast_ray};
use clearance_math::{Pose, Quat, Ray, Real, Vec3};
use clearance_shapes::Shape;

/// A closed box of twelve triangles, and a box of another kind that covers the same.
fn boxes() -> [Shape<Vec3>; 2] {
    let corner = |k: u32| {
        let sign = |bit: u32| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
        Vec3::new(sign(0), sign(1), sign(2))
    };
    let vertices: Vec<_> = (0..8).map(corner).collect();
    let triangles = vec![
        [0, 2, 1],
        [1, 2, 3],
        [4, 5, 6],
        [5, 7, 6],
        [0, 1, 4],
        [1, 5, 4],
        [2, 6, 3],
        [3, 6, 7],
        [0, 4, 2],
        [2, 4, 6],
        [1, 3, 5],
        [3, 7, 5],
    ];
    let mesh = Shape::mesh(vertices, triangles).expect("valid triangles");
    [mesh, Shape::cuboid(Vec3::ONE).expect("valid half extents")]
}

/// All directions of minus one, minus zero, zero and one, but for those of zeros.
fn directions() -> impl Iterator<Item = Vec3> {
    const COMPONENTS: [Real; 4] = [-1.0, -0.0, 0.0, 1.0];
    let all = (0..64).map(|k: usize| [k & 3, k >> 2 & 3, k >> 4].map(|k| COMPONENTS[k]));
    all.map(Vec3::from_array).filter(|&way| way != Vec3::ZERO)
}

/// No rotation, half turns and quarter turns about each axis.
fn poses() -> impl Iterator<Item = Pose<Vec3>> {
    let half = core::f32::consts::FRAC_1_SQRT_2;
    let about = move |axis: Vec3| {
        [
            (1.0, 0.0),
            (-1.0, 0.0),
            (0.0, 1.0),
            (half, half),
            (half, -half),
        ]
        .map(|(sine, cosine)| Quat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine))
    };
    let turns = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(about);
    turns.map(Pose::from_rotation)
}

fn hit(shape: &Shape<Vec3>, pose: &Pose<Vec3>, ray: &Ray<Vec3>) -> Option<RayHit<Vec3>> {
    cast_ray(ray, Placed::new(shape, pose), RayOptions::default()).expect("valid")
}

#[test]
fn the_sign_of_a_zero_does_not_matter_to_a_mesh() {
    let [mesh, cuboid] = boxes();
    let mut hits = 0;
    for pose in poses() {
        for direction in directions() {
            for inside in [Vec3::ZERO, Vec3::new(0.25, -0.5, 0.125)] {
                let ray = Ray::new(inside - direction * 4.0, direction).expect("not zero");
                let (of_mesh, of_cuboid) = (hit(&mesh, &pose, &ray), hit(&cuboid, &pose, &ray));
                let [Some(of_mesh), Some(of_cuboid)] = [of_mesh, of_cuboid] else {
                    panic!("{ray:?} {pose:?}: {of_mesh:?}, {of_cuboid:?}");
                };
                let apart = (of_mesh.distance - of_cuboid.distance).abs();
                assert!(apart < 1e-5, "{ray:?} {pose:?}: {of_mesh:?}, {of_cuboid:?}");
                hits += 1;
            }
        }
    }
    assert_eq!(hits, 15 * 56 * 2);
}

/// Rays that start in the middle of something flat or thin: their distance was -0.0, which sorts before 0.0.
#[test]
fn a_distance_of_zero_is_not_negative() {
    let corners = [
        Vec3::new(-1.0, 0.0, -1.0),
        Vec3::new(1.0, 0.0, -1.0),
        Vec3::new(0.0, 0.0, 2.0),
    ];
    let shapes = [
        Shape::triangle(corners[0], corners[1], corners[2]),
        Shape::mesh(corners, vec![[0, 1, 2]]),
        Shape::hull(corners),
        Shape::segment(-Vec3::X, Vec3::X),
        Shape::polyline(vec![-Vec3::X, Vec3::X]),
    ]
    .map(|shape| shape.expect("valid"));
    let mut hits = 0;
    for shape in &shapes {
        for pose in poses() {
            for direction in directions() {
                let ray = Ray::new(Vec3::ZERO, direction).expect("not zero");
                if let Some(hit) = hit(shape, &pose, &ray)
                    && hit.distance == 0.0
                {
                    assert!(hit.distance.is_sign_positive(), "{ray:?} {pose:?} {hit:?}");
                    hits += 1;
                }
            }
        }
    }
    assert!(hits > 500, "{hits} hits");
}
