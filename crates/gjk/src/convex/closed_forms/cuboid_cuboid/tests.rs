use clearance_math::{Pose, Quat, Real, RelativePose, Vec3};
use clearance_shapes::{Core, Shape};

use super::*;

/// What the quick test leaves out, the full test must not want: answers would change.
#[test]
fn edges_that_are_out_of_question_change_nothing() {
    let mut counts = [0; 2];
    for k in 0..4000_u32 {
        let number = |salt: u32| ((k * 7919 + salt * 104_729) % 1000) as Real / 1000.0;
        let cuboid = |salt: u32| {
            let half = Vec3::new(number(salt), number(salt + 1), number(salt + 2));
            Shape::cuboid(half + Vec3::splat(0.1)).unwrap()
        };
        let shapes = [cuboid(1), cuboid(4)];
        let place = Vec3::new(number(7), number(8), number(9));
        let axis = Vec3::new(number(10), number(11), number(12)) - Vec3::splat(0.5);
        let rotation = if k % 8 == 0 {
            Quat::IDENTITY
        } else {
            Quat::from_axis_angle(axis.normalize_or(Vec3::X), 6.3 * number(13))
        };
        let pose = Pose::<Vec3>::new(place, rotation);
        let b_in_a = RelativePose::between(&Pose::IDENTITY, &pose);
        let [Shape::Convex(a), Shape::Convex(b)] = &shapes else {
            unreachable!("cuboids are convex");
        };
        let (Core::Cuboid(core_a), Core::Cuboid(core_b)) = (a.core(), b.core()) else {
            unreachable!("cuboids have cuboids as cores");
        };
        let pair = Pair::of((a, core_a), (b, core_b), &b_in_a);
        let ways = pair.across_faces();
        if ways.is_apart() {
            continue;
        }
        let left = pair.worthwhile_edges(&ways);
        for number in 0..9 {
            let mut tested = pair.across_faces();
            pair.across_edge(number / 3, number % 3, &mut tested);
            let is_out = left >> number & 1 == 0;
            counts[usize::from(is_out)] += 1;
            if is_out {
                assert!(!tested.is_of_edges, "{k}: {number}");
                assert_eq!(tested.gap, ways.gap);
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
}
