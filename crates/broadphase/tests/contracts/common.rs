//! Shared by the tests: a generator of numbers and boxes, and the comparison of broad phases.

use clearance_broadphase::{
    Backend, BodyKind, BroadPhase, BruteForce, Bvh, Groups, Key, RTree, RayLine,
};
use clearance_math::{Aabb, PreciseVector, Ray, Real, Vector};

/// All backends.
pub(crate) const BACKENDS: [Backend; 3] = [Backend::Bvh, Backend::RTree, Backend::BruteForce];

/// SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// Uniform in [0, 1).
    pub(crate) fn unit(&mut self) -> Real {
        (self.next() >> 40) as Real / (1u64 << 24) as Real
    }

    pub(crate) fn between(&mut self, low: Real, high: Real) -> Real {
        low + (high - low) * self.unit()
    }

    /// Every component uniform in [low, high).
    pub(crate) fn vector<V: Vector>(&mut self, low: Real, high: Real) -> V {
        V::from_fn(|_| self.between(low, high))
    }

    /// From 10^low to 10^high, uniform in the exponent.
    pub(crate) fn magnitude(&mut self, low: Real, high: Real) -> Real {
        Real::powf(10.0, self.between(low, high))
    }

    pub(crate) fn kind(&mut self) -> BodyKind {
        match self.below(3) {
            0 => BodyKind::Fixed,
            _ => BodyKind::Moving,
        }
    }
}

/// The box around `center`.
pub(crate) fn around<V: Vector>(center: V, half_extents: V) -> Aabb<V> {
    Aabb::new(center - half_extents, center + half_extents)
}

/// A box with sides of about one in a world of the given side.
pub(crate) fn ordinary<V: Vector>(random: &mut Random, side: Real) -> Aabb<V> {
    let center = random.vector(0.0, side);
    around(center, random.vector(0.2, 0.8))
}

/// A box of a kind that is hard for trees: points, needles, huge boxes, unbounded ones, boxes far
/// out, boxes on a grid.
pub(crate) fn hostile<V: Vector>(random: &mut Random) -> Aabb<V> {
    let center: V = random.vector(-10.0, 10.0);
    let axis = random.below(V::DIM);
    match random.below(12) {
        0 => Aabb::everything(),
        1 => {
            let below = Aabb::<V>::everything();
            Aabb::new(
                below.min,
                below.max.with_component(axis, center.component(axis)),
            )
        }
        2 => around(center, V::splat(1e17)),
        3 => Aabb::new(V::splat(Real::MIN), V::splat(Real::MAX)),
        4 => Aabb::new(center, center),
        5 => around(center, V::splat(0.01).with_component(axis, 1e3)),
        6 => around(center * 1e5, V::splat(random.magnitude(-3.0, 3.0))),
        7 => around(center, V::splat(random.magnitude(-3.0, 3.0))),
        8 => around(V::splat(1e6), V::splat(1.0)),
        9 => around(center * 3e37, V::splat(random.magnitude(30.0, 37.0))),
        10 => far(random),
        _ => {
            let cell = V::axis(axis) * random.below(4) as Real;
            Aabb::new(cell, cell + V::splat(1.0))
        }
    }
}

/// A box near the greatest coordinates; many of these boxes are also far from each other.
pub(crate) fn far<V: Vector>(random: &mut Random) -> Aabb<V> {
    let scale = random.magnitude(15.0, 37.0);
    around(random.vector::<V>(-3.0, 3.0) * scale, V::splat(0.5) * scale)
}

/// The three implementations, which receive the same changes.
pub(crate) struct Trio<V: Vector> {
    pub(crate) bvh: Bvh<V>,
    pub(crate) rtree: RTree<V>,
    pub(crate) brute: BruteForce<V>,
}

/// Filters that allow some pairs, and filters that forbid or allow all.
pub(crate) fn any_filter(random: &mut Random) -> Groups {
    let [memberships, filter] = match random.below(8) {
        0 => return Groups::NONE,
        1 | 2 => return Groups::ALL,
        3 => [0, random.next() as u32],
        4 => [random.next() as u32, 0],
        _ => [1 << random.below(4), random.next() as u32 % 16],
    };
    Groups {
        memberships,
        filter,
    }
}

