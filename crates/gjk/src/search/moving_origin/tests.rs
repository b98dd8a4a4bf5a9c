use clearance_math::{Matrix, RelativePose, Vec2, Vec3, Vector};
use clearance_shapes::{Convex, Shape};

use super::*;
use crate::search::Cores;
use crate::test_numbers::Random;

fn convex<V: Vector>(shape: &Shape<V>) -> &Convex<V> {
    match shape {
        Shape::Convex(convex) => convex,
        _ => panic!("a convex shape was made"),
    }
}

fn at<P: PreciseVector>(translation: P) -> RelativePose<P> {
    RelativePose {
        rotation: P::Matrix::IDENTITY,
        translation,
    }
}

fn way<P: PreciseVector>(velocity: P, target: f64) -> StraightMotion<P> {
    StraightMotion {
        velocity,
        from: 0.0,
        until: 1.0,
        target,
        near: 1e-8,
        rounding: 1e-14,
    }
}

/// A point at `from` moves toward a box of half extent one about the origin, or past it.
fn point_at_box<V: Vector>(
    from: V::Precise,
    way: &StraightMotion<V::Precise>,
) -> Arrival<V::Precise> {
    let cube = Shape::cuboid(V::splat(1.0)).expect("positive half extents");
    let point = Shape::ball(1.0).expect("a positive radius");
    let cores = Cores::new(convex(&cube), convex(&point), &at(from));
    arrival(&cores, way, &mut None)
}

fn a_point_meets_a_box<V: Vector>() {
    let x = V::Precise::axis(0);
    let beside = V::Precise::axis(1);
    let arrives = |arrival: Arrival<V::Precise>, time: f64| match arrival {
        Arrival::At(place) => {
            assert!((place.time - time).abs() < 1e-8, "{place:?}");
            assert!((place.normal - x).length() < 1e-9, "{place:?}");
            let (on_a, on_b) = place.witness_points;
            assert!((on_a - on_b).length() <= place.upper, "{place:?}");
        }
        other => panic!("{other:?}"),
    };
    let toward = x * -4.0;
    let start = x * 3.0 + beside * 0.25;
    arrives(point_at_box::<V>(start, &way(toward, 0.0)), 0.5);
    arrives(point_at_box::<V>(start, &way(toward, 0.5)), 0.375);
    let until = |until: f64| StraightMotion {
        until,
        ..way(toward, 0.0)
    };
    arrives(point_at_box::<V>(start, &until(0.500_001)), 0.5);
    let never = [
        point_at_box::<V>(start, &until(0.499_999)),
        point_at_box::<V>(start, &way(-toward, 0.0)),
        point_at_box::<V>(start, &way(V::Precise::ZERO, 0.0)),
        point_at_box::<V>(start + beside * 1.5, &way(toward, 0.0)),
        point_at_box::<V>(start, &way(toward * 0.49, 0.0)),
    ];
    for arrival in never {
        assert!(matches!(arrival, Arrival::Never { .. }), "{arrival:?}");
    }
    let inside = [x, x * 0.5];
    for start in inside {
        let arrival = point_at_box::<V>(start, &way(toward, 0.0));
        assert!(
            matches!(arrival, Arrival::Open { time: 0.0 }),
            "{arrival:?}"
        );
    }
}

#[test]
fn a_point_meets_a_box_where_it_should() {
    a_point_meets_a_box::<Vec2>();
    a_point_meets_a_box::<Vec3>();
}

/// Next to no cast is left to the slower method.
fn casts_are_decided<V: Vector>() {
    let mut random = Random(1);
    let mut vector = || random.vector::<V>();
    let (mut met, mut missed) = (0, 0);
    for round in 0..1000 {
        let corners: [V; 12] = core::array::from_fn(|_| vector());
        let Ok(hull) = Shape::hull(corners) else {
            continue;
        };
        let cube = Shape::cuboid(V::splat(0.5)).expect("positive half extents");
        let away = vector() + V::axis(0) * 6.0;
        let velocity = (vector() * 2.0 - away).to_precise() * 2.0;
        let cores = Cores::new(convex(&hull), convex(&cube), &at(away.to_precise()));
        let way = way(velocity, [0.0, 0.25][round % 2]);
        match arrival(&cores, &way, &mut None) {
            Arrival::Never { .. } => missed += 1,
            Arrival::At(place) => {
                met += 1;
                assert!(way.has_met(&place), "{place:?}");
            }
            Arrival::Open { .. } => {}
        }
    }
    assert!(met > 400 && missed > 100, "{met} met, {missed} missed");
    assert!(met + missed > 990, "{met} met, {missed} missed");
}

#[test]
fn casts_are_decided_in_both_dimensions() {
    casts_are_decided::<Vec2>();
    casts_are_decided::<Vec3>();
}
