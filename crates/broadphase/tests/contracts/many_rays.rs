//! Many rays between changes: the broad phase makes other nodes for them, and the answers stay the same.

use clearance_broadphase::{BodyKind, BroadPhase, BruteForce, Bvh, Key, RayLine};
use clearance_math::{Aabb, PreciseVector, Ray, Real, Vec2, Vec3, Vector};

use crate::common::{Random, Twins, far, ordinary};

const BOXES: u32 = 400;

const SIDE: Real = 12.0;

fn keys<V: Vector>(phase: &dyn BroadPhase<V>, ray: &Ray<V>, max: Real) -> Vec<(Key, u32)> {
    let line = RayLine::of(ray, V::Precise::ZERO);
    let mut found = Vec::new();
    phase.query_ray(&line, max, &mut |key, entry| {
        found.push((key, entry.to_bits()));
        max
    });
    found.sort_unstable();
    found
}

/// The hit with the least parameter, and of those the one with the least key.
fn first<V: Vector>(phase: &dyn BroadPhase<V>, ray: &Ray<V>, max: Real) -> Option<(Real, Key)> {
    let line = RayLine::of(ray, V::Precise::ZERO);
    let mut first: Option<(Real, Key)> = None;
    phase.query_ray(&line, max, &mut |key, entry| {
        let is_better = first.is_none_or(|best| (entry, key) < best);
        first = if is_better { Some((entry, key)) } else { first };
        first.map_or(max, |best| best.0)
    });
    first
}

/// A ray through the boxes, now and then along an axis, in a plane, very long or very short.
fn ray<V: Vector>(random: &mut Random) -> Ray<V> {
    let origin: V = random.vector(-2.0, SIDE + 2.0);
    let mut direction: V = random.vector::<V>(0.0, SIDE) - origin;
    let axis = random.below(V::DIM);
    match random.below(16) {
        0 => direction = V::axis(axis),
        1 => direction = direction.with_component(axis, 0.0),
        2 => direction = direction * random.magnitude(-36.0, 36.0),
        3 => direction = direction.with_component(axis, 1e-35),
        _ => {}
    }
    Ray::new(origin, direction)
        .or_else(|_| Ray::new(origin, V::axis(0)))
        .expect("an axis is a direction")
}

/// Asks more rays than there are boxes, and compares them; returns how many boxes they met.
fn compare<V: Vector>(bvh: &Bvh<V>, brute: &BruteForce<V>, random: &mut Random) -> usize {
    let mut met = 0;
    for _ in 0..2 * BOXES {
        let ray = ray::<V>(random);
        let max = random.magnitude(-1.0, 2.0);
        let expected = keys(brute, &ray, max);
        assert_eq!(keys(bvh, &ray, max), expected, "{ray:?} {max}");
        assert_eq!(
            first(bvh, &ray, max),
            first(brute, &ray, max),
            "{ray:?} {max}"
        );
        met += expected.len();
    }
    met
}

fn many_rays_agree<V: Vector>(seed: u64, other: fn(&mut Random) -> Aabb<V>) {
    let mut random = Random(seed);
    let mut twins = Twins::<V>::new();
    let mut has_grown = 0;
    for round in 0..12 {
        let changes = if round == 0 {
            BOXES
        } else {
            random.below(60) as u32
        };
        for change in 0..changes {
            let key = if round == 0 {
                change
            } else {
                random.below(BOXES as usize) as Key
            };
            let bounds = if random.below(40) == 0 {
                other(&mut random)
            } else {
                ordinary(&mut random, SIDE)
            };
            let kind = random.kind();
            if random.below(4) == 0 && round > 0 {
                twins.remove(key);
            } else if random.below(2) == 0 || round == 0 {
                twins.insert(key, bounds, kind);
            } else {
                twins.set_bounds(key, bounds);
            }
        }
        twins.refresh();
        let met = compare(&twins.tree, &twins.brute, &mut random);
        assert!(met > BOXES as usize, "{met} boxes met");
        // A copy has no memory for the nodes of many rays until it makes some.
        let copy = twins.tree.clone();
        let before = copy.memory();
        compare(&copy, &twins.brute, &mut random);
        has_grown += u32::from(copy.memory() > before);
    }
    assert!(has_grown >= 6, "other nodes were made {has_grown} times");
}

#[test]
fn many_rays_meet_the_boxes_that_brute_force_meets() {
    many_rays_agree::<Vec2>(81, |random| ordinary(random, 100.0));
    many_rays_agree::<Vec3>(82, |random| ordinary(random, 100.0));
}

fn slow_boxes_agree<V: Vector>(seed: u64) {
    let mut random = Random(seed);
    let mut twins = Twins::<V>::new();
    let mut boxes: Vec<Aabb<V>> = (0..BOXES).map(|_| ordinary(&mut random, SIDE)).collect();
    for (key, bounds) in (0..).zip(&boxes) {
        twins.insert(key, *bounds, BodyKind::Moving);
    }
    for frame in 0..24 {
        // From some frame on all stay within what is predicted from the frames before.
        let step = V::splat(if frame < 12 { 0.02 } else { 0.001 });
        for (key, bounds) in (0..).zip(&mut boxes) {
            *bounds = Aabb::new(bounds.min + step, bounds.max + step);
            twins.set_bounds(key, *bounds);
        }
        twins.refresh();
        twins.tree.pairs();
        compare(&twins.tree, &twins.brute, &mut random);
    }
}

/// The tree does not change then, but the boxes of the nodes for many rays do.
#[test]
fn boxes_that_move_within_predicted_bounds_are_met_where_they_are() {
    slow_boxes_agree::<Vec2>(98);
    slow_boxes_agree::<Vec3>(99);
}

/// Some threads ask while another makes the nodes: each of them gets the answers of brute force.
#[test]
fn threads_that_ask_while_nodes_are_made_get_the_same_answers() {
    for seed in 86..98 {
        let mut random = Random(seed);
        let mut twins = Twins::<Vec3>::new();
        for key in 0..BOXES {
            let bounds = ordinary(&mut random, SIDE);
            let kind = random.kind();
            twins.insert(key, bounds, kind);
        }
        twins.refresh();
        let before = twins.tree.memory();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (tree, brute) = (&twins.tree, &twins.brute);
                scope.spawn(move || compare(tree, brute, &mut Random(1000 * seed + thread)));
            }
        });
        assert!(twins.tree.memory() > before, "no nodes were made");
    }
}

#[test]
fn far_boxes_and_points_change_no_answer() {
    for seed in 83..86 {
        let hostile = |random: &mut Random| match random.below(30) {
            0 => far(random),
            _ => {
                let at = random.vector(0.0, SIDE);
                Aabb::new(at, at)
            }
        };
        let mut random = Random(seed);
        let mut twins = Twins::<Vec3>::new();
        for key in 0..BOXES {
            let bounds = hostile(&mut random);
            let kind = random.kind();
            twins.insert(key, bounds, kind);
        }
        twins.refresh();
        compare(&twins.tree, &twins.brute, &mut random);
    }
}
