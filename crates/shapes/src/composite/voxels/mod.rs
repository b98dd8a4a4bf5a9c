//! Voxels and tiles: the filled cells of a grid.

mod cells;
mod chunk;
mod doors;
mod encoding;
mod numbers;
#[cfg(test)]
mod tests;
mod tiles;
mod walks;
mod words;

use std::borrow::Cow;
use std::sync::Arc;

use clearance_math::internal::MapEach;
use clearance_math::{
    Aabb, Cell, DVec3, Matrix, PreciseVector, Real, RelativePose, Vector, round_down, round_up,
};
use clearance_tree::{Child, LANES, NONE, Node, Tree};

use super::nodes::{LineOfParts, NodeContent, PartTree};
use super::vertices::List;
use crate::shape::{Composite, CompositeKind, OuterSide, Part, Shape};
use crate::{Core, Cuboid};
use chunk::{LEVELS, NODES, PLACES, bits, coordinates};
use numbers::Numbers;
use tiles::Palette;

pub use cells::Cells;
use cells::Spot;
use doors::first_node;
pub(super) use doors::{put_of, voxels_of_cells, voxels_of_list};
pub use tiles::{OneWay, Tile};
pub(crate) use words::Sums;

/// The filled cells of a grid: a world of blocks, or the tiles of a map. All cells have one size.
///
/// Cell (i, j, k) is the cuboid from (i, j, k) to (i + 1, j + 1, k + 1), each times the size; these products are not rounded
/// to single precision. Cells do not overlap, and a face between two of them is no surface. With a palette a cell may also be
/// a [`Tile`], which is less than its cuboid.
///
/// There may be no cell, in a map to be built in: nothing is near an empty set, no ray hits it, and its box is the origin.
///
/// The parts are the cells. Made of a list they have its numbers, and what is filled later gets the next ones. Made of
/// [`Cells`] each cell has a number for good that follows from its chunk and its place within that; so has each empty cell of
/// a chunk, whose number is no part, like that of a hole of a height field.
///
/// No boxes are stored but those of whole chunks. In a chunk the tree is complete, so that a number says which cells a node
/// has: the node k of level L holds 4^L of them, one run of the chunk's bits.
#[derive(Clone)]
pub struct Voxels<V: Vector> {
    size: V,
    /// A cell about the origin.
    cuboid: Shape<V>,
    cells: Cells<V>,
    numbers: Option<Arc<Numbers>>,
    palette: Option<Arc<Palette<V>>>,
    /// The tree over the boxes of whole chunks. Its lowest nodes hold the roots of chunks.
    tree: Arc<Tree<V>>,
    /// The least and the greatest coordinates of filled cells.
    limits: [[i32; 3]; 2],
}

/// Voxels within a composite: itself, or a member of a compound that counts from all sides.
#[derive(Clone, Copy, Debug)]
pub struct PlacedVoxels<'a, V: Vector> {
    /// The voxels.
    pub voxels: &'a Voxels<V>,
    /// Their pose in the frame of the outer composite; `None` if it is the identity.
    pub pose: Option<&'a RelativePose<V::Precise>>,
    /// The number of their first part in the outer composite.
    pub first_part: u32,
}

impl<V: Vector> PlacedVoxels<'_, V> {
    /// Whether a part of the outer composite is one of the cells, and no tile.
    #[must_use]
    pub fn has_whole_cell(&self, number: u32) -> bool {
        let spot = number
            .checked_sub(self.first_part)
            .and_then(|own| self.voxels.spot(own));
        spot.is_some_and(|spot| self.voxels.entry(spot) == 0)
    }
}

impl<V: Vector> Composite<V> {
    /// Whether any part is a cell of voxels that counts from all sides, a tile included.
    #[must_use]
    pub fn has_voxels(&self) -> bool {
        match &self.kind {
            CompositeKind::Voxels(_) => true,
            CompositeKind::Compound(compound) => compound.has_voxels(),
            _ => false,
        }
    }

    /// Visits the voxels that may have a cell at a point in the frame of the composite, some of them several times. Cost: that
    /// of looking for the point in the tree.
    pub fn each_voxels_at<'a>(
        &'a self,
        point: V::Precise,
        visit: &mut dyn FnMut(PlacedVoxels<'a, V>),
    ) {
        match &self.kind {
            CompositeKind::Voxels(voxels) => visit(PlacedVoxels {
                voxels,
                pose: None,
                first_part: 0,
            }),
            CompositeKind::Compound(compound) => compound.each_voxels_at(point, visit),
            _ => {}
        }
    }
}

