//! Composites and questions: rays, closest points, meshes against meshes, and questions to a world.

use core::hint::black_box;
use std::error::Error;

use clearance_benches::criterion;
use clearance_benches::questions::{CROWD_RADIUS, MeshQuestions, QUESTIONS, WITHIN, crowd};
use clearance_gjk::{
    Placed, RayOptions, cast_ray, contacts_into, point_proximity, proximity, ray_hits,
};
use clearance_math::{Pose, Real, Vec3};
use clearance_shapes::Shape;
use clearance_world::{Body, Nearest, Options, World};
use criterion::{Criterion, Throughput};

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
    let questions = MeshQuestions::new()?;
    let placed = questions.placed();
    bench(criterion, "ray-mesh", |k| {
        black_box(cast_ray(&questions.rays[k], placed, RayOptions::default()).ok());
    });
    bench(criterion, "ray-hits-mesh", |k| {
        black_box(ray_hits(&questions.rays[k], placed, RayOptions::default()).ok());
    });
    bench(criterion, "closest-point-mesh", |k| {
        black_box(point_proximity(questions.points[k], placed, Real::INFINITY).ok());
    });
    let mut found = Vec::new();
    for (name, shape) in [
        ("ball-mesh-contacts", Shape::ball(0.1)?),
        ("cuboid-mesh-contacts", Shape::cuboid(Vec3::splat(0.1))?),
    ] {
        bench(criterion, name, |k| {
            let a = Placed::new(&shape, &questions.near[k]);
            contacts_into(a, placed, WITHIN, &mut found).ok();
            black_box(found.len());
        });
    }
    bench(criterion, "mesh-mesh", |k| {
        let b = Placed::new(&questions.mesh, &questions.beside[k]);
        black_box(proximity(placed, b, Real::INFINITY).ok());
    });
    bench(criterion, "mesh-build", |_| {
        let (vertices, triangles) = (questions.vertices.clone(), questions.triangles.clone());
        black_box(Shape::mesh(vertices, triangles).ok());
    });
    Ok(())
}

fn about_a_world(criterion: &mut Criterion) -> Result<(), Box<dyn Error>> {
    let (centers, rays) = crowd();
    let mut world = World::new(Options::default())?;
    let ball = Shape::ball(CROWD_RADIUS)?;
    for &center in &centers {
        world.insert(Body::moving(ball.clone(), Pose::from_translation(center)))?;
    }
    world.step(0.0)?;
    bench(criterion, "ray-world", |k| {
        black_box(world.query().cast_ray(&rays[k], RayOptions::default()).ok());
    });
    let mut found = Vec::new();
    let nearest = Nearest {
        count: 8,
        ..Nearest::default()
    };
    bench(criterion, "nearest-8-world", |k| {
        world
            .query()
            .nearest_to_point_into(centers[k] + Vec3::splat(0.7), nearest, &mut found)
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
