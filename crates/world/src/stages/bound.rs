//! The second stage: what changed gets a new box, and the broad phase learns of it.

use clearance_broadphase::{AnyBroadPhase, BroadPhase};
use clearance_gjk::Placed;
use clearance_math::{Aabb, Real, Vector};
use clearance_shapes::internal::ball_limits;

use super::sweep::Sweeps;
use crate::bodies::Bodies;
use crate::box_space::BoxSpace;
use crate::range::inflation;
use crate::threads::Threads;

/// Fills `boxes` with the grown boxes of the bodies in `slots`, which changed, in their order.
///
/// Each box grows by the body's [`inflation`], so that those of bodies within range overlap. Where a body of the
/// world is swept, the boxes of bodies that moved are made around their ways, so that those of bodies that met
/// overlap.
pub(crate) fn bound<V: Vector>(
    bounding: Bounding<'_, V>,
    slots: &[u32],
    threads: &Threads,
    boxes: &mut Vec<Aabb<V>>,
) {
    let Bounding { sweeps, margin, .. } = bounding;
    let columns = &sweeps.bodies.columns;
    threads.fill(slots, boxes, Aabb::empty(), |&slot, bounds| {
        let slot = slot as usize;
        let inflation = inflation(margin, columns.extra_margins[slot]);
        *bounds = match sweeps.limits(slot, inflation) {
            Some(on_way) => bounding.space.bounds(on_way),
            None => bounding.at_pose(slot, inflation),
        };
    });
}

/// What the boxes of bodies depend on, beside the bodies.
#[derive(Clone, Copy)]
pub(crate) struct Bounding<'a, V: Vector> {
    pub(crate) sweeps: Sweeps<'a, V>,
    pub(crate) space: &'a BoxSpace,
    pub(crate) margin: Real,
}

impl<V: Vector> Bounding<'_, V> {
    /// The box around all points within `distance` of the body in a slot; an empty one if vacant.
    #[inline(always)]
    fn at_pose(&self, slot: usize, distance: f64) -> Aabb<V> {
        let Self { sweeps, space, .. } = self;
        let sphere = sweeps.bodies.columns.shapes.bounding_spheres()[slot];
        if sphere.is_ball {
            // The shape need not be read.
            let radius = f64::from(sphere.radius);
            let center = sweeps.bodies.columns.poses[slot].position();
            return space.bounds(ball_limits::<V>(center, radius + distance));
        }
        match sweeps.bodies.placed(slot) {
            Some(Placed { shape, pose, .. }) => space.bounds(shape.limits_within(pose, distance)),
            None => Aabb::empty(),
        }
    }
}

/// Updates the broad phase for bodies that changed: that came, went, moved, or changed their kind or
/// their groups.
pub(crate) fn update<V: Vector>(
    bodies: &mut Bodies<V>,
    slots: &[u32],
    boxes: &[Aabb<V>],
    broad_phase: &mut AnyBroadPhase<V>,
) {
    // First what came, went, or is of another kind or in other groups; then all boxes, which finds the first to be the same
    // already, and passes over those that went.
    if bodies.has_new_kinds() {
        update_kinds(bodies, slots, boxes, broad_phase);
    }
    broad_phase.set_many(slots, boxes);
    broad_phase.refresh();
}

/// Updates the broad phase for bodies that came, went, or changed their kind or their groups.
fn update_kinds<V: Vector>(
    bodies: &mut Bodies<V>,
    slots: &[u32],
    boxes: &[Aabb<V>],
    broad_phase: &mut AnyBroadPhase<V>,
) {
    for (&key, bounds) in slots.iter().zip(boxes) {
        let kind = bodies.kind(key as usize);
        let groups = bodies.columns.groups[key as usize];
        let state = &mut bodies.states[key as usize];
        if kind != state.in_broad_phase {
            match kind {
                None => {
                    broad_phase.remove(key);
                }
                Some(kind) => broad_phase.insert(key, *bounds, kind),
            }
            state.in_broad_phase = kind;
        }
        // Groups decide before pairs are made: the broad phase passes over those that may not meet.
        broad_phase.set_groups(key, groups);
    }
}