impl<V: Vector> Voxels<V> {
    /// The size of every cell along each axis, > 0.
    #[must_use]
    pub fn size(&self) -> V {
        self.size
    }

    /// The filled cells.
    #[must_use]
    pub fn cells(&self) -> &Cells<V> {
        &self.cells
    }

    /// Whether the parts have the numbers of a list.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        self.numbers.is_some()
    }

    /// The cell that is the part with this number, if it is one.
    #[must_use]
    pub fn cell(&self, part: u32) -> Option<V::Cell> {
        self.spot(part).map(|spot| self.cells.cell(spot))
    }

    /// The number of the part that a cell is, if it is filled.
    #[must_use]
    pub fn part_of(&self, cell: V::Cell) -> Option<u32> {
        let spot = self.cells.spot(cell);
        spot.filter(|&spot| self.cells.is_filled(spot))
            .map(|spot| self.number(spot))
    }

    /// The cell that holds a point of the frame of the shape, filled or not; `None` beyond the numbers of cells.
    #[must_use]
    pub fn cell_at(&self, point: V::Precise) -> Option<V::Cell> {
        let mut cell = [0; 3];
        for (k, cell) in cell.iter_mut().enumerate().take(V::DIM) {
            let at = (point.component(k) / f64::from(self.size.component(k))).floor();
            if !(f64::from(i32::MIN) <= at && at <= f64::from(i32::MAX)) {
                return None;
            }
            *cell = at as i32;
        }
        Some(V::Cell::from_components(cell))
    }

    /// The corners of a box around the chunks that hold some cells, in the frame of the shape.
    #[must_use]
    pub fn limits_of_chunks(&self, cells: &[V::Cell]) -> [V::Precise; 2] {
        let chunk = |cell: &V::Cell, axis: usize| f64::from(cell.component(axis) >> bits::<V>());
        let side = |axis: usize| f64::from(1 << bits::<V>()) * f64::from(self.size.component(axis));
        let least = |axis: usize| {
            let chunks = cells.iter().map(|cell| chunk(cell, axis));
            chunks.fold(f64::INFINITY, f64::min) * side(axis)
        };
        let greatest = |axis: usize| {
            let chunks = cells.iter().map(|cell| chunk(cell, axis));
            (chunks.fold(f64::NEG_INFINITY, f64::max) + 1.0) * side(axis)
        };
        [V::Precise::from_fn(least), V::Precise::from_fn(greatest)]
    }

    /// The cells in the order of their numbers as parts, if they have those of a list; else none.
    pub fn listed(&self) -> impl Iterator<Item = V::Cell> {
        let numbers = self.numbers.iter().flat_map(|numbers| numbers.filled());
        numbers.filter_map(|number| self.cell(number))
    }

    /// The numbers of filled cells, from the least on.
    pub(super) fn part_numbers(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        match &self.numbers {
            Some(numbers) => Box::new(numbers.filled()),
            None => Box::new(self.cells.spots().map(Spot::number)),
        }
    }

    fn spot(&self, number: u32) -> Option<Spot> {
        if let Some(numbers) = &self.numbers {
            return numbers.spot(number);
        }
        let spot = Spot::from_number(number);
        (spot.slot < self.cells.chunk_count() && self.cells.is_filled(spot)).then_some(spot)
    }

    /// The number of a filled cell.
    fn number(&self, spot: Spot) -> u32 {
        match &self.numbers {
            Some(numbers) => numbers.number(&self.cells, spot),
            None => spot.number(),
        }
    }

    pub(super) fn part_count(&self) -> u32 {
        match &self.numbers {
            Some(numbers) => numbers.count(),
            None => self.cells.chunk_count() * PLACES,
        }
    }

    pub(super) fn part(&self, number: u32) -> Option<Part<'_, V>> {
        let spot = self.spot(number)?;
        Some(self.placed(self.cells.cell(spot), self.entry(spot)))
    }

    fn placed(&self, cell: V::Cell, entry: u8) -> Part<'_, V> {
        let palette = self.palette.as_ref();
        match palette.and_then(|palette| palette.tile(entry)) {
            Some(tile) => Part {
                shape: Cow::Borrowed(&tile.shape),
                pose: self.corner_pose(cell),
            },
            None => self.placed_cuboid(cell),
        }
    }

    fn placed_cuboid(&self, cell: V::Cell) -> Part<'_, V> {
        let mut translation = V::Precise::ZERO;
        for k in 0..V::DIM {
            let middle = f64::from(cell.component(k)) + 0.5;
            let at = middle * f64::from(self.size.component(k));
            translation = translation.with_component(k, at);
        }
        Part {
            shape: Cow::Borrowed(&self.cuboid),
            pose: Some(RelativePose {
                rotation: <V::Precise as PreciseVector>::Matrix::IDENTITY,
                translation,
            }),
        }
    }

    /// The box around all cells, as that around the parts of a compound; that of the origin if there are none.
    pub(super) fn bounds(&self) -> Aabb<V> {
        if self.cells.is_empty() {
            return Aabb::new(V::ZERO, V::ZERO);
        }
        if self.palette.is_some() && self.cells.has_tiles() {
            return self.bounds_with_tiles();
        }
        let [low, high] = self
            .limits
            .map_each(|cell| self.placed_cuboid(V::Cell::from_components(cell)).bounds());
        low.merged(&high)
    }

    /// A cell of each connected piece, and maybe others: those without a neighbour below them along x, and tiles.
    pub(super) fn pieces(&self) -> Vec<u32> {
        let first = self.cells.first_along_x();
        first.map(|spot| self.number(spot)).collect()
    }

    pub(super) fn memory(&self) -> usize {
        let numbers = self.numbers.as_ref().map_or(0, |numbers| numbers.memory());
        let shared = self.palette().iter().map(|tile| tile.shape.shared_memory());
        let palette = size_of_val(self.palette()) + shared.sum::<usize>();
        self.cells.memory() + self.tree.memory() + numbers + palette
    }

    /// The node k of a chunk, of which 0 is the root, and `4 k + 1` to `4 k + 4` are below the node k.
    fn node_of_chunk(&self, slot: u32, k: u32) -> Node {
        let [base, bit] = lanes_of_node(k);
        let count = 1 << bit;
        let chunk = self.cells.chunk(slot);
        let mut node = Node::new(NONE);
        for lane in 0..LANES as u32 {
            let place = base + lane * count;
            if !chunk.is_empty(place, count) {
                node.children[lane as usize] = if count == 1 {
                    Child::leaf(self.number(Spot { slot, place }))
                } else {
                    Child::node(self.first_node(slot) + 4 * k + 1 + lane)
                };
            }
        }
        self.set_boxes(&mut node, slot, [base, bit]);
        node
    }

    /// Sets the boxes of lanes that hold something: each has as many cells as `bit` bits count, from the place `base` on.
    fn set_boxes(&self, node: &mut Node, slot: u32, [base, bit]: [u32; 2]) {
        let (dimension, beyond) = (V::DIM as u32, self.beyond());
        let (corner, block) = (self.cells.corner(slot), self.cells.block(slot));
        let (at, extent) = (coordinates::<V>(base), coordinates::<V>((1 << bit) - 1));
        for axis in 0..V::DIM {
            // Which bit of the number of a lane tells halves of this axis, and how far these are apart.
            let own = (0..2).find(|own| (bit + own) % dimension == axis as u32);
            let step = own.map_or(0, |own| 1 << ((bit + own) / dimension));
            let limits = |step: u32| {
                let low = at[axis] + step;
                let limits = [
                    low.max(block.low[axis].into()),
                    (low + extent[axis]).min(block.high[axis].into()) + 1,
                ];
                let [low, high] = limits.map_each(|within| {
                    let place = f64::from(corner[axis]) + f64::from(within);
                    place * f64::from(self.size.component(axis))
                });
                (round_down(low - beyond), round_up(high + beyond))
            };
            let near = limits(0);
            let far = if step == 0 { near } else { limits(step) };
            for lane in 0..LANES {
                if !node.children[lane].is_empty() {
                    let is_far = own.is_some_and(|own| lane >> own & 1 == 1);
                    let (low, high) = if is_far { far } else { near };
                    (node.low[axis][lane], node.high[axis][lane]) = (low, high);
                }
            }
        }
    }

    /// The chunk whose root a node is.
    fn chunk_below(&self, index: u32) -> Option<u32> {
        let below = index.checked_sub(self.tree.nodes().len() as u32)?;
        below.is_multiple_of(NODES).then_some(below / NODES)
    }

    /// The number of the root of a chunk.
    fn first_node(&self, slot: u32) -> u32 {
        first_node(self.tree.nodes().len() as u32, slot)
    }
}

