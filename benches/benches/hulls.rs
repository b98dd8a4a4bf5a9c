//! Building hulls, and their farthest points.

use core::hint::black_box;
use std::error::Error;

use clearance_benches::{Random, Space, criterion};
use clearance_math::{PreciseVector, Vec2, Vec3};
use clearance_shapes::{Hull, HullError};
use criterion::{BenchmarkId, Criterion, Throughput};

/// How many directions one measurement asks for.
const DIRECTIONS: u64 = 256;

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = criterion();
    building::<Vec2>(&mut criterion);
    building::<Vec3>(&mut criterion);
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
