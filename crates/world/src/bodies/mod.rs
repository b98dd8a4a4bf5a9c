//! The storage of the bodies, and the lists about them.

mod changes;
mod put;
mod restore;
mod validate;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use clearance_broadphase::{Groups, MAX_KEY};
use clearance_gjk::{DEFAULT_EFFORT, Placed};
use clearance_math::{Pose, PoseResidual, Vector};

use crate::columns::{Columns, Occupancy};
use crate::id::{MAX_GENERATION, WorldTag};
use crate::reserve::{SPARE, bytes, cut, is_far_more};
use crate::{Body, BodyId, BodyKind, Velocity, WorldError};

/// What the lists say of a slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SlotState {
    /// Whether the slot is listed as changed.
    pub(crate) is_changed: bool,
    /// Whether only cells of its shape changed, and bodies near them are noted.
    is_only_edited: bool,
    /// Whether the broad phase was told since.
    is_told: bool,
    /// As what the broad phase knows the slot; lags behind until the next step.
    pub(crate) in_broad_phase: Option<BodyKind>,
    // Where in `moving` a moving body is listed.
    place: u32,
}

/// Where a body is next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovedPose<V: Vector> {
    pub(crate) pose: Pose<V>,
    /// What rounding left over of the pose.
    pub(crate) residual: PoseResidual<V>,
}

/// The bodies of a world.
#[derive(Clone, Debug)]
pub(crate) struct Bodies<V: Vector> {
    pub(crate) columns: Columns<V>,
    /// What ids of this world carry.
    pub(crate) tag: WorldTag,
    /// How long questions about composites may search.
    pub(crate) effort: u32,
    // The rest follows from the columns, but for what the broad phase has yet to learn.
    pub(crate) states: Vec<SlotState>,
    // The slots of moving bodies, in no particular order.
    moving: Vec<u32>,
    // The slots that changed in any way since the last step.
    changed: Vec<u32>,
    // How many of those the broad phase was told of before the step, and which of these changed again since.
    told: usize,
    changed_again: Vec<u32>,
    // The slots of bodies near cells that were edited: see `mark_edited`. They did not change themselves.
    near_edits: Vec<u32>,
    // The slots whose boxes were made around their ways in the last step: they are smaller again in the next.
    swept: Vec<u32>,
    // Whether one of them may be of another kind or in other groups than the broad phase knows; in most
    // frames none is.
    has_new_kinds: bool,
    // Vacant slots, the lowest first: which id comes next depends on which slots are vacant, not
    // on the order in which they became so.
    vacant: BinaryHeap<Reverse<u32>>,
    live: usize,
}

impl SlotState {
    /// Whether the broad phase has yet to learn of a change.
    #[inline]
    pub(crate) fn is_stale(self) -> bool {
        self.is_changed && !self.is_told
    }
}

