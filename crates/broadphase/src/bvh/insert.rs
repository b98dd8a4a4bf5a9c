//! Adding one box to a tree.

use clearance_math::{Aabb, Vector};
use clearance_tree::internal::{half_surface, leaves_mut, nodes_mut};
use clearance_tree::{Child, LANES, NONE, Node, place};

use super::dynamic_tree::DynamicTree;
use super::filters::LaneFilters;
use crate::groups::Groups;
use crate::key::Key;
use crate::table::Table;

/// A tree with a path longer than this is rebuilt. A balanced tree with a billion leaves has a
/// depth of 15.
const DEEPEST: usize = 40;

impl<V: Vector> DynamicTree<V> {
    /// Adds `key` where the boxes on the way down grow least; O(depth).
    pub(super) fn attach(&mut self, key: Key, table: &mut Table<V>) {
        let entry = &mut table.entries[key as usize];
        entry.moved = false;
        let bounds = table.predicted_bounds[key as usize].outer;
        let nodes = nodes_mut(&mut self.tree);
        if nodes.is_empty() {
            nodes.push(Node::new(NONE));
        }
        let mut at = 0;
        let mut depth = 0;
        loop {
            let node = &self.tree.nodes()[at];
            let tie_break = TieBreak {
                turn: key as usize + depth,
                filters: self.filters.get(at),
                groups: table.groups(key),
            };
            let lane = best_lane(node, &bounds, &tie_break);
            let free = node.free_lane();
            let Some(next) = node.children[lane].index() else {
                let node_at = free.map_or_else(|| self.push_down(at, lane, table), |_| at);
                self.put_leaf(node_at, key, &bounds, table);
                break;
            };
            if free.is_some() && is_far(&node.lane(lane), &bounds) {
                self.put_leaf(at, key, &bounds, table);
                break;
            }
            let merged = node.lane(lane).merged(&bounds);
            nodes_mut(&mut self.tree)[at].set_lane(lane, &merged);
            at = next;
            depth += 1;
        }
        *leaves_mut(&mut self.tree) += 1;
        self.changes += 1;
        self.too_deep |= depth > DEEPEST;
    }

    /// Replaces the leaf in a lane by a new node that holds it; returns the index of the node.
    fn push_down(&mut self, at: usize, lane: usize, table: &mut Table<V>) -> usize {
        let nodes = nodes_mut(&mut self.tree);
        let new = nodes.len();
        let mut node = Node::new(place(at, lane));
        let leaf = nodes[at].children[lane];
        node.set_lane(0, &nodes[at].lane::<V>(lane));
        node.children[0] = leaf;
        if let Some(key) = leaf.number() {
            table.entries[key as usize].place = place(new, 0);
        }
        nodes.push(node);
        nodes[at].children[lane] = Child::node(new as u32);
        new
    }

    /// Puts a leaf into a free lane, and refits the nodes above.
    fn put_leaf(&mut self, at: usize, key: Key, bounds: &Aabb<V>, table: &mut Table<V>) {
        let Some(lane) = self.tree.nodes()[at].free_lane() else {
            unreachable!("the caller found or made a free lane");
        };
        let node = &mut nodes_mut(&mut self.tree)[at];
        node.set_lane(lane, bounds);
        node.children[lane] = Child::leaf(key);
        let around = node.bounds::<V>();
        node.made_surface = half_surface(&around);
        table.entries[key as usize].place = place(at, lane);
        self.tree.refit_upwards(at, &around);
        self.filters_changed_at(at, table);
    }
}

/// Decides between lanes that grow equally.
struct TieBreak<'a> {
    /// Rotates the order of the lanes, so that equal boxes do not all follow one path.
    turn: usize,
    /// The filters of the node, if filters are in use: a box goes to its own group.
    filters: Option<&'a LaneFilters>,
    groups: Groups,
}

impl TieBreak<'_> {
    /// The number of bits by which the filters of a lane would grow.
    fn foreign_bits(&self, lane: usize) -> u32 {
        let Some(filters) = self.filters else {
            return 0;
        };
        let old = filters.get(lane);
        (self.groups.memberships & !old.memberships).count_ones()
            + (self.groups.filter & !old.filter).count_ones()
    }
}

/// The occupied lane that grows least by `bounds`; 0 if the node is empty.
fn best_lane<V: Vector>(node: &Node, bounds: &Aabb<V>, tie_break: &TieBreak<'_>) -> usize {
    let mut best = ((f64::INFINITY, u32::MAX), 0);
    for offset in 0..LANES {
        let lane = (tie_break.turn + offset) % LANES;
        if node.children[lane].is_empty() {
            continue;
        }
        let old = node.lane::<V>(lane);
        let growth = half_surface(&old.merged(bounds)) - half_surface(&old);
        let cost = (growth, tie_break.foreign_bits(lane));
        if cost < best.0 {
            best = (cost, lane);
        }
    }
    best.1
}

/// Whether `bounds` should become a sibling of `other` and not go below it.
fn is_far<V: Vector>(other: &Aabb<V>, bounds: &Aabb<V>) -> bool {
    half_surface(&other.merged(bounds)) > 2.0 * (half_surface(other) + half_surface(bounds))
}
