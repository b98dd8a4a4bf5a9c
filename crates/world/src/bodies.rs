//! The storage of the bodies, and the lists about them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use clearance_broadphase::MAX_KEY;
use clearance_gjk::Placed;
use clearance_math::{Pose, PoseResidual, Rotation, Vector};

use crate::columns::{Columns, Occupancy, bytes};
use crate::id::{MAX_GENERATION, WorldTag};
use crate::{Body, BodyId, Groups, Kind, WorldError};

/// If more than one slot in this many changed, looking at all is faster than sorting.
const SCAN_SHARE: usize = 16;

/// What the lists say of a slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SlotState {
    /// Whether the slot is listed as changed.
    pub(crate) is_changed: bool,
    /// As what the broad phase knows the slot; lags behind until the next step.
    pub(crate) in_broad_phase: Option<Kind>,
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
    // The rest follows from the columns, but for what the broad phase has yet to learn.
    pub(crate) states: Vec<SlotState>,
    // The slots of moving bodies, in no particular order.
    moving: Vec<u32>,
    // The slots that changed in any way since the last step.
    changed: Vec<u32>,
    // Whether one of them may be of another kind or in other groups than the broad phase knows; in most
    // frames none is.
    has_new_kinds: bool,
    // Vacant slots, the lowest first: which id comes next depends on which slots are vacant, not
    // on the order in which they became so.
    vacant: BinaryHeap<Reverse<u32>>,
    live: usize,
}

