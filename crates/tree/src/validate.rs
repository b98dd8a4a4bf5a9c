//! Checks of all invariants of a tree, for tests.

use clearance_math::Inconsistent;
use clearance_math::Vector;

use crate::node::{LANES, Node, node_and_lane, place};
use crate::tree::{alive, is_root};
use crate::{Child, Tree};

impl<V: Vector> Tree<V> {
    /// Checks links, counts and numbers, and that the boxes of all nodes fit exactly; O(n log n).
    ///
    /// # Errors
    /// A sentence about the first thing that is wrong.
    pub fn validate(&self) -> Result<(), Inconsistent> {
        for (at, node) in alive(&self.nodes) {
            self.validate_parent(at, node)?;
            for lane in 0..LANES {
                self.validate_lane(at, lane)?;
            }
        }
        let mut numbers: Vec<_> = self.numbers().collect();
        if numbers.len() != self.leaves {
            let (leaves, count) = (numbers.len(), self.leaves);
            return Err(format!("{leaves} leaves, but a count of {count}").into());
        }
        numbers.sort_unstable();
        match numbers.windows(2).find(|two| two[0] == two[1]) {
            Some(two) => Err(format!("number {} is in two leaves", two[0]).into()),
            None => Ok(()),
        }
    }

    /// Checks the link between a node and its parent.
    fn validate_parent(&self, at: usize, node: &Node) -> Result<(), String> {
        if at == 0 || is_root(node) {
            return match at == 0 && is_root(node) {
                true => Ok(()),
                false => Err(format!("node {at} has the parent {}", node.parent)),
            };
        }
        let (parent, lane) = node_and_lane(node.parent);
        if parent >= at {
            return Err(format!("node {at} comes before its parent {parent}"));
        }
        if self.nodes[parent].children[lane].index() != Some(at) {
            return Err(format!("the parent of node {at} does not know it"));
        }
        if node.occupied() == 0 {
            return Err(format!("node {at} is empty"));
        }
        if self.nodes[parent].lane::<V>(lane) != node.bounds() {
            return Err(format!("the box of node {at} does not fit"));
        }
        Ok(())
    }

    /// Checks that a lane holds a node that knows it, or has an empty box if it is empty.
    fn validate_lane(&self, at: usize, lane: usize) -> Result<(), String> {
        let node = &self.nodes[at];
        let child = node.children[lane];
        if child == Child::EMPTY {
            return match node.lane::<V>(lane).is_empty() {
                true => Ok(()),
                false => Err(format!("an empty lane of node {at} holds a box")),
            };
        }
        let Some(index) = child.index() else {
            return Ok(());
        };
        let linked = self.nodes.get(index);
        match linked.filter(|n| n.alive && n.parent == place(at, lane)) {
            Some(_) => Ok(()),
            None => Err(format!("node {at} holds {index}, which is not its child")),
        }
    }
}
