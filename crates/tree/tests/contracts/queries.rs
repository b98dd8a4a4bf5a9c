//! Queries find what brute force finds, nearest first where they promise it.

use clearance_math::{Aabb, DVec3, PreciseVector, Ray, Real, Vec2, Vec3, Vector};
use clearance_tree::internal::{WideScratch, leaves_on_ray_by};
use clearance_tree::ray_box::RayLine;
use clearance_tree::{Tree, ray_box};

use crate::common::{Random, build, many_sets, ordinary};

fn sorted(mut numbers: Vec<u32>) -> Vec<u32> {
    numbers.sort_unstable();
    numbers
}

/// The numbers of the boxes that `is_hit` accepts.
fn brute<V: Vector>(boxes: &[Aabb<V>], is_hit: impl Fn(&Aabb<V>) -> bool) -> Vec<u32> {
    let numbered = (0..).zip(boxes);
    let hit = numbered.filter(|(_, bounds)| is_hit(bounds));
    hit.map(|(number, _)| number).collect()
}

fn boxes_agree<V: Vector>() {
    let mut random = Random(11);
    let mut total = 0;
    for boxes in many_sets::<V>() {
        let tree = build(&boxes);
        let mut asked: Vec<Aabb<V>> = (0..20).map(|_| random.hostile()).collect();
        asked.extend([Aabb::everything(), Aabb::empty()]);
        for bounds in asked {
            let mut found = Vec::new();
            tree.query_box(&bounds, &mut |number| found.push(number));
            total += found.len();
            assert_eq!(sorted(found), brute(&boxes, |b| b.overlaps(&bounds)));
        }
    }
    assert!(total > 2000, "{total} boxes found");
}

#[test]
fn box_queries_find_what_brute_force_finds() {
    boxes_agree::<Vec2>();
    boxes_agree::<Vec3>();
}

/// The box, larger by little more than the rounding of its distance from a point.
fn loosened<V: Vector>(bounds: &Aabb<V>, from: V) -> Aabb<V> {
    let size = |v: V| (0..V::DIM).fold(0.0, |most: Real, k| most.max(v.component(k).abs()));
    let slack = V::splat(1e-5 * size(bounds.min).max(size(bounds.max)).max(size(from)));
    Aabb::new(bounds.min - slack, bounds.max + slack)
}

fn rays_agree<V: Vector>() {
    let mut random = Random(12);
    let mut total = 0;
    for boxes in many_sets::<V>() {
        let tree = build(&boxes);
        for turn in 0..30 {
            let axis = V::axis(turn % V::DIM);
            let direction = match turn % 3 {
                0 => axis,
                1 => axis * -1e-40,
                _ => random.vector(-1.0, 1.0),
            };
            // Origins on the grid of the corners make rays that run along sides.
            let origin = random.hostile::<V>().min;
            let Ok(ray) = Ray::new(origin, direction) else {
                continue;
            };
            let ray = RayLine::of(&ray, V::Precise::ZERO);
            for max in [2.5, Real::INFINITY] {
                let mut found = Vec::new();
                let last = tree.query_ray(&ray, max, &mut |number, entry| {
                    let bounds = &boxes[number as usize];
                    // Rounding may find a box that the ray passes, but not one that it passes clearly.
                    let loose = ray_box::entry(&ray, &loosened(bounds, origin), max * 1.001);
                    let exact = ray_box::entry(&ray, bounds, max).or(loose);
                    assert!(exact.is_some_and(|exact| entry <= exact && entry >= 0.0));
                    found.push(number);
                    Real::INFINITY
                });
                assert_eq!(last, max);
                total += found.len();
                let found = sorted(found);
                assert!(found.is_sorted_by(|a, b| a < b), "twice: {found:?}");
                let hit = |b: &Aabb<V>| ray_box::entry(&ray, b, max).is_some();
                let expected = brute(&boxes, hit);
                assert!(expected.iter().all(|n| found.binary_search(n).is_ok()));
            }
        }
    }
    assert!(total > 1000, "{total} boxes found");
}

