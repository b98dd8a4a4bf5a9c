//! Which nodes of a graph lead to a strongly connected component that they are not part of.

use crate::columns::bytes;
use crate::reserve::{Need, cut_down};

/// A node that the search has not come to.
const NEW: u32 = u32::MAX;

/// A graph, and its strongly connected components: the sets of nodes that lead to each other. Kept for its memory.
///
/// The components are found by the algorithm of Tarjan ("Depth-first search and linear graph algorithms", 1972),
/// without recursion.
#[derive(Clone, Debug, Default)]
pub(super) struct Components {
    /// By node, where its edges begin.
    starts: Vec<u32>,
    /// The nodes that the edges lead to.
    edges: Vec<u32>,
    /// By node, when the search came to it.
    times: Vec<u32>,
    /// By node, the earliest time that it leads back to; once its component is complete, the number of that.
    lows: Vec<u32>,
    /// By node, whether its component is complete.
    is_done: Vec<bool>,
    /// The nodes of components that are not complete.
    open: Vec<u32>,
    /// The way to the present node, with the next edge of each node on it.
    way: Vec<(u32, u32)>,
    /// By component, whether an edge leads out of it.
    has_exit: Vec<bool>,
}

impl Components {
    /// Visits, in order, the nodes of a graph whose component leads to another one. The edges, each from one node to
    /// another, are sorted.
    pub(super) fn for_each_above_another(
        &mut self,
        nodes: usize,
        edges: &[(u32, u32)],
        mut visit: impl FnMut(usize),
    ) {
        self.edges.clear();
        self.edges.extend(edges.iter().map(|&(_, to)| to));
        self.starts.clear();
        let mut next = 0;
        for node in 0..nodes as u32 {
            while edges.get(next).is_some_and(|&(from, _)| from < node) {
                next += 1;
            }
            self.starts.push(next as u32);
        }
        self.find();
        self.has_exit.clear();
        self.has_exit.resize(nodes, false);
        for node in 0..nodes {
            let component = self.lows[node];
            let edges = self.edges_of(node);
            let is_other = |&to: &u32| self.lows[to as usize] != component;
            if self.edges[edges].iter().any(is_other) {
                self.has_exit[component as usize] = true;
            }
        }
        for node in 0..nodes {
            if self.has_exit[self.lows[node] as usize] {
                visit(node);
            }
        }
    }

    fn edges_of(&self, node: usize) -> core::ops::Range<usize> {
        let end = self.starts.get(node + 1).copied();
        self.starts[node] as usize..end.map_or(self.edges.len(), |end| end as usize)
    }

    /// Numbers the components, in `lows`.
    fn find(&mut self) {
        let nodes = self.starts.len();
        for column in [&mut self.times, &mut self.lows] {
            column.clear();
            column.resize(nodes, NEW);
        }
        self.is_done.clear();
        self.is_done.resize(nodes, false);
        let (mut time, mut count) = (0, 0);
        for root in 0..nodes {
            if self.times[root] != NEW {
                continue;
            }
            self.enter(root, &mut time);
            while let Some(&(node, edge)) = self.way.last() {
                let (node, edge) = (node as usize, edge as usize);
                if edge < self.edges_of(node).end {
                    if let Some(last) = self.way.last_mut() {
                        last.1 += 1;
                    }
                    let to = self.edges[edge] as usize;
                    if self.times[to] == NEW {
                        self.enter(to, &mut time);
                    } else if !self.is_done[to] {
                        self.lows[node] = self.lows[node].min(self.times[to]);
                    }
                } else {
                    self.leave(node, &mut count);
                }
            }
        }
    }

    fn enter(&mut self, node: usize, time: &mut u32) {
        (self.times[node], self.lows[node]) = (*time, *time);
        *time += 1;
        self.open.push(node as u32);
        self.way.push((node as u32, self.starts[node]));
    }

    /// All edges of the node were followed. If it leads back to none before it, what is open from it on is a component.
    fn leave(&mut self, node: usize, count: &mut u32) {
        self.way.pop();
        let low = self.lows[node];
        if low == self.times[node] {
            while let Some(member) = self.open.pop() {
                self.lows[member as usize] = *count;
                self.is_done[member as usize] = true;
                if member as usize == node {
                    break;
                }
            }
            *count += 1;
        }
        if let Some(&(before, _)) = self.way.last()
            && !self.is_done[node]
        {
            let before = before as usize;
            self.lows[before] = self.lows[before].min(low);
        }
    }

    /// Gives memory back that the last frames did not need.
    pub(super) fn cut_down(&mut self, need: &Need) {
        let contacts = need.part_contacts;
        cut_down(&mut self.starts, contacts);
        cut_down(&mut self.edges, 2 * need.covers);
        cut_down(&mut self.times, contacts);
        cut_down(&mut self.lows, contacts);
        cut_down(&mut self.is_done, contacts);
        cut_down(&mut self.open, contacts);
        cut_down(&mut self.way, contacts);
        cut_down(&mut self.has_exit, contacts);
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> usize {
        let columns = [
            &self.starts,
            &self.edges,
            &self.times,
            &self.lows,
            &self.open,
        ];
        columns.map(bytes).iter().sum::<usize>()
            + bytes(&self.is_done)
            + bytes(&self.has_exit)
            + bytes(&self.way)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nodes above another component, by the definition: that reach a node which does not reach them.
    fn expected(nodes: usize, edges: &[(usize, usize)]) -> Vec<usize> {
        let mut reaches = vec![vec![false; nodes]; nodes];
        for &(from, to) in edges {
            reaches[from][to] = true;
        }
        for via in 0..nodes {
            for from in 0..nodes {
                for to in 0..nodes {
                    reaches[from][to] |= reaches[from][via] && reaches[via][to];
                }
            }
        }
        let is_above = |&from: &usize| (0..nodes).any(|to| reaches[from][to] && !reaches[to][from]);
        (0..nodes).filter(is_above).collect()
    }

    /// All graphs of four nodes.
    #[test]
    fn nodes_above_another_component_are_those_of_the_definition() {
        let pairs: Vec<_> = (0..4_usize)
            .flat_map(|a| (0..4).map(move |b| (a, b)))
            .filter(|(a, b)| a != b)
            .collect();
        let mut components = Components::default();
        for graph in 0..1_u32 << pairs.len() {
            let edges = (0..).zip(&pairs).filter(|(k, _)| graph >> k & 1 == 1);
            let edges: Vec<_> = edges.map(|(_, &pair)| pair).collect();
            let numbers: Vec<_> = edges.iter().map(|&(a, b)| (a as u32, b as u32)).collect();
            let mut found = Vec::new();
            components.for_each_above_another(4, &numbers, |node| found.push(node));
            assert_eq!(found, expected(4, &edges), "{edges:?}");
        }
    }
}
