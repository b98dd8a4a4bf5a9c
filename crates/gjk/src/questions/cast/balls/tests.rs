//! Tests of balls in motion.

use clearance_math::{DVec3, Pose, Quat, Vec3};

use super::super::finished;
use super::super::pair::with_pair;
use super::super::straight::Straight;
use super::*;
use crate::pair::Placed;
use crate::test_numbers::{number, vector};

/// Two balls of any size, some beside their origins, one thrown at the other: fast, far, hardly touching, or past it.
fn case(k: u32) -> [Ball; 2] {
    let size = [1.0, 1e-30, 1e18, 1e3][k as usize % 4];
    let ball = |salt: u32| {
        let radius = (number(k, salt).abs() + 0.01) * size;
        if k.is_multiple_of(3) {
            let at = vector(k, salt + 1) * size;
            Shape::ball(radius)
                .and_then(|ball| ball.translated(at))
                .expect("a ball beside")
        } else {
            Shape::ball(radius).expect("a ball")
        }
    };
    let (a, b) = (ball(1), ball(5));
    let place = vector(k, 9) * size;
    let far = [1.0, 3.0, 1e4][k as usize % 3];
    let there = place + vector(k, 12) * size * far;
    let aim = (there - place) * (1.0 + number(k, 15)) * [1.0, 1e3][k as usize % 2];
    let beside = vector(k, 16) * size * 2.0 * number(k, 19);
    let turn = |salt: u32| Quat::from_axis_angle(vector(k, salt).normalize(), 2.0);
    let drift = vector(k, 26) * size;
    [
        (
            a,
            Pose::new(place, turn(20)),
            Motion::from_linear(aim + beside + drift),
        ),
        (b, Pose::new(there, turn(23)), Motion::from_linear(drift)),
    ]
}

fn center(ball: &Ball, time: f64) -> (DVec3, f64) {
    let cast = Cast::new(Placed::new(&ball.0, &ball.1), ball.2);
    let ball = MovingBall::of(&cast).expect("a ball that does not turn");
    (ball.center_at(time), ball.radius)
}

#[test]
fn the_closed_form_agrees_with_the_search_and_with_itself() {
    let mut counts = [0; 3];
    for k in 0..6000 {
        let both = case(k);
        let within = if k.is_multiple_of(5) {
            0.1 * both[0].1.translation().length()
        } else {
            0.0
        };
        let [a, b] = [0, 1].map(|side: usize| {
            let (shape, pose, motion) = &both[side];
            Cast::new(Placed::new(shape, pose), *motion)
        });
        let Some(found) = meet(&a, &b, &Asked::new(within, 1.0)) else {
            counts[2] += 1;
            continue;
        };
        let found = found.map(|met| met.hit());
        counts[usize::from(found.is_some())] += 1;
        let options = CastOptions {
            within,
            ..CastOptions::default()
        };
        let asked = Asked::new(within, 1.0);
        let searched = with_pair([&a, &b], |pair| {
            finished(pair, Straight::Nothing, [&a, &b], options, asked)
        });
        assert_eq!(
            found.is_some(),
            searched.is_some(),
            "{k}: {found:?} {searched:?}"
        );
        let (Some(found), Some(searched)) = (found, searched) else {
            continue;
        };
        check(k, &both, (found, searched), within);
    }
    assert!(
        counts[0] > 500 && counts[1] > 500 && counts[2] > 50,
        "{counts:?}"
    );
}

type Ball = (Shape<Vec3>, Pose<Vec3>, Motion<Vec3>);

/// The closed form and the search are right about the time, up to what the tolerance of a cast allows.
fn check(
    k: u32,
    both: &[Ball; 2],
    (found, searched): (CastHit<Vec3>, CastHit<Vec3>),
    within: Real,
) {
    let within = f64::from(within);
    let apart = |time: f64| {
        let [(a, radius_a), (b, radius_b)] = both.each_ref().map(|ball| center(ball, time));
        (
            (b - a).length() - radius_a - radius_b,
            radius_a.min(radius_b),
        )
    };
    let [a, b] = both;
    let speed = (a.2.linear - b.2.linear).to_precise().length();
    let (gap, radius) = apart(f64::from(found.time));
    let way = speed
        + (a.1.translation() - b.1.translation())
            .to_precise()
            .length();
    let rounded = f64::from(Real::EPSILON * found.time);
    let slack = 1e-14 * (way + radius) + speed * rounded;
    let allowed = 2.1e-8 * radius + slack + 1e-9 * gap;
    assert!((gap - within).abs() <= allowed, "{k}");
    let before = apart(f64::from(found.time_lower)).0;
    assert!(before >= within - 1e-14 * (way + radius), "{k}");
    // The search stops a tolerance before the meeting.
    let early = 3e-8 * (radius + within) + slack;
    let times = f64::from(found.time) - f64::from(searched.time);
    let moved = times.abs() * speed * LEAST_APPROACH;
    assert!(moved <= early, "{k}: {found:?} {searched:?}");
    let (one, other) = (found.separation, searched.separation);
    assert!(one.lower <= other.upper && other.lower <= one.upper, "{k}");
}

