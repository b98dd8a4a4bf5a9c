use core::cmp::Ordering;

use clearance_math::internal::lanes::dispatch;
use clearance_math::{Pose, Quat, Real, RelativePose, Vec3};
use clearance_shapes::Shape;

use super::*;
use crate::answer::Outcome;
use crate::convex::method::measure_shapes;
use crate::pair::Exchange;
use crate::test_numbers::number;

/// Cuboids of all sizes, some rounded, some thin, with faces on each other: turned by any angle or by none, leaning or
/// not, centred, aside, or with sides in line.
fn case(k: u32) -> ([Shape<Vec3>; 2], [Pose<Vec3>; 2], Real) {
    let size = [1.0, 1e3, 1e-12, 1e12][k as usize % 4];
    let half = |salt: u32| {
        let thin = if k.is_multiple_of(7) { 0.01 } else { 1.0 };
        (Vec3::new(
            number(k, salt),
            number(k, salt + 1) * thin,
            number(k, salt + 2),
        )
        .abs()
            + Vec3::splat(0.05))
            * size
    };
    let halves = [
        half(1),
        if k.is_multiple_of(5) {
            half(1)
        } else {
            half(4)
        },
    ];
    let radius = if k.is_multiple_of(3) { 0.1 * size } else { 0.0 };
    let shapes = halves.map(|half| {
        let cuboid = Shape::cuboid(half).expect("a box");
        if radius > 0.0 {
            cuboid.rounded(radius).expect("a round box")
        } else {
            cuboid
        }
    });
    let turn = Quat::from_rotation_y(if k.is_multiple_of(11) {
        0.0
    } else {
        3.2 * number(k, 7)
    });
    let lean = Quat::from_rotation_x([0.0, 1e-4, 0.05][k as usize % 3] * number(k, 8));
    let sunk = 0.02 * size * number(k, 9);
    let up = halves[0].y + halves[1].y + 2.0 * radius - sunk;
    let aside = Vec3::new(number(k, 10), 0.0, number(k, 11)) * size;
    let aside = if k.is_multiple_of(13) {
        Vec3::ZERO
    } else {
        aside
    };
    let axis = Vec3::new(number(k, 12), number(k, 13), number(k, 14)).normalize();
    let world = Pose::new(
        axis * size * 10.0,
        Quat::from_axis_angle(axis, 3.0 * number(k, 15)),
    );
    let top = world * Pose::new(aside + Vec3::Y * up, turn * lean);
    (shapes, [world, top], 0.05 * size)
}

/// How the points of both methods compare.
#[derive(Default)]
struct Seen {
    left: usize,
    by_count: [usize; 5],
}

fn compare(k: u32, seen: &mut Seen) {
    let (shapes, [pose_a, pose_b], within) = case(k);
    let a_in_world = RelativePose::from_pose(&pose_a);
    let b_in_a = a_in_world.of(&pose_b);
    let sides = OrderedShapes {
        shapes: [&shapes[0], &shapes[1]],
        a_in_world: &a_in_world,
        b_in_a: &b_in_a,
        exchange: [Exchange::NONE, Exchange::by(Ordering::Greater)][k as usize % 2],
    };
    let outcome = measure_shapes([&shapes[0], &shapes[1]], &b_in_a, f64::INFINITY, None);
    let Outcome::Near(pair) = outcome else {
        panic!("nothing is beyond infinity");
    };
    let Some(faces) = TwoFaces::new(&sides, &pair) else {
        return;
    };
    let [mut found, mut wanted] = [Manifold::none(), Manifold::none()];
    sides.fill_any(&pair, within, &mut wanted);
    let reach = Reach {
        distance: pair.distance,
        within,
    };
    let is_filled = dispatch!(simd => faces.fill(simd, &sides, reach, &mut found));
    let (found, wanted) = (found.points(), wanted.points());
    if !is_filled {
        assert!(found.is_empty());
        seen.left += 1;
        return;
    }
    seen.by_count[found.len()] += 1;
    assert_eq!(found.len(), wanted.len(), "{k}: {found:?} {wanted:?}");
    let size = pose_b.translation().length() + pose_a.translation().length();
    for (found, wanted) in found.iter().zip(wanted) {
        assert_eq!(found.feature_a, wanted.feature_a, "{k}");
        assert_eq!(found.feature_b, wanted.feature_b, "{k}");
        let slack = 1e-6 * size;
        assert!(
            found.point_a().distance(wanted.point_a()) < slack,
            "{k}: {found:?} {wanted:?}"
        );
        assert!(
            found.point_b().distance(wanted.point_b()) < slack,
            "{k}: {found:?} {wanted:?}"
        );
        assert!((found.distance - wanted.distance).abs() < slack, "{k}");
    }
}

#[test]
fn rectangles_have_the_points_that_clipping_finds() {
    let mut seen = Seen::default();
    for k in 0..6000 {
        compare(k, &mut seen);
    }
    let Seen { left, by_count } = seen;
    let least = [0, 1, 20, 200, 2000];
    assert!(
        (0..5).all(|count| by_count[count] >= least[count]),
        "{by_count:?}"
    );
    assert!(left > 50 && left < 1000, "{left} {by_count:?}");
}
