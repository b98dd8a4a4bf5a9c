//! The update of a box.

use clearance_math::{Aabb, Vector};

use crate::broad_phase::check_bounds;
use crate::key::{Key, Layer};
use crate::predicted_bounds::PredictedBounds;
use crate::table::{Entry, NO_PLACE, Storage, is_unbounded};

/// What an update does with the predicted bounds of a box in the moving tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PredictionMode {
    /// The predicted bounds of every box that moves are computed again.
    Expired,
    /// Boxes inside their predicted bounds are left alone; those that leave them get new ones.
    Active,
}

/// The parts of the table that an update of one box changes.
pub(super) struct Row<'a, V> {
    pub(super) entry: &'a mut Entry<V>,
    pub(super) predicted: &'a mut PredictedBounds<V>,
}

/// The outcome of an update of one box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoxUpdate {
    /// The key is absent.
    Absent,
    /// The box is the one that the key has already.
    Unchanged,
    /// The box was stored, and the tree needs no change, or knows already that it has to change.
    Recorded,
    /// The box was stored, and its key must be added to the moved keys of the tree.
    Moved(Layer),
    /// Nothing was stored: the key must be removed and added again, because its box becomes or
    /// ceases to be unbounded, or is in a list.
    Reinsert,
}

impl BoxUpdate {
    /// Stores a box in the row of its key.
    #[inline(always)]
    pub(super) fn apply<V: Vector>(
        row: Row<'_, V>,
        bounds: &Aabb<V>,
        mode: PredictionMode,
    ) -> Self {
        let Row { entry, predicted } = row;
        if entry.storage == Storage::Absent {
            return Self::Absent;
        }
        check_bounds(bounds);
        if entry.bounds == *bounds {
            return Self::Unchanged;
        }
        // A box inside its predicted bounds changes neither the tree nor the candidate pairs.
        if entry.is_at_rest() && mode != PredictionMode::Expired && predicted.contains(bounds) {
            entry.bounds = *bounds;
            return Self::Recorded;
        }
        if entry.storage == Storage::UnboundedList || is_unbounded(bounds) {
            return Self::Reinsert;
        }
        let is_first_move = !entry.moved && entry.place != NO_PLACE;
        if is_first_move {
            entry.moved = true;
            // Until `refresh` the outer box holds the box of the last frame.
            predicted.outer = entry.bounds;
        }
        entry.bounds = *bounds;
        if is_first_move {
            Self::Moved(entry.layer)
        } else {
            Self::Recorded
        }
    }
}

/// The work that one thread leaves to be done after its updates.
#[derive(Clone, Debug, Default)]
pub(super) struct PieceUpdates {
    /// Moved keys by layer.
    pub(super) moved: [Vec<Key>; 3],
    /// Positions in the list of updates of the keys that must be removed and added again.
    pub(super) reinserted: Vec<usize>,
    pub(super) has_changed: bool,
}

impl PieceUpdates {
    pub(super) fn memory(&self) -> usize {
        let moved = self.moved.iter().map(Vec::capacity).sum::<usize>();
        moved * size_of::<Key>() + self.reinserted.capacity() * size_of::<usize>()
    }
}