impl<V: Vector> Bodies<V> {
    pub(crate) fn new() -> Self {
        Self {
            columns: Columns::new(),
            tag: WorldTag::next(),
            effort: DEFAULT_EFFORT,
            states: Vec::new(),
            moving: Vec::new(),
            changed: Vec::new(),
            told: 0,
            changed_again: Vec::new(),
            near_edits: Vec::new(),
            swept: Vec::new(),
            has_new_kinds: false,
            vacant: BinaryHeap::new(),
            live: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.live
    }

    /// The number of slots, vacant ones included.
    pub(crate) fn slots(&self) -> usize {
        self.states.len()
    }

    /// Where the bodies are, in the order of their slots.
    pub(crate) fn positions(&self) -> Vec<V::Precise> {
        let taken = (0..self.slots()).filter(|&slot| self.kind(slot).is_some());
        taken
            .map(|slot| self.columns.poses[slot].position())
            .collect()
    }

    pub(crate) fn moving(&self) -> &[u32] {
        &self.moving
    }

    /// The slot of `id`, if its body is in the world.
    #[inline]
    pub(crate) fn slot(&self, id: BodyId) -> Option<usize> {
        let slot = id.index() as usize;
        self.kind(slot)?;
        let is_it = self.columns.generations[slot] == id.generation() && self.tag.accepts(id);
        is_it.then_some(slot)
    }

    pub(crate) fn slot_or_refuse(&self, id: BodyId) -> Result<usize, WorldError> {
        self.slot(id).ok_or(if self.tag.accepts(id) {
            WorldError::NotInWorld { id }
        } else {
            WorldError::OtherWorld { id }
        })
    }

    /// The kind of the body in `slot`; `None` if vacant, or no slot at all.
    #[inline]
    pub(crate) fn kind(&self, slot: usize) -> Option<BodyKind> {
        self.columns.occupancies.get(slot)?.kind()
    }

    /// The id of the body in `slot`, or of the next one if it is vacant.
    #[inline]
    pub(crate) fn id(&self, slot: usize) -> BodyId {
        BodyId::of_world(self.tag, slot as u32, self.columns.generations[slot])
    }

    /// Whether a step looks at the whole way of any body.
    #[inline]
    pub(crate) fn is_any_swept(&self) -> bool {
        !self.columns.swept.are_none()
    }

    /// Whether a moving body is in `slot`.
    #[inline]
    pub(crate) fn is_moving(&self, slot: usize) -> bool {
        self.kind(slot) == Some(BodyKind::Moving)
    }

    /// Whether the body in `slot` is a moving one that has a velocity.
    #[inline]
    pub(crate) fn has_velocity(&self, slot: usize) -> bool {
        self.is_moving(slot) && self.columns.velocities[slot] != Velocity::default()
    }

    /// The place of a moving body in [`Bodies::moving`].
    #[inline]
    pub(crate) fn place_among_moving(&self, slot: usize) -> usize {
        self.states[slot].place as usize
    }

    /// The shape of `slot` at its pose; `None` if vacant.
    #[inline]
    pub(crate) fn placed(&self, slot: usize) -> Option<Placed<'_, V>> {
        let shape = self.columns.shapes[slot].as_ref()?;
        let placed = Placed::new(shape, &self.columns.poses[slot]);
        Some(placed.with_effort(self.effort))
    }

    pub(crate) fn insert(&mut self, body: Body<V>) -> Result<BodyId, WorldError> {
        let slot = match self.vacant.pop() {
            Some(Reverse(slot)) => slot as usize,
            None => self.add_slot()?,
        };
        self.occupy(slot, body);
        Ok(self.id(slot))
    }

    /// Refuses more bodies than there is room for.
    pub(crate) fn check_room(&self, count: usize) -> Result<(), WorldError> {
        let room = self.vacant.len() + (MAX_KEY as usize + 1 - self.slots());
        if count > room {
            return Err(WorldError::Full);
        }
        Ok(())
    }

    /// Puts a body into a slot that has none.
    fn occupy(&mut self, slot: usize, body: Body<V>) {
        let kind = body.kind;
        self.columns.set(slot, body);
        self.live += 1;
        if kind == BodyKind::Moving {
            self.list_as_moving(slot);
        }
        self.mark_new_kind(slot);
    }

    fn add_slot(&mut self) -> Result<usize, WorldError> {
        let slot = self.slots();
        if slot > MAX_KEY as usize {
            return Err(WorldError::Full);
        }
        self.columns.push();
        self.states.push(SlotState::default());
        Ok(slot)
    }

    pub(crate) fn remove(&mut self, id: BodyId) -> Result<Body<V>, WorldError> {
        let slot = self.slot_or_refuse(id)?;
        let not_in_world = WorldError::NotInWorld { id };
        let body = self.columns.body(slot).ok_or(not_in_world)?;
        if body.kind == BodyKind::Moving {
            self.unlist_as_moving(slot);
        }
        self.columns.removed.add(self.id(slot), body.user_data);
        self.columns.set_blank(slot);
        self.mark_new_kind(slot);
        self.live -= 1;
        // A slot whose generations are used up stays empty, so that no id ever comes back.
        if id.generation() < MAX_GENERATION {
            self.columns.generations[slot] += 1;
            self.vacant.push(Reverse(slot as u32));
        } else {
            self.columns.occupancies[slot] = Occupancy::Retired;
        }
        Ok(body)
    }

