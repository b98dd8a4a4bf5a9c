//! Queries: questions about the world between steps, which change nothing.
//!
//! Queries see every edit. What the broad phase knows of a body that changed since the last step is out
//! of date, so it is only asked about the others, and bodies that changed are tested one by one:
//! [`World::for_each_in_box`] is the one place where that is decided for boxes, and `rays.rs`, `casts.rs` and
//! `nearest.rs` do the same for their searches.

mod batches;
mod boxes;
mod casts;
mod filter;
mod manifolds;
mod nearest;
mod proximity;
mod rays;

use clearance_broadphase::BroadPhase;
use clearance_gjk::Placed;
use clearance_math::{Aabb, Vector};

pub use batches::{BatchError, BatchSeparation};
pub use casts::BodyCastHit;
pub use filter::QueryFilter;
pub use manifolds::BodyManifold;
pub use nearest::Nearest;
pub use proximity::BodySeparation;
pub use rays::BodyRayHit;

use crate::World;

impl<V: Vector> World<V> {
    /// Visits the slots of bodies whose boxes may overlap `bounds`, and of all bodies that changed.
    pub(crate) fn for_each_in_box(
        &self,
        bounds: &Aabb<V>,
        visit: &mut dyn FnMut(usize, Placed<'_, V>),
    ) {
        self.for_each_unchanged_in_box(bounds, visit);
        self.for_each_changed(visit);
    }

    /// Visits the slots of bodies that did not change and whose boxes may overlap `bounds`.
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

    /// The placed shape of a slot that did not change since the last step. `None` if it changed or is
    /// vacant.
    fn unchanged(&self, slot: usize) -> Option<Placed<'_, V>> {
        self.is_unchanged(slot)
            .then(|| self.bodies.placed(slot))
            .flatten()
    }

    /// Whether a slot did not change since the last step.
    #[inline]
    fn is_unchanged(&self, slot: usize) -> bool {
        // In most queries no body has changed; then there is no need to look at this one.
        self.bodies.changed().is_empty() || !self.bodies.states[slot].is_changed
    }

    /// Visits the slots of bodies that changed since the last step, which the broad phase does not know
    /// rightly.
    fn for_each_changed<'w>(&'w self, visit: &mut dyn FnMut(usize, Placed<'w, V>)) {
        for &slot in self.bodies.changed() {
            if let Some(placed) = self.bodies.placed(slot as usize) {
                visit(slot as usize, placed);
            }
        }
    }
}
