//! Every box against every other: the oracle of the tests.

use clearance_math::{Aabb, Ray, Real, Vector};

use crate::broad_phase::{check_bounds, check_fresh};
use crate::{BroadPhase, Key, MAX_KEY, Mobility, ray_box};

/// Boxes without any structure: pairs cost O(n²), queries O(n).
///
/// So simple that it is right by inspection; also the fastest for a few dozen boxes.
#[derive(Clone, Debug)]
pub struct BruteForce<V> {
    boxes: Vec<Option<(Aabb<V>, Mobility)>>,
    len: usize,
    pairs: Vec<(Key, Key)>,
    stale: bool,
}

impl<V: Vector> BruteForce<V> {
    /// No boxes.
    #[must_use]
    pub fn new() -> Self {
        Self {
            boxes: Vec::new(),
            len: 0,
            pairs: Vec::new(),
            stale: false,
        }
    }

    fn present(&self) -> impl Iterator<Item = (Key, &Aabb<V>, Mobility)> {
        let keyed = self.boxes.iter().enumerate();
        keyed.filter_map(|(key, slot)| {
            slot.as_ref()
                .map(|(bounds, mobility)| (key as Key, bounds, *mobility))
        })
    }
}

impl<V: Vector> Default for BruteForce<V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V: Vector> BroadPhase<V> for BruteForce<V> {
    fn insert(&mut self, key: Key, bounds: Aabb<V>, mobility: Mobility) {
        assert!(key <= MAX_KEY, "the key {key} exceeds MAX_KEY");
        check_bounds(&bounds);
        if key as usize >= self.boxes.len() {
            self.boxes.resize(key as usize + 1, None);
        }
        let before = self.boxes[key as usize].replace((bounds, mobility));
        self.len += usize::from(before.is_none());
        self.stale = true;
    }

    fn remove(&mut self, key: Key) -> bool {
        let taken = self.boxes.get_mut(key as usize).and_then(Option::take);
        self.len -= usize::from(taken.is_some());
        self.stale |= taken.is_some();
        taken.is_some()
    }

    fn set_bounds(&mut self, key: Key, bounds: Aabb<V>) -> bool {
        check_bounds(&bounds);
        let Some(Some(slot)) = self.boxes.get_mut(key as usize) else {
            return false;
        };
        slot.0 = bounds;
        self.stale = true;
        true
    }

    fn refresh(&mut self) {
        self.stale = false;
    }

    fn bounds(&self, key: Key) -> Option<Aabb<V>> {
        let slot = self.boxes.get(key as usize)?.as_ref();
        slot.map(|(bounds, _)| *bounds)
    }

    fn len(&self) -> usize {
        self.len
    }

    fn pairs(&mut self) -> &[(Key, Key)] {
        check_fresh(self.stale);
        let mut pairs = core::mem::take(&mut self.pairs);
        pairs.clear();
        for (a, bounds, mobility) in self.present() {
            for (b, slot) in self.boxes.iter().enumerate().skip(a as usize + 1) {
                let Some((other, other_mobility)) = slot else {
                    continue;
                };
                let moving = mobility == Mobility::Moving || *other_mobility == Mobility::Moving;
                if moving && bounds.overlaps(other) {
                    pairs.push((a, b as Key));
                }
            }
        }
        self.pairs = pairs;
        &self.pairs
    }

    fn query_box(&self, bounds: &Aabb<V>, visit: &mut dyn FnMut(Key)) {
        check_fresh(self.stale);
        for (key, other, _) in self.present() {
            if other.overlaps(bounds) {
                visit(key);
            }
        }
    }

    fn query_ray(&self, ray: &Ray<V>, mut max: Real, visit: &mut dyn FnMut(Key, Real) -> Real) {
        check_fresh(self.stale);
        for (key, bounds, _) in self.present() {
            if let Some(entry) = ray_box::entry(ray, bounds, max) {
                max = max.min(visit(key, entry));
            }
        }
    }

    fn query_nearest(
        &self,
        point: V,
        max_distance: Real,
        visit: &mut dyn FnMut(Key, Real) -> Real,
    ) {
        check_fresh(self.stale);
        let mut radius = max_distance * max_distance;
        for (key, bounds, _) in self.present() {
            let distance = bounds.squared_distance(point);
            if distance <= radius {
                radius = radius.min(visit(key, distance));
            }
        }
    }

    fn memory(&self) -> usize {
        self.boxes.capacity() * size_of::<Option<(Aabb<V>, Mobility)>>()
            + self.pairs.capacity() * size_of::<(Key, Key)>()
    }

    fn validate(&self) -> Result<(), String> {
        let present = self.present().count();
        if present != self.len {
            return Err(format!("{present} boxes, but a length of {}", self.len));
        }
        Ok(())
    }
}
