//! Putting bodies in, taking them out, changing them.

use clearance_math::{Pose, Real, Vector};
use clearance_shapes::Shape;

use crate::error::{check_body, check_extra_margin, check_pose, check_velocity};
use crate::{Body, BodyId, Groups, Kind, Subject, Velocity, World, WorldError};

/// Changes show in [`World::get`] at once, in [`World::contacts`] after the next step.
impl<V: Vector> World<V> {
    /// Adds a body; its id is the lowest vacant slot, in its next generation.
    ///
    /// # Errors
    /// A pose, velocity or extra margin that is not valid, or a world that is full.
    pub fn insert(&mut self, body: Body<V>) -> Result<BodyId, WorldError> {
        self.bodies.insert(check_body(body)?)
    }

    /// Puts a body somewhere else.
    ///
    /// # Errors
    /// A body that is not in this world; a pose that is not finite or whose rotation is not of
    /// unit length within 1e-3.
    pub fn set_pose(&mut self, id: BodyId, pose: Pose<V>) -> Result<(), WorldError> {
        let slot = self.bodies.slot_or_refuse(id)?;
        self.bodies.columns.poses[slot] = check_pose(Subject::Body(id), pose)?;
        self.bodies.mark_changed(slot);
        Ok(())
    }

    /// Gives a body another velocity.
    ///
    /// # Errors
    /// A body that is not in this world; a velocity that is not finite.
    pub fn set_velocity(&mut self, id: BodyId, velocity: Velocity<V>) -> Result<(), WorldError> {
        let slot = self.bodies.slot_or_refuse(id)?;
        self.bodies.columns.velocities[slot] = check_velocity(Subject::Body(id), velocity)?;
        Ok(())
    }

    /// Gives a body another shape.
    ///
    /// # Errors
    /// A body that is not in this world.
    pub fn set_shape(&mut self, id: BodyId, shape: Shape<V>) -> Result<(), WorldError> {
        let slot = self.bodies.slot_or_refuse(id)?;
        self.bodies.columns.set_shape(slot, Some(shape));
        self.bodies.mark_changed(slot);
        Ok(())
    }

    /// Puts a body into other groups.
    ///
    /// # Errors
    /// A body that is not in this world.
    pub fn set_groups(&mut self, id: BodyId, groups: Groups) -> Result<(), WorldError> {
        let slot = self.bodies.slot_or_refuse(id)?;
        self.bodies.set_groups(slot, groups);
        Ok(())
    }

    /// Lets a body move, or fixes it; its velocity is kept.
    ///
    /// # Errors
    /// A body that is not in this world.
    pub fn set_kind(&mut self, id: BodyId, kind: Kind) -> Result<(), WorldError> {
        let slot = self.bodies.slot_or_refuse(id)?;
        self.bodies.set_kind(slot, kind);
        Ok(())
    }

    /// Changes how much farther than the world's margin the contacts of a body reach.
    ///
    /// # Errors
    /// A body that is not in this world; a value that is negative, NaN or infinite.
    pub fn set_extra_margin(&mut self, id: BodyId, extra: Real) -> Result<(), WorldError> {
        let slot = self.bodies.slot_or_refuse(id)?;
        let extra = check_extra_margin(Subject::Body(id), extra)?;
        self.bodies.columns.extra_margins.set(slot, extra);
        self.bodies.mark_changed(slot);
        Ok(())
    }
}
