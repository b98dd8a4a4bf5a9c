//! Questions about the world between steps, which change nothing: [`Query`] has them all.
//!
//! Queries see every edit. What the broad phase knows of a body that changed since the last step or
//! [`World::refresh`] is out of date, so it is only asked about the others, and bodies that changed are tested one by
//! one, their bounding spheres first:
//! [`World::for_each_within`] is the one place where that is decided for boxes, and `rays.rs`, `casts.rs` and
//! `nearest.rs` do the same for their searches.

mod batches;
mod boxes;
mod casts;
mod manifolds;
mod nearest;
mod proximity;
mod query;
mod rays;

use clearance_broadphase::BroadPhase;
use clearance_gjk::Placed;
use clearance_gjk::internal::Ball;
use clearance_math::{Aabb, Vector, tolerances};
use clearance_shapes::internal::ball_limits;

pub use batches::{BatchError, BatchSeparation};
pub use casts::BodyCastHit;
pub use manifolds::BodyManifold;
pub use nearest::Nearest;
pub use proximity::BodySeparation;
pub(crate) use query::Filter;
pub use query::Query;
pub use rays::BodyRayHit;

use crate::World;

impl<V: Vector> World<V> {
    /// Visits the slots of bodies that may be in the box of these limits, and of all bodies that changed and may be.
    pub(crate) fn for_each_within(
        &self,
        limits: [V::Precise; 2],
        visit: &mut dyn FnMut(usize, Placed<'_, V>),
    ) {
        let bounds = &self.space.bounds(limits);
        self.for_each_unchanged_in_box(bounds, visit);
        let may_overlap = |sphere: &Ball<V>| {
            let radius = f64::from(sphere.radius) * (1.0 + tolerances::SWEEP_BOX_ROUNDING);
            let around = || (self.space).bounds(ball_limits::<V>(sphere.center, radius));
            !(radius < f64::INFINITY) || around().overlaps(bounds)
        };
        self.for_each_changed(&may_overlap, visit);
    }

    /// The slots of bodies that did not change and whose inflated boxes may overlap the box of these limits, and of those of which
    /// only cells changed.
    pub(crate) fn unchanged_in_box(&self, limits: [V::Precise; 2]) -> Vec<u32> {
        let mut found: Vec<u32> = self.bodies.only_edited().collect();
        let bounds = self.space.bounds(limits);
        self.for_each_unchanged_in_box(&bounds, &mut |slot, _| found.push(slot as u32));
        found
    }

    /// Visits the slots of bodies that did not change and whose boxes may overlap a box of the broad phase.
    fn for_each_unchanged_in_box(
        &self,
        bounds: &Aabb<V>,
        visit: &mut dyn FnMut(usize, Placed<'_, V>),
    ) {
        self.broad_phase.query_box(bounds, &mut |key| {
            if let Some(placed) = self.unchanged(key as usize) {
                visit(key as usize, placed);
            }
        });
    }

    /// The placed shape of a slot that the broad phase knows rightly. `None` if it changed or is
    /// vacant.
    fn unchanged(&self, slot: usize) -> Option<Placed<'_, V>> {
        self.is_unchanged(slot)
            .then(|| self.bodies.placed(slot))
            .flatten()
    }

    /// Whether a slot did not change since the broad phase was told.
    #[inline]
    fn is_unchanged(&self, slot: usize) -> bool {
        // In most queries no body has changed; then there is no need to look at this one.
        self.bodies.is_none_stale() || !self.bodies.states[slot].is_stale()
    }

    /// Visits the slots of bodies that changed, which the broad phase does not know rightly, and whose bounding spheres
    /// may matter. A sphere is infinite if the body has no end.
    fn for_each_changed<'w>(
        &'w self,
        may_matter: &dyn Fn(&Ball<V>) -> bool,
        visit: &mut dyn FnMut(usize, Placed<'w, V>),
    ) {
        let columns = &self.bodies.columns;
        let spheres = columns.shapes.bounding_spheres();
        for slot in self.bodies.stale() {
            let sphere = Ball {
                center: columns.poses[slot].position(),
                radius: spheres[slot].radius,
            };
            if may_matter(&sphere)
                && let Some(placed) = self.bodies.placed(slot)
            {
                visit(slot, placed);
            }
        }
    }
}
