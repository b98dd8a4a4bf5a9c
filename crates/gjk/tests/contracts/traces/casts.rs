//! The advances of casts.

use clearance_gjk::{
    Advance, Cast, CastOptions, Leaving, Motion, Placed, QueryError, Side, Status, cast_shapes,
    trace_cast,
};
use clearance_math::{DVec3, Pose, PreciseVector, Real, Rotation, Vector};
use clearance_shapes::Shape;

use crate::casts::{Judge, Mover, size};
use crate::common::{Kind, Pcg, Placement, Space, beside, body, in_both_dimensions, iterations};

in_both_dimensions!(
    advances_lead_to_the_hit,
    a_miss_of_near_shapes_is_seen,
    exchanged_sides_have_mirrored_advances,
    casts_that_are_not_valid_are_refused,
);

fn motion<V: Space>(random: &mut Pcg, towards: V::Precise) -> Motion<V> {
    let angle = random.pick(&[0.0, 0.0, 0.5, 3.0, 30.0]) * random.unit();
    let turn = (random.direction::<DVec3>() * angle).as_vec3();
    let linear = V::from_precise(towards + random.vector::<V::Precise>());
    Motion::new(linear, V::Rotation::angular_from_space(turn))
}

/// Two convex bodies, or one and a half-space, that come near each other if they do not turn away.
fn movers<V: Space>(random: &mut Pcg) -> [Mover<V>; 2] {
    let kinds: Vec<Kind> = Kind::all::<V>().collect();
    let [first, mut second] = [(); 2].map(|()| random.pick(&kinds));
    if first == Kind::HalfSpace && second == first {
        second = Kind::Cuboid;
    }
    let [a, b] = [first, second].map(|kind| body::<V>(kind, random, 1.0));
    let b = beside(random, &a, &b, Placement::Near);
    let towards = a.center() - b.center();
    let linear = towards * random.between(0.0, 3.0);
    [(a, V::Precise::ZERO), (b, linear)].map(|(body, towards)| Mover {
        motion: motion(random, towards),
        body,
    })
}

/// The bounds hold at the time, as measured by the judge of casts.
fn check_bounds<V: Vector>(judge: &Judge<V>, advance: &Advance<V>) {
    let rounding = judge.rounding() + 1e-9 * judge.size();
    let sample = judge.at(advance.time);
    assert!(advance.lower <= advance.upper, "{advance:?}");
    assert!(
        sample.lower <= advance.upper + rounding,
        "{sample:?} {advance:?}"
    );
    assert!(
        advance.lower <= sample.upper + rounding,
        "{sample:?} {advance:?}"
    );
    assert!((advance.normal.length() - 1.0).abs() < 1e-9, "{advance:?}");
}

/// The poses are those of the motion.
fn check_poses<V: Vector>(judge: &Judge<V>, advance: &Advance<V>) {
    for (mover, pose) in [(judge.a, advance.pose_a), (judge.b, advance.pose_b)] {
        let start = mover.body.pose.position();
        let place = start + mover.motion.linear.to_precise() * advance.time;
        let off = (pose.position() - place).length();
        assert!(off <= 1e-6 * (1.0 + place.length()), "{advance:?}");
        let (turned, expected) = (pose.rotation.matrix(), mover.rotation(advance.time));
        for axis in 0..V::DIM {
            use clearance_math::Matrix;
            let off = (turned.column(axis) - expected.column(axis)).length();
            assert!(off < 1e-6, "{advance:?}");
        }
        assert!(pose.checked().is_ok());
    }
}

/// Shapes that do not turn, near each other, and leave each other.
fn a_miss_of_near_shapes_is_seen<V: Space>() {
    let cube = Shape::cuboid(V::splat(1.0)).expect("positive half extents");
    let poses = [V::ZERO, V::axis(0) * 2.25].map(Pose::from_translation);
    let rest = Cast::resting(Placed::new(&cube, &poses[0]));
    for way in [V::axis(0), V::axis(1)] {
        let leaving = Cast::new(Placed::new(&cube, &poses[1]), Motion::from_linear(way));
        let advances = trace_cast(rest, leaving, CastOptions::default()).expect("valid casts");
        let last = advances.last().expect("a miss that was measured");
        assert!((last.lower - 0.25).abs() < 1e-6, "{advances:?}");
        assert!(
            (last.normal - V::Precise::axis(0)).length() < 1e-9,
            "{advances:?}"
        );
    }
}

fn advances_lead_to_the_hit<V: Space>() {
    let mut random = Pcg::new(0xadc);
    let (mut hits, mut longest) = (0, 0);
    for round in 0..iterations(3000) {
        let [a, b] = movers::<V>(&mut random);
        let judge = Judge {
            a: &a,
            b: &b,
            within: [0.0, 0.125][round % 2],
        };
        let options = CastOptions {
            within: judge.within as Real,
            leaving: [Leaving::Hit, Leaving::Hit, Leaving::Ignore][round % 3],
        };
        let hit = cast_shapes(a.cast(), b.cast(), options).expect("valid casts");
        let advances = trace_cast(a.cast(), b.cast(), options).expect("valid casts");
        longest = longest.max(advances.len());
        for advance in &advances {
            check_bounds(&judge, advance);
            check_poses(&judge, advance);
        }
        for pair in advances.windows(2) {
            assert!(pair[0].time < pair[1].time, "{pair:?}");
            assert!(pair[0].lower > judge.within, "{pair:?}");
        }
        let Some(hit) = hit else {
            let free = advances.iter().all(|advance| advance.lower > judge.within);
            assert!(free || options.leaving == Leaving::Ignore, "{advances:?}");
            continue;
        };
        let last = advances.last().expect("a hit was measured");
        hits += 1;
        assert_eq!(last.time as Real, hit.time);
        if hit.status == Status::Converged {
            let near = judge.within + judge.tolerance() + 1e-9 * size(&a.body.shape);
            assert!(last.lower <= near, "{last:?} {hit:?}");
        }
    }
    assert!(hits > iterations(1000), "{hits} hits");
    assert!(longest > 8, "at most {longest} advances");
}

fn exchanged_sides_have_mirrored_advances<V: Space>() {
    let mut random = Pcg::new(0xadd);
    for _ in 0..iterations(300) {
        let [a, b] = movers::<V>(&mut random);
        let options = CastOptions::default();
        let advances = trace_cast(a.cast(), b.cast(), options).expect("valid casts");
        let mut mirrored = trace_cast(b.cast(), a.cast(), options).expect("valid casts");
        for advance in &mut mirrored {
            core::mem::swap(&mut advance.pose_a, &mut advance.pose_b);
            advance.normal = -advance.normal;
        }
        assert_eq!(advances, mirrored);
    }
}

fn casts_that_are_not_valid_are_refused<V: Space>() {
    let mut random = Pcg::new(0xade);
    let [a, b] = movers::<V>(&mut random);
    let mut bad = b.clone();
    bad.motion.linear = V::splat(Real::INFINITY);
    let options = CastOptions::default();
    let refused = trace_cast(a.cast(), bad.cast(), options).expect_err("infinite");
    assert!(matches!(refused, QueryError::Motion { side: Side::B, .. }));
    let backwards = CastOptions {
        within: -1.0,
        ..options
    };
    let refused = trace_cast(a.cast(), b.cast(), backwards).expect_err("negative");
    assert!(matches!(refused, QueryError::CastRange { .. }));
}
