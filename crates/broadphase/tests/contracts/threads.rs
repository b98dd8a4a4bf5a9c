//! Updates, trees and pairs of several threads equal those of one thread.

use crate::common::{Random, hostile, ordinary};
use clearance_broadphase::{BodyKind, BroadPhase, Bvh, Groups, Key, Workers};
use clearance_math::{Aabb, Real, Vec2, Vec3, Vector};

/// Enough boxes for every kind of work to be divided among threads.
const BOXES: usize = 24_000;
const FRAMES: usize = 10;

/// One broad phase on one thread, and one on several.
struct Both<V: Vector> {
    alone: Bvh<V>,
    shared: Bvh<V>,
    workers: Workers,
}

impl<V: Vector> Both<V> {
    fn new(threads: usize) -> Self {
        let workers = Workers::new(threads).expect("threads");
        let mut shared = Bvh::new();
        shared.set_workers(workers.clone());
        Self {
            alone: Bvh::new(),
            shared,
            workers,
        }
    }

    fn insert(&mut self, key: Key, bounds: Aabb<V>, kind: BodyKind) {
        self.alone.insert(key, bounds, kind);
        self.shared.insert(key, bounds, kind);
    }

    /// Sets new boxes, one by one and all at once, and compares the pairs; returns their number.
    fn frame(&mut self, keys: &[Key], boxes: &[Aabb<V>]) -> usize {
        for (&key, bounds) in keys.iter().zip(boxes) {
            self.alone.set_bounds(key, *bounds);
        }
        self.alone.refresh();
        let expected = self.alone.pairs();
        let shared = &mut self.shared;
        let found = self.workers.awake(|| {
            shared.set_many(keys, boxes);
            shared.refresh();
            shared.pairs()
        });
        assert!(found == expected);
        expected.len()
    }
}

fn many_boxes<V: Vector>(side: Real, speed: Real, seed: u64) {
    let mut random = Random(seed);
    let mut both = Both::<V>::new(3);
    let mut boxes: Vec<_> = (0..BOXES).map(|_| ordinary(&mut random, side)).collect();
    // One box in three is fixed.
    for (key, bounds) in (0..).zip(&boxes) {
        both.insert(key, *bounds, random.kind());
    }
    let velocities: Vec<V> = (0..BOXES)
        .map(|_| random.vector::<V>(-speed, speed))
        .collect();
    let mut keys: Vec<Key> = (0..BOXES as Key).collect();
    let mut met = 0;
    for frame in 0..FRAMES {
        for (bounds, &velocity) in boxes.iter_mut().zip(&velocities) {
            *bounds = Aabb::new(bounds.min + velocity, bounds.max + velocity);
        }
        for _ in 0..20 {
            let key = random.below(BOXES);
            match random.below(6) {
                0 => boxes[key] = hostile(&mut random),
                1 => boxes[key] = ordinary(&mut random, side),
                2 => {
                    both.alone.remove(key as Key);
                    both.shared.remove(key as Key);
                }
                // Filters are set from the second frame on, so that trees are also built without
                // filters.
                3 | 4 if frame > 0 => {
                    let filter = Groups {
                        memberships: 1 << random.below(3),
                        filter: random.below(8) as u32,
                    };
                    both.alone.set_groups(key as Key, filter);
                    both.shared.set_groups(key as Key, filter);
                }
                _ => both.insert(key as Key, boxes[key], random.kind()),
            }
        }
        // Keys that do not ascend are updated one after the other.
        if frame == FRAMES / 2 {
            keys.swap(0, BOXES - 1);
            boxes.swap(0, BOXES - 1);
        }
        met += both.frame(&keys, &boxes);
        if frame == FRAMES / 2 {
            keys.swap(0, BOXES - 1);
            boxes.swap(0, BOXES - 1);
        }
    }
    assert!(met > FRAMES * BOXES / 4, "{met} pairs");
}

#[test]
fn pairs_do_not_depend_on_thread_count_where_boxes_are_slow() {
    many_boxes::<Vec2>(130.0, 0.01, 1);
    many_boxes::<Vec3>(25.0, 0.01, 2);
}

#[test]
fn pairs_do_not_depend_on_thread_count_where_boxes_are_fast() {
    many_boxes::<Vec2>(130.0, 0.6, 3);
    many_boxes::<Vec3>(25.0, 0.6, 4);
}

/// Only boxes change, and so slowly that uncertain pairs are tracked.
fn nothing_but_boxes(seed: u64, (boxes, side, speed): (usize, Real, Real), is_valid: bool) {
    let mut random = Random(seed);
    let mut both = Both::<Vec2>::new(3);
    let keys: Vec<Key> = (0..boxes as Key).collect();
    let mut boxes: Vec<_> = (0..boxes).map(|_| ordinary(&mut random, side)).collect();
    let mut velocity = || random.vector::<Vec2>(-speed, speed);
    let velocities: Vec<_> = keys.iter().map(|_| velocity()).collect();
    for (&key, bounds) in keys.iter().zip(&boxes) {
        both.insert(key, *bounds, BodyKind::Moving);
    }
    let mut met = Vec::new();
    for frame in 0..40 {
        for (bounds, &velocity) in boxes.iter_mut().zip(&velocities) {
            *bounds = Aabb::new(bounds.min + velocity, bounds.max + velocity);
        }
        met.push(both.frame(&keys, &boxes));
        if is_valid && frame % 8 == 7 {
            both.shared.validate().expect("valid");
        }
    }
    met.dedup();
    assert!(met.len() > 20 && met[0] > 10_000, "{met:?}");
}

#[test]
fn pairs_do_not_depend_on_thread_count_while_uncertain_pairs_are_tracked() {
    nothing_but_boxes(7, (BOXES, 130.0, 0.002), false);
}

#[test]
fn crowded_boxes_are_classified_correctly_by_several_threads() {
    nothing_but_boxes(8, (1500, 8.0, 0.002), true);
}

#[test]
fn keys_that_are_absent_are_passed_over() {
    let mut both = Both::new(2);
    let mut random = Random(6);
    let boxes: Vec<_> = (0..BOXES)
        .map(|_| ordinary::<Vec2>(&mut random, 130.0))
        .collect();
    for key in (0..BOXES as Key / 2).step_by(2) {
        both.insert(key, boxes[key as usize], BodyKind::Moving);
    }
    let keys: Vec<Key> = (0..BOXES as Key).collect();
    let moved = |by: Real| {
        let by = Vec2::splat(by);
        let moved = boxes.iter().map(|b| Aabb::new(b.min + by, b.max + by));
        moved.collect::<Vec<_>>()
    };
    for frame in 0..6 {
        assert!(both.frame(&keys, &moved(frame as Real * 0.1)) > 0);
    }
    assert_eq!(both.shared.len(), BOXES / 4);
}
