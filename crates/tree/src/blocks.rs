//! A wide tree over blocks of four boxes, for rays at what never changes.
//!
//! Where a run of boxes is divided is chosen by the surfaces of both sides: how many rays meet a box grows with its surface (Goldsmith
//! and Salmon, "Automatic Creation of Object Hierarchies for Ray Tracing", 1987; Wald, "On fast Construction of SAH-based
//! Bounding Volume Hierarchies", 2007, for the bins). A tree by medians is built in less time, but rays meet up to twice as
//! many of its boxes where these are long or of all sizes.

use clearance_math::{Aabb, Vector};
use glam::{Vec3, Vec4};
use smallvec::SmallVec;

use crate::internal::{MOST_LEVELS, WIDE, WideNode};
use crate::node::half_surface;
use crate::{Child, NONE};

/// How many boxes a block holds.
pub const BLOCK: usize = 4;

/// Into how many slices the longest side is cut to choose between the planes between them.
const BINS: usize = 16;

/// Levels from here on are made by halves, so that no tree is too deep.
const MOST_BY_SURFACE: usize = MOST_LEVELS / 2;

/// Wide nodes whose leaves are blocks.
#[derive(Clone, Debug, Default)]
pub struct BlockTree {
    /// The nodes, the root first.
    pub nodes: Vec<WideNode>,
    /// The numbers of the boxes in each block; the last of them may be [`NONE`].
    pub blocks: Vec<[u32; BLOCK]>,
}

/// A box with its number.
#[derive(Clone, Copy)]
struct NumberedBox {
    low: Vec4,
    high: Vec4,
    number: u32,
}

/// The corners of the box around some.
#[derive(Clone, Copy)]
struct Around {
    low: Vec4,
    high: Vec4,
}

/// A run of items that becomes one child.
#[derive(Clone, Copy)]
struct Run {
    start: usize,
    end: usize,
    around: Around,
    surface: f64,
}

/// How many items lie in a slice, and the box around them.
#[derive(Clone, Copy)]
struct Bin {
    count: usize,
    around: Around,
}

impl BlockTree {
    /// The tree over boxes that are numbered in their order.
    #[must_use]
    pub fn new<V: Vector>(boxes: impl Iterator<Item = Aabb<V>>) -> Self {
        let corner = |corner: V| {
            let along = |k: usize| {
                if k < V::DIM { corner.component(k) } else { 0.0 }
            };
            Vec4::new(along(0), along(1), along(2), 0.0)
        };
        let items = (0..).zip(boxes).map(|(number, bounds)| NumberedBox {
            low: corner(bounds.min),
            high: corner(bounds.max),
            number,
        });
        Self::of(items.collect())
    }

    fn of(mut items: Vec<NumberedBox>) -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            blocks: Vec::with_capacity(items.len() / BLOCK + items.len() / 8),
        };
        if !items.is_empty() {
            tree.make(&mut items, 0);
        }
        tree.nodes.shrink_to_fit();
        tree.blocks.shrink_to_fit();
        tree
    }

    /// Makes the node over some items, and all below it; returns its index.
    fn make(&mut self, items: &mut [NumberedBox], level: usize) -> u32 {
        let index = self.nodes.len();
        self.nodes.push(WideNode::new());
        for (lane, part) in parts(items, level).into_iter().enumerate() {
            let items = &mut items[part.start..part.end];
            let child = if items.len() <= BLOCK {
                self.blocks.push([NONE; BLOCK]);
                let last = self.blocks.len() - 1;
                for (place, item) in self.blocks[last].iter_mut().zip(items) {
                    *place = item.number;
                }
                Child::leaf(last as u32)
            } else {
                Child::node(self.make(items, level + 1))
            };
            self.nodes[index].put(lane, child, [part.around.low, part.around.high]);
        }
        index as u32
    }
}

/// Divides items into the children of a node: as few as full nodes below can hold, so that those are full.
fn parts(items: &mut [NumberedBox], level: usize) -> SmallVec<[Run; WIDE]> {
    let mut full = BLOCK;
    while full * WIDE < items.len() {
        full *= WIDE;
    }
    let is_by_surface = level < MOST_BY_SURFACE;
    let all = Run::new(0, items.len(), Around::all(items));
    let mut parts: SmallVec<[Run; WIDE]> = SmallVec::from_slice(&[all]);
    while parts.len() < WIDE {
        let large = (0..parts.len()).filter(|&k| parts[k].len() > full);
        let next = large.max_by(|&one, &other| {
            let key = |part: &Run| {
                if is_by_surface {
                    part.surface
                } else {
                    part.len() as f64
                }
            };
            key(&parts[one]).total_cmp(&key(&parts[other]))
        });
        let Some(next) = next else { break };
        let Run { start, end, .. } = parts[next];
        let some = &mut items[start..end];
        let by_surface = if is_by_surface { divide(some) } else { None };
        let (lower, around) = by_surface.unwrap_or_else(|| halves(some));
        let middle = start + lower;
        parts[next] = Run::new(start, middle, around[0]);
        parts.push(Run::new(middle, end, around[1]));
    }
    parts
}

