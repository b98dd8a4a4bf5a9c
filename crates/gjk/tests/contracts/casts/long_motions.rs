//! Motions that are far longer than all that they pass. They were once answered as hits at time 0 from a length of 1e14 on, since
//! places were known to a share of the whole motion.

use clearance_gjk::{CastOptions, Leaving, Motion, Status, cast_shapes, trace_cast};
use clearance_math::{Pose, Real, Vec2, Vec3, Vector};
use clearance_shapes::{CompoundPart, Shape};

use super::{Mover, resting};
use crate::common::Body;

fn shapes() -> [Shape<Vec3>; 5] {
    let cuboid = || Shape::cuboid(Vec3::ONE).unwrap();
    let part = CompoundPart::new(cuboid(), Pose::from_translation(Vec3::ZERO));
    [
        Shape::ball(1.0).unwrap(),
        cuboid(),
        Shape::cylinder(1.0, 1.0).unwrap(),
        Shape::cuboid(Vec3::splat(0.5))
            .unwrap()
            .rounded(0.5)
            .unwrap(),
        Shape::compound(vec![part]).unwrap(),
    ]
}

fn lengths() -> impl Iterator<Item = Real> {
    (3..=38).map(|exponent| 10.0_f32.powi(exponent))
}

fn thrown<V: Vector>(shape: &Shape<V>, from: V, linear: V) -> Mover<V> {
    Mover {
        body: Body::new(shape.clone(), Pose::from_translation(from)),
        motion: Motion::from_linear(linear),
    }
}

/// All shapes reach from -1 to 1 along every axis, and nowhere beyond.
#[test]
fn long_motions_pass_what_lies_beside_their_way() {
    for a in &shapes() {
        for b in &shapes() {
            let b = resting(b.clone(), Pose::IDENTITY);
            for length in lengths() {
                for beside in [2.5, 100.0, 1e6] {
                    let from = Vec3::new(-100.0, beside, 0.0);
                    let a = thrown(a, from, Vec3::X * length);
                    let hit = cast_shapes(a.cast(), b.cast(), CastOptions::default()).unwrap();
                    assert_eq!(hit, None, "{length:e}, {beside}");
                }
                let away = thrown(a, Vec3::X * 8.0, Vec3::X * length);
                let hit = cast_shapes(away.cast(), b.cast(), CastOptions::default()).unwrap();
                assert_eq!(hit, None, "{length:e}, away");
            }
        }
    }
}

#[test]
fn long_motions_meet_what_lies_on_their_way() {
    for a in &shapes() {
        for b in &shapes() {
            let b = resting(b.clone(), Pose::IDENTITY);
            for length in lengths() {
                let a = thrown(a, Vec3::X * -100.0, Vec3::X * length);
                let hit = cast_shapes(a.cast(), b.cast(), CastOptions::default())
                    .unwrap()
                    .expect("in the way");
                let time = 98.0 / f64::from(length);
                let error = |found: Real| (f64::from(found) - time).abs();
                assert!(
                    error(hit.time) <= 1e-5 * time + f64::from(Real::MIN_POSITIVE),
                    "{hit:?}"
                );
                assert!(
                    hit.time_lower <= hit.time && hit.time <= hit.time_upper,
                    "{hit:?}"
                );
                let exchanged = cast_shapes(b.cast(), a.cast(), CastOptions::default());
                assert_eq!(exchanged.unwrap(), Some(hit.flipped()), "{length:e}");
                let trace = trace_cast(a.cast(), b.cast(), CastOptions::default()).unwrap();
                if let Some(last) = trace.last() {
                    assert_eq!(last.time as Real, hit.time, "{length:e}: {trace:?}");
                }
                assert_eq!(hit.status, Status::Converged, "{length:e}");
                assert!(hit.separation.distance.abs() <= 1e-3, "{hit:?}");
            }
        }
    }
}

/// A bar that turns while it flies: it passes or meets as one that does not turn, since it has no time to.
#[test]
fn long_motions_of_turning_shapes_are_decided() {
    let bar = Shape::cuboid(Vec2::new(1.0, 0.125)).unwrap();
    let wall = resting(Shape::cuboid(Vec2::ONE).unwrap(), Pose::IDENTITY);
    for length in lengths().skip(4) {
        for (beside, meets) in [(0.0, true), (1.5, false)] {
            let from = Vec2::new(-100.0, beside);
            let turning = Mover {
                body: Body::new(bar.clone(), Pose::from_translation(from)),
                motion: Motion::new(Vec2::X * length, 100.0),
            };
            let hit = cast_shapes(turning.cast(), wall.cast(), CastOptions::default()).unwrap();
            assert_eq!(hit.is_some(), meets, "{length:e}, {beside}: {hit:?}");
        }
    }
}

/// What is in range at the start is met at time 0, passed over, or ignored, as by slower motions.
#[test]
fn long_motions_leave_what_they_start_in() {
    for a in &shapes() {
        for b in &shapes() {
            let b = resting(b.clone(), Pose::IDENTITY);
            for length in lengths() {
                let a = thrown(a, Vec3::X * 0.5, Vec3::X * length);
                let with = |leaving| {
                    let options = CastOptions {
                        within: 0.25,
                        leaving,
                    };
                    cast_shapes(a.cast(), b.cast(), options).unwrap()
                };
                let hit = with(Leaving::Hit).expect("in range at the start");
                assert_eq!((hit.time, hit.status), (0.0, Status::Converged));
                assert_eq!(with(Leaving::Pass), None, "{length:e}");
                assert_eq!(with(Leaving::Ignore), None, "{length:e}");
            }
        }
    }
}

/// Both fly equally fast, but for a little: what matters is how they move beside each other.
#[test]
fn long_motions_side_by_side_meet_as_slow_ones_do() {
    for a in &shapes() {
        for b in &shapes() {
            for length in [1e8, 1e20, 1e37] {
                let both = Vec3::Z * length;
                let a = thrown(a, Vec3::X * -4.0, both + Vec3::X * 8.0);
                let b = thrown(b, Vec3::ZERO, both);
                let hit = cast_shapes(a.cast(), b.cast(), CastOptions::default()).unwrap();
                let hit = hit.expect("in the way");
                assert!((hit.time - 0.25).abs() <= 1e-6, "{length:e}: {hit:?}");
            }
        }
    }
}
