//! Composites and questions: rays, closest points, meshes against meshes, and questions to a world.

use core::hint::black_box;
use std::error::Error;

use clearance_benches::{Random, criterion};
use clearance_gjk::{Placed, RayOptions, cast_ray, contacts, point_proximity, proximity};
use clearance_math::{Pose, Quat, Ray, Real, Vec3};
use clearance_shapes::Shape;
use clearance_world::{Body, Nearest, Options, QueryFilter, World};
use criterion::{Criterion, Throughput};

/// How many different questions are asked in turn.
const QUESTIONS: usize = 1024;

/// How often the faces of the octahedron are divided: 131,072 triangles.
const DIVISIONS: u32 = 7;

/// A bumpy sphere: an octahedron whose triangles are divided in four and moved onto the surface.
fn bumpy_sphere() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut vertices = vec![
        Vec3::X,
        Vec3::NEG_X,
        Vec3::Y,
        Vec3::NEG_Y,
        Vec3::Z,
        Vec3::NEG_Z,
    ];
    let mut triangles = vec![
        [0, 2, 4],
        [2, 1, 4],
        [1, 3, 4],
        [3, 0, 4],
        [2, 0, 5],
        [1, 2, 5],
        [3, 1, 5],
        [0, 3, 5],
    ];
    for _ in 0..DIVISIONS {
        let mut middles = std::collections::HashMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                let sum = vertices[a as usize] + vertices[b as usize];
                vertices.push(sum.normalize());
                vertices.len() as u32 - 1
            })
        };
        let divided = triangles.iter().flat_map(|&[a, b, c]| {
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        });
        triangles = divided.collect();
    }
    for vertex in &mut vertices {
        let [x, y, z] = (*vertex * 9.0).to_array().map(f64::from);
        let bump = libm::sin(x) * libm::sin(y) * libm::sin(z);
        *vertex *= 1.0 + 0.05 * bump as Real;
    }
    (vertices, triangles)
}

fn point(random: &mut Random, size: Real) -> Vec3 {
    Vec3::from_array([(); 3].map(|()| random.between(-size, size)))
}

/// Rays from outside of a region to points within.
fn rays(random: &mut Random, outside: Real, within: Real) -> Vec<Ray<Vec3>> {
    let ray = |_| {
        let origin = point(random, 1.0).normalize_or(Vec3::X) * outside;
        let towards = point(random, within) - origin;
        Ray::new(origin, towards).unwrap_or_else(|_| unreachable!("the ray has a direction"))
    };
    (0..QUESTIONS).map(ray).collect()
}

/// Calls `ask` with the numbers of the questions in turn; one call an iteration.
fn bench(criterion: &mut Criterion, name: &str, mut ask: impl FnMut(usize)) {
    let mut group = criterion.benchmark_group("questions");
    group.throughput(Throughput::Elements(1));
    let mut next = 0;
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            ask(next % QUESTIONS);
            next += 1;
        });
    });
    group.finish();
}

fn about_a_mesh(criterion: &mut Criterion) -> Result<(), Box<dyn Error>> {
    let (vertices, triangles) = bumpy_sphere();
    let mesh = Shape::mesh(vertices.clone(), triangles.clone())?;
    let turned = Pose::new(
        Vec3::new(0.1, 0.2, 0.3),
        Quat::from_xyzw(0.5, 0.5, -0.5, 0.5),
    );
    let placed = Placed::new(&mesh, &turned);
    let mut random = Random::new(91);
    let rays = rays(&mut random, 3.0, 0.9);
    bench(criterion, "ray-mesh", |k| {
        black_box(cast_ray(&rays[k], placed, RayOptions::default()).ok());
    });
    let points: Vec<Vec3> = (0..QUESTIONS).map(|_| point(&mut random, 1.5)).collect();
    bench(criterion, "closest-point-mesh", |k| {
        black_box(point_proximity(points[k], placed, Real::INFINITY).ok());
    });
    let ball = Shape::ball(0.1)?;
    let poses = points.iter().map(|&point| {
        let direction = point.normalize_or(Vec3::X);
        Pose::from_translation(turned.translation + direction * 1.1)
    });
    let poses: Vec<Pose<Vec3>> = poses.collect();
    let mut found = Vec::new();
    bench(criterion, "ball-mesh-contacts", |k| {
        contacts(Placed::new(&ball, &poses[k]), placed, 0.05, &mut found).ok();
        black_box(found.len());
    });
    let cuboid = Shape::cuboid(Vec3::splat(0.1))?;
    bench(criterion, "cuboid-mesh-contacts", |k| {
        contacts(Placed::new(&cuboid, &poses[k]), placed, 0.05, &mut found).ok();
        black_box(found.len());
    });
    let apart = poses.iter().map(|pose| {
        let direction = (pose.translation - turned.translation).normalize_or(Vec3::X);
        let rotation = Quat::from_xyzw(0.0, 0.6, 0.0, 0.8);
        Pose::new(turned.translation + direction * 2.1, rotation)
    });
    let apart: Vec<Pose<Vec3>> = apart.collect();
    bench(criterion, "mesh-mesh", |k| {
        black_box(proximity(placed, Placed::new(&mesh, &apart[k]), Real::INFINITY).ok());
    });
    bench(criterion, "mesh-build", |_| {
        black_box(Shape::mesh(vertices.clone(), triangles.clone()).ok());
    });
    Ok(())
}

fn about_a_world(criterion: &mut Criterion) -> Result<(), Box<dyn Error>> {
    let mut random = Random::new(92);
    let mut world = World::new(Options::default())?;
    let ball = Shape::ball(0.5)?;
    for _ in 0..100_000 {
        let pose = Pose::from_translation(point(&mut random, 50.0));
        world.insert(Body::moving(ball.clone(), pose))?;
    }
    world.step(0.0)?;
    let (rays, filter) = (rays(&mut random, 100.0, 50.0), QueryFilter::default());
    bench(criterion, "ray-world", |k| {
        black_box(
            world
                .cast_ray(&rays[k], RayOptions::default(), &filter)
                .ok(),
        );
    });
    let points: Vec<Vec3> = (0..QUESTIONS).map(|_| point(&mut random, 50.0)).collect();
    let (nearest, mut found) = (
        Nearest {
            count: 8,
            ..Nearest::default()
        },
        Vec::new(),
    );
    bench(criterion, "nearest-8-world", |k| {
        world
            .nearest_to_point(points[k], nearest, &filter, &mut found)
            .ok();
        black_box(found.len());
    });
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = criterion();
    about_a_mesh(&mut criterion)?;
    about_a_world(&mut criterion)?;
    criterion.final_summary();
    Ok(())
}
