//! The bodies in a box.

use clearance_math::internal::MapEach;
use clearance_math::{Aabb, Real, Vector, compile_once};

use super::query::{Filter, Query};
use crate::{BodyId, World};

impl<V: Vector> Query<'_, V> {
    /// The bodies whose bounding boxes overlap a box, sorted.
    ///
    /// The boxes are those of [`BodyRef::bounds`](crate::BodyRef::bounds), without any margin, at the current poses. Boxes
    /// that touch overlap. Bodies that meet nothing ([`Groups::NONE`](crate::Groups::NONE)) are passed over, as by all
    /// questions. A box that is empty or contains a NaN finds nothing. Far out, where single precision is too coarse for
    /// a box, ask [`Query::near`] with a cuboid. Of a body that is asked about only some [`parts`](Query::parts) the box is
    /// that of all. Cost: a search of the broad phase, and a test of the bounding sphere of each body that changed since the
    /// last step or [`World::refresh`].
    #[must_use]
    #[doc(alias("overlap_aabb", "query_aabb", "overlap_box"))]
    pub fn in_box(&self, bounds: &Aabb<V>) -> Vec<BodyId> {
        let mut found = Vec::new();
        self.in_box_into(bounds, &mut found);
        found
    }

    /// [`Query::in_box`] into a list of yours.
    pub fn in_box_into(&self, bounds: &Aabb<V>, found: &mut Vec<BodyId>) {
        bodies_in_box(self.world, bounds, &self.filter, found);
    }
}

compile_once! {
    fn bodies_in_box<'a, V>(
        world: &'a World<V>,
        bounds: &'a Aabb<V>,
        filter: &'a Filter<'a, V>,
        found: &'a mut Vec<BodyId>,
    ) {
        found.clear();
        if bounds.is_empty() {
            return;
        }
        // Boxes of bodies are rounded outwards, by less than a step.
        let step_out = |corner: V, step: fn(Real) -> Real| {
            V::from_fn(|axis| step(corner.component(axis)))
        };
        let min = step_out(bounds.min, Real::next_down);
        let limits = [min, step_out(bounds.max, Real::next_up)].map_each(V::to_precise);
        world.for_each_within(limits, &mut |slot, placed| {
            let overlaps = || placed.shape.bounds(placed.pose).overlaps(bounds);
            if filter.accepts(world, slot) && overlaps() {
                found.push(world.bodies.id(slot));
            }
        });
        found.sort_unstable();
    }
}
