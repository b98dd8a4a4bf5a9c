//! Tests of how well trees fit their boxes: wherever these are, the search for pairs must not
//! become quadratic.
//!
//! The cost of a search is the number of overlapping pairs of nodes. It is counted by brute force,
//! and compared with the number of nodes.

use clearance_math::{Aabb, Real, Vec2, Vec3, Vector};

use super::Bvh;
use crate::broad_phase::BroadPhase;
use crate::groups::Groups;
use crate::key::{BodyKind, Layer};

/// Numbers in [0, 1) from a linear congruential generator.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> Real {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as Real / (1 << 24) as Real
    }

    fn vector<V: Vector>(&mut self, scale: V) -> V {
        V::from_fn(|k| self.unit() * scale.component(k))
    }
}

fn around<V: Vector>(center: V, half_extents: V) -> Aabb<V> {
    Aabb::new(center - half_extents, center + half_extents)
}

fn tree_of<V: Vector>(boxes: &[Aabb<V>]) -> Bvh<V> {
    let mut tree = Bvh::new();
    for (key, bounds) in (0..).zip(boxes) {
        tree.insert(key, *bounds, BodyKind::Moving);
    }
    tree.refresh();
    tree
}

/// The number of overlapping pairs of nodes for each node. Only nodes of one kind are paired: those
/// with nodes among their children, and those with leaves only.
fn overlaps_per_node<V: Vector>(tree: &Bvh<V>) -> f64 {
    let alive = tree
        .tree(Layer::Moving)
        .tree
        .nodes()
        .iter()
        .filter(|node| node.alive);
    let nodes: Vec<(Aabb<V>, bool)> = alive
        .map(|node| {
            (
                node.bounds(),
                node.children.iter().any(|c| c.index().is_some()),
            )
        })
        .collect();
    let mut count = 0;
    for (index, (a, a_kind)) in nodes.iter().enumerate() {
        let others = nodes[index + 1..].iter();
        count += others
            .filter(|(b, kind)| kind == a_kind && a.overlaps(b))
            .count();
    }
    count as f64 / nodes.len() as f64
}

fn assert_fits<V: Vector>(boxes: &[Aabb<V>], most: f64) {
    let found = overlaps_per_node(&tree_of(boxes));
    assert!(found > 0.1 && found < most, "{found} overlaps a node");
}

const COUNT: usize = 3000;

#[test]
fn boxes_in_a_line() {
    let mut random = Random(1);
    let boxes: Vec<_> = (0..COUNT)
        .map(|_| around(random.vector(Vec3::new(3000.0, 0.1, 0.1)), Vec3::splat(0.4)))
        .collect();
    assert_fits(&boxes, 4.0);
}

#[test]
fn needles_side_by_side() {
    let mut random = Random(2);
    let boxes: Vec<_> = (0..COUNT)
        .map(|_| around(random.vector(Vec3::splat(100.0)), Vec3::new(50.0, 0.1, 0.1)))
        .collect();
    assert_fits(&boxes, 6.0);
    let boxes: Vec<_> = (0..COUNT)
        .map(|_| around(random.vector(Vec2::splat(100.0)), Vec2::new(0.001, 30.0)))
        .collect();
    assert_fits(&boxes, 6.0);
}

#[test]
fn a_cluster_in_a_world_with_boxes_far_out() {
    let mut random = Random(3);
    let mut boxes: Vec<_> = (0..COUNT)
        .map(|_| around(random.vector(Vec3::splat(20.0)), Vec3::splat(0.4)))
        .collect();
    boxes[0] = around(Vec3::splat(1e6), Vec3::ONE);
    boxes[1] = around(Vec3::splat(-1e13), Vec3::ONE);
    boxes[2] = around(Vec3::ZERO, Vec3::splat(1e15));
    assert_fits(&boxes, 16.0);
}

#[test]
fn boxes_far_apart_as_far_as_numbers_go() {
    for scale in [1e16, 1e20, 1e30, 1e37] {
        let mut random = Random(7);
        let boxes: Vec<_> = (0..COUNT)
            .map(|_| {
                let center = random.vector(Vec3::splat(18.0)) - Vec3::splat(9.0);
                around(center * scale, Vec3::splat(0.5 * scale))
            })
            .collect();
        let tree = tree_of(&boxes);
        assert_eq!(
            tree.tree(Layer::Moving).tree.len(),
            COUNT,
            "all are in the tree"
        );
        assert_fits(&boxes, 16.0);
    }
}

