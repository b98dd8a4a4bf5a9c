//! The contract of the trait apart from pairs: replacement, kind, memory and misuse.

use crate::common::{BACKENDS, Random, around, sorted_pairs};
use clearance_broadphase::{AnyBroadPhase, Backend, BodyKind, BroadPhase, Key, MAX_KEY};
use clearance_math::{Aabb, Real, Vec2, Vec3};

fn unit(x: Real) -> Aabb<Vec2> {
    around(Vec2::new(x, 0.0), Vec2::splat(0.5))
}

#[test]
fn fixed_boxes_make_no_pairs_until_one_moves() {
    for backend in BACKENDS {
        let mut phase = AnyBroadPhase::new(backend);
        assert_eq!(phase.backend(), backend);
        phase.insert(7, unit(0.0), BodyKind::Fixed);
        phase.insert(3, unit(1.0), BodyKind::Fixed);
        phase.refresh();
        assert_eq!(sorted_pairs(&mut phase), []);
        phase.insert(7, unit(0.0), BodyKind::Moving);
        phase.refresh();
        assert_eq!(sorted_pairs(&mut phase), [(3, 7)], "touching counts");
        assert_eq!(phase.len(), 2);
        phase.insert(7, unit(1.5), BodyKind::Moving);
        assert_eq!(phase.bounds(7), Some(unit(1.5)));
        phase.refresh();
        assert_eq!(sorted_pairs(&mut phase), [(3, 7)]);
        phase.insert(7, unit(1.5), BodyKind::Fixed);
        phase.refresh();
        assert_eq!(sorted_pairs(&mut phase), []);
    }
}

#[test]
fn absent_keys_are_reported() {
    for backend in BACKENDS {
        let mut phase = AnyBroadPhase::new(backend);
        phase.insert(2, unit(0.0), BodyKind::Moving);
        assert!(!phase.remove(1) && !phase.remove(5));
        assert!(!phase.set_bounds(1, unit(0.0)) && !phase.set_bounds(5, unit(0.0)));
        assert_eq!(phase.bounds(1), None);
        assert_eq!(phase.bounds(5), None);
        assert!(phase.remove(2) && !phase.remove(2));
        assert!(phase.is_empty());
        phase.refresh();
        phase.validate().unwrap();
    }
}

#[test]
fn unbounded_boxes_pair_with_what_moves_only() {
    let ground = Aabb::new(
        Vec2::splat(Real::NEG_INFINITY),
        Vec2::new(Real::INFINITY, 0.0),
    );
    for backend in BACKENDS {
        let mut phase = AnyBroadPhase::new(backend);
        phase.insert(0, ground, BodyKind::Fixed);
        phase.insert(1, Aabb::everything(), BodyKind::Fixed);
        phase.insert(2, unit(0.0), BodyKind::Fixed);
        phase.insert(3, unit(9.0), BodyKind::Moving);
        phase.insert(4, Aabb::everything(), BodyKind::Moving);
        phase.refresh();
        let expected = [(0, 3), (0, 4), (1, 3), (1, 4), (2, 4), (3, 4)];
        assert_eq!(sorted_pairs(&mut phase), expected, "{backend:?}");
        // Into the list of unbounded boxes, and out of it.
        phase.set_bounds(4, unit(9.5));
        phase.set_bounds(3, Aabb::everything());
        phase.refresh();
        let expected = [(0, 3), (0, 4), (1, 3), (1, 4), (2, 3), (3, 4)];
        assert_eq!(sorted_pairs(&mut phase), expected, "{backend:?}");
        phase.validate().unwrap();
    }
}

/// `memory` includes spare capacity, so a frame that allocates memory and keeps it shows.
#[test]
fn a_steady_world_reserves_nothing_more() {
    for backend in [Backend::Bvh, Backend::BruteForce] {
        let mut random = Random(11);
        let mut phase = AnyBroadPhase::new(backend);
        let mut bodies = Vec::new();
        for key in 0..600 {
            let center: Vec3 = random.vector(0.0, 10.0);
            bodies.push((center, random.vector::<Vec3>(-0.05, 0.05)));
            phase.insert(key, around(center, Vec3::splat(0.5)), BodyKind::Moving);
        }
        let mut after_warm_up = 0;
        for frame in 0..200 {
            for (key, (center, velocity)) in bodies.iter_mut().enumerate() {
                // Boxes move there and back, so that the world stays equally crowded.
                *center += *velocity * if frame % 20 < 10 { 1.0 } else { -1.0 };
                phase.set_bounds(key as Key, around(*center, Vec3::splat(0.5)));
            }
            phase.refresh();
            let pairs = phase.pairs().len();
            assert!(pairs > 500, "{pairs}");
            if frame == 100 {
                after_warm_up = phase.memory();
            }
        }
        assert!(after_warm_up > 600 * size_of::<Aabb<Vec3>>());
        assert_eq!(phase.memory(), after_warm_up, "{backend:?}");
    }
}

#[test]
#[should_panic(expected = "MAX_KEY")]
fn keys_beyond_the_greatest_are_refused() {
    AnyBroadPhase::new(Backend::Bvh).insert(MAX_KEY + 1, unit(0.0), BodyKind::Fixed);
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "refresh")]
fn pairs_before_refresh_are_refused_in_debug_builds() {
    let mut phase = AnyBroadPhase::new(Backend::Bvh);
    phase.insert(0, unit(0.0), BodyKind::Fixed);
    phase.pairs();
}

#[test]
fn boxes_without_end_can_be_removed_in_any_order() {
    let orders = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    for backend in BACKENDS {
        for order in orders {
            let mut phase = AnyBroadPhase::<Vec2>::new(backend);
            for key in 0..3 {
                phase.insert(key, Aabb::everything(), BodyKind::Moving);
            }
            for key in order {
                assert!(phase.remove(key));
                phase.refresh();
                phase.validate().unwrap();
            }
            assert!(phase.is_empty());
        }
    }
}

#[test]
fn boxes_exactly_at_the_search_radius_are_near() {
    for backend in BACKENDS {
        let mut phase = AnyBroadPhase::new(backend);
        phase.insert(0, unit(2.5), BodyKind::Fixed);
        phase.insert(1, unit(3.5), BodyKind::Moving);
        phase.insert(2, unit(4.5), BodyKind::Fixed);
        phase.refresh();
        let mut found = Vec::new();
        phase.query_nearest(Vec2::ZERO, 3.0, &mut |key, squared| {
            found.push((key, squared));
            9.0
        });
        found.sort_by_key(|&(key, _)| key);
        assert_eq!(found, [(0, 4.0), (1, 9.0)], "{backend:?}");
    }
}
