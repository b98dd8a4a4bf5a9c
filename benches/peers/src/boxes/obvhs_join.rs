//! obvhs's tree; it offers no join, so that is written here.

use clearance_broadphase::BodyKind;
use clearance_math::{Aabb, Vec3};
use obvhs::aabb::Aabb as Bounds;
use obvhs::bvh2::Bvh2;
use obvhs::ploc::{PlocBuilder, PlocSearchDistance, SortPrecision};

use super::{BoxFilm, Boxes};
use crate::Upkeep;

/// obvhs's tree: one of the moving boxes, one of the fixed.
pub struct Obvhs {
    upkeep: Upkeep,
    builder: PlocBuilder,
    moving: Numbered,
    fixed: Numbered,
    bounds: Vec<Bounds>,
    stack: Vec<(u32, u32)>,
    pairs: Vec<(u32, u32)>,
}

/// A tree, and the numbers of the boxes that it was made of.
struct Numbered {
    tree: Bvh2,
    numbers: Vec<u32>,
}

impl Numbered {
    fn new(builder: &mut PlocBuilder, film: &BoxFilm, mobility: BodyKind) -> Self {
        let (numbers, bounds): (Vec<_>, Vec<_>) = film
            .of(mobility)
            .map(|(key, b)| (key, converted(b)))
            .unzip();
        let mut tree = Bvh2::default();
        if !bounds.is_empty() {
            build(builder, &mut tree, &bounds);
            tree.init_primitives_to_nodes_if_uninit();
        }
        Self { tree, numbers }
    }

    /// The number of the box in a leaf; leaves hold one box each.
    fn number(&self, node: u32) -> u32 {
        let first = self.tree.nodes[node as usize].first_index;
        self.numbers[self.tree.primitive_indices[first as usize] as usize]
    }
}

fn build(builder: &mut PlocBuilder, tree: &mut Bvh2, bounds: &[Bounds]) {
    let indices = (0..bounds.len() as u32).collect();
    // The cheapest tree: it lives for a frame.
    let distance = PlocSearchDistance::Minimum;
    builder.build_with_bvh(tree, distance, bounds, indices, SortPrecision::U64, 0);
}

fn converted(bounds: &Aabb<Vec3>) -> Bounds {
    Bounds::new(bounds.min.to_array().into(), bounds.max.to_array().into())
}

impl Obvhs {
    /// The boxes of the film.
    #[must_use]
    pub fn new(film: &BoxFilm, upkeep: Upkeep) -> Self {
        let mut builder = PlocBuilder::new();
        Self {
            upkeep,
            moving: Numbered::new(&mut builder, film, BodyKind::Moving),
            fixed: Numbered::new(&mut builder, film, BodyKind::Fixed),
            builder,
            bounds: Vec::new(),
            stack: Vec::new(),
            pairs: Vec::new(),
        }
    }
}

impl Boxes for Obvhs {
    fn frame(&mut self, boxes: &[Aabb<Vec3>]) -> usize {
        let tree = &mut self.moving.tree;
        match self.upkeep {
            Upkeep::Refit => {
                for (leaf, bounds) in tree.primitives_to_nodes.iter().zip(boxes) {
                    tree.nodes[*leaf as usize].set_aabb(converted(bounds));
                }
                tree.refit_all();
            }
            Upkeep::Rebuild => {
                self.bounds.clear();
                self.bounds.extend(boxes.iter().map(converted));
                build(&mut self.builder, tree, &self.bounds);
            }
        }
        self.pairs.clear();
        let (stack, pairs) = (&mut self.stack, &mut self.pairs);
        join_with_itself(&self.moving, stack, pairs);
        if !self.fixed.tree.nodes.is_empty() {
            stack.push((0, 0));
            join(&self.moving, &self.fixed, stack, pairs);
        }
        pairs.len()
    }
}

/// Every inner node joins its two children.
fn join_with_itself(tree: &Numbered, stack: &mut Vec<(u32, u32)>, pairs: &mut Vec<(u32, u32)>) {
    for node in &tree.tree.nodes {
        if !node.is_leaf() {
            stack.push((node.first_index, node.first_index + 1));
            join(tree, tree, stack, pairs);
        }
    }
}

/// Pairs of leaves below the pairs of nodes on the stack; the greater of two nodes is opened.
fn join(a: &Numbered, b: &Numbered, stack: &mut Vec<(u32, u32)>, pairs: &mut Vec<(u32, u32)>) {
    while let Some((at_a, at_b)) = stack.pop() {
        let (node_a, node_b) = (&a.tree.nodes[at_a as usize], &b.tree.nodes[at_b as usize]);
        if !node_a.aabb().intersect_aabb(node_b.aabb()) {
            continue;
        }
        let opens_a = match (node_a.is_leaf(), node_b.is_leaf()) {
            (true, true) => {
                pairs.push((a.number(at_a), b.number(at_b)));
                continue;
            }
            (false, false) => node_a.aabb().half_area() > node_b.aabb().half_area(),
            (is_leaf, _) => !is_leaf,
        };
        if opens_a {
            stack.push((node_a.first_index, at_b));
            stack.push((node_a.first_index + 1, at_b));
        } else {
            stack.push((at_a, node_b.first_index));
            stack.push((at_a, node_b.first_index + 1));
        }
    }
}
