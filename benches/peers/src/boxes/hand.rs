//! Clearance's broad phases, and parry's tree.

use clearance_broadphase::{AnyBroadPhase, Backend, BodyKind, BroadPhase, Key};
use clearance_math::{Aabb, Vec3};
use parry3d::bounding_volume::Aabb as ParryBox;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

use super::{BoxFilm, Boxes};
use crate::Upkeep;

/// A broad phase of Clearance.
pub struct Ours {
    movers: Vec<Key>,
    boxes: AnyBroadPhase<Vec3>,
}

impl Ours {
    /// The boxes of the film.
    #[must_use]
    pub fn new(film: &BoxFilm, backend: Backend) -> Self {
        let mut boxes = AnyBroadPhase::new(backend);
        for (key, (bounds, mobility)) in (0..).zip(film.all()) {
            boxes.insert(key, *bounds, *mobility);
        }
        boxes.refresh();
        Self {
            movers: film.movers().to_vec(),
            boxes,
        }
    }
}

impl Boxes for Ours {
    fn frame(&mut self, boxes: &[Aabb<Vec3>]) -> usize {
        for (&key, bounds) in self.movers.iter().zip(boxes) {
            self.boxes.set_bounds(key, *bounds);
        }
        self.boxes.refresh();
        self.boxes.pairs().len()
    }
}

/// parry's tree: one of the moving boxes, one of the fixed.
pub struct ParryTree {
    upkeep: Upkeep,
    movers: Vec<Key>,
    moving: Bvh,
    fixed: Bvh,
    workspace: BvhWorkspace,
    pairs: Vec<(u32, u32)>,
}

impl ParryTree {
    /// The boxes of the film.
    #[must_use]
    pub fn new(film: &BoxFilm, upkeep: Upkeep) -> Self {
        Self {
            upkeep,
            movers: film.movers().to_vec(),
            moving: tree(film.of(BodyKind::Moving)),
            fixed: tree(film.of(BodyKind::Fixed)),
            workspace: BvhWorkspace::default(),
            pairs: Vec::new(),
        }
    }
}

fn tree<'a>(boxes: impl Iterator<Item = (Key, &'a Aabb<Vec3>)>) -> Bvh {
    let leaves = boxes.map(|(key, bounds)| (key as usize, ParryBox::new(bounds.min, bounds.max)));
    Bvh::from_iter(BvhBuildStrategy::Binned, leaves)
}

impl Boxes for ParryTree {
    fn frame(&mut self, boxes: &[Aabb<Vec3>]) -> usize {
        let moved = self.movers.iter().copied().zip(boxes);
        match self.upkeep {
            Upkeep::Refit => {
                for (key, bounds) in moved {
                    let bounds = ParryBox::new(bounds.min, bounds.max);
                    self.moving.insert_or_update_partially(bounds, key, 0.0);
                }
                self.moving.optimize_incremental(&mut self.workspace);
                self.moving.refit(&mut self.workspace);
            }
            Upkeep::Rebuild => self.moving = tree(moved),
        }
        let pairs = &mut self.pairs;
        pairs.clear();
        self.moving
            .traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |a, b| {
                pairs.push((a, b))
            });
        if !self.fixed.is_empty() {
            pairs.extend(self.moving.leaf_pairs(&self.fixed, |a, b| a.intersects(b)));
        }
        pairs.len()
    }
}
