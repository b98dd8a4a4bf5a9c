//! Questions about a cube of 128 x 128 x 128 voxels with caves, beside parry's `Voxels`, on one thread.
//!
//! Before anything is measured, the answers are compared. parry has no distance of voxels to a shape; it answers by manifolds.

#![allow(
    clippy::print_stdout,
    reason = "criterion does not report how much was found"
)]

use core::cell::RefCell;
use core::hint::black_box;
use std::error::Error;

use clearance_benches::questions::QUESTIONS;
use clearance_benches::voxels::VoxelQuestions;
use clearance_gjk::{
    Cast, CastOptions, Motion, Placed, RayOptions, cast_ray, cast_shapes, contact_manifolds_into,
    point_proximity,
};
use clearance_math::{IVec3, Pose, Real, Vec3};
use clearance_peers::criterion;
use clearance_peers::space::{self, Form};
use clearance_shapes::{Cells, Shape};
use criterion::{BenchmarkId, Criterion, Throughput};
use parry3d::query::{
    ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher, PointQuery, Ray, RayCast,
    ShapeCastOptions, cast_shapes as cast_by_parry,
};
use parry3d::shape::Voxels;

/// How far apart the points of a manifold may be.
const WITHIN: Real = 0.1;

/// How far answers of different engines may be apart.
const TOLERANCE: Real = 1e-3;

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = criterion();
    let ours = VoxelQuestions::new()?;
    let work = Work {
        theirs: Voxels::new(Vec3::ONE, &ours.filled),
        ours,
    };
    println!("{} of the cells are filled", work.ours.filled.len());
    work.rays(&mut criterion);
    work.closest_points(&mut criterion);
    let shapes = [
        ("ball", Shape::ball(0.4)?),
        ("cuboid", Shape::cuboid(Vec3::new(0.4, 0.25, 0.3))?),
        ("capsule", Shape::capsule(0.5, 0.4)?),
    ];
    for (name, shape) in &shapes {
        let body = (shape, Form::new(shape).ok_or("a shape that parry lacks")?);
        work.contacts(&mut criterion, name, &body);
        work.casts(&mut criterion, name, &body);
    }
    work.build(&mut criterion);
    criterion.final_summary();
    Ok(())
}

/// The cells in our types and in those of parry.
struct Work {
    ours: VoxelQuestions,
    theirs: Voxels,
}

/// A shape in our types and in those of parry.
type Body<'a> = (&'a Shape<Vec3>, Form);

/// Calls `ask` with the numbers of the questions in turn; one call an iteration.
fn bench<R>(criterion: &mut Criterion, question: &str, who: &str, mut ask: impl FnMut(usize) -> R) {
    let mut group = criterion.benchmark_group("voxels");
    group.throughput(Throughput::Elements(1));
    let mut next = 0;
    group.bench_function(BenchmarkId::new(question, who), |bencher| {
        bencher.iter(|| {
            next = (next + 1) % QUESTIONS;
            black_box(ask(next))
        });
    });
    group.finish();
}

/// Prints for how many questions the answers differ.
fn compare(question: &str, [ours, theirs]: [&dyn Fn(usize) -> Option<Real>; 2]) {
    let answers = |k| (ours(k), theirs(k));
    let differs = |&(ours, theirs): &(Option<Real>, Option<Real>)| match (ours, theirs) {
        (Some(ours), Some(theirs)) => !((ours - theirs).abs() <= TOLERANCE * (1.0 + ours.abs())),
        (ours, theirs) => ours.is_some() != theirs.is_some(),
    };
    let some = (0..QUESTIONS).filter(|&k| ours(k).is_some()).count();
    let different: Vec<_> = (0..QUESTIONS).map(answers).filter(differs).collect();
    let (count, first) = (different.len(), different.first());
    println!("{question}: {some} of {QUESTIONS} answers, {count} differ from parry's: {first:?}");
}

impl Work {
    fn rays(&self, criterion: &mut Criterion) {
        let rays: Vec<Ray> = self.ours.rays.iter().map(parry_ray).collect();
        let ours = |k: usize| {
            let hit = cast_ray(
                &self.ours.rays[k],
                self.ours.placed(),
                RayOptions::default(),
            );
            hit.expect("a valid question").map(|hit| hit.distance)
        };
        let theirs = |k: usize| {
            let hit = self
                .theirs
                .cast_local_ray_and_get_normal(&rays[k], Real::MAX, true);
            hit.map(|hit| hit.time_of_impact)
        };
        compare("ray", [&ours, &theirs]);
        bench(criterion, "ray", "clearance", ours);
        bench(criterion, "ray", "parry", theirs);
    }

