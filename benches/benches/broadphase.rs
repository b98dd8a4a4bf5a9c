//! The three backends on the boxes of real scenes: building, moving, pairs, queries.

use core::hint::black_box;
use std::error::Error;

use clearance_benches::{Player, criterion};
use clearance_broadphase::{AnyBroadPhase, Backend, BodyKind, BroadPhase, Key, RayLine};
use clearance_math::{Aabb, DVec3, Ray, RayError, Real, Vec3};
use clearance_scene::{RunOptions, SceneKind, SceneRunner, generate};
use criterion::Criterion;

const BACKENDS: [(Backend, &str, usize); 3] = [
    (Backend::Bvh, "bvh", 10_000),
    (Backend::RTree, "rtree", 10_000),
    (Backend::BruteForce, "brute", 1000),
];

/// How many frames are played before they start again with a new tree.
const FRAMES: usize = 120;

/// How many queries one measurement puts.
const QUERIES: usize = 64;

/// The boxes of a scene, frame by frame.
struct Film {
    kinds: Vec<BodyKind>,
    frames: Vec<Vec<Aabb<Vec3>>>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = criterion();
    for kind in [SceneKind::Mixed, SceneKind::City, SceneKind::Pile] {
        for (backend, name, count) in BACKENDS {
            let film = film(kind, count)?;
            let id = |what: &str| format!("{what}/{kind}-{count}/{name}");
            frames(&mut criterion, &film, backend, id);
            queries(&mut criterion, &film, backend, id)?;
        }
    }
    criterion.final_summary();
    Ok(())
}

/// Boxes grown as a world grows them.
fn film(kind: SceneKind, count: usize) -> Result<Film, Box<dyn Error>> {
    let scene = generate(kind, count, 1)
        .into_space()
        .ok_or("not in space")?;
    let mut runner = SceneRunner::new(&scene, RunOptions::default())?;
    let grow = Vec3::splat(0.5 * scene.margin);
    let mut frames = Vec::new();
    for _ in 0..FRAMES {
        runner.step(1.0 / 60.0)?;
        let bounds = runner.world().bodies().map(|body| body.bounds());
        frames.push(
            bounds
                .map(|b| Aabb::new(b.min - grow, b.max + grow))
                .collect(),
        );
    }
    let bodies = runner.world().bodies();
    Ok(Film {
        kinds: bodies.map(|body| body.kind()).collect(),
        frames,
    })
}

impl Film {
    fn start(&self, backend: Backend) -> AnyBroadPhase<Vec3> {
        let mut boxes = AnyBroadPhase::new(backend);
        for (key, (bounds, kind)) in self.frames[0].iter().zip(&self.kinds).enumerate() {
            boxes.insert(key as Key, *bounds, *kind);
        }
        boxes.refresh();
        boxes
    }
}

/// Sets all boxes to those of a frame.
fn show(boxes: &mut AnyBroadPhase<Vec3>, frame: &[Aabb<Vec3>]) {
    for (key, bounds) in frame.iter().enumerate() {
        boxes.set_bounds(key as Key, *bounds);
    }
    boxes.refresh();
}

fn frames(criterion: &mut Criterion, film: &Film, backend: Backend, id: impl Fn(&str) -> String) {
    criterion.bench_function(&id("tree-build"), |bencher| {
        bencher.iter(|| film.start(backend));
    });
    let start = || Ok(film.start(backend));
    let mut player = Player::default();
    criterion.bench_function(&id("tree-move"), |bencher| {
        bencher.iter_custom(|iterations| {
            player.play(&film.frames, iterations, start, |boxes, frame| {
                show(boxes, frame);
                Ok(())
            })
        });
    });
    let mut player = Player::default();
    criterion.bench_function(&id("tree-frame"), |bencher| {
        bencher.iter_custom(|iterations| {
            player.play(&film.frames, iterations, start, |boxes, frame| {
                show(boxes, frame);
                black_box(boxes.pairs().len());
                Ok(())
            })
        });
    });
}

/// Each query starts from a box of the scene.
fn queries(
    criterion: &mut Criterion,
    film: &Film,
    backend: Backend,
    id: impl Fn(&str) -> String,
) -> Result<(), RayError> {
    let boxes = film.start(backend);
    let bounds = &film.frames[0];
    let some: Vec<Aabb<Vec3>> = (0..QUERIES)
        .map(|index| bounds[index * bounds.len() / QUERIES])
        .collect();
    let ray = |bounds: &Aabb<Vec3>| {
        let ray = Ray::<Vec3>::new(bounds.min, Vec3::new(0.6, 0.0, 0.8))?;
        Ok::<_, RayError>(RayLine::of(&ray, DVec3::ZERO))
    };
    let rays = some.iter().map(ray).collect::<Result<Vec<_>, _>>()?;
    criterion.bench_function(&id("tree-query-box"), |bencher| {
        bencher.iter(|| {
            let mut found = 0;
            for bounds in &some {
                boxes.query_box(black_box(bounds), &mut |_| found += 1);
            }
            found
        });
    });
    criterion.bench_function(&id("tree-query-ray"), |bencher| {
        bencher.iter(|| {
            let mut sum = 0.0;
            for ray in &rays {
                // The nearest box: what is farther than the last hit need not be visited.
                boxes.query_ray(black_box(ray), 100.0, &mut |_, enters| {
                    sum += enters;
                    enters
                });
            }
            sum
        });
    });
    criterion.bench_function(&id("tree-query-nearest"), |bencher| {
        bencher.iter(|| {
            let mut sum: Real = 0.0;
            for bounds in &some {
                let point = bounds.max + Vec3::splat(0.25);
                boxes.query_nearest(black_box(point), 100.0, &mut |_, squared| {
                    sum += squared;
                    squared
                });
            }
            sum
        });
    });
    Ok(())
}
