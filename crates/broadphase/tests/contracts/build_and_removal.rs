//! Every way to build a tree, combined with every order of removal and many sizes; validated after
//! each change.

use crate::common::{Random, around, ordinary, sorted_pairs};
use clearance_broadphase::{BodyKind, BroadPhase, BruteForce, Bvh, Key};
use clearance_math::{Aabb, Vec2, Vec3, Vector};

/// How the boxes get into the tree.
#[derive(Clone, Copy, Debug)]
enum Build {
    /// All of them before one refresh.
    AtOnce,
    /// With a refresh after each.
    OneByOne,
    /// In batches of seven.
    InBatches,
    /// All in one place, then moved apart one by one.
    Unfolded,
}

/// The order in which the boxes are removed.
#[derive(Clone, Copy, Debug)]
enum Removal {
    Forward,
    Backward,
    Shuffled,
}

const BUILDS: [Build; 4] = [
    Build::AtOnce,
    Build::OneByOne,
    Build::InBatches,
    Build::Unfolded,
];
const REMOVALS: [Removal; 3] = [Removal::Forward, Removal::Backward, Removal::Shuffled];
const SIZES: [usize; 19] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 17, 18, 33, 63, 64, 65, 130, 257,
];

fn kind_of(key: Key) -> BodyKind {
    [BodyKind::Moving, BodyKind::Fixed][usize::from(key.is_multiple_of(5))]
}

fn build<V: Vector>(how: Build, boxes: &[Aabb<V>]) -> Bvh<V> {
    let mut tree = Bvh::new();
    for (key, bounds) in (0..).zip(boxes) {
        let first = match how {
            Build::Unfolded => around(V::ZERO, V::splat(0.5)),
            _ => *bounds,
        };
        tree.insert(key, first, kind_of(key));
        tree.validate().unwrap();
        if matches!(how, Build::OneByOne) || matches!(how, Build::InBatches) && key % 7 == 6 {
            tree.refresh();
            tree.validate().unwrap();
        }
    }
    if matches!(how, Build::Unfolded) {
        for (key, bounds) in (0..).zip(boxes) {
            tree.refresh();
            assert!(tree.set_bounds(key, *bounds));
            tree.validate().unwrap();
        }
    }
    tree.refresh();
    tree.validate().unwrap();
    tree
}

fn removal_order(how: Removal, size: usize, random: &mut Random) -> Vec<Key> {
    let mut order: Vec<Key> = (0..size as Key).collect();
    match how {
        Removal::Forward => {}
        Removal::Backward => order.reverse(),
        Removal::Shuffled => {
            for last in (1..size).rev() {
                order.swap(last, random.below(last + 1));
            }
        }
    }
    order
}

/// Builds a tree, removes all boxes, and compares the pairs with brute force several times on the
/// way; returns the number of pairs that were compared.
fn build_and_remove<V: Vector>(
    how: (Build, Removal),
    boxes: &[Aabb<V>],
    random: &mut Random,
) -> usize {
    let mut tree = build(how.0, boxes);
    let mut twin = BruteForce::new();
    for (key, bounds) in (0..).zip(boxes) {
        twin.insert(key, *bounds, kind_of(key));
    }
    twin.refresh();
    let mut met = 0;
    for (count, key) in removal_order(how.1, boxes.len(), random)
        .into_iter()
        .enumerate()
    {
        if count % 16 == 0 {
            tree.refresh();
            twin.refresh();
            tree.validate().unwrap();
            let expected = sorted_pairs(&mut twin);
            met += expected.len();
            assert_eq!(sorted_pairs(&mut tree), expected, "{how:?}");
        }
        assert!(tree.remove(key) && twin.remove(key));
        assert!(!tree.remove(key));
        tree.validate().unwrap();
    }
    tree.refresh();
    assert!(tree.is_empty());
    assert_eq!(sorted_pairs(&mut tree), []);
    met
}

fn cross<V: Vector>(side_of: fn(usize) -> f32) {
    let mut random = Random(1);
    let mut met = 0;
    for size in SIZES {
        let side = side_of(size);
        let boxes: Vec<Aabb<V>> = (0..size).map(|_| ordinary(&mut random, side)).collect();
        for build in BUILDS {
            for removal in REMOVALS {
                met += build_and_remove((build, removal), &boxes, &mut random);
            }
        }
    }
    assert!(met > 10_000, "{met}");
}

#[test]
fn in_the_plane() {
    cross::<Vec2>(|size| (size as f32).sqrt());
}

#[test]
fn in_space() {
    cross::<Vec3>(|size| (size as f32).cbrt());
}

#[test]
fn identical_boxes_inserted_one_by_one_give_all_pairs() {
    let boxes = vec![around(Vec3::splat(3.0), Vec3::ONE); 150];
    for build_as in [Build::AtOnce, Build::OneByOne, Build::InBatches] {
        let mut tree = build(build_as, &boxes);
        // Every fifth of the 150 boxes is fixed, and two fixed boxes make no pair.
        assert_eq!(sorted_pairs(&mut tree).len(), 150 * 149 / 2 - 30 * 29 / 2);
    }
}
