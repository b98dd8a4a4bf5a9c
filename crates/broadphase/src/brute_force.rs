//! Every box against every other; the other implementations are tested against it.

use clearance_math::Inconsistent;
use clearance_math::internal::MapEach;
use clearance_math::{Aabb, Real, Vector};
use clearance_tree::ray_box::{self, RayLine};

use crate::broad_phase::{BroadPhase, check_bounds, check_fresh};
use crate::capacity::{SpareCapacity, capacity_for};
use crate::groups::Groups;
use crate::key::{BodyKind, Key, MAX_KEY};

/// A broad phase without any structure: pairs take O(n²), queries O(n).
///
/// Simple enough to be checked by reading, and the fastest for a few dozen boxes.
#[derive(Clone, Debug, Default)]
pub struct BruteForce<V> {
    boxes: Vec<Option<Item<V>>>,
    len: usize,
    pairs: Vec<(Key, Key)>,
    spare: SpareCapacity,
    stale: bool,
}

/// A box, and what decides which pairs it makes.
#[derive(Clone, Copy, Debug)]
struct Item<V> {
    bounds: Aabb<V>,
    kind: BodyKind,
    groups: Groups,
}

impl<V: Vector> Item<V> {
    fn meets(&self, other: &Self) -> bool {
        let is_moving = [self, other].map_each(|item| item.kind == BodyKind::Moving);
        is_moving.contains(&true)
            && self.groups.pairs_with(other.groups)
            && self.bounds.overlaps(&other.bounds)
    }
}

impl<V: Vector> BruteForce<V> {
    /// An empty set of boxes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn get(&self, key: Key) -> Option<&Item<V>> {
        self.boxes.get(key as usize)?.as_ref()
    }

    fn present(&self) -> impl Iterator<Item = (Key, &Item<V>)> {
        let keyed = self.boxes.iter().enumerate();
        keyed.filter_map(|(key, slot)| slot.as_ref().map(|item| (key as Key, item)))
    }
}

impl<V: Vector> BroadPhase<V> for BruteForce<V> {
    fn insert(&mut self, key: Key, bounds: Aabb<V>, kind: BodyKind) {
        assert!(key <= MAX_KEY, "the key {key} exceeds MAX_KEY");
        check_bounds(&bounds);
        if key as usize >= self.boxes.len() {
            self.boxes.resize(key as usize + 1, None);
        }
        let before = self.boxes[key as usize];
        self.boxes[key as usize] = Some(Item {
            bounds,
            kind,
            groups: before.map_or(Groups::ALL, |item| item.groups),
        });
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
        slot.bounds = bounds;
        self.stale = true;
        true
    }

    fn set_groups(&mut self, key: Key, groups: Groups) -> bool {
        let Some(Some(slot)) = self.boxes.get_mut(key as usize) else {
            return false;
        };
        slot.groups = groups;
        self.stale = true;
        true
    }

    fn groups(&self, key: Key) -> Option<Groups> {
        self.get(key).map(|item| item.groups)
    }

    fn refresh(&mut self) {
        self.stale = false;
    }

    fn bounds(&self, key: Key) -> Option<Aabb<V>> {
        self.get(key).map(|item| item.bounds)
    }

    fn len(&self) -> usize {
        self.len
    }

    fn pairs(&mut self) -> &[(Key, Key)] {
        check_fresh(self.stale);
        let mut pairs = core::mem::take(&mut self.pairs);
        let capacity = pairs.capacity();
        pairs.clear();
        let can_meet = |(_, item): &(Key, &Item<V>)| !item.groups.excludes_all();
        for (a, item) in self.present().filter(can_meet) {
            let others = self.boxes.iter().enumerate().skip(a as usize + 1);
            let others = others.filter_map(|(b, slot)| Some((b as Key, slot.as_ref()?)));
            let met = others.filter(|(_, other)| item.meets(other));
            pairs.extend(met.map(|(b, _)| (a, b)));
        }
        if self.spare.is_excess(pairs.len(), capacity) {
            pairs.shrink_to(capacity_for(pairs.len()));
        }
        self.pairs = pairs;
        &self.pairs
    }

    fn query_box(&self, bounds: &Aabb<V>, visit: &mut dyn FnMut(Key)) {
        check_fresh(self.stale);
        for (key, other) in self.present() {
            if other.bounds.overlaps(bounds) {
                visit(key);
            }
        }
    }

    fn query_ray(
        &self,
        line: &RayLine<V>,
        mut max: Real,
        visit: &mut dyn FnMut(Key, Real) -> Real,
    ) {
        check_fresh(self.stale);
        for (key, item) in self.present() {
            if let Some(entry) = ray_box::entry(line, &item.bounds, max) {
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
        for (key, item) in self.present() {
            let distance = item.bounds.squared_distance(point);
            if distance <= radius {
                radius = radius.min(visit(key, distance));
            }
        }
    }

    fn memory(&self) -> usize {
        self.boxes.capacity() * size_of::<Option<Item<V>>>()
            + self.pairs.capacity() * size_of::<(Key, Key)>()
    }

    fn validate(&self) -> Result<(), Inconsistent> {
        let present = self.present().count();
        if present != self.len {
            return Err(format!("{present} boxes, but a length of {}", self.len).into());
        }
        Ok(())
    }
}
