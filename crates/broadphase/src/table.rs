//! The boxes by key, and the lists of those too large for a tree: shared by the backends with
//! trees.

use clearance_math::{Aabb, Ray, Real, Vector};
use glam::Vec4;

use crate::broad_phase::check_bounds;
use crate::key::ordered;
use crate::{Key, MAX_KEY, Mobility, ray_box};

/// Coordinates beyond this are kept out of the trees: the product of two such lengths, and the sum
/// of a hundred thousand surfaces, still fits a `Real`, and no ground plane ruins a tree.
pub(crate) const LARGEST_IN_TREE: Real = 1e16;

/// The place of an entry that is in no tree yet.
pub(crate) const NO_PLACE: u32 = u32::MAX;

/// Where the box of an entry is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// The key is absent.
    Nowhere,
    /// In the tree of its mobility.
    Tree,
    /// In the list of unbounded boxes of its mobility.
    List,
}

/// What is known of one key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<V> {
    pub(crate) bounds: Aabb<V>,
    /// Index in the list, or whatever the tree says; [`NO_PLACE`] when not in the tree yet.
    pub(crate) place: u32,
    pub(crate) home: Home,
    pub(crate) mobility: Mobility,
    /// Whether the key already is on the list of moved ones.
    pub(crate) moved: bool,
    /// Whether what it left as it moved is to be widened, and not to be guessed anew.
    pub(crate) is_calm: bool,
}

/// How far a box may change before the tree must know: between `inner` and `outer`.
///
/// The inner one may have its least corner above its greatest. All the same, boxes overlap if their
/// inner ones seem to: `a.min <= inner_a.min <= inner_b.max <= b.max`, and so on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reach<V> {
    pub(crate) outer: Aabb<V>,
    pub(crate) inner: Aabb<V>,
}

impl<V: Vector> Reach<V> {
    /// No way at all.
    pub(crate) fn exact(bounds: Aabb<V>) -> Self {
        Self {
            outer: bounds,
            inner: bounds,
        }
    }

    /// Whether a box lies between the inner and the outer one.
    #[inline]
    pub(crate) fn allows(&self, bounds: &Aabb<V>) -> bool {
        let (outer, inner) = (Corners::of(&self.outer), Corners::of(&self.inner));
        let bounds = Corners::of(bounds);
        let low = outer.first.cmple(bounds.first) & bounds.first.cmple(inner.first);
        let high = inner.last.cmple(bounds.last) & bounds.last.cmple(outer.last);
        let (lowest, highest) = Corners::lanes::<V>();
        (low.bitmask() & lowest == lowest) & (high.bitmask() & highest == highest)
    }
}

/// The first four numbers of a box, of which the least corner comes first, and the last four: as they
/// lie in memory, so that four are read at once.
struct Corners {
    first: Vec4,
    last: Vec4,
}

impl Corners {
    #[inline(always)]
    fn of<V: Vector>(bounds: &Aabb<V>) -> Self {
        let (min, max) = (&bounds.min, &bounds.max);
        let [x, y] = [0, 1].map(|k| min.component(k));
        if V::DIM == 2 {
            let all = Vec4::new(x, y, max.component(0), max.component(1));
            return Self {
                first: all,
                last: all,
            };
        }
        let (z, far) = (min.component(2), [0, 1, 2].map(|k| max.component(k)));
        Self {
            first: Vec4::new(x, y, z, far[0]),
            last: Vec4::new(z, far[0], far[1], far[2]),
        }
    }

    /// The lanes of the least corner among the first numbers, and of the greatest among the last, as bits.
    fn lanes<V: Vector>() -> (u32, u32) {
        if V::DIM == 2 {
            (0b0011, 0b1100)
        } else {
            (0b0111, 0b1110)
        }
    }
}

impl<V> Entry<V> {
    /// Whether this is a moving box in the tree, which has not been noticed to have moved.
    #[inline]
    pub(crate) fn is_at_rest(&self) -> bool {
        let is_in_tree = (self.home == Home::Tree) & (self.place != NO_PLACE);
        is_in_tree & (self.mobility == Mobility::Moving) & !self.moved
    }
}

/// All entries, indexed by key, and the keys of the unbounded boxes.
#[derive(Clone, Debug)]
pub(crate) struct Table<V> {
    pub(crate) entries: Vec<Entry<V>>,
    /// For each key how far its box may change unnoticed; empty where nobody needs it.
    pub(crate) reaches: Vec<Reach<V>>,
    unbounded: [Vec<Key>; 2],
    len: usize,
}

/// Whether a box is too large or too far out for a tree.
pub(crate) fn is_unbounded<V: Vector>(bounds: &Aabb<V>) -> bool {
    (0..V::DIM).any(|k| {
        !(bounds.min.component(k) >= -LARGEST_IN_TREE && bounds.max.component(k) <= LARGEST_IN_TREE)
    })
}