/// The tree, and brute force to compare it with.
pub(crate) struct Twins<V: Vector> {
    pub(crate) tree: Bvh<V>,
    pub(crate) brute: BruteForce<V>,
}

impl<V: Vector> Twins<V> {
    pub(crate) fn new() -> Self {
        Self {
            tree: Bvh::new(),
            brute: BruteForce::new(),
        }
    }

    pub(crate) fn insert(&mut self, key: Key, bounds: Aabb<V>, kind: BodyKind) {
        self.tree.insert(key, bounds, kind);
        self.brute.insert(key, bounds, kind);
    }

    pub(crate) fn remove(&mut self, key: Key) -> bool {
        let removed = self.brute.remove(key);
        assert_eq!(self.tree.remove(key), removed);
        removed
    }

    pub(crate) fn set_bounds(&mut self, key: Key, bounds: Aabb<V>) {
        let is_there = self.brute.set_bounds(key, bounds);
        assert_eq!(self.tree.set_bounds(key, bounds), is_there);
    }

    pub(crate) fn set_groups(&mut self, key: Key, groups: Groups) {
        let is_there = self.brute.set_groups(key, groups);
        assert_eq!(self.tree.set_groups(key, groups), is_there);
    }

    pub(crate) fn refresh(&mut self) {
        self.tree.refresh();
        self.brute.refresh();
        self.tree.validate().unwrap();
    }
}

/// How many results a test has compared: a test that compares nothing proves nothing.
#[derive(Debug, Default)]
pub(crate) struct Met {
    pub(crate) pairs: usize,
    pub(crate) boxes: usize,
    pub(crate) hits: usize,
    pub(crate) near: usize,
}

impl<V: Vector> Trio<V> {
    pub(crate) fn new() -> Self {
        Self {
            bvh: Bvh::new(),
            rtree: RTree::new(),
            brute: BruteForce::new(),
        }
    }

    pub(crate) fn insert(&mut self, key: Key, bounds: Aabb<V>, kind: BodyKind) {
        self.bvh.insert(key, bounds, kind);
        self.rtree.insert(key, bounds, kind);
        self.brute.insert(key, bounds, kind);
        self.validate();
    }

    pub(crate) fn remove(&mut self, key: Key) -> bool {
        let removed = self.brute.remove(key);
        assert_eq!(self.bvh.remove(key), removed);
        assert_eq!(self.rtree.remove(key), removed);
        self.validate();
        removed
    }

    pub(crate) fn set_bounds(&mut self, key: Key, bounds: Aabb<V>) -> bool {
        let present = self.brute.set_bounds(key, bounds);
        assert_eq!(self.bvh.set_bounds(key, bounds), present);
        assert_eq!(self.rtree.set_bounds(key, bounds), present);
        self.validate();
        present
    }

    pub(crate) fn set_groups(&mut self, key: Key, filter: Groups) -> bool {
        let present = self.brute.set_groups(key, filter);
        assert_eq!(self.bvh.set_groups(key, filter), present);
        assert_eq!(self.rtree.set_groups(key, filter), present);
        self.validate();
        present
    }

    /// Changes a box without validation, which would take too long for every body of a world.
    pub(crate) fn set_bounds_unchecked(&mut self, key: Key, bounds: Aabb<V>) {
        assert!(self.bvh.set_bounds(key, bounds));
        assert!(self.rtree.set_bounds(key, bounds));
        assert!(self.brute.set_bounds(key, bounds));
    }

    pub(crate) fn refresh(&mut self) {
        self.bvh.refresh();
        self.rtree.refresh();
        self.brute.refresh();
        self.validate();
    }

    pub(crate) fn validate(&self) {
        self.bvh.validate().unwrap();
        self.rtree.validate().unwrap();
        self.brute.validate().unwrap();
        assert_eq!(self.bvh.len(), self.brute.len());
        assert_eq!(self.rtree.len(), self.brute.len());
    }

