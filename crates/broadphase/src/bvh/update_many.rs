//! Updates of many boxes on several threads.

use clearance_math::{Aabb, Vector};

use super::hierarchy::Bvh;
use super::update::{BoxUpdate, PieceUpdates, PredictionMode, Row};
use crate::broad_phase::BroadPhase;
use crate::key::{Key, Layer};
use crate::predicted_bounds::PredictedBounds;
use crate::table::Entry;

/// The least number of boxes for which it pays to use another thread.
const MIN_BOXES_PER_THREAD: usize = 2048;

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
