//! What the stages leave for each other.

use clearance_math::{Aabb, Vector};

use super::findings::Findings;
use super::select::Selected;
use crate::bodies::MovedPose;
use crate::hints::Hints;
use crate::reserve::{Need, bytes, cut_down};

/// What one stage leaves for the next. Kept between steps so that nothing is allocated anew.
#[derive(Clone, Default)]
pub(crate) struct Buffers<V: Vector> {
    /// The next poses of the moving bodies; after they moved, where they were before the step.
    pub(crate) poses: Vec<MovedPose<V>>,
    /// The slots of those bodies.
    pub(crate) stepped: Vec<u32>,
    /// The boxes of the bodies that changed; empty ones for vacant slots.
    pub(crate) boxes: Vec<Aabb<V>>,
    /// The pairs that have to be measured.
    pub(crate) selected: Selected,
    /// What was nearest of all pairs.
    pub(crate) hints: Hints,
    /// What was found of those pairs.
    pub(crate) findings: Findings<V>,
}

impl<V: Vector> Buffers<V> {
    /// Forgets what bodies the last step moved from where.
    pub(crate) fn forget_starts(&mut self) {
        self.stepped.clear();
    }

    /// Gives memory back that the last frames did not need.
    pub(crate) fn cut_down(&mut self, need: &Need) {
        cut_down(&mut self.poses, need.bodies);
        cut_down(&mut self.stepped, need.bodies);
        cut_down(&mut self.boxes, need.bodies);
        self.selected.cut_down(need);
        self.hints.cut_down(need);
        self.findings.cut_down(need);
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        bytes(&self.poses)
            + bytes(&self.stepped)
            + bytes(&self.boxes)
            + self.selected.memory()
            + self.hints.memory()
            + self.findings.memory()
    }
}

/// Says nothing of the contents: between steps they mean nothing.
impl<V: Vector> core::fmt::Debug for Buffers<V> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Buffers").finish_non_exhaustive()
    }
}
