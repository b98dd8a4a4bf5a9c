//! Queries never allocate, and joins and refits do not in memory that they have used before.

use clearance_math::{Aabb, DVec3, Ray, Real, Vec3};
use clearance_tree::ray_box::RayLine;
use clearance_tree::{Join, JoinStacks, Workers};

use crate::common::{build, ordinary};

#[test]
fn steady_use_allocates_nothing() {
    let boxes = ordinary::<Vec3>(41, 30_000, 40.0);
    let mut tree = build(&boxes);
    let ray = Ray::<Vec3>::new(Vec3::ZERO, Vec3::ONE).expect("not zero");
    let ray = RayLine::of(&ray, DVec3::ZERO);
    let mut stacks = JoinStacks::default();
    let mut count = 0_u32;
    Join::new(&mut stacks, |_, _| count += 1).tree_with_itself(&tree);
    assert!(count > 10_000);
    let allocated = allocation_counter::measure(|| {
        tree.query_box(&Aabb::everything(), &mut |_| count += 1);
        tree.query_ray(&ray, Real::INFINITY, &mut |_, _| Real::INFINITY);
        tree.query_nearest(Vec3::ONE, Real::INFINITY, &mut |_, _| Real::INFINITY);
        Join::new(&mut stacks, |_, _| count += 1).tree_with_itself(&tree);
        tree.refit(&Workers::alone(), |number| boxes[number as usize]);
    });
    assert_eq!(allocated.count_total, 0);
}