/// Where the chunks are, and how many numbers of parts there are. While that is the same, answers far from edited chunks have
/// the same bits and take the same way.
pub fn layout_of<V: Vector>(voxels: &Voxels<V>) -> impl PartialEq + use<V> {
    (voxels.cells.chunks(), voxels.part_count())
}

/// The first place of the node k of a chunk, and the bit of the place that tells the lanes of a pair; the next one tells the
/// pairs.
fn lanes_of_node(k: u32) -> [u32; 2] {
    let depth = (3 * k + 1).ilog2() / 2;
    let first = ((1 << (2 * depth)) - 1) / 3;
    let bit = 2 * (LEVELS - 1 - depth);
    [(k - first) << (bit + 2), bit]
}

/// The box of a whole chunk whose cells reach so far `beyond` the grid, rounded outwards, as far as there are numbers.
fn bounds_of_chunk<V: Vector>(size: V, beyond: f64, corner: [i32; 3]) -> Aabb<V> {
    let (mut min, mut max) = (V::ZERO, V::ZERO);
    for (k, &corner) in corner.iter().enumerate().take(V::DIM) {
        let [low, high] = [0.0, f64::from(1 << bits::<V>())]
            .map_each(|within| (f64::from(corner) + within) * f64::from(size.component(k)));
        min = min.with_component(k, round_down(low - beyond).max(Real::MIN));
        max = max.with_component(k, round_up(high + beyond).min(Real::MAX));
    }
    Aabb::new(min, max)
}

