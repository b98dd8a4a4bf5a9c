//! The truths agree with each other where two of them apply.

use clearance_math::{Vec2, Vec3};

use super::apart::nearest;
use super::axes::greatest_separation;
use super::body::Space;
use super::depth::depth;
use super::features::nearest_features;
use super::pair::Pair;
use super::random::{Random, iterations};
use super::shapes::{anywhere, solid_polytope};

fn pairs<V: Space>(seed: u64) -> impl Iterator<Item = Pair> {
    let mut random = Random::new(seed);
    (0..iterations(100)).map(move |_| {
        let shapes = [0; 2].map(|_| solid_polytope::<V>(&mut random, 1.0));
        let [a, b] = anywhere(&mut random, shapes);
        Pair::new(&a, &b)
    })
}

fn agree_on_depth<V: Space>() {
    for pair in pairs::<V>(1) {
        let (axes, _) = greatest_separation(&pair);
        if axes < 0.0 {
            let found = depth(&pair, 1e-6 * pair.size());
            let slack = 1e-13 * pair.size();
            assert!(
                found.high - found.low <= 1.001e-6 * pair.size(),
                "{found:?}"
            );
            assert!(
                found.low - slack <= -axes && -axes <= found.high + slack,
                "{axes} {found:?}"
            );
        }
    }
}

#[test]
fn axes_and_branch_and_bound_agree_on_the_depth_of_polygons() {
    agree_on_depth::<Vec2>();
}

#[test]
fn axes_and_branch_and_bound_agree_on_the_depth_of_polyhedra() {
    agree_on_depth::<Vec3>();
}

fn agree_on_distance<V: Space>() {
    for pair in pairs::<V>(2) {
        if greatest_separation(&pair).0 > 1e-3 * pair.size() {
            let (by_search, by_features) = (nearest(&pair, 1e-13), nearest_features(&pair));
            let slack = 1e-11 * pair.size();
            assert!(by_search.high - by_search.low <= slack);
            assert!(by_features.high - by_features.low <= slack);
            assert!((by_search.high - by_features.high).abs() <= slack);
        }
    }
}

#[test]
fn wolfe_and_brute_force_agree_on_the_distance_of_polygons() {
    agree_on_distance::<Vec2>();
}

#[test]
fn wolfe_and_brute_force_agree_on_the_distance_of_polyhedra() {
    agree_on_distance::<Vec3>();
}