/// Boxes of two groups that may not meet, all in one place: the search separates them near the
/// root.
#[test]
fn groups_in_one_place() {
    let filter = |key: usize| Groups {
        memberships: 1 << (key % 2),
        filter: 2 << (key % 2),
    };
    let boxes = vec![around(Vec3::ONE, Vec3::ONE); COUNT];
    let mut tree = tree_of(&boxes);
    (0..COUNT).for_each(|key| assert!(tree.set_groups(key as u32, filter(key))));
    // All at once, and then one by one.
    tree.refresh();
    let filters_of = |tree: &Bvh<Vec3>, at: usize| {
        let filters = &tree.tree(Layer::Moving).filters[at];
        (0..4).fold(Groups::NONE, |all, lane| all.merged(filters.get(lane)))
    };
    for key in (0..COUNT).step_by(11) {
        tree.remove(key as u32);
        tree.refresh();
        tree.insert(key as u32, boxes[key], BodyKind::Moving);
        tree.set_groups(key as u32, filter(key));
        tree.refresh();
    }
    let alive = (0..tree.tree(Layer::Moving).tree.nodes().len())
        .filter(|&at| tree.tree(Layer::Moving).tree.nodes()[at].alive);
    let filters: Vec<_> = alive.map(|at| filters_of(&tree, at)).collect();
    let meets = |index: &usize| {
        let others = &filters[index + 1..];
        others
            .iter()
            .any(|other| filters[*index].pairs_with(*other))
    };
    let meeting = (0..filters.len()).filter(meets).count();
    assert!(
        meeting < filters.len() / 10,
        "{meeting} nodes are looked into"
    );
}

/// Boxes of eight groups that meet only their own, spread over a square. One box far out must not
/// make the others count as being in one place: the search would lose their positions.
#[test]
fn groups_that_are_spread_out_and_a_box_far_out() {
    let filter = |key: usize| Groups {
        memberships: 1 << (key % 8),
        filter: 1 << (key % 8),
    };
    let looked_into = |far: Real| {
        let mut random = Random(8);
        let mut boxes: Vec<_> = (0..COUNT)
            .map(|_| around(random.vector(Vec3::new(60.0, 60.0, 1.0)), Vec3::splat(0.5)))
            .collect();
        boxes[0] = around(Vec3::splat(far), Vec3::splat(0.5));
        let mut tree = Bvh::new();
        for (key, bounds) in boxes.iter().enumerate() {
            tree.insert(key as u32, *bounds, BodyKind::Moving);
            tree.set_groups(key as u32, filter(key));
        }
        tree.refresh();
        overlaps_per_node(&tree)
    };
    let (near, far) = (looked_into(30.0), looked_into(1e6));
    // Only the nodes above the box far out overlap many others.
    assert!(far < 2.0 * near, "{far} overlaps a node instead of {near}");
}

#[test]
fn sizes_that_differ_by_a_thousand() {
    let mut random = Random(4);
    let boxes: Vec<_> = (0..COUNT)
        .map(|index| {
            let half = if index % 500 == 0 {
                10.0
            } else {
                0.01 + 0.02 * random.unit()
            };
            around(random.vector(Vec3::splat(40.0)), Vec3::splat(half))
        })
        .collect();
    assert_fits(&boxes, 8.0);
}

#[test]
fn a_plain_crowd_and_the_same_after_it_has_mixed() {
    let mut random = Random(5);
    let mut bodies: Vec<(Vec3, Vec3)> = (0..COUNT)
        .map(|_| {
            let center = random.vector(Vec3::splat(18.0));
            (center, random.vector(Vec3::splat(0.2)) - Vec3::splat(0.1))
        })
        .collect();
    let boxes: Vec<_> = bodies
        .iter()
        .map(|b| around(b.0, Vec3::splat(0.5)))
        .collect();
    assert_fits(&boxes, 16.0);
    let mut tree = tree_of(&boxes);
    let mut worst: f64 = 0.0;
    for frame in 0..200 {
        for (key, (center, velocity)) in (0..).zip(&mut bodies) {
            *center += *velocity;
            for k in 0..3 {
                if !(0.0..=18.0).contains(&center[k]) {
                    velocity[k] = -velocity[k];
                    center[k] += velocity[k];
                }
            }
            tree.set_bounds(key, around(*center, Vec3::splat(0.5)));
        }
        tree.refresh();
        if frame % 8 == 0 {
            // Leaves hold predicted bounds, which are larger than the boxes.
            let leaves: Vec<_> = tree
                .table
                .predicted_bounds
                .iter()
                .map(|r| r.outer)
                .collect();
            let new = overlaps_per_node(&tree_of(&leaves));
            worst = worst.max(overlaps_per_node(&tree) / new);
        }
    }
    assert!(worst < 4.0, "{worst} times the overlaps of a new tree");
}

/// Boxes that move one at a time are moved within the tree one at a time.
#[test]
fn a_crowd_of_which_few_move_at_a_time() {
    let mut random = Random(6);
    let boxes: Vec<_> = (0..COUNT)
        .map(|_| around(random.vector(Vec3::splat(18.0)), Vec3::splat(0.5)))
        .collect();
    let mut tree = tree_of(&boxes);
    for turn in 0..COUNT {
        let place = around(random.vector(Vec3::splat(18.0)), Vec3::splat(0.5));
        tree.set_bounds((turn * 7 % COUNT) as u32, place);
        if turn % 3 == 0 {
            tree.refresh();
        }
    }
    tree.refresh();
    tree.validate().unwrap();
    let found = overlaps_per_node(&tree);
    assert!(found < 16.0, "{found} overlaps a node");
}
