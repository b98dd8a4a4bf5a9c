//! Refitting: nodes fit the new boxes exactly, on any number of threads.

use clearance_math::{Aabb, Real, Vec2, Vec3, Vector};
use clearance_tree::Workers;

use crate::common::{build, ordinary};

fn fits_exactly<V: Vector>() {
    let boxes = ordinary::<V>(31, 900, 20.0);
    let mut tree = build(&boxes);
    let moved: Vec<_> = boxes.iter().map(|b| b.grown(0.25)).collect();
    let growth = tree.refit(&Workers::alone(), |number| moved[number as usize]);
    assert_eq!(tree.validate(), Ok(()));
    assert!(growth.mean_ratio > 1.0 && growth.mean_ratio < 3.0);
    let mut found = Vec::new();
    let bounds = Aabb::new(V::splat(3.0), V::splat(9.0));
    tree.query_box(&bounds, &mut |number| found.push(number as usize));
    found.sort_unstable();
    let expected = (0..moved.len()).filter(|&n| moved[n].overlaps(&bounds));
    assert_eq!(found, expected.collect::<Vec<_>>());
    let unchanged = tree.refit(&Workers::alone(), |number| boxes[number as usize]);
    assert_eq!(unchanged.mean_ratio, 1.0);
}

#[test]
fn nodes_fit_boxes_that_moved() {
    fits_exactly::<Vec2>();
    fits_exactly::<Vec3>();
}

#[test]
fn threads_refit_as_one_thread_does() {
    let boxes = ordinary::<Vec3>(32, 20_000, 50.0);
    let mut alone = build(&boxes);
    let mut shared = alone.clone();
    let at = |number: u32| {
        let by = Vec3::splat((number % 7) as Real);
        let bounds = boxes[number as usize];
        Aabb::new(bounds.min + by, bounds.max + by)
    };
    let one = alone.refit(&Workers::alone(), at);
    let three = shared.refit(&Workers::new(3).expect("threads"), at);
    assert_eq!(one, three);
    assert_eq!(
        format!("{:?}", shared.nodes()),
        format!("{:?}", alone.nodes())
    );
}