#[test]
fn ray_queries_find_what_brute_force_finds() {
    rays_agree::<Vec2>();
    rays_agree::<Vec3>();
}

/// Rays along an axis, on the planes of boxes and one step beside them, where differences are zero.
fn rays_beside_planes_agree<V: Vector>() {
    let mut random = Random(14);
    let (mut total, mut answered) = (0, 0);
    for boxes in many_sets::<V>()
        .into_iter()
        .filter(|boxes| !boxes.is_empty())
    {
        let tree = build(&boxes);
        let mut bounds_of = |number: u32| boxes[number as usize];
        let wide = tree.widened(&mut bounds_of, &mut WideScratch::default());
        for turn in 0..300 {
            let bounds = boxes[random.below(boxes.len())];
            let axis = turn % V::DIM;
            let steps = [Real::next_up, Real::next_down, |x| x];
            let beside = |random: &mut Random, k: usize| {
                let plane = [bounds.min, bounds.max][random.below(2)].component(k);
                let middle = 0.5 * (bounds.min.component(k) + bounds.max.component(k));
                [steps[random.below(3)](plane), middle][random.below(2)]
            };
            let mut origin = V::from_fn(|k| beside(&mut random, k));
            let sign = [1.0, -1.0][random.below(2)];
            origin = origin.with_component(axis, origin.component(axis) - sign * 3.0);
            let Ok(ray) = Ray::new(origin, V::axis(axis) * sign) else {
                continue;
            };
            let ray = RayLine::of(&ray, V::Precise::ZERO);
            let max = [6.0, Real::INFINITY][random.below(2)];
            let expected = brute(&boxes, |b| ray_box::entry(&ray, b, max).is_some());
            total += expected.len();
            let mut found = Vec::new();
            tree.query_ray(&ray, max, &mut |number, entry| {
                assert!(entry >= 0.0, "{entry}");
                found.push(number);
                max
            });
            let found = sorted(found);
            assert!(
                expected.iter().all(|n| found.binary_search(n).is_ok()),
                "{ray:?} {max}"
            );
            let Some(wide) = &wide else { continue };
            let mut found = Vec::new();
            let last = leaves_on_ray_by(wide, &ray, max, &mut |number, _| {
                found.push(number);
                max
            });
            if last.is_some() {
                answered += 1;
                assert_eq!(sorted(found), expected, "wide: {ray:?} {max}");
            } else {
                assert!(found.is_empty());
            }
        }
    }
    assert!(total > 1000, "{total} boxes found");
    assert!(answered > 1000, "{answered} rays asked of wide nodes");
}

#[test]
fn rays_beside_planes_find_what_brute_force_finds() {
    rays_beside_planes_agree::<Vec2>();
    rays_beside_planes_agree::<Vec3>();
}

/// The leaves of wide nodes may have smaller boxes than those of the tree that they are made of.
fn smaller_boxes_are_met<V: Vector>() {
    let mut random = Random(15);
    let mut counts = [0; 2];
    for boxes in many_sets::<V>() {
        let tree = build(&boxes);
        let smaller: Vec<Aabb<V>> = boxes
            .iter()
            .map(|bounds| Aabb::new(bounds.min * 0.75 + bounds.max * 0.25, bounds.max))
            .collect();
        let mut bounds_of = |number: u32| smaller[number as usize];
        let Some(wide) = tree.widened(&mut bounds_of, &mut WideScratch::default()) else {
            continue;
        };
        for _ in 0..200 {
            let origin = random.vector(-2.0, 11.0);
            let aim = boxes.get(random.below(boxes.len().max(1)));
            let Some(Ok(ray)) = aim.map(|aim| Ray::new(origin, aim.max - origin)) else {
                continue;
            };
            let ray = RayLine::of(&ray, V::Precise::ZERO);
            let mut found = Vec::new();
            let last = leaves_on_ray_by(&wide, &ray, 20.0, &mut |number, entry| {
                found.push((number, Some(entry)));
                20.0
            });
            assert_eq!(last, Some(20.0));
            found.sort_by_key(|&(number, _)| number);
            let entry = |bounds: &Aabb<V>| ray_box::entry(&ray, bounds, 20.0);
            let expected: Vec<_> = (0..)
                .zip(&smaller)
                .map(|(number, bounds)| (number, entry(bounds)))
                .filter(|(_, entry)| entry.is_some())
                .collect();
            assert_eq!(found, expected, "{ray:?}");
            counts[0] += found.len();
            counts[1] += boxes
                .iter()
                .filter(|bounds| entry(bounds).is_some())
                .count();
        }
    }
    assert!(counts[0] > 500 && counts[1] > counts[0], "{counts:?}");
}

