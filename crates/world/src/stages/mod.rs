//! The stages of a step, a file each, in the order in which they run.

mod bound;
mod filter;
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
pub(crate) use impacts::ImpactBuffers;
pub(crate) use measure::Measuring;
pub(crate) use move_bodies::move_bodies;
pub(crate) use pair::pair;
pub(crate) use parts::PartBuffers;
pub(crate) use report::report;
pub(crate) use seams::find_ghosts;
pub(crate) use select::{Selected, Selection, select};
pub(crate) use sweep::Sweeps;

use clearance_math::{Aabb, Vector};

use crate::bodies::MovedPose;
use crate::columns::bytes;
use crate::report::{Changes, Found};
use crate::reserve::{Need, cut_down};
use crate::seams::SeamBuffers;

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
    /// The contacts among the pairs that were measured.
    pub(crate) found: Found<V>,
    /// Where the list of contacts changes.
    pub(crate) changes: Changes,
    /// For the impacts of swept bodies.
    pub(crate) impacts: ImpactBuffers<V>,
    /// For the ghosts among the contacts of parts.
    pub(crate) seams: SeamBuffers<V>,
    /// For the contacts of parts.
    pub(crate) parts: PartBuffers<V>,
}

impl<V: Vector> Default for Buffers<V> {
    fn default() -> Self {
        Self {
            poses: Vec::new(),
            stepped: Vec::new(),
            boxes: Vec::new(),
            selected: Selected::default(),
            found: Found::default(),
            changes: Changes::default(),
            impacts: ImpactBuffers::default(),
            seams: SeamBuffers::default(),
            parts: PartBuffers::default(),
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
        self.found.cut_down(need.contacts);
        self.changes.cut_down(need.changes);
        self.impacts.cut_down(need);
        self.seams.cut_down(need);
        self.parts.cut_down(need);
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        bytes(&self.poses)
            + bytes(&self.stepped)
            + bytes(&self.boxes)
            + self.selected.memory()
            + self.found.memory()
            + self.changes.memory()
            + self.impacts.memory()
            + self.seams.memory()
            + self.parts.memory()
    }
}

/// Says nothing of the contents: between steps they mean nothing.
impl<V: Vector> core::fmt::Debug for Buffers<V> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Buffers").finish_non_exhaustive()
    }
}