impl<V: Vector> PartTree for Voxels<V> {
    fn content(&self, index: u32) -> NodeContent<'_> {
        let nodes = self.tree.nodes();
        match nodes.get(index as usize) {
            Some(upper) => NodeContent::Boxes(upper),
            None => {
                let below = index - nodes.len() as u32;
                NodeContent::ComputedBoxes(self.node_of_chunk(below / NODES, below % NODES))
            }
        }
    }

    fn outer_side_below(&self, index: u32) -> Option<OuterSide<DVec3>> {
        let palette = self.palette.as_ref()?;
        let below = index.checked_sub(self.tree.nodes().len() as u32)?;
        let [base, bit] = lanes_of_node(below % NODES);
        let places = base..base + (LANES as u32) * (1 << bit);
        let entry = self.cells.only_entry(below / NODES, places)?;
        let outer = palette.tile(entry)?.outer_side()?;
        Some(OuterSide {
            normal: outer.normal.in_space(),
            depth: outer.depth,
            is_of_tile: outer.is_of_tile,
        })
    }

    fn each_in_box(
        &self,
        index: u32,
        corners: [[Real; 3]; 2],
        found: &mut dyn FnMut(u32) -> bool,
    ) -> bool {
        let slot = self.chunk_below(index);
        slot.is_some_and(|slot| self.each_cell_in_box(slot, corners, found))
    }

    fn each_on_line(
        &self,
        index: u32,
        line: &LineOfParts,
        found: &mut dyn FnMut(u32) -> Real,
    ) -> bool {
        let slot = self.chunk_below(index);
        slot.map(|slot| self.each_cell_on_line(slot, line, found))
            .is_some()
    }
}

/// Whether the parts are the same cells of the same size, in the same chunks by number, and the same tiles of equal palettes.
impl<V: Vector> PartialEq for Voxels<V> {
    fn eq(&self, other: &Self) -> bool {
        let are_listed = [self, other].map_each(Self::is_listed);
        let same_cells = || match are_listed {
            [true, true] => {
                let mut numbers = 0..self.part_count();
                let part = |voxels: &Self, number| {
                    let spot = voxels.spot(number);
                    spot.map(|spot| (voxels.cells.cell(spot), voxels.cells.entry(spot)))
                };
                self.part_count() == other.part_count()
                    && self.cells.has_chunks_of(&other.cells)
                    && numbers.all(|number| part(self, number) == part(other, number))
            }
            [false, false] => self.cells == other.cells,
            _ => false,
        };
        self.size == other.size && self.palette == other.palette && same_cells()
    }
}