#[test]
fn rays_meet_the_boxes_that_wide_nodes_were_given() {
    smaller_boxes_are_met::<Vec2>();
    smaller_boxes_are_met::<Vec3>();
}

fn distances_agree<V: Vector>() {
    let mut random = Random(13);
    let mut total = 0;
    for boxes in many_sets::<V>() {
        let tree = build(&boxes);
        for _ in 0..30 {
            let point = random.hostile::<V>().max;
            let radius = random.between(0.0, 9.0);
            let mut found = Vec::new();
            let last = tree.query_nearest(point, radius, &mut |number, squared| {
                // Summed in another order by the two.
                let exact = boxes[number as usize].squared_distance(point);
                assert!((squared - exact).abs() <= 1e-6 * exact);
                found.push(number);
                radius
            });
            assert_eq!(last, radius);
            total += found.len();
            let near = |b: &Aabb<V>| b.squared_distance(point) <= radius;
            assert_eq!(sorted(found), brute(&boxes, near));
        }
    }
    assert!(total > 1000, "{total} boxes found");
}

#[test]
fn nearest_queries_find_what_brute_force_finds() {
    distances_agree::<Vec2>();
    distances_agree::<Vec3>();
}

/// Asks for the single nearest box. Returns its measure and how many boxes were visited.
fn nearest(ask: impl Fn(&mut dyn FnMut(u32, Real) -> Real) -> Real) -> (Real, usize) {
    let mut visited = 0;
    let mut least = Real::INFINITY;
    let last = ask(&mut |_, measure| {
        visited += 1;
        least = least.min(measure);
        measure
    });
    assert_eq!(last, least);
    (least, visited)
}

#[test]
fn a_limit_that_shrinks_leaves_few_boxes_to_visit() {
    let boxes = ordinary::<Vec3>(14, 5000, 40.0);
    let tree: Tree<Vec3> = build(&boxes);
    let mut random = Random(15);
    let mut visits = 0;
    for _ in 0..200 {
        let point = random.vector(-10.0, 50.0);
        let ask = |visit: &mut dyn FnMut(u32, Real) -> Real| {
            tree.query_nearest(point, Real::INFINITY, visit)
        };
        let (least, visited) = nearest(ask);
        let all = boxes.iter().map(|b| b.squared_distance(point));
        assert_eq!(least, all.fold(Real::INFINITY, Real::min));
        visits += visited;
        let toward = random.vector::<Vec3>(0.0, 40.0) - point;
        let ray = Ray::new(point, toward).expect("not zero");
        let ray = RayLine::of(&ray, DVec3::ZERO);
        let ask =
            |visit: &mut dyn FnMut(u32, Real) -> Real| tree.query_ray(&ray, Real::INFINITY, visit);
        let (least, visited) = nearest(ask);
        let all = boxes
            .iter()
            .filter_map(|b| ray_box::entry(&ray, b, Real::INFINITY));
        let entry = all.fold(Real::INFINITY, Real::min);
        // Both are lower bounds.
        let is_near = least == entry || (least - entry).abs() <= 1e-5 * entry;
        assert!(is_near, "{least} and {entry}");
        visits += visited;
    }
    assert!(visits < 400 * 8, "{visits} boxes visited by 400 queries");
}

