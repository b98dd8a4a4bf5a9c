//! Triangle meshes.

use clearance_math::internal::MapEach;
use clearance_math::{Aabb, Vector};
use clearance_tree::internal::{BLOCK, BlockTree, WideNode, wide_nodes};
use clearance_tree::{Child, LANES, NONE, Node, Tree};

use super::nodes::{NodeContent, PartTree, tree};
use super::triangle_group::{TriangleBlock, TriangleGroup};
use super::turned_boxes::{TurnedBoxes, turned_boxes_of};
use super::vertices::{List, around, check_indices, check_vertices};
use crate::ShapeError;

/// A surface of triangles that share vertices. It has no inside.
///
/// Part i is triangle i. A triangle without area is a segment or a point, and stays a part.
///
/// With V vertices and T triangles a mesh takes about `12 V + 87 T` bytes, its trees included; a small one up to a third more.
pub struct Mesh<V: Vector> {
    vertices: Vec<V>,
    triangles: Vec<[u32; 3]>,
    /// The nodes of the tree that hold nodes. Those below, which hold triangles, are the groups of
    /// `blocks`; their indices follow on those of these nodes.
    nodes: Vec<Node>,
    /// Those of `nodes`.
    turned_boxes: Vec<TurnedBoxes>,
    /// The triangles of the lowest nodes, with their corners: a query that comes by needs nothing else of the mesh.
    blocks: Vec<TriangleBlock>,
    /// A second tree, whose leaves are the groups: for queries that go down to a few of them.
    wide_nodes: Vec<WideNode>,
    /// A third one, whose leaves are the blocks: for rays.
    ray_nodes: Vec<WideNode>,
}

/// The parts of a lowest node.
struct Group<V> {
    parts: [Child; LANES],
    /// The box around them.
    bounds: Aabb<V>,
}

/// The tree follows from the rest.
impl<V: Vector> PartialEq for Mesh<V> {
    fn eq(&self, other: &Self) -> bool {
        self.vertices == other.vertices && self.triangles == other.triangles
    }
}

impl<V: Vector> Mesh<V> {
    pub(super) fn new(vertices: Vec<V>, triangles: Vec<[u32; 3]>) -> Result<Self, ShapeError> {
        check_indices(List::TRIANGLES, &triangles, vertices.len())?;
        check_vertices(List::TRIANGLES, &triangles, &vertices)?;
        let boxes = triangles
            .iter()
            .map(|triangle| around(&triangle.map_each(|index| vertices[index as usize])));
        let tree = tree(List::TRIANGLES, (0..).zip(boxes))?;
        let (nodes, groups) = without_lowest_nodes(&tree);
        let mut mesh = Self {
            vertices,
            triangles,
            nodes,
            turned_boxes: Vec::new(),
            blocks: Vec::new(),
            wide_nodes: Vec::new(),
            ray_nodes: Vec::new(),
        };
        mesh.put_in_blocks(&groups);
        mesh.turned_boxes = turned_boxes_of::<V>(&mesh.nodes, |group| group_of(&mesh, group));
        mesh.wide_nodes = mesh.widened();
        Ok(mesh)
    }

    /// Makes the tree for rays and its blocks, and gives the groups the numbers of their places there.
    fn put_in_blocks(&mut self, groups: &[Group<V>]) {
        let gathered = |group: &Group<V>| {
            let parts = group.parts;
            let first = parts.iter().find_map(|part| part.number()).unwrap_or(0);
            let triangles =
                parts.map_each(|part| self.triangles[part.number().unwrap_or(first) as usize]);
            TriangleGroup::new(parts, |lane, corner| {
                self.vertices[triangles[lane][corner] as usize]
            })
        };
        let tree = BlockTree::new(groups.iter().map(|group| group.bounds));
        let mut places = vec![NONE; groups.len()];
        let mut blocks = Vec::with_capacity(tree.blocks.len());
        for (block, numbers) in tree.blocks.iter().enumerate() {
            let group = |slot: usize| groups.get(numbers[slot] as usize).map(gathered);
            blocks.push(TriangleBlock::new(group));
            for (slot, &number) in numbers.iter().enumerate().filter(|&(_, &n)| n != NONE) {
                places[number as usize] = (block * BLOCK + slot) as u32;
            }
        }
        let kept = self.nodes.len();
        for child in self.nodes.iter_mut().flat_map(|node| &mut node.children) {
            if let Some(group) = child.index().and_then(|index| index.checked_sub(kept)) {
                *child = Child::node(kept as u32 + places[group]);
            }
        }
        (self.blocks, self.ray_nodes) = (blocks, tree.nodes);
    }

    /// The wide nodes over the groups.
    fn widened(&self) -> Vec<WideNode> {
        let Some(last_node) = self.nodes.len().checked_sub(1) else {
            // The root of the tree is the only group.
            let mut root = Node::new(NONE);
            root.set_lane(0, &group_of(self, 0).node().bounds::<V>());
            root.children[0] = Child::leaf(0);
            return wide_nodes(&[root]);
        };
        let mut nodes = self.nodes.clone();
        for child in nodes.iter_mut().flat_map(|node| &mut node.children) {
            if let Some(index) = child.index().filter(|&index| index > last_node) {
                *child = Child::leaf((index - self.nodes.len()) as u32);
            }
        }
        wide_nodes(&nodes)
    }

