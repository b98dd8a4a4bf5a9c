//! For the crates of this workspace, and no promise to others: names here change without notice.
//!
//! What a recorder sees of a world beyond what programs ask for, and how a player puts it back: slots,
//! generations, residuals, and what the last step started from.

use clearance_broadphase::BroadPhase;
use clearance_math::{Aabb, Pose, PoseResidual, Vector, compile_once};

use crate::columns::Occupancy;
use crate::error::{check_body, check_velocity};
use crate::id::MAX_GENERATION;
pub use crate::world::LastStep;
use crate::{Body, BodyId, BodyRef, Subject, Velocity, World, WorldError};

/// Where a body was before a step, to the last bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExactPose<V: Vector> {
    /// The rounded pose.
    pub pose: Pose<V>,
    /// What rounding left over of it.
    pub residual: PoseResidual<V>,
}

/// A slot of a world: the place of a body, or of one that may come.
#[derive(Clone, Copy, Debug)]
pub struct SlotRef<'w, V: Vector> {
    world: &'w World<V>,
    slot: usize,
}

impl<'w, V: Vector> SlotRef<'w, V> {
    /// The number of the slot.
    #[must_use]
    pub fn index(&self) -> u32 {
        self.slot as u32
    }

    /// The generation of its body; of the next one if it is vacant. A slot whose generations are used up is
    /// beyond the last one.
    #[must_use]
    pub fn generation(&self) -> u32 {
        let columns = &self.world.bodies.columns;
        let is_retired = columns.occupancies.get(self.slot) == Some(&Occupancy::Retired);
        columns.generations[self.slot] + u32::from(is_retired)
    }

    /// The body that is in it.
    #[must_use]
    pub fn body(&self) -> Option<BodyRef<'w, V>> {
        BodyRef::new(&self.world.bodies, self.slot)
    }

    /// Whether the body came, went or changed after the last step. A change of velocity or user data does not
    /// count, nor does a pose that is set to what it is.
    #[must_use]
    pub fn has_changed(&self) -> bool {
        let state = self.world.bodies.states.get(self.slot);
        state.is_some_and(|state| state.is_changed)
    }

    /// Where the body that was in the slot was before the last step, if it is a moving one and the step was
    /// longer than 0 seconds.
    #[must_use]
    pub fn start(&self) -> Option<ExactPose<V>> {
        let (buffers, bodies) = (&self.world.buffers, &self.world.bodies);
        let slot = self.slot as u32;
        let place = (bodies.states.get(self.slot)).map(|_| bodies.place_among_moving(self.slot));
        let place = place.filter(|&place| buffers.stepped.get(place) == Some(&slot));
        // Since the step, bodies were removed or listed anew.
        let place = place.or_else(|| buffers.stepped.iter().position(|&other| other == slot))?;
        let start = buffers.poses.get(place)?;
        Some(ExactPose {
            pose: start.pose,
            residual: start.residual,
        })
    }
}

/// What a slot is to hold: see [`put_slots`].
#[derive(Clone, Debug)]
pub struct SlotContent<V: Vector> {
    /// The number of the slot.
    pub index: u32,
    /// As [`SlotRef::generation`] gives it.
    pub generation: u32,
    /// The body; `None` for a vacant slot.
    pub body: Option<Body<V>>,
}

/// Of what a world is now the outcome.
#[must_use]
pub fn last_step<V: Vector>(world: &World<V>) -> LastStep {
    world.last_step
}

/// All slots that were ever in use, in order.
pub fn slots<V: Vector>(world: &World<V>) -> impl ExactSizeIterator<Item = SlotRef<'_, V>> {
    let slots = 0..world.bodies.columns.generations.len();
    slots.map(move |slot| SlotRef { world, slot })
}

/// Gives a body its velocity, a fixed one too, and what rounding left over of its pose; none if it is not of this pose.
///
/// # Errors
/// A body that is not in this world; a velocity that is not finite.
pub fn set_motion<V: Vector>(
    world: &mut World<V>,
    id: BodyId,
    velocity: Velocity<V>,
    residual: &PoseResidual<V>,
) -> Result<(), WorldError> {
    let velocity = check_velocity(Subject::Body(id), velocity)?;
    let slot = world.bodies.slot_or_refuse(id)?;
    let columns = &mut world.bodies.columns;
    columns.residuals[slot] = columns.poses[slot].residual_or_none(residual);
    world.body_mut(id)?.write_velocity(velocity);
    Ok(())
}

/// Whether [`World::set_pair_filter`] was called.
#[must_use]
pub fn has_pair_filter<V: Vector>(world: &World<V>) -> bool {
    world.pair_filter.is_set()
}

/// Visits the boxes of the tree that finds pairs, with their levels, as they were in the last step; for
/// viewers. The root has level 0; there may be several trees, and a backend without trees visits nothing. Boxes
/// are larger than those of the bodies in them: by their margins, and by the motion that is expected.
pub fn visit_tree<V: Vector>(world: &World<V>, visit: &mut dyn FnMut(usize, &Aabb<V>)) {
    (world.broad_phase)
        .visit_tree(&mut |level, bounds| visit(level, &world.space.box_in_world(bounds)));
}

compile_once! {
    /// Puts bodies into slots under the ids that they are to have, or takes them out.
    ///
    /// What is in a slot before is removed. A slot may be the next one that was never in use, but none beyond.
    ///
    /// # Errors
    /// A body that [`World::insert`] refuses; a slot that may not be used, or a generation that is too high. The
    /// slots before it hold what they are to.
    pub fn put_slots<'a, V>(
        world: &'a mut World<V>,
        contents: Vec<SlotContent<V>>,
    ) -> Result<(), WorldError> {
        let put = |content: SlotContent<V>| {
            let id = BodyId::from_parts(content.index, content.generation);
            let most = MAX_GENERATION + u32::from(content.body.is_none());
            let slots = world.bodies.columns.generations.len();
            if content.index as usize > slots || content.generation > most {
                return Err(WorldError::NotInWorld { id });
            }
            let body = content.body;
            let body = body.map(|body| check_body(Subject::Body(id), body));
            let body = body.transpose()?;
            world
                .bodies
                .put(content.index as usize, content.generation, body)
        };
        let done = contents.into_iter().try_for_each(put);
        world.bodies.list_vacant();
        world.report.note_removal();
        done
    }
}