impl<V: Vector> Bodies<V> {
    pub(crate) fn new() -> Self {
        Self {
            columns: Columns::new(),
            tag: WorldTag::next(),
            states: Vec::new(),
            moving: Vec::new(),
            changed: Vec::new(),
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

    pub(crate) fn moving(&self) -> &[u32] {
        &self.moving
    }

    pub(crate) fn changed(&self) -> &[u32] {
        &self.changed
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
    pub(crate) fn kind(&self, slot: usize) -> Option<Kind> {
        self.columns.occupancies.get(slot)?.kind()
    }

    /// The id of the body in `slot`, or of the next one if it is vacant.
    #[inline]
    pub(crate) fn id(&self, slot: usize) -> BodyId {
        BodyId::of_world(self.tag, slot as u32, self.columns.generations[slot])
    }

    /// The shape of `slot` at its pose; `None` if vacant.
    #[inline]
    pub(crate) fn placed(&self, slot: usize) -> Option<Placed<'_, V>> {
        let shape = self.columns.shapes[slot].as_ref()?;
        Some(Placed::new(shape, &self.columns.poses[slot]))
    }

    pub(crate) fn insert(&mut self, body: Body<V>) -> Result<BodyId, WorldError> {
        let slot = match self.vacant.pop() {
            Some(Reverse(slot)) => slot as usize,
            None => self.add_slot()?,
        };
        let kind = body.kind;
        self.columns.set(slot, body);
        self.live += 1;
        if kind == Kind::Moving {
            self.list_as_moving(slot);
        }
        self.mark_new_kind(slot);
        Ok(self.id(slot))
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
        if body.kind == Kind::Moving {
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

    pub(crate) fn set_kind(&mut self, slot: usize, kind: Kind) {
        if self.kind(slot) == Some(kind) {
            return;
        }
        self.columns.occupancies[slot] = Occupancy::Taken(kind);
        match kind {
            Kind::Moving => self.list_as_moving(slot),
            Kind::Fixed => self.unlist_as_moving(slot),
        }
        self.mark_new_kind(slot);
    }

    pub(crate) fn set_groups(&mut self, slot: usize, groups: Groups) {
        if self.columns.groups[slot] != groups {
            self.columns.groups.set(slot, groups);
            self.mark_new_kind(slot);
        }
    }

    /// Lists `slot` for the broad phase to catch up with in the next step.
    pub(crate) fn mark_changed(&mut self, slot: usize) {
        if !self.states[slot].is_changed {
            self.states[slot].is_changed = true;
            self.changed.push(slot as u32);
        }
    }

    /// As [`Self::mark_changed`], where the body came, went, or is of another kind or in other groups.
    fn mark_new_kind(&mut self, slot: usize) {
        self.has_new_kinds = true;
        self.mark_changed(slot);
    }

    /// Whether a slot that changed may be of another kind or in other groups than the broad phase knows.
    pub(crate) fn has_new_kinds(&self) -> bool {
        self.has_new_kinds
    }

    pub(crate) fn mark_all_changed(&mut self) {
        for slot in 0..self.slots() {
            if self.kind(slot).is_some() {
                self.mark_changed(slot);
            }
        }
    }

    /// Puts a body at a pose that was given, of which nothing is left over.
    pub(crate) fn set_pose(&mut self, slot: usize, pose: Pose<V>) {
        self.columns.residuals[slot] = PoseResidual::none();
        // A game that sets all poses in each frame must not pay for bodies that stay where they are.
        if !have_same_bits(&self.columns.poses[slot], &pose) {
            self.columns.poses[slot] = pose;
            self.mark_changed(slot);
        }
    }

    /// Puts the moving bodies where they are next, in the order of [`Bodies::moving`].
    ///
    /// A body whose pose stays as it is, but for what is left over, has not changed.
    pub(crate) fn commit_moves(&mut self, next: &[MovedPose<V>]) {
        for (place, moved) in next.iter().enumerate() {
            let slot = self.moving[place] as usize;
            self.columns.residuals[slot] = moved.residual;
            if self.columns.poses[slot] != moved.pose {
                self.columns.poses[slot] = moved.pose;
                self.mark_changed(slot);
            }
        }
    }

    /// Puts the list of changes in the order of slots: what lies behind each other in memory is read one
    /// after the other, and threads can have a part each.
    pub(crate) fn sort_changed(&mut self) {
        if self.changed.is_sorted() {
            return;
        }
        if self.changed.len() > self.slots() / SCAN_SHARE {
            let slots = (0..).zip(&self.states);
            let changed = slots.filter(|(_, state)| state.is_changed);
            self.changed.clear();
            self.changed.extend(changed.map(|(slot, _)| slot));
        } else {
            self.changed.sort_unstable();
        }
    }

    /// Forgets what changed: the broad phase knows of it all.
    pub(crate) fn clear_changed(&mut self) {
        for slot in self.changed.drain(..) {
            self.states[slot as usize].is_changed = false;
        }
        self.has_new_kinds = false;
    }

    /// Makes the bodies those of `columns`, and lists every slot that looks different.
    ///
    /// Slots beyond those of `columns` vanish: the broad phase must have forgotten them before.
    pub(crate) fn restore(&mut self, columns: &Columns<V>) {
        let slots = columns.len();
        self.changed.retain(|&slot| (slot as usize) < slots);
        let common = slots.min(self.slots());
        self.states.resize(slots, SlotState::default());
        for slot in 0..slots {
            if slot >= common || !self.columns.looks_alike(columns, slot) {
                self.mark_new_kind(slot);
            }
        }
        let now_ignored = self.columns.ignored.differences(&columns.ignored);
        let other_pairs: Vec<u32> = now_ignored
            .filter(|&slot| (slot as usize) < slots)
            .collect();
        for slot in other_pairs {
            self.mark_changed(slot as usize);
        }
        self.columns.clone_from(columns);
        self.moving.clear();
        self.vacant.clear();
        self.live = 0;
        for slot in 0..slots {
            match self.columns.occupancies[slot] {
                Occupancy::Vacant => self.vacant.push(Reverse(slot as u32)),
                Occupancy::Retired => {}
                Occupancy::Taken(kind) => {
                    self.live += 1;
                    if kind == Kind::Moving {
                        self.list_as_moving(slot);
                    }
                }
            }
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

    /// Bytes held, without what shapes share.
    pub(crate) fn memory(&self) -> usize {
        self.columns.memory()
            + bytes(&self.columns.shapes)
            + bytes(&self.states)
            + bytes(&self.moving)
            + bytes(&self.changed)
            + self.vacant.capacity() * size_of::<Reverse<u32>>()
    }

    /// Checks that lists and columns agree.
    pub(crate) fn validate(&self) -> Result<(), String> {
        let slots = self.slots();
        if self.columns.len() != slots || self.columns.shapes.len() != slots {
            return Err(format!("{slots} slots, {} rows", self.columns.len()));
        }
        let live = (0..slots).filter(|&slot| self.kind(slot).is_some()).count();
        if live != self.live {
            return Err(format!("{live} slots are taken, {} counted", self.live));
        }
        (0..slots).try_for_each(|slot| self.validate_slot(slot))?;
        self.columns.groups.validate()?;
        self.columns.extra_margins.validate()?;
        let is_moving = |&slot: &usize| self.kind(slot) == Some(Kind::Moving);
        let moving = (0..slots).filter(is_moving).count();
        if moving != self.moving.len() {
            let listed = self.moving.len();
            return Err(format!("{listed} listed as moving, not {moving}"));
        }
        let is_vacant = |&slot: &usize| self.columns.occupancies[slot] == Occupancy::Vacant;
        let vacant = (0..slots).filter(is_vacant).count();
        let mut listed = self.vacant.iter().map(|slot| slot.0 as usize);
        if vacant != self.vacant.len() || !listed.all(|slot| is_vacant(&slot)) {
            return Err("the list of vacant slots is wrong".to_owned());
        }
        Ok(())
    }

    fn validate_slot(&self, slot: usize) -> Result<(), String> {
        let (kind, state) = (self.kind(slot), self.states[slot]);
        if kind.is_some() != self.columns.shapes[slot].is_some() {
            return Err(format!("slot {slot}: life and shape disagree"));
        }
        let listed = self.moving.get(state.place as usize);
        if kind == Some(Kind::Moving) && listed != Some(&(slot as u32)) {
            return Err(format!("slot {slot} is not listed as moving"));
        }
        if state.is_changed != self.changed.contains(&(slot as u32)) {
            return Err(format!("slot {slot}: the list of changes is wrong"));
        }
        if !(state.is_changed && self.has_new_kinds) && state.in_broad_phase != kind {
            return Err(format!("slot {slot}: the broad phase is out of date"));
        }
        Ok(())
    }
}

/// Whether two poses are equal to the last bit: zeros of both signs differ, as answers may.
fn have_same_bits<V: Vector>(a: &Pose<V>, b: &Pose<V>) -> bool {
    let bits = |pose: &Pose<V>, axis| pose.translation.component(axis).to_bits();
    (0..V::DIM).all(|axis| bits(a, axis) == bits(b, axis))
        && a.rotation.to_bits() == b.rotation.to_bits()
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