    /// The vertices, in the frame of the body.
    #[must_use]
    pub fn vertices(&self) -> &[V] {
        &self.vertices
    }

    /// The triangles: three indices of vertices each.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The corners of a triangle.
    ///
    /// # Panics
    /// If there is no triangle with this number.
    #[inline]
    #[must_use]
    pub fn corners(&self, triangle: u32) -> [V; 3] {
        self.triangles[triangle as usize].map_each(|index| self.vertices[index as usize])
    }

    pub(super) fn memory(&self) -> usize {
        self.vertices.capacity() * size_of::<V>()
            + self.triangles.capacity() * size_of::<[u32; 3]>()
            + self.nodes.capacity() * size_of::<Node>()
            + self.turned_boxes.capacity() * size_of::<TurnedBoxes>()
            + self.blocks.capacity() * size_of::<TriangleBlock>()
            + (self.wide_nodes.capacity() + self.ray_nodes.capacity()) * size_of::<WideNode>()
    }
}

/// The nodes of a tree whose leaves are groups of triangles, for queries that go down to a few of
/// them. The root comes first.
#[must_use]
pub fn wide_nodes_of<V: Vector>(mesh: &Mesh<V>) -> &[WideNode] {
    &mesh.wide_nodes
}

/// The group of triangles that is a leaf of [`wide_nodes_of`] a mesh.
///
/// # Panics
/// If there is no group with this number.
#[inline(always)]
#[must_use]
pub fn group_of<V: Vector>(mesh: &Mesh<V>, number: u32) -> TriangleGroup {
    let number = number as usize;
    mesh.blocks[number / BLOCK].group(number % BLOCK)
}

/// The corners of the triangle in a lane of a group of [`group_of`].
///
/// # Panics
/// If there is no group with this number.
#[inline(always)]
#[must_use]
pub fn corners_of<V: Vector>(mesh: &Mesh<V>, group: u32, lane: usize) -> [V; 3] {
    let group = group as usize;
    mesh.blocks[group / BLOCK].corners_of(group % BLOCK * LANES + lane)
}

/// The nodes of the tree for rays, whose leaves are [`blocks_of`] a mesh. The root comes first.
#[must_use]
pub fn ray_nodes_of<V: Vector>(mesh: &Mesh<V>) -> &[WideNode] {
    &mesh.ray_nodes
}

/// All triangles, in blocks of up to four groups.
#[must_use]
pub fn blocks_of<V: Vector>(mesh: &Mesh<V>) -> &[TriangleBlock] {
    &mesh.blocks
}

impl<V: Vector> PartTree for Mesh<V> {
    #[inline(always)]
    fn content(&self, index: u32) -> NodeContent<'_> {
        match self.nodes.get(index as usize) {
            Some(node) => NodeContent::Boxes(node),
            None => NodeContent::Triangles(group_of(self, index - self.nodes.len() as u32)),
        }
    }

    #[inline]
    fn turned_boxes(&self, index: u32) -> Option<&TurnedBoxes> {
        self.turned_boxes.get(index as usize)
    }
}

/// The nodes of a tree that hold other nodes, and a group for each of those that hold only leaves, and
/// for each leaf beside nodes. Every node of the tree was just built, so all are in use.
fn without_lowest_nodes<V: Vector>(tree: &Tree<V>) -> (Vec<Node>, Vec<Group<V>>) {
    let is_lowest = |node: &Node| node.children.iter().all(|child| child.is_leaf_or_empty());
    let kept = tree.nodes().iter().filter(|node| !is_lowest(node)).count();
    let mut new_index = 0;
    let new_indices: Vec<u32> = tree
        .nodes()
        .iter()
        .map(|node| {
            let index = new_index;
            new_index += u32::from(!is_lowest(node));
            index
        })
        .collect();
    let mut nodes = Vec::with_capacity(kept);
    let mut groups = Vec::with_capacity(tree.len().div_ceil(LANES));
    let mut add_group = |parts, bounds| {
        groups.push(Group { parts, bounds });
        Child::node((kept + groups.len() - 1) as u32)
    };
    if tree.nodes().first().is_some_and(is_lowest) {
        add_group(tree.nodes()[0].children, tree.bounds());
    }
    for node in tree.nodes().iter().filter(|node| !is_lowest(node)) {
        let mut node = *node;
        for lane in 0..LANES {
            let (child, bounds) = (node.children[lane], node.lane(lane));
            node.children[lane] = match child.index() {
                Some(below) if is_lowest(&tree.nodes()[below]) => {
                    add_group(tree.nodes()[below].children, bounds)
                }
                Some(below) => Child::node(new_indices[below]),
                None if child.is_empty() => Child::EMPTY,
                None => add_group([child, Child::EMPTY, Child::EMPTY, Child::EMPTY], bounds),
            };
        }
        nodes.push(node);
    }
    (nodes, groups)
}
