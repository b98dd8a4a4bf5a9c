//! Point clouds: many balls of one radius.

use clearance_math::internal::MapEach;
use clearance_math::{Aabb, PreciseVector, Real, Vector, compile_once, round_down, round_up};
use clearance_tree::{Child, LANES, NONE, Node};

use super::nodes::{NodeContent, PartTree};
use super::vertices::List;
use crate::convex::ball_bounds;
use crate::error::check_number;
use crate::{Requirement, ShapeError};

/// The most points of a cloud: their numbers must have 24 bits.
const MOST_POINTS: usize = 1 << 24;

/// The lowest level whose boxes are stored: those of blocks of 64 points. Those of blocks of 16 are stored as parts of them, and those of
/// blocks of 4 are computed from their points.
const FIRST_STORED: usize = 3;

/// Balls of one radius about points, such as what a depth camera or a laser scanner saw. A radius of 0 leaves the points.
///
/// Part i is the ball about point i. In space a point takes 15.9 bytes, and 11.7 in the plane: its coordinates, three bytes for its
/// place in the tree, and less than a byte for the boxes of the tree.
///
/// The tree is a complete one over the points in an order in which neighbours follow each other: the block b of level L
/// holds the points from place `b 4^L` on, 4^L of them. Only the last block of a level may have fewer.
pub struct PointCloud<V: Vector> {
    points: Vec<V>,
    radius: Real,
    /// The numbers of the points in the order of the tree, each in three bytes.
    order: Vec<[u8; 3]>,
    /// From the blocks that are a point each to the root.
    levels: Vec<BlockLevel<V>>,
    /// The boxes of the blocks below the lowest stored ones; empty if there is but one.
    inner: Vec<InnerBox>,
}

/// A box in another one: for each axis how far it begins and ends inside of it, in 255ths, not more than it does.
#[derive(Clone, Copy)]
struct InnerBox([[u8; 2]; 3]);

impl InnerBox {
    /// How far ends lie inside, of which `q` is stored.
    fn inset<V: Vector>(outer: &Aabb<V>, axis: usize, q: u8) -> f64 {
        let [low, high] = [outer.min, outer.max].map_each(|end| f64::from(end.component(axis)));
        (high - low) * (f64::from(q) / 255.0)
    }

    fn new<V: Vector>(outer: &Aabb<V>, inner: &Aabb<V>) -> Self {
        let mut insets = [[0; 2]; 3];
        for (axis, insets) in insets.iter_mut().enumerate().take(V::DIM) {
            let apart = |a: V, b: V| f64::from(a.component(axis)) - f64::from(b.component(axis));
            let ends = [apart(inner.min, outer.min), apart(outer.max, inner.max)];
            let stored = |end: f64| {
                let part = (end / Self::inset(outer, axis, 255) * 255.0) as u8;
                // Rounding may make it one too many, and there are 255ths of nothing.
                let fits = |&q: &u8| Self::inset(outer, axis, q) <= end;
                [part, part.saturating_sub(1)]
                    .into_iter()
                    .find(fits)
                    .unwrap_or(0)
            };
            *insets = ends.map_each(stored);
        }
        Self(insets)
    }

    fn within<V: Vector>(self, outer: &Aabb<V>) -> Aabb<V> {
        let mut bounds = *outer;
        for axis in 0..V::DIM {
            let [low, high] = self.0[axis].map_each(|q| Self::inset(outer, axis, q));
            let (min, max) = (outer.min.component(axis), outer.max.component(axis));
            bounds.min = bounds
                .min
                .with_component(axis, round_down(f64::from(min) + low));
            bounds.max = bounds
                .max
                .with_component(axis, round_up(f64::from(max) - high));
        }
        bounds
    }
}

/// The blocks of 4^L points. From the second level on each is a node of the tree.
struct BlockLevel<V: Vector> {
    count: usize,
    /// The index of the first node.
    first_node: usize,
    /// The boxes of the blocks; empty below [`FIRST_STORED`].
    boxes: Vec<Aabb<V>>,
}

