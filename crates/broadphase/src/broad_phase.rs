//! The trait that all broad phases implement.

use clearance_math::Inconsistent;
use clearance_math::{Aabb, Real, Vector};
use clearance_tree::Workers;
use clearance_tree::ray_box::RayLine;

use crate::groups::Groups;
use crate::key::{BodyKind, Key};

/// A set of boxes under keys that finds overlapping pairs and answers queries.
///
/// All implementations return the same pairs in the same order. Queries visit the same boxes in all
/// of them, but in an order that depends on the implementation and on earlier changes. Boxes
/// include their boundary: touching boxes overlap.
///
/// Bounds must not be empty or contain NaN; infinite sides are allowed. After `insert`, `remove`,
/// `set_bounds`, `set_many` or `set_groups`, call [`refresh`](Self::refresh) before `pairs` or a
/// query. Debug builds panic if either rule is broken; in release builds, pairs and queries without
/// a `refresh` may describe the boxes before the changes.
pub trait BroadPhase<V: Vector> {
    /// Adds a box. If the key is present, replaces its box and its kind, and keeps its groups.
    ///
    /// A new box may make pairs with all others; see [`set_groups`](Self::set_groups). The call
    /// takes constant time; the next `refresh` takes O(log n) for the box, less if many are
    /// inserted together.
    ///
    /// # Panics
    /// If `key` exceeds [`MAX_KEY`](crate::MAX_KEY).
    fn insert(&mut self, key: Key, bounds: Aabb<V>, kind: BodyKind);

    /// Removes a box; returns false if the key is absent. Takes O(log n) at most.
    fn remove(&mut self, key: Key) -> bool;

    /// Changes the box of a key; returns false if the key is absent.
    ///
    /// The call takes constant time; `refresh` does the rest of the work. Setting a box that is
    /// equal to the present one costs nothing in `refresh`.
    fn set_bounds(&mut self, key: Key, bounds: Aabb<V>) -> bool;

    /// Changes the boxes of many keys: the first box belongs to the first key, and so on. Absent
    /// keys are skipped.
    ///
    /// The result is that of [`set_bounds`](Self::set_bounds) for each key in turn. Fastest if the
    /// keys ascend.
    fn set_many(&mut self, keys: &[Key], boxes: &[Aabb<V>]) {
        for (&key, bounds) in keys.iter().zip(boxes) {
            if self.bounds(key).is_some() {
                self.set_bounds(key, *bounds);
            }
        }
    }

    /// Changes the groups of a box, which decide with which boxes it may make pairs; returns false
    /// if the key is absent.
    ///
    /// Groups apply to pairs only: queries find a box whatever its groups are. A box whose groups
    /// [exclude all](Groups::excludes_all) others costs the search for pairs nothing, and
    /// groups that may not meet cost it little. Takes O(log n) at most; `refresh` does the rest of
    /// the work.
    fn set_groups(&mut self, key: Key, groups: Groups) -> bool;

    /// The groups of a box; `None` if the key is absent.
    fn groups(&self, key: Key) -> Option<Groups>;

    /// Brings the structure up to date with all changes since the last call.
    ///
    /// The cost depends on the number of changes; without changes there is none.
    fn refresh(&mut self);

    /// Sets which threads share the work of `set_many`, `refresh` and `pairs`; at first the calling
    /// thread does all of it. Results do not depend on the number of threads.
    ///
    /// Who calls all three should do so within one call of [`Workers::awake`].
    fn set_workers(&mut self, workers: Workers) {
        let _ = workers;
    }

    /// The box of a key as it was last set, even before `refresh`; `None` if the key is absent.
    fn bounds(&self, key: Key) -> Option<Aabb<V>>;

    /// The number of boxes.
    fn len(&self) -> usize;

    /// Whether there is no box.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every overlapping pair whose groups may meet and of which at least one box is moving, as
    /// (smaller key, larger key).
    ///
    /// Each pair occurs exactly once, and the pairs are sorted.
    fn pairs(&mut self) -> &[(Key, Key)];

    /// Visits every key whose box overlaps `bounds`, once each, in no particular order.
    fn query_box(&self, bounds: &Aabb<V>, visit: &mut dyn FnMut(Key));

    /// Visits every key whose box contains `point`, once each, in no particular order.
    fn query_point(&self, point: V, visit: &mut dyn FnMut(Key)) {
        self.query_box(&Aabb::new(point, point), visit);
    }

    /// Visits the keys whose boxes the ray hits at a parameter of at most `max`, near ones first as
    /// far as the structure allows.
    ///
    /// `visit` receives the key and a lower bound of the parameter at which the ray enters the box
    /// (0 if it starts inside). It returns the new `max`, with which a search for the first hit
    /// skips boxes behind it; a value above the present one is ignored. The test errs on the safe
    /// side by a few units in the last place: a box that the ray touches is never missed.
    fn query_ray(&self, line: &RayLine<V>, max: Real, visit: &mut dyn FnMut(Key, Real) -> Real);

    /// Visits the keys whose boxes are at most `max_distance` away from `point`, near ones first as
    /// far as the structure allows.
    ///
    /// `visit` receives the key and the squared distance of its box (0 if it contains the point).
    /// It returns the new squared search radius; a value above the present one is ignored. Boxes
    /// exactly at the radius are visited, so that a caller that prefers the smaller key among equal
    /// distances gets the same answer from every implementation.
    fn query_nearest(&self, point: V, max_distance: Real, visit: &mut dyn FnMut(Key, Real) -> Real);

    /// Visits the boxes of the trees as `refresh` left them, with their levels, for viewers: the box around a whole tree has level 0, the
    /// boxes of its leaves, which may be larger than what was set, the highest levels. A structure without
    /// trees has none.
    fn visit_tree(&self, visit: &mut dyn FnMut(usize, &Aabb<V>)) {
        let _ = visit;
    }

    /// The memory in use in bytes, spare capacity included.
    fn memory(&self) -> usize;

    /// Checks all invariants; meant for tests. Takes O(n) or longer.
    ///
    /// # Errors
    /// Describes the first invariant that does not hold.
    fn validate(&self) -> Result<(), Inconsistent>;
}

/// Panics in debug builds if the bounds are empty or contain NaN.
#[inline]
pub(crate) fn check_bounds<V: Vector>(bounds: &Aabb<V>) {
    debug_assert!(
        !bounds.is_empty(),
        "bounds must not be empty or NaN: {bounds:?}"
    );
}

/// Panics in debug builds if `refresh` was not called after the last change.
#[inline]
pub(crate) fn check_fresh(stale: bool) {
    debug_assert!(
        !stale,
        "call refresh after changes, before pairs and queries"
    );
}
