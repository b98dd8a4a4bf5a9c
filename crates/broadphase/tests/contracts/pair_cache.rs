//! Cached pairs equal the pairs that a comparison of all boxes finds, whatever changes.

use crate::common::{Random, Twins, around, hostile, sorted_pairs};
use clearance_broadphase::{BodyKind, BroadPhase, Groups, Key};
use clearance_math::{Aabb, Real, Vec2, Vec3, Vector};

const KEYS: usize = 250;

/// A box that moves and grows steadily.
#[derive(Clone, Copy)]
struct Traveller<V> {
    center: V,
    velocity: V,
    size: V,
    growth: V,
}

impl<V: Vector> Traveller<V> {
    fn new(random: &mut Random, speed: Real) -> Self {
        Self {
            center: random.vector(0.0, 12.0),
            velocity: random.vector(-speed, speed),
            size: random.vector(0.2, 0.8),
            growth: random.vector(-0.1 * speed, 0.1 * speed),
        }
    }

    fn advance(&mut self) {
        self.center = self.center + self.velocity;
        self.size = (self.size + self.growth)
            .max(V::splat(0.05))
            .min(V::splat(1.0));
    }

    fn bounds(&self) -> Aabb<V> {
        around(self.center, self.size)
    }
}

impl<V: Vector> Twins<V> {
    /// Something that seldom happens to a body.
    fn surprise(&mut self, random: &mut Random, key: Key, traveller: &mut Traveller<V>) {
        match random.below(8) {
            0 => *traveller = Traveller::new(random, 0.02),
            1 => traveller.velocity = -traveller.velocity,
            2 => {
                self.remove(key);
            }
            3 => self.insert(key, traveller.bounds(), random.kind()),
            4 => self.set_bounds(key, hostile(random)),
            5 | 6 => {
                let filter = Groups {
                    memberships: 1 << random.below(3),
                    filter: random.below(8) as u32,
                };
                self.set_groups(key, filter);
            }
            _ => {
                self.remove(key);
                self.insert(key, traveller.bounds(), random.kind());
            }
        }
        self.tree.validate().unwrap();
    }

    fn compare(&mut self) -> usize {
        self.refresh();
        let expected = sorted_pairs(&mut self.brute);
        assert_eq!(sorted_pairs(&mut self.tree), expected);
        self.tree.validate().unwrap();
        // A second call and a copy return the same pairs.
        assert_eq!(sorted_pairs(&mut self.tree), expected);
        assert_eq!(sorted_pairs(&mut self.tree.clone()), expected);
        expected.len()
    }
}

/// In each frame `surprises` random boxes change in an unusual way; all others move on steadily.
fn travel<V: Vector>(seed: u64, speed: Real, surprises: usize) {
    let mut random = Random(seed);
    let mut twins = Twins::<V>::new();
    let mut travellers = Vec::new();
    for key in 0..KEYS {
        let traveller = Traveller::<V>::new(&mut random, speed);
        twins.insert(key as Key, traveller.bounds(), random.kind());
        travellers.push(traveller);
    }
    let mut pairs = 0;
    for frame in 0..90 {
        let is_resting = (40..44).contains(&frame);
        for (key, traveller) in travellers.iter_mut().enumerate() {
            // Every fifth box never moves, and for some frames none does.
            if key % 5 > 0 && !is_resting && twins.brute.bounds(key as Key).is_some() {
                traveller.advance();
                twins.set_bounds(key as Key, traveller.bounds());
            }
        }
        for _ in 0..surprises {
            let key = random.below(KEYS);
            twins.surprise(&mut random, key as Key, &mut travellers[key]);
        }
        pairs += twins.compare();
    }
    assert!(pairs > 800, "{pairs} pairs are too few");
}

#[test]
fn slow_boxes() {
    travel::<Vec2>(1, 0.002, 0);
    travel::<Vec3>(2, 0.002, 0);
}

#[test]
fn slow_boxes_with_surprises() {
    travel::<Vec2>(3, 0.01, 2);
    travel::<Vec3>(4, 0.01, 2);
    travel::<Vec3>(5, 0.001, 12);
}

#[test]
fn fast_boxes_with_surprises() {
    travel::<Vec2>(6, 0.2, 3);
    travel::<Vec3>(7, 0.2, 3);
    travel::<Vec3>(8, 3.0, 1);
}

