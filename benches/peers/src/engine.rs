//! What every engine is asked to do.

use std::error::Error;

use clearance_math::{Pose, Vector};

use crate::Found;

/// A collision engine with the bodies of a scene in it.
pub trait Engine<V: Vector> {
    /// Puts the moving bodies at `poses`, in their order in the scene, finds every pair within the
    /// margin, lists them, and says how many there are.
    ///
    /// # Errors
    /// What the engine refuses.
    fn frame(&mut self, poses: &[Pose<V>]) -> Result<usize, Box<dyn Error>>;

    /// The pairs of the last frame, for comparison; not timed.
    fn found(&self) -> Vec<Found>;
}

/// How a tree that is driven by hand follows the boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upkeep {
    /// Leaves are updated in place, a part of the tree is improved, then all boxes are refitted.
    Refit,
    /// The tree is built anew in every frame.
    Rebuild,
}

/// How parry is asked for two cuboids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cuboids {
    /// By what `parry::query::contact` chooses: GJK, then EPA where they overlap.
    AsContact,
    /// By its function for two cuboids, which tests separating axes.
    SeparatingAxes,
}