/// How many items the first half has, and the boxes around both.
fn halves(items: &[NumberedBox]) -> (usize, [Around; 2]) {
    let half = items.len() / 2;
    (
        half,
        [Around::all(&items[..half]), Around::all(&items[half..])],
    )
}

impl Run {
    fn new(start: usize, end: usize, around: Around) -> Self {
        let surface = around.half_surface();
        Self {
            start,
            end,
            around,
            surface,
        }
    }

    fn len(&self) -> usize {
        self.end - self.start
    }
}

impl Around {
    const NOTHING: Self = Self {
        low: Vec4::INFINITY,
        high: Vec4::NEG_INFINITY,
    };

    /// The box around some items.
    fn all(items: &[NumberedBox]) -> Self {
        let all = items.iter().map(NumberedBox::around);
        all.fold(Self::NOTHING, Self::and)
    }

    #[inline]
    fn and(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    fn half_surface(self) -> f64 {
        let corner = |corner: Vec4| Vec3::new(corner.x, corner.y, corner.z);
        half_surface(&Aabb::<Vec3>::new(corner(self.low), corner(self.high)))
    }
}

impl NumberedBox {
    #[inline]
    fn around(&self) -> Around {
        Around {
            low: self.low,
            high: self.high,
        }
    }

    /// Half of each coordinate is taken before the sum, which cannot overflow then.
    #[inline]
    fn center(&self) -> Vec4 {
        self.low * 0.5 + self.high * 0.5
    }
}

/// Orders items by which side of a plane across the longest side they lie on; returns how many are on the lower side, and the
/// boxes around those of both. `None` if no plane is between them.
fn divide(items: &mut [NumberedBox]) -> Option<(usize, [Around; 2])> {
    let centers = items.iter().fold(Around::NOTHING, |around, item| {
        let (low, high) = (item.center(), item.center());
        around.and(Around { low, high })
    });
    let extent = centers.high - centers.low;
    let axis = (1..3).fold(0, |longest, k| {
        if extent[k] > extent[longest] {
            k
        } else {
            longest
        }
    });
    let (first, scale) = (centers.low[axis], BINS as f32 / extent[axis]);
    if !scale.is_finite() {
        return None;
    }
    let bin_of =
        |item: &NumberedBox| (((item.center()[axis] - first) * scale) as usize).min(BINS - 1);
    let mut bins = [Bin {
        count: 0,
        around: Around::NOTHING,
    }; BINS];
    for item in &*items {
        let bin = &mut bins[bin_of(item)];
        bin.count += 1;
        bin.around = bin.around.and(item.around());
    }
    let plane = best_plane(&bins)?;
    let (mut lower, mut upper) = (0, items.len());
    while lower < upper {
        if bin_of(&items[lower]) < plane {
            lower += 1;
        } else {
            upper -= 1;
            items.swap(lower, upper);
        }
    }
    let [below, above] = [&bins[..plane], &bins[plane..]].map(|bins| {
        let bins = bins.iter().map(|bin| bin.around);
        bins.fold(Around::NOTHING, Around::and)
    });
    Some((lower, [below, above]))
}

/// The first bin of the upper side. Of sides with equal surfaces, as of boxes in a row without any, those of more equal counts.
fn best_plane(bins: &[Bin; BINS]) -> Option<usize> {
    let costs = |order: &mut dyn Iterator<Item = usize>| {
        let mut costs = [(0.0, 0); BINS];
        let (mut around, mut count) = (Around::NOTHING, 0);
        for k in order {
            count += bins[k].count;
            around = around.and(bins[k].around);
            if count > 0 {
                costs[k] = (around.half_surface() * count.div_ceil(BLOCK) as f64, count);
            }
        }
        costs
    };
    let lower = costs(&mut (0..BINS));
    let upper = costs(&mut (0..BINS).rev());
    let mut best = None;
    for plane in 1..BINS {
        let ((below, few), (above, rest)) = (lower[plane - 1], upper[plane]);
        let cost = (below + above, few.max(rest));
        if few > 0 && rest > 0 && best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, plane));
        }
    }
    best.map(|(_, plane)| plane)
}

