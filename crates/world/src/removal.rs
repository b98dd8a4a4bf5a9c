//! Taking bodies out.

use clearance_math::{Vector, compile_once};

use crate::{Body, BodyId, BodyRef, World, WorldError};

/// A removal shows at once in [`World::body`], [`World::contacts`] and every query; the next step reports that
/// the contacts of the body ended: see [`World::events`].
///
/// The cost of a removal does not depend on how many contacts there are. The first call of
/// [`World::contacts`] after removals makes a list without the contacts of the removed bodies, in
/// one pass over the contacts.
impl<V: Vector> World<V> {
    /// Removes a body. Its id does not resolve any more (but see [`World::restore`]).
    ///
    /// # Errors
    /// A body that is not in this world.
    pub fn remove(&mut self, id: BodyId) -> Result<Body<V>, WorldError> {
        remove(self, id)
    }

    /// Removes several bodies, or none if one of them is not in this world.
    ///
    /// An id that is named more than once counts once.
    ///
    /// # Errors
    /// A body that is not in this world.
    pub fn remove_many(&mut self, ids: &[BodyId]) -> Result<(), WorldError> {
        remove_many(self, ids)
    }

    /// Removes all bodies for which `keep` returns false; it is asked in the order of ids.
    ///
    /// ```
    /// use clearance::dim2::{Body, Pose, Shape, Vec2, World};
    ///
    /// let mut world = World::default();
    /// for k in 0..10 {
    ///     let pose = Pose::from_translation(Vec2::new(0.0, -(k as f32)));
    ///     world.insert(Body::moving(Shape::ball(0.5)?, pose))?;
    /// }
    /// // What fell out of the level goes.
    /// world.retain(|body| body.pose().translation().y > -5.0);
    /// assert_eq!(world.len(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(BodyRef<'_, V>) -> bool) {
        for slot in 0..self.bodies.slots() {
            let body = BodyRef::new(&self.bodies, slot);
            let Some(id) = body.filter(|body| !keep(*body)).map(|body| body.id()) else {
                continue;
            };
            // The body is there: nothing can be refused.
            let _ = self.remove(id);
        }
    }

    /// Removes all bodies. Their ids do not come back, and the events of the next step report that
    /// all contacts ended. Memory is given back some hundred frames later: see [`World::memory`].
    pub fn clear(&mut self) {
        clear(self);
    }
}

compile_once! {
    fn remove<'a, V>(world: &'a mut World<V>, id: BodyId) -> Result<Body<V>, WorldError> {
        let body = world.bodies.remove(id)?;
        world.report.note_removal();
        Ok(body)
    }
}

compile_once! {
    fn remove_many<'a, V>(world: &'a mut World<V>, ids: &'a [BodyId]) -> Result<(), WorldError> {
        for &id in ids {
            world.bodies.slot_or_refuse(id)?;
        }
        for &id in ids {
            if world.contains(id) {
                world.remove(id)?;
            }
        }
        Ok(())
    }
}

compile_once! {
    fn clear<'a, V>(world: &'a mut World<V>) {
        world.retain(|_| false);
    }
}