impl<V: Vector> Table<V> {
    pub(crate) fn new() -> Self {
        Self {
            entries: Vec::new(),
            reaches: Vec::new(),
            unbounded: [Vec::new(), Vec::new()],
            len: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn memory(&self) -> usize {
        let lists = self.unbounded.iter().map(Vec::capacity).sum::<usize>();
        self.entries.capacity() * size_of::<Entry<V>>()
            + self.reaches.capacity() * size_of::<Reach<V>>()
            + lists * size_of::<Key>()
    }

    /// The entry of a present key.
    pub(crate) fn get(&self, key: Key) -> Option<&Entry<V>> {
        self.entries
            .get(key as usize)
            .filter(|entry| entry.home != Home::Nowhere)
    }

    /// The unbounded boxes of one mobility.
    pub(crate) fn unbounded(&self, mobility: Mobility) -> &[Key] {
        &self.unbounded[mobility as usize]
    }

    /// Adds an absent key and says where its box is kept; a tree must then take it up.
    pub(crate) fn add(&mut self, key: Key, bounds: Aabb<V>, mobility: Mobility) -> Home {
        assert!(key <= MAX_KEY, "the key {key} exceeds MAX_KEY");
        check_bounds(&bounds);
        let absent = Entry {
            bounds,
            place: NO_PLACE,
            home: Home::Nowhere,
            mobility,
            moved: false,
            is_calm: false,
        };
        if key as usize >= self.entries.len() {
            self.entries.resize(key as usize + 1, absent);
        }
        let mut entry = absent;
        entry.home = Home::Tree;
        if is_unbounded(&bounds) {
            let list = &mut self.unbounded[mobility as usize];
            entry.home = Home::List;
            entry.place = list.len() as u32;
            list.push(key);
        }
        self.entries[key as usize] = entry;
        self.len += 1;
        entry.home
    }

    /// Forgets a present key; a tree must have let go of it before.
    pub(crate) fn forget(&mut self, key: Key) {
        let entry = &mut self.entries[key as usize];
        let (home, place, mobility) = (entry.home, entry.place as usize, entry.mobility);
        entry.home = Home::Nowhere;
        entry.moved = false;
        self.len -= 1;
        if home == Home::List {
            let list = &mut self.unbounded[mobility as usize];
            list.swap_remove(place);
            if let Some(&moved_up) = list.get(place) {
                self.entries[moved_up as usize].place = place as u32;
            }
        }
    }

    /// Makes the reach of a key its box.
    pub(crate) fn follow(&mut self, key: Key) {
        self.reaches[key as usize] = Reach::exact(self.entries[key as usize].bounds);
    }

    /// Appends the pairs among the unbounded boxes.
    pub(crate) fn pairs_of_unbounded(&self, pairs: &mut Vec<(Key, Key)>) {
        let moving = self.unbounded(Mobility::Moving);
        for (index, &a) in moving.iter().enumerate() {
            let bounds = self.entries[a as usize].bounds;
            let others = self.unbounded(Mobility::Fixed).iter();
            for &b in others.chain(&moving[index + 1..]) {
                if bounds.overlaps(&self.entries[b as usize].bounds) {
                    pairs.push(ordered(a, b));
                }
            }
        }
    }

    /// Visits the unbounded boxes that overlap `bounds`.
    pub(crate) fn query_box(&self, bounds: &Aabb<V>, visit: &mut dyn FnMut(Key)) {
        for &key in self.unbounded.iter().flatten() {
            if self.entries[key as usize].bounds.overlaps(bounds) {
                visit(key);
            }
        }
    }

    /// Visits the unbounded boxes that the ray hits; gives back the parameter that is left.
    pub(crate) fn query_ray(
        &self,
        ray: &Ray<V>,
        mut max: Real,
        visit: &mut dyn FnMut(Key, Real) -> Real,
    ) -> Real {
        for &key in self.unbounded.iter().flatten() {
            if let Some(entry) = ray_box::entry(ray, &self.entries[key as usize].bounds, max) {
                max = max.min(visit(key, entry));
            }
        }
        max
    }

    /// Visits the unbounded boxes within the squared `radius`; gives back the radius that is left.
    pub(crate) fn query_nearest(
        &self,
        point: V,
        mut radius: Real,
        visit: &mut dyn FnMut(Key, Real) -> Real,
    ) -> Real {
        for &key in self.unbounded.iter().flatten() {
            let distance = self.entries[key as usize].bounds.squared_distance(point);
            if distance <= radius {
                radius = radius.min(visit(key, distance));
            }
        }
        radius
    }

    /// Checks lengths and the links between lists and entries.
    pub(crate) fn validate(&self) -> Result<(), String> {
        let mut present = 0;
        let mut listed = 0;
        for (key, entry) in self.entries.iter().enumerate() {
            present += usize::from(entry.home != Home::Nowhere);
            if entry.home == Home::Nowhere {
                continue;
            }
            if (entry.home == Home::List) != is_unbounded(&entry.bounds) {
                return Err(format!("key {key} is kept in the wrong home"));
            }
            if entry.home == Home::List {
                listed += 1;
                if self.unbounded(entry.mobility).get(entry.place as usize) != Some(&(key as Key)) {
                    return Err(format!("key {key} is not in its list"));
                }
            }
        }
        if present != self.len {
            return Err(format!("{present} entries, but a length of {}", self.len));
        }
        let lists = self.unbounded.iter().map(Vec::len).sum::<usize>();
        if lists != listed {
            return Err(format!("lists of {lists} for {listed} unbounded boxes"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::{Vec2, Vec3};

    use super::*;

    /// Each number of a box in turn is a little, or a step of its last digit, too far out or in.
    fn assert_tight<V: Vector>() {
        let cube = |half: Real| Aabb::new(V::splat(-half), V::splat(half));
        let reach = Reach {
            outer: cube(2.0),
            inner: cube(1.0),
        };
        for inside in [1.0, 1.5, 2.0] {
            assert!(reach.allows(&cube(inside)));
        }
        for half in [0.0, 1.0_f32.next_down(), 2.0_f32.next_up(), Real::INFINITY] {
            for k in 0..V::DIM {
                let (mut low, mut high) = (cube(1.5), cube(1.5));
                low.min = low.min.with_component(k, -half);
                high.max = high.max.with_component(k, half);
                assert!(!reach.allows(&low), "{low:?}");
                assert!(!reach.allows(&high), "{high:?}");
            }
        }
    }

    #[test]
    fn a_reach_allows_what_lies_between_its_boxes() {
        assert_tight::<Vec2>();
        assert_tight::<Vec3>();
    }
}
