//! Shared by the tests: a generator of numbers and boxes, and a way to build.

use clearance_math::{Aabb, Real, Vector};
use clearance_tree::{BuildScratch, BuildTools, Tree, Workers};

/// SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub(crate) fn between(&mut self, low: Real, high: Real) -> Real {
        low + (high - low) * (self.next() >> 40) as Real / (1u64 << 24) as Real
    }

    /// Every component uniform in [low, high).
    pub(crate) fn vector<V: Vector>(&mut self, low: Real, high: Real) -> V {
        V::from_fn(|_| self.between(low, high))
    }

    /// Corners on a coarse grid, so that boxes touch, are flat, or are equal; now and then a box
    /// that is far out, huge or both.
    pub(crate) fn hostile<V: Vector>(&mut self) -> Aabb<V> {
        let snapped = |v: V| {
            let round = |v: V, k| v.with_component(k, v.component(k).round());
            (0..V::DIM).fold(v, round)
        };
        let low: V = snapped(self.vector(0.0, 8.0));
        let high = low + snapped(self.vector(0.0, 2.0));
        let scale = match self.below(20) {
            0 => 1e6,
            1 => 1e37,
            2 => 1e-30,
            _ => 1.0,
        };
        Aabb::new(low * scale, high * scale)
    }
}

/// So many boxes with sides below two in a world of the given side.
pub(crate) fn ordinary<V: Vector>(seed: u64, count: usize, side: Real) -> Vec<Aabb<V>> {
    let mut random = Random(seed);
    let mut next = || {
        let low: V = random.vector(0.0, side);
        Aabb::new(low, low + random.vector(0.0, 2.0))
    };
    (0..count).map(|_| next()).collect()
}

/// Sets of boxes of many sizes, ordinary ones and hostile ones.
pub(crate) fn many_sets<V: Vector>() -> Vec<Vec<Aabb<V>>> {
    let mut sets = vec![Vec::new(), vec![Aabb::new(V::ZERO, V::ZERO); 300]];
    for count in [1, 2, 3, 4, 5, 16, 17, 63, 64, 65, 200, 500] {
        let mut random = Random(count as u64);
        sets.push(ordinary(count as u64, count, 9.0));
        sets.push((0..count).map(|_| random.hostile()).collect());
    }
    sets
}

pub(crate) fn build<V: Vector>(boxes: &[Aabb<V>]) -> Tree<V> {
    let tools = BuildTools {
        scratch: &mut BuildScratch::default(),
        workers: &Workers::alone(),
    };
    let tree = Tree::build(boxes, tools).expect("boxes are finite");
    assert_eq!(tree.validate(), Ok(()));
    tree
}
