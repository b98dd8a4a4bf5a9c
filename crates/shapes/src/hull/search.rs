//! How a hull finds the vertex that is farthest along a direction, and the tables for that.

use clearance_math::{PreciseVector, Vector};

use super::edge_blocks::EdgeBlocks;
use super::hill_climbing::{HillClimb, StartTable};
use super::index_lists::IndexLists;
use super::scan::Scan;
use super::vertex_tree::VertexTree;

/// How the support vertex is found.
#[derive(Clone, Debug)]
pub(super) enum Search<P> {
    /// By examining all vertices.
    Scan(Scan),
    /// By hill climbing along edges from a vertex nearby.
    HillClimbing(ClimbTables<P>),
}

/// What hill climbing on a large hull needs in addition to the vertices and their neighbours.
#[derive(Clone, Debug)]
pub(super) struct ClimbTables<P> {
    pub(super) starts: StartTable<P>,
    blocks: Option<EdgeBlocks>,
    /// Used instead where hill climbing takes too long.
    tree: VertexTree<P>,
}

impl<P: PreciseVector> ClimbTables<P> {
    pub(super) fn new<V: Vector<Precise = P>>(vertices: &[V], neighbours: &IndexLists) -> Self {
        let (blocks, tree) = (
            EdgeBlocks::new(vertices, neighbours),
            VertexTree::new(vertices),
        );
        let starts = StartTable::new(&HillClimb {
            vertices,
            neighbours,
            tree: &tree,
            blocks: blocks.as_ref(),
        });
        Self {
            starts,
            blocks,
            tree,
        }
    }

    /// The parts of the hull that hill climbing uses.
    #[inline]
    pub(super) fn climb<'a, V: Vector<Precise = P>>(
        &'a self,
        vertices: &'a [V],
        neighbours: &'a IndexLists,
    ) -> HillClimb<'a, V> {
        HillClimb {
            vertices,
            neighbours,
            tree: &self.tree,
            blocks: self.blocks.as_ref(),
        }
    }

    /// The bytes allocated.
    pub(super) fn memory(&self) -> usize {
        self.starts.memory()
            + self.blocks.as_ref().map_or(0, EdgeBlocks::memory)
            + self.tree.memory()
    }
}
