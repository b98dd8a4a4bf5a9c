//! The bodies in a box.

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
        self.for_each_in_box(bounds, &mut |slot, placed| {
            if placed.shape.bounds(placed.pose).overlaps(bounds) {
                found.push(self.bodies.id(slot));
            }
        });
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
