use clearance_math::{Pose, Quat, Real, RelativePose, Vec3};
use clearance_shapes::{Convex, Shape};

use super::*;
use crate::convex::method::search_cores;
use crate::search::{Goal, SearchResult};
use crate::test_numbers::vector;

/// Shapes of all kinds: among them flat ones, slivers and one that is much larger than the others.
fn shape(k: u32, salt: u32, size: Real) -> Shape<Vec3> {
    let extents = vector(k, salt).abs() + 0.05;
    let made = match (k + salt) % 7 {
        0 => Shape::cuboid(extents * size),
        1 => Shape::capsule(extents.x * size, extents.y * size),
        2 => Shape::cylinder(extents.x * size, extents.y * size),
        3 => Shape::triangle(
            vector(k, salt) * size,
            vector(k, salt + 3) * size,
            Vec3::ZERO,
        ),
        4 => Shape::cone(extents.x * size, extents.y * size),
        5 => Shape::cuboid(Vec3::new(extents.x, 1e-4, 100.0) * size),
        _ => Shape::hull([0, 1, 2, 3, 4, 5].map(|corner| vector(k * 8 + corner, salt + 3) * size)),
    };
    made.expect("a shape with a size")
}

fn convex(shape: &Shape<Vec3>) -> &Convex<Vec3> {
    match shape {
        Shape::Convex(convex) => convex,
        _ => panic!("no convex shape"),
    }
}

/// A search that goes on from the last one finds what a search from the beginning does: both distances are between the
/// bounds of the other one, at every size, in small steps and in large ones, touching and overlapping.
#[test]
fn a_search_that_goes_on_agrees_with_one_from_the_beginning() {
    let (mut apart, mut overlapping) = (0, 0);
    for k in 0..400 {
        let size = [1.0, 1e-30, 1e18, 1e3][k as usize % 4];
        let (a, b) = (shape(k, 1, size), shape(k, 14, size));
        let (a, b) = (convex(&a), convex(&b));
        let mut kept = KeptSimplex::none();
        let stride = [1e-4, 0.02, 0.5][k as usize % 3];
        let way = vector(k, 27).normalize();
        let from = way * 3.0 + vector(k, 30);
        let axis = vector(k, 33).normalize();
        for step in 0..30 {
            let along = stride * step as Real;
            let turn = Quat::from_axis_angle(axis, 2.0 * along);
            let pose = Pose::<Vec3>::new((from - way * along) * size, turn);
            let b_in_a = RelativePose::from_pose(&pose);
            let goal = Goal::closest_point();
            let again = search_cores(a, b, &b_in_a, goal, Some(&mut kept));
            let anew = search_cores(a, b, &b_in_a, goal, None);
            let rounding = 1e-14 * (b_in_a.translation.length() + 100.0 * f64::from(size));
            match (again, anew) {
                (SearchResult::Separated(again), SearchResult::Separated(anew)) => {
                    apart += 1;
                    assert!(
                        again.lower <= anew.upper + rounding
                            && anew.lower <= again.upper + rounding,
                        "{k} {step}: {again:?} {anew:?}"
                    );
                    let is_as_good = again.converged || !anew.converged;
                    assert!(is_as_good, "{k} {step}: {again:?} {anew:?}");
                    let (on_a, on_b) = again.witness_points;
                    let line = (on_b - on_a).length();
                    assert!(
                        line <= again.upper && line >= again.lower - rounding,
                        "{k} {step}"
                    );
                }
                (SearchResult::Overlapping(again), SearchResult::Overlapping(_)) => {
                    overlapping += 1;
                    let _ = again.upper();
                }
                (SearchResult::Overlapping(over), SearchResult::Separated(anew)) => {
                    assert!(
                        anew.upper <= 8.0 * rounding,
                        "{k} {step}: {over:?} {anew:?}"
                    );
                }
                (SearchResult::Separated(again), SearchResult::Overlapping(over)) => {
                    assert!(
                        again.lower <= over.upper() + rounding,
                        "{k} {step}: {again:?}"
                    );
                }
                found => panic!("{k} {step}: {found:?}"),
            }
        }
    }
    assert!(apart > 5000 && overlapping > 500, "{apart} {overlapping}");
}

/// A vertex that is still there keeps the digits that it had, so that its place is rounded only once.
#[test]
fn vertices_that_stay_are_not_rounded_again() {
    let shape = Shape::cuboid(Vec3::new(0.3, 0.7, 1.1)).expect("a size");
    let cuboid = convex(&shape);
    let mut kept = KeptSimplex::none();
    let mut before = None;
    for step in 0..100 {
        let turn = Quat::from_axis_angle(Vec3::new(0.6, 0.8, 0.0), 0.3 + 1e-4 * step as Real);
        let b_in_a = RelativePose::from_pose(&Pose::<Vec3>::new(Vec3::new(2.3, 0.4, 0.1), turn));
        let _ = search_cores(
            cuboid,
            cuboid,
            &b_in_a,
            Goal::closest_point(),
            Some(&mut kept),
        );
        let now = kept.0.to_vec();
        assert!(before.is_none_or(|before| before == now), "{step}");
        before = Some(now);
    }
}
