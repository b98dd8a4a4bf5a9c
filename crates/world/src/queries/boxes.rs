//! The bodies in a box.

use clearance_broadphase::BroadPhase;
use clearance_math::{Aabb, MapEach, Real, Vector, compile_once};

use crate::{BodyId, World};

impl<V: Vector> World<V> {
    /// Replaces the contents of `found` by the bodies whose bounding boxes overlap `bounds`, sorted.
    ///
    /// The boxes are those of [`crate::BodyRef::bounds`], without any margin, at the current poses. Boxes
    /// that touch overlap. A box that is empty or contains a NaN finds nothing. Far out, where single precision is too coarse for
    /// a box, ask [`World::bodies_near`] with a cuboid. Cost: a search of the
    /// broad phase, and a test of the bounding sphere of each body that changed since the last step or
    /// [`World::refresh`].
    #[doc(alias("overlap_aabb", "query_aabb"))]
    pub fn bodies_in_box(&self, bounds: &Aabb<V>, found: &mut Vec<BodyId>) {
        bodies_in_box(self, bounds, found);
    }

    /// Visits the boxes of the tree that finds pairs, with their levels, as they were in the last step; for
    /// viewers. The root has level 0; there may be several trees, and a backend without trees visits nothing. Boxes
    /// are larger than those of the bodies in them: by their margins, and by the motion that is expected.
    pub fn visit_tree(&self, visit: &mut dyn FnMut(usize, &Aabb<V>)) {
        self.broad_phase
            .visit_tree(&mut |level, bounds| visit(level, &self.space.box_in_world(bounds)));
    }

    fn bodies_in_box_generic(&self, bounds: &Aabb<V>, found: &mut Vec<BodyId>) {
        found.clear();
        if bounds.is_empty() {
            return;
        }
        // Boxes of bodies are rounded outwards, by less than a step.
        let step_out = |corner: V, step: fn(Real) -> Real| {
            (0..V::DIM).fold(corner, |corner, axis| {
                corner.with_component(axis, step(corner.component(axis)))
            })
        };
        let min = step_out(bounds.min, Real::next_down);
        let limits = [min, step_out(bounds.max, Real::next_up)].map_each(V::to_precise);
        self.for_each_within(limits, &mut |slot, placed| {
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
