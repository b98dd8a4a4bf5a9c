//! Building hulls, and their farthest points.

use core::f64::consts::TAU;
use core::hint::black_box;
use std::error::Error;

use clearance_benches::{Random, Space, criterion};
use clearance_math::{DVec3, PreciseVector, Vec2, Vec3};
use clearance_shapes::{Hull, HullError};
use criterion::{BenchmarkId, Criterion, Throughput};

/// How many directions one measurement asks for.
const DIRECTIONS: u64 = 256;

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = criterion();
    building::<Vec2>(&mut criterion);
    building::<Vec3>(&mut criterion);
    building_from_curves(&mut criterion);
    support::<Vec2>(&mut criterion)?;
    support::<Vec3>(&mut criterion)?;
    criterion.final_summary();
    Ok(())
}

/// Points in a box, most of them inside the hull; and on a sphere, all of them corners.
fn building<V: Space>(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group(format!("hull-build/{}", V::NAME));
    for count in [16, 128, 1024] {
        let mut random = Random::new(11);
        let inside: Vec<V> = (0..count).map(|_| random.vector()).collect();
        let around: Vec<V> = (0..count).map(|_| random.direction()).collect();
        for (name, points) in [("in-box", inside), ("on-sphere", around)] {
            group.bench_with_input(BenchmarkId::new(name, count), &points, |bencher, points| {
                bencher.iter(|| Hull::from_points(black_box(points)));
            });
        }
    }
    group.finish();
}

/// Points on curves, where vertices of the hull see or have very many others; a sphere for comparison.
fn building_from_curves(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("hull-build-curves/3d");
    group.sample_size(10);
    for count in [1_000, 10_000, 100_000] {
        for (name, points) in curves(count) {
            group.bench_with_input(BenchmarkId::new(name, count), &points, |bencher, points| {
                bencher.iter(|| Hull::from_points(black_box(points)));
            });
        }
    }
    group.finish();
}

/// `count` points of each kind.
fn curves(count: usize) -> [(&'static str, Vec<Vec3>); 5] {
    let on_curve = |curve: fn(f64) -> [f64; 3]| -> Vec<Vec3> {
        let parameters = (0..count).map(|k| k as f64 / count as f64);
        parameters
            .map(|t| DVec3::from(curve(t)).as_vec3())
            .collect()
    };
    let helix = on_curve(|t| [(TAU * t).cos(), (TAU * t).sin(), t]);
    let moment = on_curve(|t| [t, t * t, t * t * t]);
    let circles = on_curve(|t| {
        [
            (2.0 * TAU * t).cos(),
            (2.0 * TAU * t).sin(),
            (2.0 * t).floor(),
        ]
    });
    let mut cone = on_curve(|t| [(TAU * t).cos(), (TAU * t).sin(), 0.0]);
    cone[0] = Vec3::Z;
    let mut random = Random::new(11);
    let sphere = (0..count).map(|_| random.direction()).collect();
    [
        ("helix", helix),
        ("moment-curve", moment),
        ("two-circles", circles),
        ("cone", cone),
        ("sphere", sphere),
    ]
}

fn support<V: Space>(criterion: &mut Criterion) -> Result<(), HullError> {
    let mut group = criterion.benchmark_group(format!("hull-support/{}", V::NAME));
    group.throughput(Throughput::Elements(DIRECTIONS));
    let mut random = Random::new(13);
    let directions: Vec<V::Precise> = (0..DIRECTIONS)
        .map(|_| random.direction::<V>().to_precise())
        .collect();
    for count in [8, 32, 128, 512, 2048] {
        let points: Vec<V> = (0..count).map(|_| random.direction()).collect();
        let hull = Hull::from_points(&points)?;
        group.bench_function(BenchmarkId::from_parameter(count), |bencher| {
            bencher.iter(|| {
                let add = |sum: V::Precise, direction| sum + hull.support(direction);
                directions.iter().copied().fold(V::Precise::ZERO, add)
            });
        });
    }
    group.finish();
    Ok(())
}
