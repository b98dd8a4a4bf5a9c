//! Joins find the pairs that brute force finds, each of them once.

use clearance_math::{Aabb, Vec2, Vec3, Vector};
use clearance_tree::{AllLanes, Join, JoinMask, JoinStacks, LaneMask, Leaf, Tree};

use crate::common::{build, many_sets, ordinary};

type Pairs = Vec<(u32, u32)>;

fn sorted(mut pairs: Pairs) -> Pairs {
    pairs.sort_unstable();
    pairs
}

fn between<V: Vector>(a: &Tree<V>, b: &Tree<V>) -> Pairs {
    let mut pairs = Vec::new();
    let mut stacks = JoinStacks::default();
    Join::new(&mut stacks, |a, b| pairs.push((a, b))).tree_with_tree(a, b);
    sorted(pairs)
}

fn overlapping<V: Vector>(a: &[Aabb<V>], b: &[Aabb<V>]) -> Pairs {
    let of = |(n, first): (u32, &Aabb<V>)| {
        let hit = (0..).zip(b).filter(|(_, second)| first.overlaps(second));
        hit.map(|(m, _)| (n, m)).collect::<Pairs>()
    };
    (0..).zip(a).flat_map(of).collect()
}

fn pairs_agree<V: Vector>() {
    let sets = many_sets::<V>();
    let trees: Vec<_> = sets.iter().map(|boxes| build(boxes)).collect();
    let mut total = 0;
    for (a, tree_a) in sets.iter().zip(&trees) {
        for (b, tree_b) in sets.iter().zip(&trees) {
            let expected = overlapping(a, b);
            total += expected.len();
            assert_eq!(between(tree_a, tree_b), expected);
        }
        let mut pairs = Vec::new();
        let mut stacks = JoinStacks::default();
        let visit = |a: u32, b: u32| pairs.push((a.min(b), a.max(b)));
        Join::new(&mut stacks, visit).tree_with_itself(tree_a);
        let mut expected = overlapping(a, a);
        expected.retain(|(a, b)| a < b);
        assert_eq!(sorted(pairs), expected);
    }
    assert!(total > 10_000, "{total} pairs");
}

#[test]
fn joins_find_the_pairs_that_brute_force_finds() {
    pairs_agree::<Vec2>();
    pairs_agree::<Vec3>();
}

/// Refuses one leaf, wherever it is met.
struct Without {
    leaf: Leaf,
}

/// The mask of [`Without`] for the nodes of one tree.
struct LanesWithout {
    leaf: Option<Leaf>,
}

impl LaneMask for LanesWithout {
    fn allowed(&self, node: u32) -> u32 {
        let leaf = self.leaf.filter(|leaf| leaf.node == node);
        leaf.map_or(u32::MAX, |leaf| !(1 << leaf.lane))
    }
}

impl JoinMask for Without {
    type Partners<'a> = LanesWithout;

    fn allowed_pairs(&self, a: u32, b: u32) -> u32 {
        let lanes_of = |lane: usize| match self.leaf.is_in_first {
            true => 0b1111 << (4 * lane),
            false => 0b0001_0001_0001_0001 << lane,
        };
        let node = if self.leaf.is_in_first { a } else { b };
        if node == self.leaf.node {
            !lanes_of(self.leaf.lane)
        } else {
            u32::MAX
        }
    }

    fn partners_of(&self, leaf: Leaf) -> LanesWithout {
        assert_ne!(leaf, self.leaf, "its lane was refused");
        let is_in_other = leaf.is_in_first != self.leaf.is_in_first;
        LanesWithout {
            leaf: is_in_other.then_some(self.leaf),
        }
    }
}

/// Lets a leaf meet nothing deeper in the other tree.
struct OnLevel;

impl JoinMask for OnLevel {
    type Partners<'a> = fn(u32) -> u32;

    fn allowed_pairs(&self, a: u32, b: u32) -> u32 {
        AllLanes.allowed_pairs(a, b)
    }

    fn partners_of(&self, _leaf: Leaf) -> fn(u32) -> u32 {
        |_| 0
    }
}

fn masked<V: Vector>(a: &Tree<V>, b: &Tree<V>, mask: impl JoinMask) -> Pairs {
    let mut pairs = Vec::new();
    let mut stacks = JoinStacks::default();
    Join::masked(&mut stacks, mask, |a, b| pairs.push((a, b))).tree_with_tree(a, b);
    sorted(pairs)
}

/// The leaf that holds a number.
fn leaf_of<V: Vector>(tree: &Tree<V>, number: u32, is_in_first: bool) -> Leaf {
    let nodes = (0..).zip(tree.nodes());
    let mut lanes = nodes.flat_map(|(node, content)| {
        let children = content.children.iter().enumerate();
        children.map(move |(lane, child)| (node, lane, child.number()))
    });
    let found = lanes.find(|&(_, _, held)| held == Some(number));
    let (node, lane, _) = found.expect("the tree holds the number");
    Leaf {
        is_in_first,
        node,
        lane,
    }
}

#[test]
fn a_mask_is_asked_with_the_nodes_of_the_right_tree() {
    let (small, large) = (ordinary::<Vec3>(21, 6, 4.0), ordinary::<Vec3>(22, 400, 4.0));
    for (a, b) in [(&small, &large), (&large, &small), (&large, &large)] {
        let (tree_a, tree_b) = (build(a), build(b));
        let all = between(&tree_a, &tree_b);
        for number in 0..6 {
            let leaf = leaf_of(&tree_a, number, true);
            let expected = all.iter().copied().filter(|pair| pair.0 != number);
            let found = masked(&tree_a, &tree_b, Without { leaf });
            assert_eq!(found, expected.collect::<Pairs>());
            let leaf = leaf_of(&tree_b, number, false);
            let expected = all.iter().copied().filter(|pair| pair.1 != number);
            let found = masked(&tree_a, &tree_b, Without { leaf });
            assert_eq!(found, expected.collect::<Pairs>());
        }
    }
}

#[test]
fn a_leaf_meets_a_subtree_only_where_its_mask_allows() {
    let few = build(&ordinary::<Vec2>(23, 3, 2.0));
    let many = build(&ordinary::<Vec2>(24, 200, 2.0));
    assert!(between(&few, &many).len() > 100);
    assert_eq!(masked(&few, &many, OnLevel), []);
    assert_eq!(masked(&many, &few, OnLevel), []);
    let same = build(&ordinary::<Vec2>(25, 64, 2.0));
    assert_eq!(masked(&same, &same, OnLevel), between(&same, &same));
}
