//! The farthest vertex by branch and bound, for hulls where a walk takes too long.
//!
//! Walks are slow where a vertex has very many neighbours, such as the apex of a cone, and around rims,
//! such as the ends of a cylinder. The vertices of such hulls lie along curves, which capsules enclose
//! tightly: of n vertices on a smooth curve, the search looks at O(log n) nodes.

use clearance_math::{PreciseVector, Vector, tolerances};

use super::scan::{LANES, products};

/// More levels than a tree of 2^32 vertices has.
const MOST_LEVELS: usize = 40;

/// A binary tree over the vertices of a hull; every node encloses its vertices by a capsule.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct VertexTree<P> {
    /// The root first.
    nodes: Vec<Node<P>>,
    leaves: Vec<Leaf>,
}

/// All points within `radius` of the segment from `middle - half` to `middle + half`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node<P> {
    middle: P,
    half: P,
    /// Greater than the distances themselves by what rounding may do to products.
    radius: f64,
    content: Content,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Content {
    /// The number of the first of two nodes next to each other.
    Children(u32),
    /// The number of a leaf.
    Leaf(u32),
}

/// Up to [`LANES`] vertices, filled up with copies of the last one.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Leaf {
    /// First all x, then all y, then all z; only x and y in the plane.
    rows: [[f64; LANES]; 3],
    vertices: [u32; LANES],
}

impl<P: PreciseVector> VertexTree<P> {
    /// The tree of at least one vertex; O(n log n).
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
    /// A direction that is not a number gives some vertex.
    #[inline(never)]
    pub(super) fn farthest(&self, direction: P) -> u32 {
        let length = length(direction);
        let bound = |node: &Node<P>| {
            let reached = node.middle.dot(direction) + node.half.dot(direction).abs();
            // The last term is for products too small to be normal numbers.
            reached + length * node.radius + f64::MIN_POSITIVE
        };
        let mut best = (0, f64::NEG_INFINITY);
        let mut waiting = [(0, 0.0); MOST_LEVELS];
        waiting[0] = (0, bound(&self.nodes[0]));
        let mut count = 1;
        while count > 0 {
            count -= 1;
            #[cfg(test)]
            super::effort::count_step();
            let (node, most) = waiting[count];
            if most < best.1 {
                continue;
            }
            match self.nodes[node as usize].content {
                Content::Leaf(leaf) => self.leaves[leaf as usize].improve(&mut best, direction),
                Content::Children(first) => {
                    let bounds = [first, first + 1].map(|child| bound(&self.nodes[child as usize]));
                    let nearer = usize::from(bounds[1] > bounds[0]);
                    // The child that promises more is looked at first.
                    for child in [1 - nearer, nearer] {
                        waiting[count] = (first + child as u32, bounds[child]);
                        count += 1;
                    }
                }
            }
        }
        best.0
    }

    /// The bytes allocated.
    pub(super) fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<P>>() + self.leaves.capacity() * size_of::<Leaf>()
    }
}

impl Leaf {
    /// Puts a vertex in place of `best` that lies farther, or as far and has a lower number.
    #[inline]
    fn improve<P: PreciseVector>(&self, best: &mut (u32, f64), direction: P) {
        let products = products(&self.rows[..P::DIM], direction);
        for (product, &vertex) in products.into_iter().zip(&self.vertices) {
            if product > best.1 || product == best.1 && vertex < best.0 {
                *best = (vertex, product);
            }
        }
    }
}

/// What making nodes takes.
struct Builder<'a, P> {
    positions: &'a [P],
    slack: f64,
}

impl<P: PreciseVector> Builder<'_, P> {
    /// Makes all nodes below node `number`, which holds the vertices `order`.
    fn fill(&self, tree: &mut VertexTree<P>, number: usize, order: &mut [u32]) {
        if order.len() <= LANES {
            tree.nodes[number].content = Content::Leaf(tree.leaves.len() as u32);
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
        tree.nodes[number].content = Content::Children(first as u32);
        self.fill(tree, first, low);
        self.fill(tree, first + 1, high);
    }

    /// The axis along which the vertices are spread most.
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

    /// A capsule around the vertices, along the line between two that are far from each other.
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

    fn leaf(&self, order: &[u32]) -> Leaf {
        let vertices: [u32; LANES] = core::array::from_fn(|lane| order[lane.min(order.len() - 1)]);
        let row =
            |axis: usize| vertices.map(|vertex| self.positions[vertex as usize].in_space()[axis]);
        Leaf {
            rows: core::array::from_fn(row),
            vertices,
        }
    }
}

/// The length of a direction of any size; not a number, which no bound is less than, where there is none.
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
        (0..V::DIM).fold(V::ZERO, |v, k| {
            v.with_component(k, coordinate(random, size))
        })
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
