use core::cmp::Ordering;

use clearance_math::{Pose, Quat, Real, Vec3};
use clearance_shapes::Shape;

use super::*;
use crate::manifold::{Feature, ManifoldPoint};
use crate::pair::Exchange;
use crate::test_numbers::number;

/// Segments and capsules of all sizes, thin and thick, one beside the other: parallel or at a small angle, leaning or
/// not, with ends in line, one within the other, or past each other.
fn case(k: u32) -> ([Shape<Vec3>; 2], [Pose<Vec3>; 2]) {
    let size = [1.0, 1e3, 1e-12, 1e12][k as usize % 4];
    let thick = [0.0, 0.01, 0.3, 2.0][k as usize / 4 % 4];
    let half_a = 0.1 + number(k, 0).abs();
    let half_b = if k.is_multiple_of(5) {
        half_a
    } else {
        0.1 + number(k, 1).abs()
    };
    let radii = [thick, thick * [1.0, 0.1, 0.0][k as usize % 3]];
    let shape = |half: Real, radius: Real| {
        let end = Vec3::Y * (half * size);
        let segment = Shape::segment(-end, end).expect("a segment has a length");
        if radius > 0.0 {
            segment.rounded(radius * size).expect("a radius")
        } else {
            segment
        }
    };
    let shapes = [shape(half_a, radii[0]), shape(half_b, radii[1])];
    let small = [0.0, 1e-7, 1e-4, 0.02, 0.2][k as usize / 3 % 5];
    let lean = [0.0, 0.0, 1e-6, 0.05, 0.12][k as usize % 5];
    let turn =
        Quat::from_rotation_z(small * number(k, 2)) * Quat::from_rotation_x(lean * number(k, 3));
    let along = match k % 7 {
        0 => 0.0,
        1 => half_a - half_b,
        _ => 1.1 * (half_a + half_b) * number(k, 4),
    };
    let gap = 0.02 + 0.05 * number(k, 5).abs() + (radii[0] + radii[1]) * 0.9;
    let beside = Vec3::new(0.01 * number(k, 6), along, gap) * size;
    let axis = Vec3::new(number(k, 7), number(k, 8), number(k, 9)).normalize();
    let world = Pose::new(
        axis * size * 3.0,
        Quat::from_axis_angle(axis, 3.0 * number(k, 10)),
    );
    let turn = if k.is_multiple_of(2) {
        turn
    } else {
        turn * Quat::from_rotation_z(core::f32::consts::PI)
    };
    (shapes, [world, world * Pose::new(beside, turn)])
}

/// How the points of both methods compare.
#[derive(Default)]
struct Seen {
    /// Pairs by the number of their points: those that are seen to touch in one point, and those beside each other.
    by_count: [[usize; 2]; 3],
    /// Pairs with one point, which is not called alike: seen along the normal, one segment ends where the other begins,
    /// and rounding decides whether they have that end in common.
    called_differently: usize,
}

fn compare(k: u32, seen: &mut Seen) {
    let (shapes, poses) = case(k);
    let placed = [0, 1].map(|side| Placed::new(&shapes[side], &poses[side]));
    let a_in_world = RelativePose::from_pose(&poses[0]);
    let segments = PlacedSegments::new(placed, &a_in_world).expect("segments were made");
    let Some(measured) = segments.measure() else {
        return;
    };
    let size = poses[1].translation().length() + poses[0].translation().length();
    let asked = Asked {
        within: 0.1 * size * number(k, 11).abs(),
        exchange: [Exchange::NONE, Exchange::by(Ordering::Greater)][k as usize % 2],
    };
    let [mut found, mut wanted] = [Manifold::none(), Manifold::none()];
    segments.fill(&measured, asked, &mut found);
    segments.fill_by_clipping(&measured, asked, &mut wanted);
    let (found, wanted) = (found.points(), wanted.points());
    assert_eq!(found.len(), wanted.len(), "{k}: {found:?} {wanted:?}");
    let slack = 1e-6 * size;
    let features = |points: &[ManifoldPoint<Vec3>]| -> Vec<[Feature; 2]> {
        let both = points
            .iter()
            .map(|point| [point.feature_a, point.feature_b]);
        both.collect()
    };
    if features(found) != features(wanted) {
        assert_eq!(found.len(), 1, "{k}: {found:?} {wanted:?}");
        seen.called_differently += 1;
    }
    for (found, wanted) in found.iter().zip(wanted) {
        let apart = [
            found.point_a().distance(wanted.point_a()),
            found.point_b().distance(wanted.point_b()),
            (found.distance - wanted.distance).abs(),
        ];
        let is_same = apart.iter().all(|&apart| apart < slack);
        assert!(is_same, "{k}: {found:?} {wanted:?}");
    }
    let radii = segments.radii[0] + segments.radii[1];
    let is_beside = segments
        .segments
        .features_of_one_point(radii, &measured)
        .is_none();
    seen.by_count[found.len()][usize::from(is_beside)] += 1;
}

#[test]
fn segments_beside_each_other_have_the_points_that_clipping_finds() {
    let mut seen = Seen::default();
    for k in 0..20_000 {
        compare(k, &mut seen);
    }
    let Seen {
        by_count,
        called_differently,
    } = seen;
    let [_, [crossing, beside_in_one], [_, beside_in_two]] = by_count;
    assert!(
        crossing > 1000 && beside_in_one > 1000 && beside_in_two > 4000,
        "{by_count:?}"
    );
    assert!(
        called_differently < beside_in_one / 50,
        "{called_differently} of {by_count:?}"
    );
}
