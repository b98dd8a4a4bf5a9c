//! Fitting the nodes to boxes that have moved, without changing the structure of the tree.

use clearance_math::{Aabb, Vector};

use crate::node::half_surface;
use crate::tree::is_root;
use crate::{LANES, Node, Tree, Workers, node_and_lane};

/// The least number of nodes for which it pays to use another thread.
const MIN_NODES_PER_THREAD: usize = 256;

/// The greatest ratio of the surface of a node to that of the new node that counts.
const WORST_RATIO: f64 = 4.0;

/// How much the nodes of a tree have grown since they were made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// The mean ratio of the surface of a node to that when the node was made. It tells how much
    /// longer a search takes than in a new tree. No node counts for more than 4.
    pub mean_ratio: f64,
}

impl<V: Vector> Tree<V> {
    /// Fits all nodes to new boxes of the leaves, which `bounds` returns by number. They must be
    /// finite and not empty.
    ///
    /// One sweep from the last node to the root: children come after their parents.
    pub fn refit(&mut self, workers: &Workers, bounds: impl Fn(u32) -> Aabb<V> + Sync) -> Growth {
        let pieces = workers.pieces(self.nodes.len(), MIN_NODES_PER_THREAD);
        let length = self.nodes.len().div_ceil(pieces).max(1);
        let nodes = self.nodes.chunks_mut(length);
        workers.for_each(nodes, |nodes| fit_leaves(nodes, &bounds));
        let mut ratios = 0.0;
        let mut alive: u32 = 0;
        for at in (0..self.nodes.len()).rev() {
            let node = &mut self.nodes[at];
            if !node.alive {
                continue;
            }
            let around = node.bounds::<V>();
            let surface = half_surface(&around) + f64::MIN_POSITIVE;
            ratios += (surface / (node.made_surface + f64::MIN_POSITIVE)).min(WORST_RATIO);
            alive += 1;
            if !is_root(node) {
                let (parent, lane) = node_and_lane(node.parent);
                self.nodes[parent].set_lane(lane, &around);
            }
        }
        let mean_ratio = ratios / f64::from(alive.max(1));
        Growth { mean_ratio }
    }

    /// Stores the box of node `at` in its parent, and so on upwards until nothing changes.
    pub fn refit_upwards(&mut self, mut at: usize, around: &Aabb<V>) {
        let mut around = *around;
        while !is_root(&self.nodes[at]) {
            let (parent, lane) = node_and_lane(self.nodes[at].parent);
            let node = &mut self.nodes[parent];
            if node.lane::<V>(lane) == around {
                return;
            }
            node.set_lane(lane, &around);
            around = node.bounds();
            at = parent;
        }
    }
}

/// Sets the boxes of leaves.
fn fit_leaves<V: Vector>(nodes: &mut [Node], bounds: &impl Fn(u32) -> Aabb<V>) {
    for node in nodes.iter_mut().filter(|node| node.alive) {
        for lane in 0..LANES {
            if let Some(number) = node.children[lane].number() {
                node.set_lane(lane, &bounds(number));
            }
        }
    }
}
