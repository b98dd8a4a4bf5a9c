//! Questions about a closed mesh of 131,072 triangles and to a world of 100,000 balls, on one thread.
//!
//! Before anything is measured, the answers are compared: they must be the same up to single precision.

#![allow(
    clippy::print_stdout,
    reason = "criterion does not report how much was found"
)]

use core::cell::RefCell;
use core::hint::black_box;
use core::time::Duration;
use std::error::Error;

use clearance_benches::questions::{CROWD_RADIUS, MeshQuestions, QUESTIONS, WITHIN, crowd};
use clearance_gjk::{Placed, RayOptions, cast_ray, contacts_into, point_proximity, proximity};
use clearance_math::{Pose, Real, Vec3};
use clearance_peers::{criterion, space};
use clearance_shapes::Shape;
use clearance_world::{Body, Options, World};
use criterion::{BenchmarkId, Criterion, Throughput};
use obvhs::cwbvh::builder::build_cwbvh_from_tris;
use obvhs::{BvhBuildParams, ray as obvhs_ray, triangle::Triangle};
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::{
    self, DefaultQueryDispatcher, PersistentQueryDispatcher, PointQuery, Ray, RayCast, details,
};
use parry3d::shape::{Ball, Cuboid, Shape as ParryShape, TriMesh};

/// How far answers of different engines may be apart.
const TOLERANCE: Real = 1e-4;

/// How many of a thousand rays may hit by one engine and miss by another: those that graze.
const MOST_GRAZING: usize = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = criterion();
    let work = Work::new()?;
    rays_at_a_mesh(&mut criterion, &work)?;
    closest_points(&mut criterion, &work)?;
    contacts_with_a_mesh(&mut criterion, &work)?;
    mesh_with_mesh(&mut criterion, &work)?;
    builds(&mut criterion, &work);
    rays_in_a_world(&mut criterion)?;
    criterion.final_summary();
    Ok(())
}

/// The mesh in our types and in those of parry.
struct Work {
    ours: MeshQuestions,
    theirs: TriMesh,
    pose: parry3d::math::Pose,
}

impl Work {
    fn new() -> Result<Self, Box<dyn Error>> {
        let ours = MeshQuestions::new()?;
        Ok(Self {
            theirs: TriMesh::new(ours.vertices.clone(), ours.triangles.clone())?,
            pose: space::pose(&ours.pose),
            ours,
        })
    }
}

/// Calls `ask` with the numbers of the questions in turn; one call an iteration.
fn bench(criterion: &mut Criterion, question: &str, who: &str, mut ask: impl FnMut(usize)) {
    let mut group = criterion.benchmark_group("questions");
    group.throughput(Throughput::Elements(1));
    let mut next = 0;
    group.bench_function(BenchmarkId::new(question, who), |bencher| {
        bencher.iter(|| {
            ask(next % QUESTIONS);
            next += 1;
        });
    });
    group.finish();
}

/// Refuses answers that differ for more than `most` of the questions.
fn compare(
    question: &str,
    most: usize,
    [ours, theirs]: [&dyn Fn(usize) -> Option<Real>; 2],
) -> Result<(), Box<dyn Error>> {
    let differs = |&k: &usize| match (ours(k), theirs(k)) {
        (Some(ours), Some(theirs)) => !((ours - theirs).abs() <= TOLERANCE * (1.0 + ours.abs())),
        (None, None) => false,
        _ => true,
    };
    let count = (0..QUESTIONS).filter(differs).count();
    if count > most {
        return Err(format!("{question}: {count} answers differ").into());
    }
    Ok(())
}

fn parry_ray(ray: &clearance_math::Ray<Vec3>) -> Ray {
    Ray::new(ray.origin().as_vec3(), ray.direction().normalize())
}

fn rays_at_a_mesh(criterion: &mut Criterion, work: &Work) -> Result<(), Box<dyn Error>> {
    let (ours, placed) = (&work.ours, work.ours.placed());
    let rays: Vec<Ray> = ours.rays.iter().map(parry_ray).collect();
    let our_hit = |k: usize| {
        let hit = cast_ray(&ours.rays[k], placed, RayOptions::default());
        hit.ok().flatten()
    };
    let their_hit = |k: usize| {
        work.theirs
            .cast_ray_and_get_normal(&work.pose, &rays[k], Real::MAX, true)
    };
    let their_distance = |k| their_hit(k).map(|hit| hit.time_of_impact);
    let our_distance = |k| our_hit(k).map(|hit| hit.distance);
    compare("ray-mesh", MOST_GRAZING, [&our_distance, &their_distance])?;
    bench(criterion, "ray-mesh", "clearance", |k| {
        black_box(our_hit(k));
    });
    bench(criterion, "ray-mesh", "parry", |k| {
        black_box(their_hit(k));
    });
    obvhs_rays(criterion, work, &our_distance)
}

