//! What a new box means for its key, one by one or for many at once.

use clearance_math::{Aabb, Vector};

use super::Bvh;
use super::calm::is_calm_step;
use crate::broad_phase::check_bounds;
use crate::key::Layer;
use crate::table::{Entry, Home, NO_PLACE, Reach, is_unbounded};
use crate::{BroadPhase, Key};

/// So many boxes are worth a thread.
const MANY_BOXES: usize = 4096;

/// What it means for a box of the moving tree to be within its reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// Nothing: all reaches are guessed anew.
    Never,
    /// That the tree need not know; where it leaves its reach it needs another.
    Within,
    /// The same, but where it leaves its reach that grows.
    Calm,
}

/// What becomes of a key that is given a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// It is absent.
    Absent,
    /// It has this box already.
    Same,
    /// The box has been noted, and nobody else need know.
    Noted,
    /// The box has been noted, and the tree must know: the key has to be listed as moved.
    Moved(Layer),
    /// Nothing has been noted: the box is of another home than before, or in no tree.
    Elsewhere,
}

impl Change {
    /// Notes a box, as far as it concerns the key alone.
    #[inline(always)]
    pub(super) fn make<V: Vector>(
        (entry, reach): (&mut Entry<V>, &mut Reach<V>),
        bounds: &Aabb<V>,
        rest: Rest,
    ) -> Self {
        if entry.home == Home::Nowhere {
            return Self::Absent;
        }
        check_bounds(bounds);
        if entry.bounds == *bounds {
            return Self::Same;
        }
        // Within its reach a box concerns nobody else, but where all reaches are guessed anew.
        if entry.is_at_rest() && rest != Rest::Never && reach.allows(bounds) {
            entry.bounds = *bounds;
            return Self::Noted;
        }
        if entry.home == Home::List || is_unbounded(bounds) {
            return Self::Elsewhere;
        }
        let is_news = !entry.moved && entry.place != NO_PLACE;
        if is_news {
            entry.moved = true;
            entry.is_calm = rest == Rest::Calm
                && entry.layer == Layer::Moving
                && is_calm_step(&entry.bounds, bounds);
            if !entry.is_calm {
                // Until `refresh` the outer box tells where the box was.
                reach.outer = entry.bounds;
            }
        }
        entry.bounds = *bounds;
        if is_news {
            Self::Moved(entry.layer)
        } else {
            Self::Noted
        }
    }
}

/// What a thread leaves to be done.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    /// Keys to be listed as moved, by their layer.
    moved: [Vec<Key>; 3],
    /// Keys that need another home, by their places in the list.
    elsewhere: Vec<usize>,
    has_changed: bool,
}

impl Told {
    pub(super) fn memory(&self) -> usize {
        let moved = self.moved.iter().map(Vec::capacity).sum::<usize>();
        moved * size_of::<Key>() + self.elsewhere.capacity() * size_of::<usize>()
    }
}

/// Some keys with their boxes, and the part of the table that they are in.
struct Piece<'a, V> {
    keys: &'a [Key],
    boxes: &'a [Aabb<V>],
    /// The place of the first box in the list.
    from: usize,
    entries: &'a mut [Entry<V>],
    reaches: &'a mut [Reach<V>],
    /// The key of the first entry.
    first: usize,
    told: &'a mut Told,
}

impl<V: Vector> Piece<'_, V> {
    fn tell(self, rest: Rest) {
        for (place, (&key, bounds)) in self.keys.iter().zip(self.boxes).enumerate() {
            let row = key as usize - self.first;
            let (Some(entry), Some(reach)) = (self.entries.get_mut(row), self.reaches.get_mut(row))
            else {
                continue;
            };
            match Change::make((entry, reach), bounds, rest) {
                Change::Absent | Change::Same => {}
                Change::Noted => self.told.has_changed = true,
                Change::Moved(layer) => self.told.moved[layer as usize].push(key),
                Change::Elsewhere => self.told.elsewhere.push(self.from + place),
            }
        }
    }
}

impl<V: Vector> Bvh<V> {
    /// [`BroadPhase::set_many`]: shared among threads where the keys ascend, so that each has a part
    /// of the table to itself.
    pub(super) fn tell_many(&mut self, keys: &[Key], boxes: &[Aabb<V>]) {
        let pieces = self.workers.pieces(keys.len(), MANY_BOXES);
        if pieces == 1 || !keys.is_sorted_by(|a, b| a < b) {
            for (&key, bounds) in keys.iter().zip(boxes) {
                self.set_bounds(key, *bounds);
            }
            return;
        }
        // All of them before anything is noted.
        let is_absent = |key: Key| self.table.get(key).is_none();
        debug_assert!(
            (keys.iter().zip(boxes)).all(|(&key, bounds)| is_absent(key) || !bounds.is_empty()),
            "bounds must not be empty or NaN"
        );
        let mut told = core::mem::take(&mut self.told);
        told.resize_with(pieces, Told::default);
        let rest = self.horizon.rest();
        let length = keys.len().div_ceil(pieces);
        let mut entries = &mut self.table.entries[..];
        let mut reaches = &mut self.table.reaches[..];
        let mut first = 0;
        let work = keys.chunks(length).zip(boxes.chunks(length)).zip(&mut told);
        let work = work.enumerate().map(|(number, ((keys, boxes), told))| {
            let end = keys.last().map_or(first, |&last| last as usize + 1);
            let rows = (end - first).min(entries.len());
            let piece = Piece {
                keys,
                boxes,
                from: number * length,
                entries: entries.split_off_mut(..rows).unwrap_or_default(),
                reaches: reaches.split_off_mut(..rows).unwrap_or_default(),
                first,
                told,
            };
            first = end;
            piece
        });
        self.workers
            .for_each(work, |piece: Piece<'_, V>| piece.tell(rest));
        for told in &mut told {
            self.stale |= core::mem::take(&mut told.has_changed);
            for layer in Layer::ALL {
                let moved = &mut told.moved[layer as usize];
                self.stale |= !moved.is_empty();
                self.tree_mut(layer).moved.append(moved);
            }
            for place in told.elsewhere.drain(..) {
                self.replace(keys[place], &boxes[place]);
            }
        }
        self.told = told;
    }
}
