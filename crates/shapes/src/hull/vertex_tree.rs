//! The support vertex of a large hull by branch and bound in a tree, for queries in which hill climbing
//! takes too long.
//!
//! Hill climbing is slow if a vertex has very many neighbours, such as the apex of a cone, and along
//! circles of many vertices, such as the ends of a cylinder. The vertices of such hulls lie on curves,
//! and capsules fit tightly around pieces of curves. For n vertices on a smooth curve, a search visits
//! O(log n) nodes.

use clearance_math::internal::MapEach;
use clearance_math::{PreciseVector, Vector, tolerances};

use super::scan::{LANES, products};

/// The capacity of the stack of a search. A tree of 2^32 vertices has fewer levels.
const MAX_LEVELS: usize = 40;

/// A bounding volume hierarchy over the vertices of a hull: a binary tree in which each node has a
/// capsule that contains its vertices.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct VertexTree<P> {
    /// The nodes, the root first.
    nodes: Vec<Node<P>>,
    leaves: Vec<Leaf>,
}

/// A node. Its capsule contains all points within `radius` of the segment from `middle - half` to
/// `middle + half`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node<P> {
    middle: P,
    half: P,
    /// The greatest distance of a vertex from the segment, plus the greatest rounding error of a product.
    radius: f64,
    content: Content,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Content {
    /// The index of the first child; the second child is the next node.
    Children(u32),
    /// The index of a leaf.
    Leaf(u32),
}

/// Up to [`LANES`] vertices. Unused places are filled with copies of the last one.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Leaf {
    /// The coordinates: first all x, then all y, then all z. In 2D only x and y are used.
    rows: [[f64; LANES]; 3],
    vertices: [u32; LANES],
}

impl<P: PreciseVector> VertexTree<P> {
    /// Builds the tree of at least one vertex; O(n log n).
    pub(super) fn new<V: Vector<Precise = P>>(vertices: &[V]) -> Self {
        let positions: Vec<P> = vertices.iter().map(|vertex| vertex.to_precise()).collect();
        let size = positions.iter().fold(0.0, |size: f64, position| {
            size.max(position.abs().dot(P::splat(1.0)))
        });
        let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
        let mut tree = Self {
            nodes: Vec::new(),
            leaves: Vec::new(),
        };
        let builder = Builder {
            positions: &positions,
            slack: tolerances::VERTEX_TREE_ROUNDING * size,
        };
        tree.nodes.push(builder.node(&order));
        builder.fill(&mut tree, 0, &mut order);
        tree
    }

    /// The first vertex with the greatest computed scalar product.
    ///
    /// The result for a direction that contains NaN is an unspecified vertex.
    #[inline(never)]
    pub(super) fn farthest(&self, direction: P) -> u32 {
        let length = length(direction);
        let bound = |node: &Node<P>| {
            let end = node.middle.dot(direction) + node.half.dot(direction).abs();
            // The last term covers products that underflow.
            end + length * node.radius + f64::MIN_POSITIVE
        };
        let mut best = Best {
            vertex: 0,
            product: f64::NEG_INFINITY,
        };
        let mut stack = [(0, 0.0); MAX_LEVELS];
        stack[0] = (0, bound(&self.nodes[0]));
        let mut count = 1;
        while count > 0 {
            count -= 1;
            #[cfg(test)]
            super::cost::count_step();
            let (node, bound_of_node) = stack[count];
            if bound_of_node < best.product {
                continue;
            }
            match self.nodes[node as usize].content {
                Content::Leaf(leaf) => self.leaves[leaf as usize].improve(&mut best, direction),
                Content::Children(first) => {
                    let bounds =
                        [first, first + 1].map_each(|child| bound(&self.nodes[child as usize]));
                    let better = usize::from(bounds[1] > bounds[0]);
                    // The child with the greater bound is pushed last, so it is visited first.
                    for child in [1 - better, better] {
                        stack[count] = (first + child as u32, bounds[child]);
                        count += 1;
                    }
                }
            }
        }
        best.vertex
    }

    /// The allocated memory in bytes.
    pub(super) fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<P>>() + self.leaves.capacity() * size_of::<Leaf>()
    }
}

/// The best vertex of a search so far.
struct Best {
    vertex: u32,
    /// Its scalar product with the direction.
    product: f64,
}

impl Leaf {
    /// Replaces `best` by a vertex of this leaf that has a greater product, or the same product and a
    /// lower index.
    #[inline]
    fn improve<P: PreciseVector>(&self, best: &mut Best, direction: P) {
        let products = products(&self.rows[..P::DIM], direction);
        for (product, &vertex) in products.into_iter().zip(&self.vertices) {
            if product > best.product || product == best.product && vertex < best.vertex {
                *best = Best { vertex, product };
            }
        }
    }
}

/// Builds the nodes of a tree.
struct Builder<'a, P> {
    positions: &'a [P],
    /// By how much each capsule is enlarged to include rounding errors.
    slack: f64,
}

