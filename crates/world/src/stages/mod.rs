//! The stages of a step, in the order in which they run.
//!
//! | stage | files |
//! |---|---|
//! | move | `move_bodies`: bodies move by their velocities |
//! | bound | `bound`: bodies that changed get new boxes; `sweep`: the ways of swept bodies, also for the stage measure |
//! | pair | `pair`: bodies whose boxes overlap; `select`: those that are measured; `filter`: those that are refused |
//! | measure | `measure`: contacts; `impacts`: pairs that met on their ways; `parts`: contacts of parts |
//! | report | `report`: contacts, and what changed; `seams`: ghosts among the contacts of parts |
//!
//! `findings` holds what the stage measure leaves for the stage report, and runs the files of both.

mod bound;
mod filter;
mod findings;
mod impacts;
mod measure;
mod move_bodies;
mod pair;
mod parts;
mod report;
mod seams;
mod select;
mod sweep;

pub(crate) use bound::{bound, update};
pub(crate) use filter::PairRules;
pub(crate) use findings::Findings;
pub(crate) use measure::Measuring;
pub(crate) use move_bodies::move_bodies;
pub(crate) use pair::pair;
pub(crate) use select::{Selected, Selection, select};
pub(crate) use sweep::Sweeps;

use impacts::ImpactBuffers;
use parts::PartBuffers;
use report::report;
use seams::find_ghosts;

use clearance_math::{Aabb, Vector};

use crate::bodies::MovedPose;
use crate::columns::bytes;
use crate::reserve::{Need, cut_down};

/// What one stage leaves for the next. Kept between steps so that nothing is allocated anew.
#[derive(Clone)]
pub(crate) struct Buffers<V: Vector> {
    /// The next poses of the moving bodies; after they moved, where they were before the step.
    pub(crate) poses: Vec<MovedPose<V>>,
    /// The slots of those bodies.
    pub(crate) stepped: Vec<u32>,
    /// The boxes of the bodies that changed; empty ones for vacant slots.
    pub(crate) boxes: Vec<Aabb<V>>,
    /// The pairs that have to be measured.
    pub(crate) selected: Selected,
    /// What was found of those pairs.
    pub(crate) findings: Findings<V>,
}

impl<V: Vector> Default for Buffers<V> {
    fn default() -> Self {
        Self {
            poses: Vec::new(),
            stepped: Vec::new(),
            boxes: Vec::new(),
            selected: Selected::default(),
            findings: Findings::default(),
        }
    }
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
        self.findings.cut_down(need);
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        bytes(&self.poses)
            + bytes(&self.stepped)
            + bytes(&self.boxes)
            + self.selected.memory()
            + self.findings.memory()
    }
}

/// Says nothing of the contents: between steps they mean nothing.
impl<V: Vector> core::fmt::Debug for Buffers<V> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Buffers").finish_non_exhaustive()
    }
}
