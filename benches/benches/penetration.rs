//! The depth of shapes that overlap, with normal and witness points.

use std::error::Error;

use clearance_benches::{PAIRS_IN_SPACE, PAIRS_IN_THE_PLANE, Placement, bench_pairs, criterion};
use clearance_gjk::proximity;
use clearance_math::{Vec2, Vec3};

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = criterion();
    let space = (&PAIRS_IN_SPACE[..], Placement::Overlapping);
    bench_pairs::<Vec3, _>(&mut criterion, "penetration", space, |pair| {
        proximity(pair.a(), pair.b(), 0.0)
    })?;
    let plane = (&PAIRS_IN_THE_PLANE[..], Placement::Overlapping);
    bench_pairs::<Vec2, _>(&mut criterion, "penetration", plane, |pair| {
        proximity(pair.a(), pair.b(), 0.0)
    })?;
    criterion.final_summary();
    Ok(())
}
