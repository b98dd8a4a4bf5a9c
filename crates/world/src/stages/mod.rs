//! The stages of a step, a file each, in the order in which they run.

mod bound;
mod measure;
mod move_bodies;
mod pair;
mod report;

pub(crate) use bound::{bound, update};
pub(crate) use measure::measure;
pub(crate) use move_bodies::move_bodies;
pub(crate) use pair::pair;
pub(crate) use report::report;

use clearance_broadphase::Key;
use clearance_math::{Aabb, Pose, Vector};

use crate::Contact;
use crate::columns::bytes;
use crate::mark::Mark;
use crate::threads::Gathered;

/// What one stage leaves for the next. Kept between steps so that nothing is allocated anew.
#[derive(Clone)]
pub(crate) struct Buffers<V: Vector> {
    /// The next poses of the moving bodies.
    pub(crate) poses: Vec<Pose<V>>,
    /// The boxes of the bodies that changed; empty ones for vacant slots.
    pub(crate) boxes: Vec<Aabb<V>>,
    /// The pairs that groups allow, sorted; unused where they have no say.
    pub(crate) allowed: Vec<(Key, Key)>,
    /// The contacts found, and their marks; afterwards those of the last step.
    pub(crate) found: Gathered<Contact<V>, Mark>,
}

impl<V: Vector> Default for Buffers<V> {
    fn default() -> Self {
        Self {
            poses: Vec::new(),
            boxes: Vec::new(),
            allowed: Vec::new(),
            found: Gathered::default(),
        }
    }
}

impl<V: Vector> Buffers<V> {
    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        bytes(&self.poses) + bytes(&self.boxes) + bytes(&self.allowed) + self.found.memory()
    }
}

/// Says nothing of the contents: between steps they mean nothing.
impl<V: Vector> core::fmt::Debug for Buffers<V> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Buffers").finish_non_exhaustive()
    }
}
