//! The search for the partners of one box.

use clearance_math::{Aabb, Vector};

use super::hierarchy::Bvh;
use crate::key::{Key, Layer};
use crate::table::Storage;

impl<V: Vector> Bvh<V> {
    /// Visits the keys that may make a pair with a key, possibly the key itself; none if the key is
    /// absent.
    pub(super) fn partners(&self, key: Key, visit: &mut dyn FnMut(Key)) {
        let Some(entry) = self
            .table
            .get(key)
            .filter(|entry| entry.layer != Layer::QueryOnly)
        else {
            return;
        };
        let outer = match entry.storage {
            Storage::Tree => self.table.predicted_bounds[key as usize].outer,
            Storage::UnboundedList | Storage::Absent => entry.bounds,
        };
        self.partners_of_layer(key, &outer, Layer::Moving, visit);
        if entry.layer == Layer::Moving {
            self.partners_of_layer(key, &outer, Layer::Fixed, visit);
        }
    }

    fn partners_of_layer(
        &self,
        key: Key,
        outer: &Aabb<V>,
        layer: Layer,
        visit: &mut dyn FnMut(Key),
    ) {
        for &other in self.table.unbounded(layer) {
            let bounds = &self.table.entries[other as usize].bounds;
            if bounds.overlaps(outer) && self.table.allows(key, other) {
                visit(other);
            }
        }
        let tree = self.tree(layer);
        tree.query_allowed(outer, self.table.groups(key), visit);
    }
}
