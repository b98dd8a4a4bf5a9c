//! Questions between steps.

use clearance_broadphase::BroadPhase;
use clearance_math::{Aabb, Vector, compile_once};

use crate::{BodyId, World};

impl<V: Vector> World<V> {
    /// Replaces the contents of `found` by the bodies whose bounding boxes overlap `bounds`, sorted.
    ///
    /// The boxes are those of [`crate::BodyRef::bounds`], without any margin, at the current poses. Boxes
    /// that touch overlap. A box that is empty or contains a NaN finds nothing. Cost: a search of the
    /// broad phase, and a test of each body that changed since the last step.
    pub fn bodies_in_box(&self, bounds: &Aabb<V>, found: &mut Vec<BodyId>) {
        bodies_in_box(self, bounds, found);
    }

    fn bodies_in_box_generic(&self, bounds: &Aabb<V>, found: &mut Vec<BodyId>) {
        found.clear();
        if bounds.is_empty() {
            return;
        }
        let is_inside = |slot: usize| {
            let placed = self.bodies.placed(slot);
            placed.is_some_and(|placed| placed.shape.bounds(placed.pose).overlaps(bounds))
        };
        // What the broad phase knows of a body that changed is out of date.
        self.broad_phase.query_box(bounds, &mut |key| {
            let slot = key as usize;
            if !self.bodies.states[slot].is_changed && is_inside(slot) {
                found.push(self.bodies.id(slot));
            }
        });
        for &slot in self.bodies.changed() {
            if is_inside(slot as usize) {
                found.push(self.bodies.id(slot as usize));
            }
        }
        found.sort_unstable();
    }
}

compile_once! {
    fn bodies_in_box<'a, V>(
        world: &'a World<V>,
        bounds: &'a Aabb<V>,
        found: &'a mut Vec<BodyId>,
    ) {
        world.bodies_in_box_generic(bounds, found);
    }
}
