//! Where bodies are kept: a column a property, a row a slot.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use clearance_broadphase::MAX_KEY;
use clearance_gjk::Placed;
use clearance_math::{Pose, Real, Vector};
use clearance_shapes::Shape;

use crate::{Body, BodyId, Groups, Kind, Velocity, WorldError};

/// What is known of a slot beside its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SlotState {
    /// Whether a body lives in the slot.
    pub(crate) is_live: bool,
    /// Whether the body is fixed or moving.
    pub(crate) kind: Kind,
    /// Whether the slot is listed as changed.
    pub(crate) is_changed: bool,
    /// As what the broad phase knows the slot; lags behind until the next step.
    pub(crate) in_broad_phase: Option<Kind>,
}

/// The bodies of a world. All columns are of equal length; a row is a slot, vacant or taken.
#[derive(Clone, Debug)]
pub(crate) struct Bodies<V: Vector> {
    pub(crate) shapes: Vec<Option<Shape<V>>>,
    pub(crate) poses: Vec<Pose<V>>,
    pub(crate) velocities: Vec<Velocity<V>>,
    pub(crate) groups: Vec<Groups>,
    pub(crate) extra_margins: Vec<Real>,
    pub(crate) states: Vec<SlotState>,
    generations: Vec<u32>,
    // Where in `moving` a moving body is listed.
    places: Vec<u32>,
    // The slots of moving bodies, in no particular order.
    moving: Vec<u32>,
    // The slots that changed in any way since the last step.
    changed: Vec<u32>,
    // Vacant slots, the lowest first: which id comes next depends on which slots are vacant, not
    // on the order in which they became so.
    vacant: BinaryHeap<Reverse<u32>>,
    live: usize,
}

impl<V: Vector> Bodies<V> {
    pub(crate) fn new() -> Self {
        Self {
            shapes: Vec::new(),
            poses: Vec::new(),
            velocities: Vec::new(),
            groups: Vec::new(),
            extra_margins: Vec::new(),
            states: Vec::new(),
            generations: Vec::new(),
            places: Vec::new(),
            moving: Vec::new(),
            changed: Vec::new(),
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
        let state = self.states.get(slot)?;
        (state.is_live && self.generations[slot] == id.generation()).then_some(slot)
    }

    pub(crate) fn slot_or_refuse(&self, id: BodyId) -> Result<usize, WorldError> {
        self.slot(id).ok_or(WorldError::NotInWorld { id })
    }

    /// The id of the present or the next tenant of `slot`.
    #[inline]
    pub(crate) fn id(&self, slot: usize) -> BodyId {
        BodyId::from_parts(slot as u32, self.generations[slot])
    }

    /// The shape of `slot` at its pose; `None` if vacant.
    #[inline]
    pub(crate) fn placed(&self, slot: usize) -> Option<Placed<'_, V>> {
        let shape = self.shapes[slot].as_ref()?;
        Some(Placed::new(shape, &self.poses[slot]))
    }

    pub(crate) fn insert(&mut self, body: Body<V>) -> Result<BodyId, WorldError> {
        let slot = match self.vacant.pop() {
            Some(Reverse(slot)) => slot as usize,
            None => self.add_slot(&body)?,
        };
        let kind = body.kind;
        self.shapes[slot] = Some(body.shape);
        self.poses[slot] = body.pose;
        self.velocities[slot] = body.velocity;
        self.groups[slot] = body.groups;
        self.extra_margins[slot] = body.extra_margin;
        self.states[slot].is_live = true;
        self.states[slot].kind = kind;
        self.live += 1;
        if kind == Kind::Moving {
            self.list_as_moving(slot);
        }
        self.mark_changed(slot);
        Ok(self.id(slot))
    }

    fn add_slot(&mut self, body: &Body<V>) -> Result<usize, WorldError> {
        let slot = self.slots();
        if slot > MAX_KEY as usize {
            return Err(WorldError::Full);
        }
        self.shapes.push(None);
        self.poses.push(body.pose);
        self.velocities.push(body.velocity);
        self.groups.push(body.groups);
        self.extra_margins.push(body.extra_margin);
        self.states.push(SlotState {
            is_live: false,
            kind: body.kind,
            is_changed: false,
            in_broad_phase: None,
        });
        self.generations.push(0);
        self.places.push(0);
        Ok(slot)
    }

    pub(crate) fn remove(&mut self, id: BodyId) -> Result<Body<V>, WorldError> {
        let not_in_world = WorldError::NotInWorld { id };
        let slot = self.slot_or_refuse(id)?;
        let shape = self.shapes[slot].take().ok_or(not_in_world)?;
        let kind = self.states[slot].kind;
        if kind == Kind::Moving {
            self.unlist_as_moving(slot);
        }
        self.states[slot].is_live = false;
        self.mark_changed(slot);
        self.live -= 1;
        // A slot whose generations are used up stays empty, so that no id ever comes back.
        if let Some(next) = self.generations[slot].checked_add(1) {
            self.generations[slot] = next;
            self.vacant.push(Reverse(slot as u32));
        }
        Ok(Body {
            shape,
            pose: self.poses[slot],
            velocity: self.velocities[slot],
            kind,
            groups: self.groups[slot],
            extra_margin: self.extra_margins[slot],
        })
    }

