use clearance_math::{Pose, Rotation, Vec2, Vec3};
use clearance_shapes::Shape;

use super::super::answer::{CastOptions, Leaving};
use super::super::motion::Moving;
use super::super::pair::{MovingPart, with_pair};
use super::super::sides::{Cast, compare};
use super::super::{Motion, finished, hit_of_whole};
use super::*;
use crate::answer::Outcome;
use crate::pair::{Exchange, Placed};
use crate::search::Steps;
use crate::test_numbers::Random;

impl Random {
    fn below(&mut self, end: usize) -> usize {
        ((self.number() * 0.5 + 0.5) * end as f32) as usize % end
    }

    fn shape<V: Vector>(&mut self, scale: f32) -> Shape<V> {
        let corners: Vec<V> = (0..9).map(|_| self.vector::<V>() * scale).collect();
        let wide = (self.number().abs() + 0.1) * scale;
        let shape = match self.below(5) {
            0 => Shape::cuboid(V::splat(wide)),
            1 => Shape::capsule(scale, wide),
            2 => Shape::segment(corners[0], corners[1]),
            3 => Shape::ball(wide),
            _ => return Shape::hull(&corners).expect("a hull of random points"),
        };
        shape.expect("a shape")
    }

    fn pose<V: Vector>(&mut self, place: V) -> Pose<V> {
        let turn = V::Rotation::angular_from_space(self.vector::<Vec3>() * 3.0);
        let rotation = Pose::<V>::IDENTITY.rotation.integrated(turn, 1.0);
        Pose::new(place, rotation)
    }
}

/// Two shapes thrown at each other or past each other, many of which overlap at the start, many of which are so fast that
/// rounding counts.
struct Thrown<V: Vector> {
    shapes: [Shape<V>; 2],
    poses: [Pose<V>; 2],
    motions: [Motion<V>; 2],
    within: f32,
    scale: f32,
}

impl<V: Vector> Thrown<V> {
    fn new(random: &mut Random) -> Self {
        let scale = [1.0, 1.0, 1e-30, 1e12][random.below(4)];
        let shapes = [(); 2].map(|()| random.shape::<V>(scale));
        let far = [1.0, 3.0, 30.0][random.below(3)];
        let place = random.vector::<V>() * (scale * far);
        let speed = [1.0, 2.0, 1e-2, 1e8][random.below(4)];
        let velocity = (random.vector::<V>() * scale - place) * speed;
        let drift = random.vector::<V>() * scale;
        Self {
            shapes,
            poses: [random.pose(V::ZERO), random.pose(place)],
            motions: [drift, velocity + drift].map(Motion::from_linear),
            within: [0.0, 0.0, 0.1][random.below(3)] * scale,
            scale,
        }
    }
}

/// The short way to the answer of a meeting gives the bits of the long one.
fn short_answers_have_the_bits_of_long_ones<V: Vector>(seed: u64) {
    let random = &mut Random(seed);
    let (mut hits, mut start) = (0, 0);
    for round in 0..2000 {
        let thrown = Thrown::<V>::new(random);
        let [a, b] = [0, 1].map(|k: usize| {
            let placed = Placed::new(&thrown.shapes[k], &thrown.poses[k]);
            Cast::new(placed, thrown.motions[k])
        });
        let ordered = Exchange::by(compare(&a, &b)).sides([&a, &b]);
        let options = CastOptions {
            within: thrown.within,
            leaving: [Leaving::Hit, Leaving::Pass, Leaving::Ignore][random.below(3)],
        };
        let asked = Asked::new(options.within, 1.0);
        let long = with_pair(ordered, |pair| {
            let found = pair.meet_straight(&asked, &mut None);
            assert!(!matches!(found, Straight::Nothing), "none of them turns");
            finished(pair, found, ordered, options, asked)
        });
        let hit = hit_of_whole(ordered[0], ordered[1], options, 1.0);
        assert_eq!(format!("{hit:?}"), format!("{long:?}"), "round {round}");
        hits += usize::from(hit.is_some());
        start += usize::from(hit.is_some_and(|hit| hit.time == 0.0));
    }
    assert!(
        hits > 500 && start > 50,
        "{hits} hits, {start} at the start"
    );
}

/// The distance at a time, and how fast the parts approach each other along the normal there.
fn distance_and_approach<V: Vector>(pair: &MovingPair<V>, time: f64) -> (f64, f64) {
    let at = pair.at(time);
    let Outcome::Near(measured) = pair.measure(&at) else {
        unreachable!("all distances are within infinity");
    };
    let normal = at.a.rotation.apply(measured.normal);
    (measured.distance, -normal.dot(pair.way.velocity))
}

/// The least distance until a time. The distance of convex parts that do not turn is a convex function of time, so thirds of
/// the time that do not hold its least value can be left out.
fn least_distance<V: Vector>(pair: &MovingPair<V>, until: f64) -> f64 {
    let distance = |time| distance_and_approach(pair, time).0;
    let (mut from, mut to) = (0.0, until);
    for _ in 0..100 {
        let third = (to - from) / 3.0;
        if distance(from + third) < distance(to - third) {
            to -= third;
        } else {
            from += third;
        }
    }
    distance(from).min(distance(to)).min(distance(until))
}

