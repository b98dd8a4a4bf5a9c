//! Updates of boxes: one at a time, or many on several threads.

use clearance_math::{Aabb, Vector};

use super::Bvh;
use crate::broad_phase::check_bounds;
use crate::key::Layer;
use crate::predicted_bounds::PredictedBounds;
use crate::table::{Entry, NO_PLACE, Storage, is_unbounded};
use crate::{BroadPhase, Key};

/// The least number of boxes for which it pays to use another thread.
const MIN_BOXES_PER_THREAD: usize = 2048;

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
    moved: [Vec<Key>; 3],
    /// Positions in the list of updates of the keys that must be removed and added again.
    reinserted: Vec<usize>,
    has_changed: bool,
}

impl PieceUpdates {
    pub(super) fn memory(&self) -> usize {
        let moved = self.moved.iter().map(Vec::capacity).sum::<usize>();
        moved * size_of::<Key>() + self.reinserted.capacity() * size_of::<usize>()
    }
}

/// Some keys with their boxes, and the rows of the table that they are in.
struct Piece<'a, V> {
    keys: &'a [Key],
    boxes: &'a [Aabb<V>],
    /// The position of the first box in the whole list.
    first_place: usize,
    entries: &'a mut [Entry<V>],
    predicted_bounds: &'a mut [PredictedBounds<V>],
    /// The key of the first row.
    first_key: usize,
    updates: &'a mut PieceUpdates,
}

impl<V: Vector> Piece<'_, V> {
    fn apply(self, mode: PredictionMode) {
        for (place, (&key, bounds)) in self.keys.iter().zip(self.boxes).enumerate() {
            let index = key as usize - self.first_key;
            let (Some(entry), Some(predicted)) = (
                self.entries.get_mut(index),
                self.predicted_bounds.get_mut(index),
            ) else {
                continue;
            };
            match BoxUpdate::apply(Row { entry, predicted }, bounds, mode) {
                BoxUpdate::Absent | BoxUpdate::Unchanged => {}
                BoxUpdate::Recorded => self.updates.has_changed = true,
                BoxUpdate::Moved(layer) => self.updates.moved[layer as usize].push(key),
                BoxUpdate::Reinsert => self.updates.reinserted.push(self.first_place + place),
            }
        }
    }
}

impl<V: Vector> Bvh<V> {
    /// Implements [`BroadPhase::set_many`]. If the keys ascend, the work is divided among threads,
    /// each of which owns a part of the table.
    pub(super) fn update_many(&mut self, keys: &[Key], boxes: &[Aabb<V>]) {
        let pieces = self.workers.pieces(keys.len(), MIN_BOXES_PER_THREAD);
        if pieces == 1 || !keys.is_sorted_by(|a, b| a < b) {
            for (&key, bounds) in keys.iter().zip(boxes) {
                self.set_bounds(key, *bounds);
            }
            return;
        }
        // Checks all boxes before the first is stored.
        let is_absent = |key: Key| self.table.get(key).is_none();
        debug_assert!(
            (keys.iter().zip(boxes)).all(|(&key, bounds)| is_absent(key) || !bounds.is_empty()),
            "bounds must not be empty or NaN"
        );
        let mut updates = core::mem::take(&mut self.updates);
        updates.resize_with(pieces, PieceUpdates::default);
        let mode = self.prediction.mode();
        let length = keys.len().div_ceil(pieces);
        let mut entries = &mut self.table.entries[..];
        let mut predicted_bounds = &mut self.table.predicted_bounds[..];
        let mut first = 0;
        let work = keys
            .chunks(length)
            .zip(boxes.chunks(length))
            .zip(&mut updates);
        let work = work.enumerate().map(|(number, ((keys, boxes), updates))| {
            let end = keys.last().map_or(first, |&last| last as usize + 1);
            let rows = (end - first).min(entries.len());
            let piece = Piece {
                keys,
                boxes,
                first_place: number * length,
                entries: entries.split_off_mut(..rows).unwrap_or_default(),
                predicted_bounds: predicted_bounds.split_off_mut(..rows).unwrap_or_default(),
                first_key: first,
                updates,
            };
            first = end;
            piece
        });
        self.workers
            .for_each(work, |piece: Piece<'_, V>| piece.apply(mode));
        for updates in &mut updates {
            self.stale |= core::mem::take(&mut updates.has_changed);
            for layer in Layer::ALL {
                let moved = &mut updates.moved[layer as usize];
                self.stale |= !moved.is_empty();
                self.tree_mut(layer).moved.append(moved);
            }
            for place in updates.reinserted.drain(..) {
                self.replace(keys[place], &boxes[place]);
            }
        }
        self.updates = updates;
    }
}