#[test]
fn a_mask_keeps_a_query_out_of_lanes() {
    let boxes = ordinary::<Vec2>(16, 256, 9.0);
    let tree = build(&boxes);
    // Only the first lane of the root.
    let mask = |node: u32| if node == 0 { 0b0001 } else { u32::MAX };
    let mut found = Vec::new();
    tree.query_box_masked(&Aabb::everything(), &mask, &mut |number| found.push(number));
    let part = tree.nodes()[0].lane::<Vec2>(0);
    assert_eq!(found.len(), 64);
    assert!(found.iter().all(|&n| part.contains(&boxes[n as usize])));
}

fn levels_agree<V: Vector>() {
    for boxes in many_sets::<V>() {
        let tree = build(&boxes);
        let mut levels: Vec<Vec<Aabb<V>>> = Vec::new();
        tree.visit_boxes(&mut |level, bounds| {
            levels.resize(levels.len().max(level + 1), Vec::new());
            levels[level].push(*bounds);
        });
        assert_eq!(
            levels.first().map_or(0, Vec::len),
            usize::from(!boxes.is_empty())
        );
        for pair in levels.windows(2) {
            for below in &pair[1] {
                assert!(pair[0].iter().any(|above| above.contains(below)));
            }
        }
        // Every box that was given is that of a leaf.
        let visited: Vec<Aabb<V>> = levels.concat();
        assert!(boxes.iter().all(|bounds| visited.contains(bounds)));
        assert!(levels.len() <= 1 || levels[levels.len() - 1].iter().all(|b| boxes.contains(b)));
    }
}

#[test]
fn boxes_of_a_level_lie_in_those_of_the_level_above() {
    levels_agree::<Vec2>();
    levels_agree::<Vec3>();
}

/// Rays at corners of boxes, through trees with more levels than those of [`many_sets`].
fn rays_at_corners_agree<V: Vector>() {
    let mut random = Random(16);
    let boxes = ordinary::<V>(17, 6000, 40.0);
    let tree = build(&boxes);
    let mut bounds_of = |number: u32| boxes[number as usize];
    let wide = tree.widened(&mut bounds_of, &mut WideScratch::default());
    let wide = wide.expect("ordinary boxes make wide nodes");
    for _ in 0..400 {
        let (origin, aim) = (random.vector(-40.0, 80.0), boxes[random.below(boxes.len())]);
        let corner = V::from_fn(|k| [aim.min, aim.max][random.below(2)].component(k));
        let Ok(ray) = Ray::new(origin, corner - origin) else {
            continue;
        };
        let ray = RayLine::of(&ray, V::Precise::ZERO);
        let expected = brute(&boxes, |b| ray_box::entry(&ray, b, 200.0).is_some());
        let (mut found, mut found_in_wide) = (Vec::new(), Vec::new());
        tree.query_ray(&ray, 200.0, &mut |number, _| {
            found.push(number);
            200.0
        });
        let found = sorted(found);
        assert!(expected.iter().all(|n| found.binary_search(n).is_ok()));
        let last = leaves_on_ray_by(&wide, &ray, 200.0, &mut |number, _| {
            found_in_wide.push(number);
            200.0
        });
        assert_eq!(last, Some(200.0));
        assert_eq!(sorted(found_in_wide), expected, "{ray:?}");
    }
}

#[test]
fn rays_at_corners_find_what_brute_force_finds_in_large_trees() {
    rays_at_corners_agree::<Vec2>();
    rays_at_corners_agree::<Vec3>();
}

#[test]
fn boxes_exactly_at_the_search_radius_are_found() {
    let boxes = [2.0, 3.0, 4.0].map(|x| Aabb::new(Vec3::X * x, Vec3::X * x + Vec3::ONE));
    let tree = build(&boxes);
    let mut found = Vec::new();
    tree.query_nearest(Vec3::ZERO, 9.0, &mut |number, squared| {
        found.push((number, squared));
        9.0
    });
    assert_eq!(found, [(0, 4.0), (1, 9.0)]);
}
