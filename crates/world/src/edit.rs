//! Adding bodies, and changing many at once.

use clearance_math::{Vector, compile_once};

use crate::error::{check_body, check_pose, check_velocity};
use crate::{Body, BodyId, BodyKind, BodyPose, BodyVelocity, Subject, Velocity, World, WorldError};

/// [`World::body`] shows changes at once, [`World::contacts`] after the next step. To set what is already
/// there changes nothing and costs the next step nothing. One body is changed by [`World::body_mut`].
impl<V: Vector> World<V> {
    /// Adds a body, in the lowest vacant slot: worlds with the same history give out the same ids.
    ///
    /// # Errors
    /// A pose, velocity or extra margin that is not valid, or a world that is full.
    pub fn insert(&mut self, body: Body<V>) -> Result<BodyId, WorldError> {
        insert(self, body)
    }

    /// Adds many bodies, all of them or none: a refusal changes nothing. Their ids are those that [`World::insert`] would
    /// give them one by one.
    ///
    /// # Errors
    /// The first body that is not valid, by its place among them, or a world that has not so many slots left.
    ///
    /// ```
    /// use clearance::dim2::{Body, Pose, Shape, Vec2, World};
    ///
    /// let mut world = World::default();
    /// let ball = Shape::ball(0.25)?;
    /// let row = (0..100).map(|x| Body::moving(ball.clone(), Pose::from_translation(Vec2::new(x as f32, 0.0))));
    /// let ids = world.insert_many(row)?;
    /// assert_eq!((ids.len(), world.len()), (100, 100));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert_many(
        &mut self,
        bodies: impl IntoIterator<Item = Body<V>>,
    ) -> Result<Vec<BodyId>, WorldError> {
        insert_many(self, bodies.into_iter().collect())
    }

    /// Moves many bodies to other poses, all of them or none: a refusal changes nothing.
    ///
    /// If a body is named more than once, the last of its poses counts.
    ///
    /// # Errors
    /// The first body that is not in this world, or whose pose is not valid: see
    /// [`BodyMut::set_pose`](crate::BodyMut::set_pose).
    pub fn set_poses(&mut self, poses: &[BodyPose<V>]) -> Result<(), WorldError> {
        set_poses(self, poses)
    }

    /// Changes the velocities of many bodies, all of them or none: a refusal changes nothing.
    ///
    /// If a body is named more than once, the last of its velocities counts.
    ///
    /// # Errors
    /// The first body that is not in this world, or whose velocity is not valid: see
    /// [`BodyMut::set_velocity`](crate::BodyMut::set_velocity).
    pub fn set_velocities(&mut self, velocities: &[BodyVelocity<V>]) -> Result<(), WorldError> {
        set_velocities(self, velocities)
    }

    /// Refuses a velocity that is not valid, or that would not move the body in a slot.
    pub(crate) fn check_velocity_of(
        &self,
        slot: usize,
        velocity: Velocity<V>,
    ) -> Result<Velocity<V>, WorldError> {
        let id = self.bodies.id(slot);
        let velocity = check_velocity(Subject::Body(id), velocity)?;
        let is_fixed = self.bodies.kind(slot) == Some(BodyKind::Fixed);
        let is_present = self.bodies.columns.velocities[slot].has_same_bits(&velocity);
        if is_fixed && !is_present && velocity != Velocity::default() {
            return Err(WorldError::FixedVelocity { id });
        }
        Ok(velocity)
    }
}

compile_once! {
    fn insert<'a, V>(world: &'a mut World<V>, body: Body<V>) -> Result<BodyId, WorldError> {
        world.bodies.insert(check_body(Subject::New, body)?)
    }
}

compile_once! {
    fn set_poses<'a, V>(
        world: &'a mut World<V>,
        poses: &'a [BodyPose<V>],
    ) -> Result<(), WorldError> {
        for &BodyPose { body, pose } in poses {
            world.bodies.slot_or_refuse(body)?;
            check_pose(Subject::Body(body), pose)?;
        }
        for &BodyPose { body, pose } in poses {
            let slot = world.bodies.slot_or_refuse(body)?;
            world.bodies
                .set_pose(slot, check_pose(Subject::Body(body), pose)?);
        }
        Ok(())
    }
}

compile_once! {
    fn insert_many<'a, V>(
        world: &'a mut World<V>,
        bodies: Vec<Body<V>>,
    ) -> Result<Vec<BodyId>, WorldError> {
        let checked = bodies.into_iter().enumerate();
        let checked = checked.map(|(place, body)| check_body(Subject::Listed(place), body));
        let bodies = checked.collect::<Result<Vec<_>, _>>()?;
        world.bodies.check_room(bodies.len())?;
        bodies.into_iter().map(|body| world.bodies.insert(body)).collect()
    }
}

compile_once! {
    fn set_velocities<'a, V>(
        world: &'a mut World<V>,
        velocities: &'a [BodyVelocity<V>],
    ) -> Result<(), WorldError> {
        for &BodyVelocity { body, velocity } in velocities {
            world.check_velocity_of(world.bodies.slot_or_refuse(body)?, velocity)?;
        }
        for &BodyVelocity { body, velocity } in velocities {
            world.body_mut(body)?.write_velocity(velocity);
        }
        Ok(())
    }
}