    /// Compares the pairs, and the answers to some queries near the origin and near boxes.
    pub(crate) fn compare(&mut self, random: &mut Random, met: &mut Met) {
        let expected = sorted_pairs(&mut self.brute);
        assert_eq!(sorted_pairs(&mut self.bvh), expected);
        assert_eq!(sorted_pairs(&mut self.rtree), expected);
        met.pairs += expected.len();
        for _ in 0..4 {
            let center: V = random.vector(-4.0, 10.0);
            let query = around(center, V::splat(random.magnitude(-2.0, 1.0)));
            met.boxes += self.compare_boxes(&query);
            self.compare_boxes(&hostile(random));
            let slope: V = random.vector(-1.0, 1.0);
            let along = slope.with_component(random.below(V::DIM), 0.0);
            let direction = if random.below(2) == 0 { slope } else { along };
            if let Ok(ray) = Ray::new(center, direction) {
                met.hits += self.compare_rays(&ray, Real::INFINITY);
                met.hits += self.compare_rays(&ray, random.magnitude(-1.0, 2.0));
            }
            met.near += self.compare_nearest(center, random.magnitude(-1.0, 1.0));
            self.compare_nearest(center, Real::INFINITY);
        }
    }

    fn compare_boxes(&self, query: &Aabb<V>) -> usize {
        let answer = |phase: &dyn BroadPhase<V>| {
            let (mut found, mut at_corner) = (Vec::new(), Vec::new());
            phase.query_box(query, &mut |key| found.push(key));
            phase.query_point(query.min, &mut |key| at_corner.push(key));
            found.sort_unstable();
            at_corner.sort_unstable();
            (found, at_corner)
        };
        let expected = answer(&self.brute);
        assert_eq!(answer(&self.bvh), expected, "{query:?}");
        assert_eq!(answer(&self.rtree), expected, "{query:?}");
        expected.0.len()
    }

    /// Compares all hits, and the first hit: the one with the least parameter, and of those with
    /// the least key.
    fn compare_rays(&self, ray: &Ray<V>, max: Real) -> usize {
        let line = RayLine::of(ray, V::Precise::ZERO);
        let answer = |phase: &dyn BroadPhase<V>| {
            let mut found = Vec::new();
            phase.query_ray(&line, max, &mut |key, entry| {
                found.push((key, entry.to_bits()));
                max
            });
            let mut first: Option<(Real, Key)> = None;
            phase.query_ray(&line, max, &mut |key, entry| {
                let better = first.is_none_or(|best| (entry, key) < best);
                first = if better { Some((entry, key)) } else { first };
                first.map_or(max, |best| best.0)
            });
            found.sort_unstable();
            (found, first)
        };
        let expected = answer(&self.brute);
        assert_eq!(answer(&self.bvh), expected, "{ray:?}");
        assert_eq!(answer(&self.rtree), expected, "{ray:?}");
        expected.0.len()
    }

    /// Compares all boxes within the distance, and the nearest: of equal distances the one with the
    /// least key.
    fn compare_nearest(&self, point: V, max: Real) -> usize {
        let answer = |phase: &dyn BroadPhase<V>| {
            let mut found = Vec::new();
            phase.query_nearest(point, max, &mut |key, distance| {
                found.push((key, distance.to_bits()));
                Real::INFINITY
            });
            let mut nearest: Option<(Real, Key)> = None;
            phase.query_nearest(point, max, &mut |key, distance| {
                let better = nearest.is_none_or(|best| (distance, key) < best);
                nearest = if better {
                    Some((distance, key))
                } else {
                    nearest
                };
                nearest.map_or(Real::INFINITY, |best| best.0)
            });
            found.sort_unstable();
            (found, nearest)
        };
        let expected = answer(&self.brute);
        assert_eq!(answer(&self.bvh), expected, "{point:?}");
        assert_eq!(answer(&self.rtree), expected, "{point:?}");
        expected.0.len()
    }
}

/// The pairs, sorted; a pair that is reported twice stays in twice.
pub(crate) fn sorted_pairs<V: Vector>(phase: &mut impl BroadPhase<V>) -> Vec<(Key, Key)> {
    let pairs = phase.pairs().to_vec();
    assert!(pairs.is_sorted());
    pairs
}
