//! The type of the hierarchy: the table of boxes, the trees, and what searches keep.

use clearance_math::Vector;
use clearance_tree::{BuildScratch, Workers};

use super::dynamic_tree::DynamicTree;
use super::motion_prediction::MotionPrediction;
use super::pair_cache::{PairCache, PairScratch};
use super::update::PieceUpdates;
use crate::key::Layer;
use crate::table::Table;

/// A dynamic bounding volume hierarchy: the fastest broad phase for nearly all scenes.
///
/// * Fixed boxes have a tree of their own, so the cost of a frame depends on what moves. Boxes that can make
///   no pair are in a third tree, which only queries read.
/// * The nodes know the groups of the boxes below them, so the search skips groups that may not meet.
/// * Boxes with infinite sides are in a list, and are tested one by one.
/// * A steady frame on one thread allocates nothing.
///
/// The search for pairs covers several frames: it uses bounds that contain the predicted motion of
/// each box, and costs about 100 nanoseconds for a box. Until a box leaves its predicted bounds,
/// `pairs` only tests the candidate pairs, at two to three nanoseconds each, and skips those that
/// are certain to overlap. If no box changed, it tests nothing. Predictions influence the time that
/// `pairs` takes, never its result.
///
/// Memory: 80 bytes for each key and 43 for each box in 3D, half as much again while building, and
/// up to 32 bytes for each pair (48 with several threads), plus spare capacity; while many rays are asked
/// between changes, about 50 more for each box.
///
/// ```
/// use clearance::broadphase::{BodyKind, BroadPhase, Bvh};
/// use clearance::dim3::{Aabb, Vec3};
///
/// let mut boxes = Bvh::new();
/// let ground = Aabb::new(Vec3::new(-9.0, -1.0, -9.0), Vec3::new(9.0, 0.0, 9.0));
/// boxes.insert(0, ground, BodyKind::Fixed);
/// let crate_at = |y: f32| Aabb::new(Vec3::new(0.0, y, 0.0), Vec3::new(1.0, y + 1.0, 1.0));
/// boxes.insert(1, crate_at(2.0), BodyKind::Moving);
/// boxes.refresh();
/// assert!(boxes.pairs().is_empty());
///
/// boxes.set_bounds(1, crate_at(-0.1));
/// boxes.refresh();
/// assert_eq!(boxes.pairs(), [(0, 1)]);
/// ```
#[derive(Clone, Debug)]
pub struct Bvh<V> {
    pub(super) table: Table<V>,
    /// By layer.
    pub(super) trees: [DynamicTree<V>; 3],
    pub(super) build_scratch: BuildScratch<V>,
    pub(super) pair_scratch: PairScratch,
    pub(super) pair_cache: PairCache,
    pub(super) prediction: MotionPrediction,
    pub(super) workers: Workers,
    pub(super) updates: Vec<PieceUpdates>,
    pub(super) stale: bool,
}

impl<V: Vector> Bvh<V> {
    /// An empty set of boxes.
    #[must_use]
    pub fn new() -> Self {
        Self {
            table: Table::default(),
            trees: Default::default(),
            build_scratch: BuildScratch::default(),
            pair_scratch: PairScratch::default(),
            pair_cache: PairCache::default(),
            prediction: MotionPrediction::default(),
            workers: Workers::alone(),
            updates: Vec::new(),
            stale: false,
        }
    }

    pub(super) fn tree(&self, layer: Layer) -> &DynamicTree<V> {
        &self.trees[layer as usize]
    }

    pub(super) fn tree_mut(&mut self, layer: Layer) -> &mut DynamicTree<V> {
        &mut self.trees[layer as usize]
    }
}

impl<V: Vector> Default for Bvh<V> {
    fn default() -> Self {
        Self::new()
    }
}