    pub(crate) fn set_kind(&mut self, slot: usize, kind: Kind) {
        if self.states[slot].kind == kind {
            return;
        }
        self.states[slot].kind = kind;
        match kind {
            Kind::Moving => self.list_as_moving(slot),
            Kind::Fixed => self.unlist_as_moving(slot),
        }
        self.mark_changed(slot);
    }

    /// Lists `slot` for the broad phase to catch up with in the next step.
    pub(crate) fn mark_changed(&mut self, slot: usize) {
        if !self.states[slot].is_changed {
            self.states[slot].is_changed = true;
            self.changed.push(slot as u32);
        }
    }

    pub(crate) fn mark_all_changed(&mut self) {
        for slot in 0..self.slots() {
            if self.states[slot].is_live {
                self.mark_changed(slot);
            }
        }
    }

    /// Gives the poses `next` to the moving bodies, in the order of [`Bodies::moving`].
    pub(crate) fn commit_poses(&mut self, next: &[Pose<V>]) {
        for (place, &pose) in next.iter().enumerate() {
            let slot = self.moving[place] as usize;
            if self.poses[slot] != pose {
                self.poses[slot] = pose;
                self.mark_changed(slot);
            }
        }
    }

    /// Forgets the changes: the broad phase knows of them all.
    pub(crate) fn clear_changed(&mut self) {
        for &slot in &self.changed {
            self.states[slot as usize].is_changed = false;
        }
        self.changed.clear();
    }

    fn list_as_moving(&mut self, slot: usize) {
        self.places[slot] = self.moving.len() as u32;
        self.moving.push(slot as u32);
    }

    fn unlist_as_moving(&mut self, slot: usize) {
        let place = self.places[slot] as usize;
        self.moving.swap_remove(place);
        if let Some(&filler) = self.moving.get(place) {
            self.places[filler as usize] = place as u32;
        }
    }

    /// Bytes held, without what shapes share.
    pub(crate) fn memory(&self) -> usize {
        bytes(&self.shapes)
            + bytes(&self.poses)
            + bytes(&self.velocities)
            + bytes(&self.groups)
            + bytes(&self.extra_margins)
            + bytes(&self.states)
            + bytes(&self.generations)
            + bytes(&self.places)
            + bytes(&self.moving)
            + bytes(&self.changed)
            + self.vacant.capacity() * size_of::<Reverse<u32>>()
    }

    /// Checks that lists and columns agree.
    pub(crate) fn validate(&self) -> Result<(), String> {
        let slots = self.slots();
        let live = (0..slots).filter(|&slot| self.states[slot].is_live).count();
        if live != self.live {
            return Err(format!("{live} slots are taken, {} counted", self.live));
        }
        let mut listed = 0;
        for slot in 0..slots {
            let state = self.states[slot];
            if state.is_live != self.shapes[slot].is_some() {
                return Err(format!("slot {slot}: life and shape disagree"));
            }
            if state.is_live && state.kind == Kind::Moving {
                listed += 1;
                if self.moving.get(self.places[slot] as usize) != Some(&(slot as u32)) {
                    return Err(format!("slot {slot} is not listed as moving"));
                }
            }
            if state.is_changed {
                if !self.changed.contains(&(slot as u32)) {
                    return Err(format!("slot {slot} changed but is not listed"));
                }
            } else if state.in_broad_phase != state.is_live.then_some(state.kind) {
                return Err(format!("slot {slot}: the broad phase is out of date"));
            }
        }
        if listed != self.moving.len() {
            return Err(format!(
                "{} listed as moving, not {listed}",
                self.moving.len()
            ));
        }
        match self
            .vacant
            .iter()
            .find(|slot| self.states[slot.0 as usize].is_live)
        {
            Some(slot) => Err(format!("slot {} is taken and vacant", slot.0)),
            None => Ok(()),
        }
    }
}

/// Bytes that a vector holds, spare capacity included.
pub(crate) fn bytes<T>(vector: &Vec<T>) -> usize {
    vector.capacity() * size_of::<T>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearance_math::Vec2;

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
        bodies.generations[0] = u32::MAX;
        let last = bodies.id(0);
        bodies.remove(last).unwrap();
        assert_eq!(bodies.slot(last), None);
        assert_eq!(bodies.slot(first), None);
        let next = bodies.insert(ball()).unwrap();
        assert_eq!(next.index(), 1);
        bodies.validate().unwrap();
    }
}