impl<V: Vector> PointCloud<V> {
    pub(super) fn new(points: Vec<V>, radius: Real) -> Result<Self, ShapeError> {
        let List { shape, field } = List::POINTS;
        check_number(shape, "radius", radius, Requirement::NotNegative)?;
        if points.is_empty() || points.len() > MOST_POINTS {
            return Err(ShapeError::PartCount {
                shape,
                field,
                count: points.len(),
                most: MOST_POINTS as u32,
            });
        }
        check_points(&points, radius)?;
        let order = order(&points);
        let mut cloud = Self {
            points,
            radius,
            order,
            levels: Vec::new(),
            inner: Vec::new(),
        };
        cloud.make_levels();
        Ok(cloud)
    }

    fn make_levels(&mut self) {
        let mut count = self.points.len();
        loop {
            self.levels.push(BlockLevel {
                count,
                first_node: 0,
                boxes: Vec::new(),
            });
            if count == 1 && self.levels.len() > 1 {
                break;
            }
            count = count.div_ceil(LANES);
        }
        let mut first_node = 0;
        for level in self.levels[1..].iter_mut().rev() {
            level.first_node = first_node;
            first_node += level.count;
        }
        for level in FIRST_STORED..self.levels.len() {
            let blocks = 0..self.levels[level].count;
            self.levels[level].boxes = blocks.map(|block| self.bounds(level, block)).collect();
        }
        if let Some(outer) = self.levels.get(FIRST_STORED) {
            let blocks = 0..self.levels[FIRST_STORED - 1].count;
            let inner = |block| {
                let own = self.bounds(FIRST_STORED - 1, block);
                InnerBox::new(&outer.boxes[block / LANES], &own)
            };
            self.inner = blocks.map(inner).collect();
        }
    }

    /// The points, in the frame of the body, as they were given.
    #[must_use]
    pub fn points(&self) -> &[V] {
        &self.points
    }

    /// The radius of every ball, >= 0.
    #[must_use]
    pub fn radius(&self) -> Real {
        self.radius
    }

    /// The number of the point at a place in the order of the tree.
    fn number(&self, place: usize) -> u32 {
        let [low, middle, high] = self.order[place];
        u32::from_le_bytes([low, middle, high, 0])
    }

    /// The box of a block, around the balls.
    fn bounds(&self, level: usize, block: usize) -> Aabb<V> {
        if let Some(&stored) = self.levels[level].boxes.get(block) {
            return stored;
        }
        if level > FIRST_STORED {
            let below = LANES * block..(LANES * (block + 1)).min(self.levels[level - 1].count);
            return below.fold(Aabb::empty(), |bounds, block| {
                bounds.merged(&self.bounds(level - 1, block))
            });
        }
        if level == FIRST_STORED - 1
            && let Some(inner) = self.inner.get(block)
        {
            return inner.within(&self.levels[FIRST_STORED].boxes[block / LANES]);
        }
        let size = 1 << (2 * level);
        let places = size * block..(size * (block + 1)).min(self.points.len());
        let [mut min, mut max] = [self.points[self.number(places.start) as usize]; 2];
        for place in places {
            let point = self.points[self.number(place) as usize];
            (min, max) = (min.min(point), max.max(point));
        }
        let radius = f64::from(self.radius);
        let [low, high] =
            [min, max].map_each(|center| ball_bounds::<V>(center.to_precise(), radius));
        Aabb::new(low.min, high.max)
    }

    pub(super) fn memory(&self) -> usize {
        let boxes = self.levels.iter().map(|level| level.boxes.capacity());
        self.points.capacity() * size_of::<V>()
            + self.order.capacity() * size_of::<[u8; 3]>()
            + self.levels.capacity() * size_of::<BlockLevel<V>>()
            + boxes.sum::<usize>() * size_of::<Aabb<V>>()
            + self.inner.capacity() * size_of::<InnerBox>()
    }
}

