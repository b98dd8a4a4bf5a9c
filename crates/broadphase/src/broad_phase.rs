//! The trait that all backends share.

use clearance_math::{Aabb, Ray, Real, Vector};

use crate::{Key, Mobility, PairFilter};

/// A set of boxes under keys that finds overlapping pairs and answers queries.
///
/// All backends give the same pairs in the same order, and the same answers to queries; only the
/// order of these differs, and may depend on the history of changes. Boxes are closed: touching counts as overlap.
///
/// Contract: bounds hold no NaN and are not empty; infinite sides are allowed. After `insert`,
/// `remove`, `set_bounds` or `set_filter`, call [`refresh`](Self::refresh) before `pairs` or a query. Debug
/// builds assert both; in release builds a forgotten `refresh` gives answers from before the
/// changes.
pub trait BroadPhase<V: Vector> {
    /// Adds a box, or replaces the box and the mobility of a present key.
    ///
    /// A new box may make pairs with all others; see [`set_filter`](Self::set_filter).
    /// Costs constant time here and O(log n) in the next `refresh`, less when many come at once.
    ///
    /// # Panics
    /// If `key` exceeds [`MAX_KEY`](crate::MAX_KEY).
    fn insert(&mut self, key: Key, bounds: Aabb<V>, mobility: Mobility);

    /// Takes the box out; false if the key is absent. Costs O(log n) at most.
    fn remove(&mut self, key: Key) -> bool;

    /// Changes the box of a present key; false if it is absent.
    ///
    /// Costs constant time; the work is put off to `refresh`. An unchanged box costs nothing there.
    fn set_bounds(&mut self, key: Key, bounds: Aabb<V>) -> bool;

    /// Changes the boxes of those keys that are present: the first of `boxes` is that of the first key,
    /// and so on.
    ///
    /// As [`set_bounds`](Self::set_bounds) for one after the other. Fastest where keys ascend.
    fn set_many(&mut self, keys: &[Key], boxes: &[Aabb<V>]) {
        for (&key, bounds) in keys.iter().zip(boxes) {
            if self.bounds(key).is_some() {
                self.set_bounds(key, *bounds);
            }
        }
    }

    /// Changes which boxes the box of a present key may make pairs with; false if it is absent.
    ///
    /// Queries find a box whatever its filter. A box whose filter [`PairFilter::excludes_all`] costs the
    /// search for pairs nothing; of others, groups that do not meet are passed over together. Costs
    /// O(log n) at most; the rest of the work is put off to `refresh`.
    fn set_filter(&mut self, key: Key, filter: PairFilter) -> bool;

    /// Which boxes the box of `key` may make pairs with; `None` if the key is absent.
    fn filter(&self, key: Key) -> Option<PairFilter>;

    /// Brings the structure up to date with all changes since the last call.
    ///
    /// The cost follows what changed; without a change there is none.
    fn refresh(&mut self);

    /// Lets `set_many`, `refresh` and `pairs` share their work with the other threads of the rayon pool
    /// that they are called in, if they are; 1, and 0, for not at all, as at first. The same comes out.
    ///
    /// The work is cut for so many threads, however many the pool has. Does nothing without the cargo
    /// feature `parallel`.
    fn set_threads(&mut self, threads: usize) {
        let _ = threads;
    }

    /// The box of `key` as last set, also before `refresh`; `None` if the key is absent.
    fn bounds(&self, key: Key) -> Option<Aabb<V>>;

    /// The number of boxes.
    fn len(&self) -> usize;

    /// Whether there is no box.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every overlapping pair of which at least one box is moving and whose filters allow it, as
    /// (smaller key, larger key).
    ///
    /// Each pair comes exactly once, and they are in order. The list is kept from frame to frame.
    fn pairs(&mut self) -> &[(Key, Key)];

    /// Visits every key whose box overlaps `bounds`, once each, in no particular order.
    fn query_box(&self, bounds: &Aabb<V>, visit: &mut dyn FnMut(Key));

    /// Visits every key whose box contains `point`, once each, in no particular order.
    fn query_point(&self, point: V, visit: &mut dyn FnMut(Key)) {
        self.query_box(&Aabb::new(point, point), visit);
    }

    /// Visits keys whose box is hit by `ray` at a parameter of at most `max`, near ones first as
    /// far as the structure allows.
    ///
    /// `visit` gets the key and a lower bound of the parameter where the ray enters the box (0 if
    /// it starts inside), and returns the new greatest parameter; a greater one than before is
    /// ignored. The test is conservative by a few units in the last place: a ray that touches is
    /// never missed.
    fn query_ray(&self, ray: &Ray<V>, max: Real, visit: &mut dyn FnMut(Key, Real) -> Real);

    /// Visits keys whose box is at most `max_distance` away from `point`, near ones first as far as
    /// the structure allows.
    ///
    /// `visit` gets the key and the squared distance of its box (0 inside), and returns the new
    /// squared search radius; a greater one than before is ignored. Boxes exactly at the radius are
    /// visited, so that a caller who breaks ties by key gets the same answer from every backend.
    fn query_nearest(&self, point: V, max_distance: Real, visit: &mut dyn FnMut(Key, Real) -> Real);

    /// The memory held, in bytes, reserve included.
    fn memory(&self) -> usize;

    /// Checks every invariant, for tests.
    ///
    /// # Errors
    /// Says in words what is broken. Cost O(n) or more.
    fn validate(&self) -> Result<(), String>;
}

/// Checks the contract of the bounds, in debug builds.
#[inline]
pub(crate) fn check_bounds<V: Vector>(bounds: &Aabb<V>) {
    debug_assert!(
        !bounds.is_empty(),
        "bounds must not be empty or NaN: {bounds:?}"
    );
}

/// Checks that `refresh` was called after the last change, in debug builds.
#[inline]
pub(crate) fn check_fresh(stale: bool) {
    debug_assert!(
        !stale,
        "call refresh after changes, before pairs and queries"
    );
}