impl<P: PreciseVector> Builder<'_, P> {
    /// Builds the subtree of node `node`, which contains the vertices `order`.
    fn fill(&self, tree: &mut VertexTree<P>, node: usize, order: &mut [u32]) {
        if order.len() <= LANES {
            tree.nodes[node].content = Content::Leaf(tree.leaves.len() as u32);
            tree.leaves.push(self.leaf(order));
            return;
        }
        let axis = self.longest_axis(order);
        let middle = (order.len() / 2).next_multiple_of(LANES);
        let coordinate = |vertex: u32| self.positions[vertex as usize].component(axis);
        order.select_nth_unstable_by(middle, |&a, &b| {
            coordinate(a).total_cmp(&coordinate(b)).then(a.cmp(&b))
        });
        let (low, high) = order.split_at_mut(middle);
        let first = tree.nodes.len();
        tree.nodes.push(self.node(low));
        tree.nodes.push(self.node(high));
        tree.nodes[node].content = Content::Children(first as u32);
        self.fill(tree, first, low);
        self.fill(tree, first + 1, high);
    }

    /// The axis along which the vertices have the greatest extent.
    fn longest_axis(&self, order: &[u32]) -> usize {
        let extent = |axis: usize| {
            let coordinates = order
                .iter()
                .map(|&vertex| self.positions[vertex as usize].component(axis));
            let (low, high) = coordinates
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
                    (low.min(x), high.max(x))
                });
            high - low
        };
        let longer = |best: usize, axis: usize| {
            if extent(axis) > extent(best) {
                axis
            } else {
                best
            }
        };
        (1..P::DIM).fold(0, longer)
    }

    /// A node with a capsule around the vertices `order`, along the segment between two that are far from
    /// each other.
    fn node(&self, order: &[u32]) -> Node<P> {
        let position = |vertex: u32| self.positions[vertex as usize];
        let farthest_from = |from: P| {
            let farther = |best: P, &vertex: &u32| {
                let other = position(vertex);
                let is_farther = (other - from).length_squared() > (best - from).length_squared();
                if is_farther { other } else { best }
            };
            order.iter().fold(from, farther)
        };
        let end = farthest_from(position(order[0]));
        let other_end = farthest_from(end);
        let (middle, half) = ((end + other_end) * 0.5, (end - other_end) * 0.5);
        let squared = half.length_squared();
        let radius = order.iter().fold(0.0, |radius: f64, &vertex| {
            let from_middle = position(vertex) - middle;
            let along = if squared > 0.0 {
                (from_middle.dot(half) / squared).clamp(-1.0, 1.0)
            } else {
                0.0
            };
            radius.max((from_middle - half * along).length())
        });
        Node {
            middle,
            half,
            radius: radius + self.slack,
            content: Content::Leaf(0),
        }
    }

    /// A leaf with at most [`LANES`] vertices.
    fn leaf(&self, order: &[u32]) -> Leaf {
        let vertices: [u32; LANES] = core::array::from_fn(|lane| order[lane.min(order.len() - 1)]);
        let row = |axis: usize| {
            vertices.map_each(|vertex| self.positions[vertex as usize].in_space()[axis])
        };
        Leaf {
            rows: core::array::from_fn(row),
            vertices,
        }
    }
}

/// The length of a direction, without overflow or underflow. It is NaN for a direction of length zero;
/// the bounds are then NaN as well, so no node is skipped.
fn length<P: PreciseVector>(direction: P) -> f64 {
    let largest = (0..P::DIM).fold(0.0, |largest: f64, k| {
        largest.max(direction.component(k).abs())
    });
    (direction / largest).length() * largest
}

#[cfg(test)]
mod tests {
    use clearance_math::{Vec2, Vec3};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    /// Coordinates of all sizes; some are small whole numbers, so that many products are equal.
    fn coordinate(random: &mut Pcg64, size: f32) -> f32 {
        match random.random_range(0..3) {
            0 => size * random.random_range(-1.0..1.0_f32),
            1 => size * f32::from(random.random_range(-2_i8..=2)),
            _ => size * 1e-3 * random.random_range(-1.0..1.0_f32) + size,
        }
    }

    fn vector<V: Vector>(random: &mut Pcg64, size: f32) -> V {
        V::from_fn(|_| coordinate(random, size))
    }

    fn the_first_farthest_vertex_is_found<V: Vector>(random: &mut Pcg64) {
        for (round, size) in [1.0, 1e-40, 1e38, 1e-6]
            .into_iter()
            .cycle()
            .take(200)
            .enumerate()
        {
            let vertices: Vec<V> = (0..1 + round).map(|_| vector(random, size)).collect();
            let tree = VertexTree::new(&vertices);
            for scale in [1.0, 1e-300, 1e-322, 1e-160, 1e300] {
                let direction = vector::<V>(random, 1.0).to_precise() * scale;
                let mut best = (0, f64::NEG_INFINITY);
                for (index, vertex) in (0..).zip(&vertices) {
                    let product = vertex.to_precise().dot(direction);
                    if product > best.1 {
                        best = (index, product);
                    }
                }
                assert_eq!(tree.farthest(direction), best.0, "{direction:?}, {size}");
            }
            let any = tree.farthest(V::Precise::splat(f64::NAN));
            assert!((any as usize) < vertices.len());
        }
    }

    #[test]
    fn the_tree_finds_the_first_farthest_vertex() {
        let mut random = Pcg64::seed_from_u64(17);
        the_first_farthest_vertex_is_found::<Vec2>(&mut random);
        the_first_farthest_vertex_is_found::<Vec3>(&mut random);
    }
}