#[test]
fn the_short_way_gives_the_same_bits() {
    let mut counts = [0; 3];
    for k in 0..6000 {
        let both = case(k);
        let [a, b] = [0, 1].map(|side: usize| {
            let (shape, pose, motion) = &both[side];
            Cast::new(Placed::new(shape, pose), *motion)
        });
        let until = [1.0, 0.5][k as usize % 2];
        let asked = Asked::new(0.0, until);
        let Some(short) = hit(&a, &b, &asked, None) else {
            counts[2] += 1;
            continue;
        };
        counts[usize::from(short.is_some())] += 1;
        let found = meet(&a, &b, &asked).expect("what the short way finds");
        assert_eq!(short, found.map(|met| met.hit()), "{k}");
        let refused = CastOptions {
            within: -1.0,
            ..CastOptions::default()
        };
        assert_eq!(hit(&a, &b, &asked, Some(refused)), None, "{k}");
    }
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
}

#[test]
fn balls_with_numbers_that_are_not_valid_are_refused() {
    let ball = Shape::ball(1.0).expect("a ball");
    let (start, there) = (
        Pose::<Vec3>::IDENTITY,
        Pose::from_translation(Vec3::X * 8.0),
    );
    let motion = Motion::new(Vec3::X * 16.0, Vec3::ZERO);
    let is_refused = |pose: &Pose<Vec3>, motion, within| {
        let options = CastOptions {
            within,
            ..CastOptions::default()
        };
        let a = Cast::new(Placed::new(&ball, pose), motion);
        let b = Cast::resting(Placed::new(&ball, &there));
        let [one, other] = [(a, b), (b, a)].map(|(a, b)| crate::cast_shapes(a, b, options));
        assert_eq!(one.is_err(), other.is_err());
        one.is_err()
    };
    assert!(!is_refused(&start, motion, 0.0));
    for bad in [Real::NAN, Real::INFINITY, Real::NEG_INFINITY] {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let bad = axis.map(|on| if on > 0.0 { bad } else { 0.0 });
            assert!(is_refused(&Pose::from_translation(bad), motion, 0.0));
            assert!(is_refused(
                &start,
                Motion::new(motion.linear + bad, Vec3::ZERO),
                0.0
            ));
            assert!(is_refused(&start, Motion::new(motion.linear, bad), 0.0));
            assert!(is_refused(&start, Motion::new(-motion.linear, bad), 0.0));
        }
        assert!(is_refused(&start, motion, bad));
    }
    for length in [0.0, 0.998, 1.002, Real::NAN] {
        let pose = Pose::new(Vec3::ZERO, Quat::from_xyzw(0.0, 0.6, 0.0, 0.8) * length);
        assert!(is_refused(&pose, motion, 0.0));
        assert!(is_refused(&pose, Motion::from_linear(-motion.linear), 0.0));
    }
    for length in [0.9995, 1.0008] {
        let pose = Pose::new(Vec3::ZERO, Quat::from_xyzw(0.0, 0.6, 0.0, 0.8) * length);
        assert!(!is_refused(&pose, motion, 0.0));
    }
    assert!(is_refused(&start, motion, -1.0));
}

#[test]
fn exchanged_balls_are_mirrored() {
    for k in 0..500 {
        let both = case(k);
        let [a, b] = [0, 1].map(|side: usize| {
            let (shape, pose, motion) = &both[side];
            Cast::new(Placed::new(shape, pose), *motion)
        });
        let ask = |a, b| crate::cast_shapes(a, b, CastOptions::default()).expect("valid casts");
        assert_eq!(ask(a, b), ask(b, a).map(CastHit::flipped), "{k}");
    }
}

#[test]
fn zeros_of_level_balls_are_mirrored_with_their_signs() {
    let ball = Shape::ball(1.0).expect("a ball");
    let beside = ball.clone().translated(Vec3::Y).expect("a ball beside");
    for (there, shape) in [Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Z]
        .into_iter()
        .flat_map(|there| [(there * 8.0, &ball), (there * 8.0, &beside)])
    {
        let (start, end) = (Pose::IDENTITY, Pose::from_translation(there));
        let a = Cast::new(Placed::new(shape, &start), Motion::from_linear(there));
        let b = Cast::resting(Placed::new(shape, &end));
        let ask = |a, b| crate::cast_shapes(a, b, CastOptions::default()).expect("valid casts");
        let (one, other) = (ask(a, b), ask(b, a).map(CastHit::flipped));
        assert!(one.is_some());
        // As text, since that tells one zero from the other.
        assert_eq!(format!("{one:?}"), format!("{other:?}"), "{there}");
    }
}