/// What the search finds is what conservative advancement finds, which shares no code with it: times differ by no more than
/// it takes to come nearer by both tolerances, and where only one of both meets, the parts graze each other.
fn check_meeting<V: Vector>(
    found: &Straight<V::Precise>,
    advanced: Option<f64>,
    pair: &MovingPair<V>,
    asked: &Asked,
) {
    let tolerances = 2.0 * pair.precision.near(asked.within);
    let far = asked.within + tolerances;
    let (searched, is_met) = match *found {
        Straight::Met(meeting) => (Some(meeting.time), true),
        Straight::Open { time } => (Some(time), false),
        Straight::Missed { .. } | Straight::Nothing => (None, false),
    };
    if is_met {
        let (distance, _) = distance_and_approach(pair, searched.unwrap_or_default());
        assert!(distance <= far, "{distance} where they meet, not {far}");
    }
    match (searched, advanced) {
        (Some(searched), Some(advanced)) if is_met || advanced < searched => {
            let (early, late) = (searched.min(advanced), searched.max(advanced));
            let (_, approach) = distance_and_approach(pair, late);
            let way = (late - early) * approach;
            assert!(way <= tolerances, "{searched}, not {advanced}: {way} apart");
        }
        (None, Some(_)) | (Some(_), None) if is_met || searched.is_none() => {
            let least = least_distance(pair, asked.until.min(1.0));
            assert!(least >= asked.within - tolerances, "{least} is no miss");
        }
        _ => {}
    }
}

/// Parts of bodies, with and without offsets from their origins.
fn meetings_are_those_of_conservative_advancement<V: Vector>(seed: u64) {
    let random = &mut Random(seed);
    let (mut met, mut missed, mut open, mut only_one) = (0, 0, 0, 0);
    for round in 0..3000 {
        let mut thrown = Thrown::<V>::new(random);
        // Parts that turn are left to other methods, but a ball about the origin of its body is as if it did not.
        if round % 8 == 0 {
            thrown.motions[1].angular = V::Rotation::angular_from_space(random.vector::<Vec3>());
        }
        let offsets = [(); 2].map(|()| {
            let way = random.vector::<V>() * thrown.scale;
            let pose = random.pose(way);
            RelativePose {
                rotation: pose.rotation.matrix(),
                translation: pose.position(),
            }
        });
        let has_offset = [random.below(2) == 0, random.below(2) == 0];
        let bodies = [0, 1].map(|k: usize| Moving::new(&thrown.poses[k], &thrown.motions[k]));
        let [a, b] = [0, 1].map(|k: usize| {
            let offset = has_offset[k].then_some(&offsets[k]);
            MovingPart::new(&thrown.shapes[k], offset, &bodies[k]).expect("no composite")
        });
        let pair = MovingPair::new([&a, &b], 0.0).expect("convex parts");
        if !pair.only_translates() {
            continue;
        }
        let advance = |until| {
            let asked = Asked::new(thrown.within, until);
            let steps = &mut Steps::counted();
            let meeting = pair.first_meeting(Straight::Nothing, asked, Leaving::Hit, steps);
            meeting.map(|meeting| meeting.time)
        };
        let time = advance(1.0).unwrap_or(1.0) as f32;
        let until = [1.0, time, time * 0.999, 0.3][random.below(4)];
        let asked = Asked::new(thrown.within, until);
        let (found, advanced) = (pair.meet_straight(&asked, &mut None), advance(until));
        check_meeting(&found, advanced, &pair, &asked);
        match found {
            Straight::Met(_) => met += 1,
            Straight::Missed { .. } => missed += 1,
            Straight::Open { .. } => open += 1,
            Straight::Nothing => unreachable!("none of them turns"),
        }
        let is_met = matches!(found, Straight::Met(_));
        let is_missed = matches!(found, Straight::Missed { .. });
        only_one += usize::from(is_met && advanced.is_none() || is_missed && advanced.is_some());
    }
    let counts = format!("{met} met, {missed} missed, {open} open, {only_one} by one of both");
    assert!(met > 300 && missed > 300 && open > 100, "{counts}");
    assert!(only_one < 30, "{counts}");
}

#[test]
fn short_answers_have_the_bits_of_long_ones_in_the_plane() {
    short_answers_have_the_bits_of_long_ones::<Vec2>(3);
}

#[test]
fn short_answers_have_the_bits_of_long_ones_in_space() {
    short_answers_have_the_bits_of_long_ones::<Vec3>(5);
}

#[test]
fn meetings_are_those_of_conservative_advancement_in_the_plane() {
    meetings_are_those_of_conservative_advancement::<Vec2>(7);
}

#[test]
fn meetings_are_those_of_conservative_advancement_in_space() {
    meetings_are_those_of_conservative_advancement::<Vec3>(11);
}