/// The tree follows from the rest.
impl<V: Vector> PartialEq for PointCloud<V> {
    fn eq(&self, other: &Self) -> bool {
        self.points == other.points && self.radius == other.radius
    }
}

impl<V: Vector> PartTree for PointCloud<V> {
    fn content(&self, index: u32) -> NodeContent<'_> {
        let index = index as usize;
        // The first nodes of the levels decrease up to the root.
        let level = 1 + self.levels[1..].partition_point(|level| level.first_node > index);
        let block = index - self.levels[level].first_node;
        let below = &self.levels[level - 1];
        let mut node = Node::new(NONE);
        for lane in 0..LANES.min(below.count - LANES * block) {
            let child = LANES * block + lane;
            node.set_lane(lane, &self.bounds(level - 1, child));
            node.children[lane] = if level == 1 {
                Child::leaf(self.number(child))
            } else {
                Child::node((below.first_node + child) as u32)
            };
        }
        NodeContent::ComputedBoxes(node)
    }
}

compile_once! {
    /// A cloud of copies of the points.
    pub(super) fn cloud_of<'a, V>(points: &'a [V], radius: Real) -> Result<PointCloud<V>, ShapeError> {
        PointCloud::new(points.to_vec(), radius)
    }
}

/// Checks that the points are finite, and that their balls are.
fn check_points<V: Vector>(points: &[V], radius: Real) -> Result<(), ShapeError> {
    for (number, &point) in points.iter().enumerate() {
        let wrong = (0..V::DIM).find(|&axis| !point.component(axis).is_finite());
        if let Some(axis) = wrong {
            return Err(ShapeError::Vertex {
                shape: List::POINTS.shape,
                list: List::POINTS.field,
                vertex: number,
                axis,
                value: point.component(axis),
                user: None,
            });
        }
        let bounds = ball_bounds::<V>(point.to_precise(), radius.into());
        if !(bounds.min.is_finite() && bounds.max.is_finite()) {
            return Err(ShapeError::PartTooFar {
                shape: List::POINTS.shape,
                number,
            });
        }
    }
    Ok(())
}

/// The numbers of the points in an order in which neighbours follow each other.
fn order<V: Vector>(points: &[V]) -> Vec<[u8; 3]> {
    let mut numbered: Vec<(V, u32)> = points.iter().copied().zip(0..).collect();
    arrange(&mut numbered, points.len().next_power_of_two());
    let in_bytes = |&(_, number): &(V, u32)| {
        let [low, middle, high, _] = number.to_le_bytes();
        [low, middle, high]
    };
    numbered.iter().map(in_bytes).collect()
}

/// Puts the lesser half of `whole` places first, along the axis on which the points are spread most, and so on in each half.
/// The halves do not depend on how that is done, since no two points are equal in coordinate and number.
fn arrange<V: Vector>(points: &mut [(V, u32)], whole: usize) {
    if points.len() <= 1 {
        return;
    }
    let half = whole / 2;
    if points.len() <= half {
        return arrange(points, half);
    }
    let size = {
        let first = points[0].0;
        let ends = points.iter().fold([first; 2], |[min, max], &(point, _)| {
            [min.min(point), max.max(point)]
        });
        let [min, max] = ends.map_each(|end| end.to_precise());
        max - min
    };
    let length = |axis: &usize| size.component(*axis);
    let axis = (0..V::DIM)
        .max_by(|a, b| length(a).total_cmp(&length(b)))
        .unwrap_or(0);
    points.select_nth_unstable_by(half, |a, b| {
        a.0.component(axis)
            .total_cmp(&b.0.component(axis))
            .then(a.1.cmp(&b.1))
    });
    let (low, high) = points.split_at_mut(half);
    arrange(low, half);
    arrange(high, half);
}
