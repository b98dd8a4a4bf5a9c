//! A broad phase whose implementation is chosen at run time.

use clearance_math::Inconsistent;
use clearance_math::{Aabb, Real, Vector, compile_once};
use clearance_tree::Workers;
use clearance_tree::ray_box::RayLine;

#[cfg(feature = "rtree")]
use crate::rtree::RTree;
use crate::{BodyKind, BroadPhase, BruteForce, Bvh, Groups, Key};

/// The algorithm of a broad phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Backend {
    /// A bounding volume hierarchy: the fastest for nearly all scenes, and the default.
    #[default]
    Bvh,
    /// An R-tree of the crate rstar, rebuilt in newly allocated memory after each change. Needs the
    /// cargo feature `rtree`.
    #[cfg(feature = "rtree")]
    RTree,
    /// Every box against every other; good for a few dozen boxes, and for checking the others.
    BruteForce,
}

/// A broad phase whose algorithm is chosen at run time.
///
/// ```
/// use clearance::broadphase::{AnyBroadPhase, Backend, BodyKind, BroadPhase};
/// use clearance::dim3::{Aabb, Vec3};
///
/// for backend in [Backend::Bvh, Backend::BruteForce] {
///     let mut boxes = AnyBroadPhase::new(backend);
///     boxes.insert(7, Aabb::new(Vec3::ZERO, Vec3::ONE), BodyKind::Moving);
///     boxes.insert(4, Aabb::new(Vec3::splat(0.5), Vec3::splat(2.0)), BodyKind::Moving);
///     boxes.refresh();
///     assert_eq!(boxes.pairs(), [(4, 7)]);
/// }
/// ```
#[derive(Clone, Debug)]
pub enum AnyBroadPhase<V: Vector> {
    /// A bounding volume hierarchy.
    Bvh(Box<Bvh<V>>),
    /// An R-tree.
    #[cfg(feature = "rtree")]
    RTree(Box<RTree<V>>),
    /// Brute force.
    BruteForce(BruteForce<V>),
}

impl<V: Vector> AnyBroadPhase<V> {
    /// An empty broad phase with the given algorithm.
    #[must_use]
    pub fn new(backend: Backend) -> Self {
        match backend {
            Backend::Bvh => Self::Bvh(Box::default()),
            #[cfg(feature = "rtree")]
            Backend::RTree => Self::RTree(Box::default()),
            Backend::BruteForce => Self::BruteForce(BruteForce::new()),
        }
    }

    /// The algorithm in use.
    #[must_use]
    pub fn backend(&self) -> Backend {
        match self {
            Self::Bvh(_) => Backend::Bvh,
            #[cfg(feature = "rtree")]
            Self::RTree(_) => Backend::RTree,
            Self::BruteForce(_) => Backend::BruteForce,
        }
    }

    fn inner(&self) -> &dyn BroadPhase<V> {
        shared(self)
    }

    fn inner_mut(&mut self) -> &mut dyn BroadPhase<V> {
        exclusive(self)
    }
}

// Creating a trait object compiles all methods behind it. Creating it here compiles them in this
// crate, and not in the crates that use it.
compile_once! {
    fn shared<'a, V>(any: &'a AnyBroadPhase<V>) -> &'a dyn BroadPhase<V> {
        match any {
            AnyBroadPhase::Bvh(inner) => inner.as_ref(),
            #[cfg(feature = "rtree")]
            AnyBroadPhase::RTree(inner) => inner.as_ref(),
            AnyBroadPhase::BruteForce(inner) => inner,
        }
    }
}

compile_once! {
    fn exclusive<'a, V>(any: &'a mut AnyBroadPhase<V>) -> &'a mut dyn BroadPhase<V> {
        match any {
            AnyBroadPhase::Bvh(inner) => inner.as_mut(),
            #[cfg(feature = "rtree")]
            AnyBroadPhase::RTree(inner) => inner.as_mut(),
            AnyBroadPhase::BruteForce(inner) => inner,
        }
    }
}

impl<V: Vector> Default for AnyBroadPhase<V> {
    fn default() -> Self {
        Self::new(Backend::default())
    }
}

impl<V: Vector> BroadPhase<V> for AnyBroadPhase<V> {
    fn insert(&mut self, key: Key, bounds: Aabb<V>, kind: BodyKind) {
        self.inner_mut().insert(key, bounds, kind);
    }

    fn remove(&mut self, key: Key) -> bool {
        self.inner_mut().remove(key)
    }

    fn set_bounds(&mut self, key: Key, bounds: Aabb<V>) -> bool {
        self.inner_mut().set_bounds(key, bounds)
    }

    fn set_many(&mut self, keys: &[Key], boxes: &[Aabb<V>]) {
        self.inner_mut().set_many(keys, boxes);
    }

    fn set_groups(&mut self, key: Key, groups: Groups) -> bool {
        self.inner_mut().set_groups(key, groups)
    }

    fn groups(&self, key: Key) -> Option<Groups> {
        self.inner().groups(key)
    }

    fn refresh(&mut self) {
        self.inner_mut().refresh();
    }

    fn set_workers(&mut self, workers: Workers) {
        self.inner_mut().set_workers(workers);
    }

    fn bounds(&self, key: Key) -> Option<Aabb<V>> {
        self.inner().bounds(key)
    }

    fn len(&self) -> usize {
        self.inner().len()
    }

    fn pairs(&mut self) -> &[(Key, Key)] {
        self.inner_mut().pairs()
    }

    fn query_box(&self, bounds: &Aabb<V>, visit: &mut dyn FnMut(Key)) {
        self.inner().query_box(bounds, visit);
    }

    fn query_ray(&self, line: &RayLine<V>, max: Real, visit: &mut dyn FnMut(Key, Real) -> Real) {
        self.inner().query_ray(line, max, visit);
    }

    fn query_nearest(
        &self,
        point: V,
        max_distance: Real,
        visit: &mut dyn FnMut(Key, Real) -> Real,
    ) {
        self.inner().query_nearest(point, max_distance, visit);
    }

    fn visit_tree(&self, visit: &mut dyn FnMut(usize, &Aabb<V>)) {
        self.inner().visit_tree(visit);
    }

    fn memory(&self) -> usize {
        self.inner().memory()
    }

    fn validate(&self) -> Result<(), Inconsistent> {
        self.inner().validate()
    }
}