    pub(crate) fn set_kind(&mut self, slot: usize, kind: BodyKind) {
        if self.kind(slot) == Some(kind) {
            return;
        }
        self.columns.occupancies[slot] = Occupancy::Taken(kind);
        match kind {
            BodyKind::Moving => self.list_as_moving(slot),
            BodyKind::Fixed => self.unlist_as_moving(slot),
        }
        self.mark_new_kind(slot);
    }

    pub(crate) fn set_groups(&mut self, slot: usize, groups: Groups) {
        if self.columns.groups[slot] != groups {
            self.columns.groups.set(slot, groups);
            self.mark_new_kind(slot);
        }
    }

    fn list_as_moving(&mut self, slot: usize) {
        self.states[slot].place = self.moving.len() as u32;
        self.moving.push(slot as u32);
    }

    fn unlist_as_moving(&mut self, slot: usize) {
        let place = self.states[slot].place as usize;
        self.moving.swap_remove(place);
        if let Some(&filler) = self.moving.get(place) {
            self.states[filler as usize].place = place as u32;
        }
    }

    /// Gives memory back that so many bodies do not need: that of vacant slots at the end.
    ///
    /// Nothing shows of it. The generations of the slots stay, and the slots come back in the order in which
    /// they would have been used. To be called right after a step.
    pub(crate) fn cut_down(&mut self, bodies: usize) {
        let used = self.columns.used();
        let needed = used.max(bodies);
        if !self.changed.is_empty() || !is_far_more(self.states.capacity(), needed) {
            return;
        }
        let capacity = SPARE * needed;
        self.columns.cut_down(capacity);
        cut(&mut self.states, used, capacity);
        self.moving.shrink_to(capacity);
        self.changed.shrink_to(capacity);
        self.changed_again.shrink_to(capacity);
        self.near_edits.shrink_to(capacity);
        self.swept.shrink_to(capacity);
        self.vacant.retain(|slot| (slot.0 as usize) < used);
        self.vacant.shrink_to(capacity);
    }

    /// Bytes held, without what shapes share.
    pub(crate) fn memory(&self) -> usize {
        self.columns.memory()
            + self.columns.shapes.memory()
            + bytes(&self.states)
            + bytes(&self.moving)
            + bytes(&self.changed)
            + bytes(&self.changed_again)
            + bytes(&self.near_edits)
            + bytes(&self.swept)
            + self.vacant.capacity() * size_of::<Reverse<u32>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearance_math::Vec2;
    use clearance_shapes::Shape;

    fn ball() -> Body<Vec2> {
        Body::moving(Shape::ball(1.0).unwrap(), Pose::IDENTITY)
    }

    #[test]
    fn lowest_vacant_slot_comes_first_whatever_the_order_of_removal() {
        let mut bodies = Bodies::new();
        let ids: Vec<_> = (0..4).map(|_| bodies.insert(ball()).unwrap()).collect();
        for k in [2, 0, 3] {
            bodies.remove(ids[k]).unwrap();
        }
        let next: Vec<_> = (0..4).map(|_| bodies.insert(ball()).unwrap()).collect();
        let names: Vec<_> = next.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["0v1", "2v1", "3v1", "4v0"]);
        bodies.validate().unwrap();
    }

    #[test]
    fn a_slot_whose_generations_are_used_up_is_retired() {
        let mut bodies = Bodies::new();
        let first = bodies.insert(ball()).unwrap();
        bodies.columns.generations[0] = MAX_GENERATION;
        let last = bodies.id(0);
        bodies.remove(last).unwrap();
        assert_eq!(bodies.slot(last), None);
        assert_eq!(bodies.slot(first), None);
        let retired = bodies.columns.clone();
        assert_eq!(bodies.insert(ball()).unwrap().index(), 1);
        bodies.validate().unwrap();
        // Nor does it come back with a snapshot.
        bodies.restore(&retired);
        assert_eq!(bodies.insert(ball()).unwrap().index(), 1);
        bodies.validate().unwrap();
    }
}