    fn closest_points(&self, criterion: &mut Criterion) {
        let points = &self.ours.points;
        let ours = |k: usize| {
            let near = point_proximity(points[k], self.ours.placed(), Real::INFINITY);
            near.expect("a valid question")
                .near()
                .map(|near| near.distance)
        };
        let theirs = |k: usize| {
            let near = self.theirs.project_local_point(points[k], true);
            Some(near.point.distance(points[k]))
        };
        compare("closest-point", [&ours, &theirs]);
        bench(criterion, "closest-point", "clearance", ours);
        bench(criterion, "closest-point", "parry", theirs);
    }

    /// Manifolds, without what was found before.
    fn contacts(&self, criterion: &mut Criterion, name: &str, (shape, form): &Body) {
        let found = RefCell::new(Vec::new());
        let ours = |k: usize| {
            let (mut found, body) = (found.borrow_mut(), Placed::new(shape, &self.ours.near[k]));
            contact_manifolds_into(self.ours.placed(), body, WITHIN, &mut found)
                .expect("a valid question");
            least(
                found
                    .iter()
                    .flat_map(|one| one.points().iter().map(|point| point.distance)),
            )
        };
        let theirs = |k: usize| {
            let (pose, body) = (space::pose(&self.ours.near[k]), form.as_shape());
            let (mut found, mut workspace) = (Vec::<ContactManifold<(), ()>>::new(), None);
            DefaultQueryDispatcher
                .contact_manifolds(
                    &pose,
                    &self.theirs,
                    body,
                    WITHIN,
                    &mut found,
                    &mut workspace,
                )
                .expect("parry has manifolds of voxels");
            let all = found
                .iter()
                .flat_map(|one| one.points.iter().map(|point| point.dist));
            least(all.filter(|distance| *distance <= WITHIN))
        };
        let question = format!("{name}-manifolds");
        compare(&question, [&ours, &theirs]);
        bench(criterion, &question, "clearance", ours);
        bench(criterion, &question, "parry", theirs);
    }

    fn casts(&self, criterion: &mut Criterion, name: &str, (shape, form): &Body) {
        let (near, ways) = (&self.ours.near, &self.ours.ways);
        let ours = |k: usize| {
            let motion = Motion::from_linear(ways[k]);
            let thrown = Cast::new(Placed::new(shape, &near[k]), motion);
            let cells = Cast::resting(self.ours.placed());
            let hit = cast_shapes(thrown, cells, CastOptions::default());
            hit.expect("a valid question").map(|hit| hit.time)
        };
        let options = ShapeCastOptions {
            max_time_of_impact: 1.0,
            ..ShapeCastOptions::default()
        };
        let at_rest = space::pose(&Pose::IDENTITY);
        let theirs = |k: usize| {
            let (pose, body) = (space::pose(&near[k]), form.as_shape());
            let hit = cast_by_parry(
                &pose,
                ways[k],
                body,
                &at_rest,
                Vec3::ZERO,
                &self.theirs,
                options,
            );
            hit.expect("parry casts at voxels")
                .map(|hit| hit.time_of_impact)
        };
        let question = format!("{name}-cast");
        compare(&question, [&ours, &theirs]);
        bench(criterion, &question, "clearance", ours);
        bench(criterion, &question, "parry", theirs);
    }

    /// From a list of cells.
    fn build(&self, criterion: &mut Criterion) {
        let filled: &[IVec3] = &self.ours.filled;
        bench(criterion, "build", "clearance", |_| {
            let mut cells = Cells::new();
            for &cell in filled {
                cells.set(cell, true).expect("few chunks");
            }
            Shape::voxels_of(Vec3::ONE, cells)
        });
        bench(criterion, "build", "parry", |_| {
            Voxels::new(Vec3::ONE, filled)
        });
    }
}

fn least(distances: impl Iterator<Item = Real>) -> Option<Real> {
    distances.min_by(Real::total_cmp)
}

fn parry_ray(ray: &clearance_math::Ray<Vec3>) -> Ray {
    Ray::new(ray.origin().as_vec3(), ray.direction().normalize())
}
