//! The distance of shapes that are apart, the early way out, and the yes or no of `intersects`.

use std::error::Error;

use clearance_benches::{
    PAIRS_IN_SPACE, PAIRS_IN_THE_PLANE, Placement, Space, bench_pairs, criterion,
};
use clearance_gjk::{intersects, proximity};
use clearance_math::{Real, Vec2, Vec3};
use criterion::Criterion;

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = criterion();
    suite::<Vec3>(&mut criterion, &PAIRS_IN_SPACE)?;
    suite::<Vec2>(&mut criterion, &PAIRS_IN_THE_PLANE)?;
    criterion.final_summary();
    Ok(())
}

fn suite<V: Space>(
    criterion: &mut Criterion,
    kinds: &[(clearance_benches::Kind, clearance_benches::Kind)],
) -> Result<(), Box<dyn Error>> {
    let apart = (kinds, Placement::Apart);
    let overlapping = (kinds, Placement::Overlapping);
    bench_pairs::<V, _>(criterion, "distance", apart, |pair| {
        proximity(pair.a(), pair.b(), Real::INFINITY)
    })?;
    bench_pairs::<V, _>(criterion, "distance-within-0.01", apart, |pair| {
        proximity(pair.a(), pair.b(), 0.01)
    })?;
    bench_pairs::<V, _>(criterion, "intersects-apart", apart, |pair| {
        intersects(pair.a(), pair.b())
    })?;
    bench_pairs::<V, _>(criterion, "intersects-overlapping", overlapping, |pair| {
        intersects(pair.a(), pair.b())
    })
}
