//! A tree as rays see it that are many: with sixteen children a node, made when so many were asked that it pays.

use core::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use clearance_math::Vector;
use clearance_tree::internal::{WideNode, WideScratch};
use clearance_tree::{Tree, ray_box::RayLine};

use crate::key::Key;
use crate::table::Table;

/// Of so many rays one is counted, so that threads that ask at once do not wait for the counter.
const SAMPLE: u32 = 16;

/// The nodes are made after one ray for every two leaves. Making them takes about as long as that many rays save by
/// them, so that it never costs more than twice as much as with knowledge of the future (the ski rental problem).
const LEAVES_PER_RAY: usize = 2;

/// Fewer leaves are searched as fast without.
const LEAST_LEAVES: usize = 64;

/// The wide nodes of a tree, with the boxes of the table, and how many rays asked for them since the tree changed.
#[derive(Debug, Default)]
pub(super) struct WideView {
    counted: AtomicU32,
    /// `None` within if the tree is not fit for them.
    nodes: OnceLock<Option<Vec<WideNode>>>,
    /// The memory of earlier nodes.
    scratch: Mutex<WideScratch>,
}

/// A copy makes its own.
impl Clone for WideView {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl WideView {
    /// To be called when the tree or a box of its keys has changed, before the next ray.
    #[inline]
    pub(super) fn clear(&mut self) {
        *self.counted.get_mut() = 0;
        if let Some(Some(nodes)) = self.nodes.take() {
            let scratch = self.scratch.get_mut();
            scratch.unwrap_or_else(PoisonError::into_inner).nodes = nodes;
        }
    }

    pub(super) fn memory(&self) -> usize {
        let nodes = self.nodes.get().and_then(Option::as_ref);
        let made = nodes.map_or(0, |nodes| nodes.capacity() * size_of::<WideNode>());
        made + self.scratch().memory()
    }

    fn scratch(&self) -> MutexGuard<'_, WideScratch> {
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The nodes of a tree of boxes in a table, if they were made or it is time to.
    #[inline]
    pub(super) fn nodes<V: Vector>(
        &self,
        tree: &Tree<V>,
        table: &Table<V>,
        line: &RayLine<V>,
    ) -> Option<&[WideNode]> {
        match self.nodes.get() {
            Some(nodes) => nodes.as_deref(),
            None => self.count(tree, table, line),
        }
    }

    /// Counts a ray, and makes the nodes if there were enough. Other threads do without in the meantime.
    fn count<V: Vector>(
        &self,
        tree: &Tree<V>,
        table: &Table<V>,
        line: &RayLine<V>,
    ) -> Option<&[WideNode]> {
        if tree.len() < LEAST_LEAVES || !is_in_sample(line) {
            return None;
        }
        let counted = self.counted.fetch_add(1, Ordering::Relaxed) as usize;
        let enough = tree.len() / (LEAVES_PER_RAY * SAMPLE as usize);
        if counted != enough {
            return None;
        }
        let mut bounds_of = |key: Key| table.entries[key as usize].bounds;
        let nodes = (self.nodes).get_or_init(|| tree.widened(&mut bounds_of, &mut self.scratch()));
        nodes.as_deref()
    }
}

/// True for one ray of [`SAMPLE`].
fn is_in_sample<V: Vector>(line: &RayLine<V>) -> bool {
    let bits =
        |k: usize| line.direction.component(k).to_bits() ^ line.origin.component(k).to_bits();
    let mixed = (0..V::DIM).fold(0_u32, |mixed, k| {
        (mixed ^ bits(k)).wrapping_mul(0x9e37_79b9)
    });
    (mixed >> 16) % SAMPLE == 0
}
