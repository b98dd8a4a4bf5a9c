//! A check of the world's own books, for tests.

use clearance_broadphase::BroadPhase;
use clearance_math::Vector;

use crate::World;

impl<V: Vector> World<V> {
    /// Checks the world's own books: lists, broad phase, order and ids of the contacts.
    ///
    /// For tests and fuzzing; the cost grows faster than the number of bodies.
    ///
    /// # Errors
    /// Says what does not agree. No sequence of calls should lead there.
    pub fn validate(&self) -> Result<(), String> {
        self.bodies.validate()?;
        self.broad_phase.validate()?;
        let known = self.bodies.states.iter();
        let known = known.filter(|state| state.in_broad_phase.is_some()).count();
        if known != self.broad_phase.len() {
            let len = self.broad_phase.len();
            return Err(format!("the broad phase holds {len} boxes, not {known}"));
        }
        let mut last = None;
        for contact in &self.contacts {
            let pair = (contact.a, contact.b);
            if contact.a >= contact.b || last.is_some_and(|last| last >= pair) {
                return Err(format!("contact {} {} is out of order", pair.0, pair.1));
            }
            if !self.contains(contact.a) || !self.contains(contact.b) {
                return Err(format!("contact {} {} names no body", pair.0, pair.1));
            }
            last = Some(pair);
        }
        Ok(())
    }
}