#[cfg(test)]
mod tests {
    use clearance_math::Real;

    use super::*;
    use crate::{BuildScratch, BuildTools, Node, Tree, Workers};

    /// Each box is in one block, below boxes that contain it, and no tree is too deep.
    fn check(boxes: &[Aabb<Vec3>]) -> BlockTree {
        let tree = BlockTree::new(boxes.iter().copied());
        let mut found = vec![0; boxes.len()];
        let mut pending = vec![(0, 1)];
        while let Some((index, level)) = pending.pop() {
            assert!(level <= MOST_LEVELS);
            let node = &tree.nodes[index];
            for lane in 0..WIDE {
                let child = node.children[lane];
                let bounds = node.lane::<Vec3>(lane);
                if let Some(number) = child.number() {
                    for &number in tree.blocks[number as usize].iter().filter(|&&n| n != NONE) {
                        found[number as usize] += 1;
                        assert_eq!(bounds.merged(&boxes[number as usize]), bounds);
                    }
                } else if let Some(below) = child.index() {
                    assert!(below > index);
                    let lanes = (0..WIDE).map(|lane| tree.nodes[below].lane::<Vec3>(lane));
                    assert_eq!(lanes.fold(bounds, |all, lane| all.merged(&lane)), bounds);
                    pending.push((below, level + 1));
                }
            }
        }
        assert!(found.iter().all(|&times| times == 1));
        tree
    }

    #[test]
    fn every_box_is_in_one_block_whatever_the_boxes() {
        let point = |at: Vec3| Aabb::new(at, at);
        for count in [1, 2, 4, 5, 16, 17, 64, 65, 300, 1500] {
            let each = |make: &dyn Fn(Real) -> Aabb<Vec3>| {
                let boxes: Vec<_> = (0..count).map(|k| make(k as Real)).collect();
                check(&boxes)
            };
            let grid = each(&|k| point(Vec3::new(k % 7.0, (k * 0.7) % 13.0, k)));
            assert!(grid.blocks.len() * 3 <= count + 6, "{}", grid.blocks.len());
            each(&|_| point(Vec3::ONE));
            each(&|k| point(Vec3::X * k));
            // Each plane across the longest side has nearly all boxes on one side of it.
            each(&|k| point(Vec3::X * 0.9_f32.powf(k)));
            each(&|k| point(Vec3::new(0.5_f32.powf(k), 0.25_f32.powf(k), 0.0)));
            each(&|k| Aabb::new(Vec3::ZERO, Vec3::ONE * k * 1e37));
            each(&|k| Aabb::new(Vec3::splat(-3e38), Vec3::splat(3e38 - k * 1e35)));
            each(&|k| point(Vec3::splat(if k % 2.0 == 0.0 { 3e38 } else { -3e38 })));
        }
    }

    #[test]
    fn blocks_of_long_boxes_and_of_boxes_of_all_sizes_have_less_surface_than_those_by_medians() {
        let number = |k: u32| {
            let mixed = k.wrapping_mul(0x9e37_79b9).rotate_left(13);
            mixed.wrapping_mul(0x85eb_ca6b) as Real / 2.0_f32.powi(32)
        };
        let boxes = (0..20_000).map(|k| {
            let vector = |at: u32| Vec3::from_array([0, 1, 2].map(|j| number(9 * k + at + j)));
            let long = Vec3::ONE.with_x(if k % 8 == 0 { 50.0 } else { 1.0 });
            let low = vector(0);
            Aabb::new(low, low + long * 0.01 * number(9 * k + 6) * vector(3))
        });
        let boxes: Vec<_> = boxes.collect();
        let tree = check(&boxes);
        let lanes = tree.nodes.iter().flat_map(|node| {
            let lanes = (0..WIDE).filter(|&lane| node.children[lane].number().is_some());
            lanes.map(|lane| half_surface(&node.lane::<Vec3>(lane)))
        });
        let tools = BuildTools {
            scratch: &mut BuildScratch::default(),
            workers: &Workers::alone(),
        };
        let medians = Tree::build(&boxes, tools).unwrap();
        let is_lowest = |node: &&Node| node.children.iter().all(|child| child.is_leaf_or_empty());
        let lowest = medians.nodes().iter().filter(is_lowest);
        let by_medians: f64 = lowest
            .map(|node| half_surface(&node.bounds::<Vec3>()))
            .sum();
        let ours: f64 = lanes.sum();
        assert!(ours < 0.7 * by_medians, "{ours} instead of {by_medians}");
    }
}