/// obvhs in the frame of the mesh, its triangles in the order of the tree.
fn obvhs_rays(
    criterion: &mut Criterion,
    work: &Work,
    our_distance: &dyn Fn(usize) -> Option<Real>,
) -> Result<(), Box<dyn Error>> {
    let corner = |index: u32| work.ours.vertices[index as usize].into();
    let triangles: Vec<Triangle> = work
        .ours
        .triangles
        .iter()
        .map(|&[a, b, c]| Triangle {
            v0: corner(a),
            v1: corner(b),
            v2: corner(c),
        })
        .collect();
    let mut time = Duration::default();
    let tree = build_cwbvh_from_tris(&triangles, BvhBuildParams::slow_build(), &mut time);
    let in_order: Vec<Triangle> = tree
        .primitive_indices
        .iter()
        .map(|&index| triangles[index as usize])
        .collect();
    let hit = |k: usize| {
        let ray = parry_ray(&work.ours.rays[k]).inverse_transform_by(&work.pose);
        let ray = obvhs_ray::Ray::new_inf(ray.origin.into(), ray.dir.into());
        let mut hit = obvhs_ray::RayHit::none();
        let is_hit = tree.ray_traverse(ray, &mut hit, |ray, id| in_order[id].intersect(ray));
        is_hit.then_some(hit.t)
    };
    compare("ray-mesh of obvhs", MOST_GRAZING, [our_distance, &hit])?;
    bench(criterion, "ray-mesh", "obvhs-cwbvh", |k| {
        black_box(hit(k));
    });
    Ok(())
}

fn closest_points(criterion: &mut Criterion, work: &Work) -> Result<(), Box<dyn Error>> {
    let (ours, placed) = (&work.ours, work.ours.placed());
    let our_answer = |k: usize| {
        let near = point_proximity(ours.points[k], placed, Real::INFINITY);
        near.ok().and_then(|near| near.near())
    };
    let their_answer = |k: usize| work.theirs.project_point(&work.pose, ours.points[k], true);
    compare(
        "closest-point-mesh",
        0,
        [&|k| our_answer(k).map(|near| near.distance), &|k| {
            Some(their_answer(k).point.distance(ours.points[k]))
        }],
    )?;
    bench(criterion, "closest-point-mesh", "clearance", |k| {
        black_box(our_answer(k));
    });
    let solid = Shape::solid_mesh(&ours.vertices, &ours.triangles)?;
    let in_solid = Placed::new(&solid, &ours.pose);
    bench(criterion, "closest-point-mesh", "clearance-solid", |k| {
        black_box(point_proximity(ours.points[k], in_solid, Real::INFINITY).ok());
    });
    bench(criterion, "closest-point-mesh", "parry", |k| {
        black_box(their_answer(k));
    });
    Ok(())
}

fn contacts_with_a_mesh(criterion: &mut Criterion, work: &Work) -> Result<(), Box<dyn Error>> {
    let (ball, cuboid) = (Ball::new(0.1), Cuboid::new(Vec3::splat(0.1)));
    contacts_with(criterion, work, "ball", &Shape::ball(0.1)?, &ball)?;
    let shape = Shape::cuboid(Vec3::splat(0.1))?;
    contacts_with(criterion, work, "cuboid", &shape, &cuboid)
}

/// All contacts of a convex shape with the mesh; parry by its manifolds, and by hand: its tree, and the
/// contact of each triangle.
fn contacts_with(
    criterion: &mut Criterion,
    work: &Work,
    name: &str,
    shape: &Shape<Vec3>,
    parry: &dyn ParryShape,
) -> Result<(), Box<dyn Error>> {
    let question = format!("{name}-mesh-contacts");
    let found = RefCell::new(Vec::new());
    let ours = |k: usize| {
        let a = Placed::new(shape, &work.ours.near[k]);
        contacts_into(a, work.ours.placed(), WITHIN, &mut found.borrow_mut()).ok();
        found.borrow().len()
    };
    let by_hand = |k: usize| {
        let b_in_a = work.pose.inv_mul(&space::pose(&work.ours.near[k]));
        let bounds = parry.compute_aabb(&b_in_a);
        let bounds = parry3d::bounding_volume::BoundingVolume::loosened(&bounds, WITHIN);
        let mut count = 0;
        for triangle in work.theirs.bvh().intersect_aabb(&bounds) {
            let triangle = work.theirs.triangle(triangle);
            let near = if let Some(ball) = parry.as_ball() {
                details::contact_convex_polyhedron_ball(&b_in_a, &triangle, ball, WITHIN)
            } else if let Some(cuboid) = parry.as_cuboid() {
                details::contact_support_map_support_map(&b_in_a, &triangle, cuboid, WITHIN)
            } else {
                None
            };
            count += usize::from(black_box(near).is_some_and(|near| near.dist <= WITHIN));
        }
        count
    };
    let total = |count: &dyn Fn(usize) -> usize| (0..QUESTIONS).map(count).sum::<usize>();
    let (our_total, their_total) = (total(&ours), total(&by_hand));
    println!("{question}: {our_total} and {their_total} contacts");
    // Triangles at almost exactly the greatest distance are counted by one and not by the other.
    if our_total.abs_diff(their_total) > our_total / 100 {
        return Err(format!("{question}: {our_total} and {their_total} contacts").into());
    }
    bench(criterion, &question, "clearance", |k| {
        black_box(ours(k));
    });
    bench(criterion, &question, "parry-by-hand", |k| {
        black_box(by_hand(k));
    });
    let (mut manifolds, mut workspace) = (Vec::<query::ContactManifold<(), ()>>::new(), None);
    bench(criterion, &question, "parry-manifolds", |k| {
        let b_in_a = work.pose.inv_mul(&space::pose(&work.ours.near[k]));
        let within = WITHIN;
        let (manifolds, workspace) = (&mut manifolds, &mut workspace);
        DefaultQueryDispatcher
            .contact_manifolds(&b_in_a, &work.theirs, parry, within, manifolds, workspace)
            .ok();
        black_box(manifolds.len());
    });
    Ok(())
}

