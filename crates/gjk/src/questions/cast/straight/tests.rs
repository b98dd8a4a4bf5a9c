use clearance_math::{Pose, Rotation, Vec2, Vec3};

use super::super::answer::{CastOptions, Leaving};
use super::super::sides::compare;
use super::super::{Motion, finished, hit_of_whole};
use super::*;
use crate::pair::Placed;
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
fn bits_are_those_of_pairs_that_turn<V: Vector>(seed: u64) {
    let random = &mut Random(seed);
    let (mut met, mut missed, mut open, mut start) = (0, 0, 0, 0);
    for round in 0..3000 {
        let scale = [1.0, 1.0, 1e-30, 1e12][random.below(4)];
        let shapes = [(); 2].map(|()| random.shape::<V>(scale));
        let far = [1.0, 3.0, 30.0][random.below(3)];
        let place = random.vector::<V>() * (scale * far);
        let speed = [1.0, 2.0, 1e-2, 1e8][random.below(4)];
        let velocity = (random.vector::<V>() * scale - place) * speed;
        let drift = random.vector::<V>() * scale;
        let poses = [random.pose(V::ZERO), random.pose(place)];
        let motions = [drift, velocity + drift].map(Motion::from_linear);
        let [a, b] =
            [0, 1].map(|k: usize| Cast::new(Placed::new(&shapes[k], &poses[k]), motions[k]));
        let (a, b) = if compare(&a, &b).is_gt() {
            (b, a)
        } else {
            (a, b)
        };
        let options = CastOptions {
            within: [0.0, 0.0, 0.1][random.below(3)] * scale,
            leaving: [Leaving::Hit, Leaving::Pass, Leaving::Ignore][random.below(3)],
        };
        let pair = StraightPair::of_casts([&a, &b]).expect("convex shapes that do not turn");
        let found = |until| pair.meet(&Asked::new(options.within, until), &mut None);
        // What the preparation for parts that turn makes of the same meeting.
        let expected = |until| {
            let asked = Asked::new(options.within, until);
            finished(found(until), [&a, &b], options, asked)
        };
        let until = match expected(1.0) {
            Some(hit) => [1.0, hit.time, hit.time * 0.999, 0.3][random.below(4)],
            None => [1.0, 0.3][random.below(2)],
        };
        match found(until) {
            Straight::Met(_) => met += 1,
            Straight::Missed(_) => missed += 1,
            Straight::Open { .. } => open += 1,
        }
        let expected = expected(until);
        // Two balls have a method of their own.
        let are_balls = shapes.iter().all(|shape| match shape {
            Shape::Convex(convex) => convex.core_bounding_radius() == 0.0,
            _ => false,
        });
        if !are_balls {
            let hit = hit_of_whole(&a, &b, options, until);
            assert_eq!(format!("{hit:?}"), format!("{expected:?}"), "round {round}");
            start += usize::from(hit.is_some_and(|hit| hit.time == 0.0));
        }
    }
    let counts = format!("{met} met, {missed} missed, {open} open, {start} at the start");
    assert!(met > 300 && missed > 300, "{counts}");
    assert!(open > 100 && start > 50, "{counts}");
}

#[test]
fn the_bits_are_those_of_pairs_that_turn_in_the_plane() {
    bits_are_those_of_pairs_that_turn::<Vec2>(3);
}

#[test]
fn the_bits_are_those_of_pairs_that_turn_in_space() {
    bits_are_those_of_pairs_that_turn::<Vec3>(5);
}