/// Boxes jitter around their places for a long time. Some are moved far away, some are changed
/// twice in a frame, and for a while all are shaken.
fn jitter<V: Vector>(seed: u64, by: Real, surprises: usize) {
    let mut random = Random(seed);
    let mut twins = Twins::<V>::new();
    let mut places = Vec::new();
    for key in 0..KEYS {
        let rest_place = Traveller::<V>::new(&mut random, 0.0);
        twins.insert(key as Key, rest_place.bounds(), random.kind());
        places.push(rest_place);
    }
    let mut counts = Vec::new();
    for frame in 0..240 {
        let by = by
            * if (150..160).contains(&frame) {
                60.0
            } else {
                1.0
            };
        for (key, rest_place) in places.iter().enumerate() {
            let key = key as Key;
            if twins.brute.bounds(key).is_none() {
                continue;
            }
            let mut jittering = *rest_place;
            jittering.center = rest_place.center + random.vector(-by, by);
            jittering.size = rest_place.size + random.vector(-0.1 * by, 0.1 * by);
            if random.below(100) == 0 {
                jittering.center = jittering.center + random.vector(-2.0, 2.0);
                twins.set_bounds(key, jittering.bounds());
                jittering.center = rest_place.center;
            }
            twins.set_bounds(key, jittering.bounds());
        }
        for _ in 0..surprises * usize::from(frame % 20 == 0) {
            let key = random.below(KEYS);
            twins.surprise(&mut random, key as Key, &mut places[key]);
        }
        counts.push(twins.compare());
    }
    assert!(counts.iter().sum::<usize>() > 1000);
    assert!(counts.iter().any(|count| *count != counts[0]));
}

#[test]
fn jittering_boxes() {
    jitter::<Vec2>(11, 2e-4, 0);
    jitter::<Vec3>(12, 2e-4, 0);
    jitter::<Vec3>(13, 2e-3, 0);
}

#[test]
fn jittering_boxes_with_surprises() {
    jitter::<Vec2>(14, 2e-4, 2);
    jitter::<Vec3>(15, 1e-4, 2);
}

/// Sides of boxes meet exactly, again and again: touching boxes overlap, whatever the cache holds.
#[test]
fn boxes_that_touch_and_part() {
    let mut twins = Twins::<Vec3>::new();
    let place = |key: u32, shift: Real| {
        let (x, y) = ((key % 16) as Real, (key / 16) as Real);
        let shift = if (key % 16 + key / 16).is_multiple_of(2) {
            shift
        } else {
            0.0
        };
        around(Vec3::new(x + shift, y, 0.0), Vec3::splat(0.5))
    };
    for key in 0..256 {
        twins.insert(key, place(key, 0.0), BodyKind::Moving);
    }
    let most = twins.compare();
    let mut counts = Vec::new();
    for frame in 0..64 {
        let shift = ((frame % 16) as Real - 8.0).abs() / 64.0 - 0.0625;
        for key in 0..256 {
            twins.set_bounds(key, place(key, shift));
        }
        counts.push(twins.compare());
    }
    assert!(counts.contains(&most) && counts.iter().any(|&count| count < most));
}

/// One pair after another changes while nearly all others stay.
#[test]
fn a_list_of_which_little_changes() {
    let mut random = Random(12);
    let mut twins = Twins::<Vec3>::new();
    let place = |key: u32, shift: Real| {
        let (x, y) = ((key % 32) as Real, (key / 32) as Real);
        around(Vec3::new(0.9 * x, 0.9 * y, shift), Vec3::splat(0.5))
    };
    for key in 0..512 {
        twins.insert(key, place(key, 0.0), BodyKind::Moving);
    }
    let most = twins.compare();
    let mut counts = Vec::new();
    for frame in 0..120_u32 {
        // All boxes jitter, so that they get predicted bounds; in some frames none moves.
        let jitter = if frame % 2 == 0 { 0.0 } else { 1e-3 };
        for key in (0..512).filter(|_| frame % 30 < 20) {
            twins.set_bounds(key, place(key, jitter));
        }
        let key = random.below(512) as u32;
        match frame % 10 {
            // Moves a box out of the plane, away from its neighbours; and there and back within a
            // frame.
            1 => twins.set_bounds(key, place(key, 0.999 + jitter)),
            2 => {
                let old = twins.brute.bounds(key).unwrap_or(place(key, jitter));
                twins.set_bounds(key, place(key, 3.0));
                twins.set_bounds(key, old);
            }
            4 => {
                twins.remove(key);
            }
            6 => twins.insert(key, place(key, jitter), BodyKind::Fixed),
            8 => twins.insert(key, place(key, jitter), BodyKind::Moving),
            _ => {}
        }
        counts.push(twins.compare());
    }
    assert!(counts.iter().all(|&count| count > most * 9 / 10));
    assert!(counts.windows(2).any(|two| two[0] == two[1]));
    assert!(counts.windows(2).any(|two| two[0] != two[1]));
}