fn mesh_with_mesh(criterion: &mut Criterion, work: &Work) -> Result<(), Box<dyn Error>> {
    let ours = |k: usize| {
        let b = Placed::new(&work.ours.mesh, &work.ours.beside[k]);
        let near = proximity(work.ours.placed(), b, Real::INFINITY);
        near.ok().and_then(|near| near.near())
    };
    let theirs = |k: usize| {
        let b = space::pose(&work.ours.beside[k]);
        query::distance(&work.pose, &work.theirs, &b, &work.theirs).ok()
    };
    // It takes parry a quarter of a minute to answer all.
    for k in (0..QUESTIONS).step_by(64) {
        let (Some(ours), Some(theirs)) = (ours(k), theirs(k)) else {
            return Err("mesh-mesh: no answer".into());
        };
        // parry ends its search of a pair of triangles earlier.
        let is_near = (ours.distance - theirs.distance).abs() <= 10.0 * TOLERANCE;
        if !is_near && ours.distance > 0.0 {
            return Err(format!("mesh-mesh: {} and {}", ours.distance, theirs.distance).into());
        }
    }
    bench(criterion, "mesh-mesh", "clearance", |k| {
        black_box(ours(k));
    });
    bench(criterion, "mesh-mesh", "parry", |k| {
        black_box(theirs(k));
    });
    Ok(())
}

fn builds(criterion: &mut Criterion, work: &Work) {
    let parts = || (work.ours.vertices.clone(), work.ours.triangles.clone());
    bench(criterion, "mesh-build", "clearance", |_| {
        let (vertices, triangles) = parts();
        black_box(Shape::mesh(vertices, triangles).ok());
    });
    bench(criterion, "mesh-build", "parry", |_| {
        let (vertices, triangles) = parts();
        black_box(TriMesh::new(vertices, triangles).ok());
    });
}

/// 100,000 balls; parry by its tree of their boxes, and the ray test of each ball.
fn rays_in_a_world(criterion: &mut Criterion) -> Result<(), Box<dyn Error>> {
    let (centers, our_rays) = crowd();
    let mut world = World::new(Options::default())?;
    let shape = Shape::ball(CROWD_RADIUS)?;
    for &center in &centers {
        world.insert(Body::moving(shape.clone(), Pose::from_translation(center)))?;
    }
    world.step(0.0)?;
    let ball = Ball::new(CROWD_RADIUS);
    let pose = |body: u32| parry3d::math::Pose::from_translation(centers[body as usize]);
    let boxes: Vec<_> = (0..centers.len() as u32)
        .map(|body| ball.aabb(&pose(body)))
        .collect();
    let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
    let rays: Vec<Ray> = our_rays.iter().map(parry_ray).collect();
    let ours = |k: usize| {
        let hit = world.query().cast_ray(&our_rays[k], RayOptions::default());
        hit.ok().flatten().map(|hit| hit.hit.distance)
    };
    let theirs = |k: usize| {
        let hit = tree.cast_ray(&rays[k], Real::MAX, |body, best| {
            ball.cast_ray(&pose(body), &rays[k], best, true)
        });
        hit.map(|(_, distance)| distance)
    };
    compare("ray-world", MOST_GRAZING, [&ours, &theirs])?;
    bench(criterion, "ray-world", "clearance", |k| {
        black_box(ours(k));
    });
    bench(criterion, "ray-world", "parry", |k| {
        black_box(theirs(k));
    });
    Ok(())
}
