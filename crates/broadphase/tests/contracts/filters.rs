//! Filters apply before pairs are made, so boxes that may not meet cost next to nothing.

use clearance_broadphase::{AnyBroadPhase, BodyKind, BroadPhase, Bvh, Groups, Key};
use clearance_math::{Aabb, Real, Vec2, Vec3};

use crate::common::{BACKENDS, around, hostile, ordinary, sorted_pairs};
use crate::random_sequences::{Changes, run_with};

const fn filter(memberships: u32, filter: u32) -> Groups {
    Groups {
        memberships,
        filter,
    }
}

#[test]
fn pairs_under_random_filters_are_those_of_brute_force() {
    let changes = Changes {
        keys: 150,
        changes: 25,
        has_filters: true,
    };
    for seed in 0..6 {
        let met = [
            run_with::<Vec2>(seed, changes, |random| ordinary(random, 8.0)),
            run_with::<Vec3>(seed, changes, |random| ordinary(random, 5.0)),
            run_with::<Vec2>(seed, changes, hostile),
            run_with::<Vec3>(seed, changes, hostile),
        ];
        assert!(met.iter().all(|met| met.pairs > 1000), "{met:?}");
    }
}

#[test]
fn a_filter_stays_with_its_key_until_the_key_goes() {
    let unit = |x: Real| around(Vec2::new(x, 0.0), Vec2::splat(0.5));
    for backend in BACKENDS {
        let mut phase = AnyBroadPhase::new(backend);
        assert!(!phase.set_groups(3, Groups::NONE));
        assert_eq!(phase.groups(3), None);
        phase.insert(3, unit(0.0), BodyKind::Moving);
        phase.insert(5, unit(0.0), BodyKind::Moving);
        assert_eq!(phase.groups(3), Some(Groups::ALL));
        let other = filter(0b10, 0b01);
        assert!(phase.set_groups(3, other));
        // Changes the kind and the box, and makes the box unbounded and bounded again.
        phase.insert(3, unit(0.1), BodyKind::Fixed);
        phase.set_bounds(3, Aabb::everything());
        phase.refresh();
        assert_eq!(sorted_pairs(&mut phase), [(3, 5)]);
        phase.set_bounds(3, unit(0.2));
        phase.set_groups(5, filter(0b10, 0b10));
        phase.refresh();
        assert_eq!(phase.groups(3), Some(other));
        assert_eq!(sorted_pairs(&mut phase), []);
        assert!(phase.remove(3));
        phase.insert(3, unit(0.0), BodyKind::Moving);
        phase.refresh();
        assert_eq!(phase.groups(3), Some(Groups::ALL));
        assert_eq!(sorted_pairs(&mut phase), [(3, 5)]);
        phase.validate().unwrap();
    }
}

/// Boxes in one place, with the filters that `filter` returns.
fn parked(bounds: Aabb<Vec3>, count: Key, filter: impl Fn(Key) -> Groups) -> Bvh<Vec3> {
    let mut tree = Bvh::new();
    for key in 0..count {
        tree.insert(key, bounds, BodyKind::Moving);
        tree.set_groups(key, filter(key));
    }
    tree.refresh();
    tree
}

const COUNT: Key = 20_000;

/// Four hundred bytes for each box: nothing is stored of the two hundred million overlaps.
const MOST_BYTES: usize = 400 * COUNT as usize;

#[test]
fn a_crowd_that_may_not_meet_makes_no_pairs_and_holds_no_memory_for_them() {
    let ball = around(Vec3::ZERO, Vec3::ONE);
    let half_space = Aabb::new(
        Vec3::splat(Real::NEG_INFINITY),
        Vec3::new(Real::INFINITY, 0.0, Real::INFINITY),
    );
    let filters: [fn(Key) -> Groups; 4] = [
        |_| Groups::NONE,
        |_| filter(0b01, 0b10),
        |key| filter(1 << (key % 2), 2 << (key % 2)),
        |key| filter(1 << (key % 30), 1 << ((key + 1) % 30)),
    ];
    for bounds in [ball, half_space] {
        for filter in filters {
            let mut tree = parked(bounds, COUNT, filter);
            for frame in 0..8 {
                let by = Vec3::X * frame as Real;
                let moved = Aabb::new(bounds.min + by, bounds.max + by);
                (0..COUNT).for_each(|key| assert!(tree.set_bounds(key, moved)));
                tree.refresh();
                assert_eq!(tree.pairs(), []);
                assert!(tree.memory() < MOST_BYTES, "{} bytes", tree.memory());
            }
            let mut found = 0;
            tree.query_point(Vec3::X * 7.0, &mut |_| found += 1);
            assert_eq!(found, COUNT, "queries find them all the same");
        }
    }
}

#[test]
fn memory_that_a_crowd_needed_is_given_back() {
    for backend in BACKENDS {
        let mut phase = AnyBroadPhase::new(backend);
        let count = 1000;
        let insert_all = |phase: &mut AnyBroadPhase<Vec2>| {
            for key in 0..count {
                let at = Vec2::X * (key as Real * 1e-4);
                phase.insert(key, around(at, Vec2::ONE), BodyKind::Moving);
            }
            phase.refresh();
            assert_eq!(phase.pairs().len(), (count * (count - 1) / 2) as usize);
        };
        insert_all(&mut phase);
        let crowded = phase.memory();
        assert!(crowded > 3 << 20, "{crowded} bytes");
        let scatterings: [fn(&mut AnyBroadPhase<Vec2>, Key); 3] = [
            |phase, key| {
                phase.set_bounds(key, around(Vec2::Y * (key as Real * 3.0), Vec2::ONE));
            },
            |phase, key| {
                phase.remove(key);
            },
            |phase, key| {
                phase.set_groups(key, Groups::NONE);
            },
        ];
        for scatter in scatterings {
            insert_all(&mut phase);
            (0..count).for_each(|key| scatter(&mut phase, key));
            for _ in 0..20 {
                phase.refresh();
                assert_eq!(phase.pairs(), []);
            }
            let left = phase.memory();
            assert!(left < 1 << 20, "{backend:?}: {left} bytes of {crowded}");
            (0..count).for_each(|key| {
                phase.set_groups(key, Groups::ALL);
            });
        }
    }
}
