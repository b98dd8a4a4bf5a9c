//! Random sequences of changes on all three implementations: equal pairs and equal answers after
//! each.

use crate::common::{Met, Random, Trio, any_filter, around, far, hostile, ordinary};
use clearance_broadphase::{BroadPhase, Groups};
use clearance_math::{Aabb, Vec2, Vec3, Vector};

/// A sequence of changes.
#[derive(Clone, Copy)]
pub(crate) struct Changes {
    /// How many boxes there are at most.
    pub(crate) keys: usize,
    /// How many of them change before each refresh.
    pub(crate) changes: usize,
    /// Whether boxes have filters, but for some rounds.
    pub(crate) has_filters: bool,
}

/// Runs a sequence of changes without filters.
fn run<V: Vector>(seed: u64, keys: usize, changes: usize, make: fn(&mut Random) -> Aabb<V>) -> Met {
    let changes = Changes {
        keys,
        changes,
        has_filters: false,
    };
    run_with(seed, changes, make)
}

/// Runs a sequence of changes, and compares with brute force after each refresh.
pub(crate) fn run_with<V: Vector>(
    seed: u64,
    changes: Changes,
    make: fn(&mut Random) -> Aabb<V>,
) -> Met {
    let Changes {
        keys,
        changes,
        has_filters,
    } = changes;
    let mut random = Random(seed);
    let mut trio = Trio::<V>::new();
    let mut met = Met::default();
    for round in 0..40 {
        let has_filters = has_filters && round % 20 < 15;
        if round % 20 == 15 {
            (0..keys as u32).for_each(|key| {
                trio.set_groups(key, Groups::ALL);
            });
        }
        for _ in 0..changes {
            let key = random.below(keys) as u32;
            match random.below(if has_filters { 12 } else { 8 }) {
                0..=2 => trio.insert(key, make(&mut random), random.kind()),
                3 => {
                    trio.remove(key);
                }
                4 => {
                    trio.set_bounds(key, make(&mut random));
                }
                5..=7 => nudge(&mut trio, &mut random, key),
                _ => {
                    trio.set_groups(key, any_filter(&mut random));
                }
            }
        }
        trio.refresh();
        trio.compare(&mut random, &mut met);
    }
    assert!(trio.brute.len() > keys / 4);
    met
}

/// Moves a box slightly, as from one frame to the next.
fn nudge<V: Vector>(trio: &mut Trio<V>, random: &mut Random, key: u32) {
    let Some(old) = trio.brute.bounds(key) else {
        return;
    };
    let by: V = random.vector(-0.1, 0.1);
    trio.set_bounds(key, Aabb::new(old.min + by, old.max + by));
}

fn assert_representative(met: &Met) {
    let least = met.pairs.min(met.boxes).min(met.hits).min(met.near);
    assert!(least > 60, "{met:?}");
}

#[test]
fn ordinary_boxes_in_the_plane() {
    for seed in 0..6 {
        let met = run::<Vec2>(seed, 200, 30, |random| ordinary(random, 12.0));
        assert_representative(&met);
    }
}

#[test]
fn ordinary_boxes_in_space() {
    for seed in 0..6 {
        let met = run::<Vec3>(seed, 300, 40, |random| ordinary(random, 8.0));
        assert_representative(&met);
    }
}

#[test]
fn few_changes_between_refreshes_go_through_the_single_paths() {
    for seed in 0..4 {
        let met = run::<Vec3>(seed, 40, 3, |random| ordinary(random, 4.0));
        assert!(met.pairs > 100, "{met:?}");
    }
}

#[test]
fn hostile_boxes_in_the_plane() {
    for seed in 0..8 {
        assert_representative(&run::<Vec2>(seed, 120, 25, hostile));
    }
}

#[test]
fn hostile_boxes_in_space() {
    for seed in 0..8 {
        assert_representative(&run::<Vec3>(seed, 120, 25, hostile));
    }
}

#[test]
fn boxes_as_far_out_as_numbers_go() {
    for seed in 0..4 {
        assert!(run::<Vec2>(seed, 120, 25, far).pairs > 100);
        assert!(run::<Vec3>(seed, 120, 25, far).pairs > 100);
    }
}

/// Nearly all boxes move in every frame, which exercises sweeps and rebuilds.
#[test]
fn a_moving_world_agrees_in_every_frame() {
    let mut random = Random(5);
    let mut trio = Trio::<Vec3>::new();
    let mut met = Met::default();
    let mut bodies = Vec::new();
    for key in 0..400 {
        let center: Vec3 = random.vector(0.0, 12.0);
        bodies.push((center, random.vector::<Vec3>(-0.3, 0.3)));
        let bounds = around(center, Vec3::splat(0.6));
        trio.insert(key, bounds, random.kind());
    }
    for _ in 0..60 {
        for (key, (center, velocity)) in bodies.iter_mut().enumerate() {
            *center += *velocity;
            trio.set_bounds_unchecked(key as u32, around(*center, Vec3::splat(0.6)));
        }
        trio.refresh();
        trio.compare(&mut random, &mut met);
    }
    assert!(met.pairs > 1000, "{met:?}");
}
