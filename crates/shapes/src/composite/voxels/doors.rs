//! How voxels are made and changed.

use std::sync::Arc;

use clearance_math::internal::MapEach;
use clearance_math::{Cell, Vector, compile_once};
use clearance_tree::internal::nodes_mut;
use clearance_tree::{Child, MAX_LEAVES, Tree};

use super::cells::Cells;
use super::chunk::NODES;
use super::numbers::Numbers;
use super::tiles::{Palette, Tile};
use super::{Core, Cuboid, List, Shape, Voxels, bounds_of_chunk, layout_of};
use crate::composite::nodes::tree;
use crate::composite::pieces::Pieces;
use crate::composite::{Composite, CompositeKind};
use crate::error::check_vector;
use crate::{Requirement, ShapeError};

/// The limits of no cells, which those of any cell extend.
const NO_LIMITS: [[i32; 3]; 2] = [[i32::MAX; 3], [i32::MIN; 3]];

impl<V: Vector> Voxels<V> {
    /// The cells of a list, which are numbered in its order; `None` is a number without a cell.
    pub(in crate::composite) fn of_list(
        size: V,
        list: &[Option<V::Cell>],
        palette: Vec<Tile<V>>,
    ) -> Result<Self, ShapeError> {
        Self::of_list_in(Cells::new(), size, list, palette)
    }

    /// The same in chunks that may be there already, without cells.
    pub(super) fn of_list_in(
        mut cells: Cells<V>,
        size: V,
        list: &[Option<V::Cell>],
        palette: Vec<Tile<V>>,
    ) -> Result<Self, ShapeError> {
        check_size(size)?;
        if list.len() > MAX_LEAVES {
            return Err(wrong_count(list.len()));
        }
        let mut spots = Vec::with_capacity(list.len());
        for (number, cell) in list.iter().enumerate() {
            let Some(cell) = *cell else {
                spots.push(None);
                continue;
            };
            if !cells.set(cell, true)? {
                let first = list.iter().position(|&other| other == Some(cell));
                return Err(ShapeError::CellTwice {
                    cells: [first.unwrap_or(number), number],
                });
            }
            spots.push(cells.spot(cell));
        }
        cells.add_first_chunk();
        let numbers = Numbers::new(&cells, &spots);
        Self::new(size, cells, Some(Arc::new(numbers)), palette)
    }

    pub(in crate::composite) fn of_cells(
        size: V,
        mut cells: Cells<V>,
        palette: Vec<Tile<V>>,
    ) -> Result<Self, ShapeError> {
        check_size(size)?;
        cells.add_first_chunk();
        Self::new(size, cells, None, palette)
    }

    fn new(
        size: V,
        cells: Cells<V>,
        numbers: Option<Arc<Numbers>>,
        palette: Vec<Tile<V>>,
    ) -> Result<Self, ShapeError> {
        let palette = Palette::new(size, palette)?;
        let beyond = palette.as_ref().map_or(0.0, |palette| palette.beyond);
        let cuboid = Core::Cuboid(Cuboid {
            half_extents: size * 0.5,
        });
        let voxels = Self {
            size,
            cuboid: Shape::convex(cuboid, 0.0),
            limits: cells.limits().unwrap_or(NO_LIMITS),
            tree: Arc::new(tree_over(size, beyond, &cells)?),
            cells,
            numbers,
            palette,
        };
        voxels.check_entry(voxels.cells.greatest_entry())?;
        voxels.check_finite()?;
        Ok(voxels)
    }

    fn check_finite(&self) -> Result<(), ShapeError> {
        if self.bounds().is_finite() {
            return Ok(());
        }
        let is_far = |cell: V::Cell| !self.placed_cuboid(cell).bounds().is_finite();
        // A chunk whose outermost cells are not far has none that is.
        let slots = (0..self.cells.chunk_count()).filter(|&slot| {
            let ends = self.cells.ends(slot);
            ends.is_some_and(|ends| ends.into_iter().any(is_far))
        });
        let spots = slots.flat_map(|slot| self.cells.spots_of_chunk(slot));
        let mut numbers = spots
            .filter(|&spot| is_far(self.cells.cell(spot)))
            .map(|spot| self.number(spot));
        // Numbers that are not those of a list come in order.
        let first = if self.is_listed() {
            numbers.min()
        } else {
            numbers.next()
        };
        Err(ShapeError::PartTooFar {
            shape: List::CELLS.shape,
            number: first.unwrap_or(0) as usize,
        })
    }

    /// Fills cells with an entry of the palette, or empties them. Chunks that are not touched stay shared.
    ///
    /// Costs the copies of the shared chunks that are touched, and of the pointers to as many times 64 others; where a chunk
    /// appears, a tree over all chunks; and 8 bytes for each cell where those have the numbers of a list and are shared.
    ///
    /// # Errors
    /// Cells in more than 262,144 chunks, or beyond the range of numbers; no such entry. Then nothing has
    /// changed.
    pub(in crate::composite) fn put(
        &mut self,
        cells: &[V::Cell],
        entry: Option<u8>,
    ) -> Result<(), ShapeError> {
        if let Some(entry) = entry {
            self.check_entry(entry)?;
            self.check_filling(cells)?;
        }
        let (chunks, [low, high]) = (self.cells.chunks(), self.limits);
        for &cell in cells {
            self.put_one(cell, entry)?;
        }
        let is_at_border = |cell: &V::Cell| {
            let at = cell.components();
            (0..V::DIM).any(|k| at[k] == low[k] || at[k] == high[k])
        };
        if entry.is_none() && cells.iter().any(is_at_border) {
            self.limits = self.cells.limits().unwrap_or(NO_LIMITS);
        }
        if self.cells.chunks() != chunks {
            self.tree = Arc::new(tree_over(self.size, self.beyond(), &self.cells)?);
        }
        Ok(())
    }

    fn check_filling(&self, cells: &[V::Cell]) -> Result<(), ShapeError> {
        let is_far = |&cell: &V::Cell| !self.placed_cuboid(cell).bounds().is_finite();
        if let Some(number) = cells.iter().position(is_far) {
            let List { shape, .. } = List::CELLS;
            return Err(ShapeError::PartTooFar { shape, number });
        }
        let numbers = self.numbers.as_ref().map_or(0, |numbers| numbers.count());
        if numbers as usize + cells.len() > MAX_LEAVES {
            return Err(wrong_count(numbers as usize + cells.len()));
        }
        self.cells.check_room(cells)
    }

    fn put_one(&mut self, cell: V::Cell, entry: Option<u8>) -> Result<(), ShapeError> {
        let (count, filled) = (self.cells.len(), entry.is_some());
        self.cells.put(cell, entry)?;
        if self.cells.len() == count {
            return Ok(());
        }
        if let (Some(numbers), Some(spot)) = (&mut self.numbers, self.cells.spot(cell)) {
            Arc::make_mut(numbers).change(&self.cells, spot, filled)?;
        }
        let at = cell.components();
        let [low, high] = self.limits;
        if filled {
            self.limits = [
                [0, 1, 2].map_each(|k| low[k].min(at[k])),
                [0, 1, 2].map_each(|k| high[k].max(at[k])),
            ];
        }
        Ok(())
    }

    /// A cell of each chunk that is not as it was before, if all else is the same to the last bit. `None` also where that is not
    /// known without looking at everything: of voxels that are no edited copies.
    #[must_use]
    pub fn edited_since(&self, before: &Self) -> Option<Vec<V::Cell>> {
        let has_same_palette = match [&self.palette, &before.palette] {
            [None, None] => true,
            [Some(own), Some(other)] if Arc::ptr_eq(own, other) => true,
            _ => self.numbers_of_palette() == before.numbers_of_palette(),
        };
        if self.size != before.size || layout_of(self) != layout_of(before) || !has_same_palette {
            return None;
        }
        let slots: Vec<u32> = self.cells.unlike(&before.cells).collect();
        let have_same_numbers = match [&self.numbers, &before.numbers] {
            [None, None] => true,
            [Some(own), Some(other)] => {
                Arc::ptr_eq(own, other) || own.are_same_but_in(other, &slots)
            }
            _ => false,
        };
        let corner = |slot| V::Cell::from_components(self.cells.corner(slot));
        have_same_numbers.then(|| slots.into_iter().map(corner).collect())
    }

    /// The cells scaled about the origin. Those that are mirrored along an axis become others: cell i becomes -1 - i. Cells
    /// with the numbers of a list keep them. Tiles are scaled and mirrored within their cells.
    pub(in crate::composite) fn scaled(&self, size: V, factors: V) -> Result<Self, ShapeError> {
        let is_mirrored = |k: usize| k < V::DIM && factors.component(k) < 0.0;
        let palette = match &self.palette {
            Some(palette) => palette.scaled(size, factors)?,
            None => Vec::new(),
        };
        if !(0..V::DIM).any(is_mirrored) {
            return Self::new(size, self.cells.clone(), self.numbers.clone(), palette);
        }
        if self.is_listed() {
            let mirrored = |cell: V::Cell| {
                let at = cell.components();
                let image = [0, 1, 2].map_each(|k| if is_mirrored(k) { !at[k] } else { at[k] });
                V::Cell::from_components(image)
            };
            let list = (0..self.part_count()).map(|number| self.cell(number).map(mirrored));
            let mut voxels = Self::of_list(size, &list.collect::<Vec<_>>(), palette)?;
            for (cell, entry) in self.cells.entries().filter(|&(_, entry)| entry != 0) {
                voxels.cells.put(mirrored(cell), Some(entry))?;
            }
            return Ok(voxels);
        }
        Self::of_cells(size, self.cells.mirrored(is_mirrored), palette)
    }
}

fn check_size<V: Vector>(size: V) -> Result<(), ShapeError> {
    let List { shape, .. } = List::CELLS;
    check_vector(shape, "size", size, Requirement::Positive)?;
    // The half of the least number is none.
    check_vector(shape, "size", size * 0.5, Requirement::Positive)
}

fn wrong_count(count: usize) -> ShapeError {
    let List { shape, field } = List::CELLS;
    ShapeError::PartCount {
        shape,
        field,
        count,
        most: MAX_LEAVES as u32,
    }
}

/// A tree over the boxes of whole chunks, whose leaves are the roots of the chunks.
fn tree_over<V: Vector>(size: V, beyond: f64, cells: &Cells<V>) -> Result<Tree<V>, ShapeError> {
    let corners = (0..cells.chunk_count()).map(|slot| cells.corner(slot));
    let boxes = corners.map(|corner| bounds_of_chunk(size, beyond, corner));
    let mut tree = tree(List::CELLS, (0..).zip(boxes))?;
    let count = tree.nodes().len() as u32;
    let nodes = nodes_mut(&mut tree).iter_mut();
    for child in nodes.flat_map(|node| &mut node.children) {
        if let Some(slot) = child.number() {
            *child = Child::node(first_node(count, slot));
        }
    }
    Ok(tree)
}

/// The number of the root of a chunk, below so many nodes of the tree over all chunks.
pub(super) fn first_node(count: u32, slot: u32) -> u32 {
    count + slot * NODES
}

compile_once! {
    /// See [`Shape::tiles`].
    pub(crate) fn voxels_of_list<'a, V>(size: V, list: &'a [Option<V::Cell>], palette: Vec<Tile<V>>) -> Result<Shape<V>, ShapeError> {
        let voxels = Voxels::of_list(size, list, palette)?;
        Ok(Composite::new(CompositeKind::Voxels(voxels)).into())
    }
}

compile_once! {
    /// See [`Shape::tiles_of`].
    pub(crate) fn voxels_of_cells<V>(size: V, cells: Cells<V>, palette: Vec<Tile<V>>) -> Result<Shape<V>, ShapeError> {
        let voxels = Voxels::of_cells(size, cells, palette)?;
        Ok(Composite::new(CompositeKind::Voxels(voxels)).into())
    }
}

compile_once! {
    /// See [`Shape::set_cells`] and [`Shape::set_tiles`].
    pub(crate) fn put_of<'a, V>(shape: &'a mut Shape<V>, cells: &'a [V::Cell], entry: Option<u8>) -> Result<(), ShapeError> {
        let kind = shape.kind_name();
        let Shape::Composite(shared) = shape else {
            return Err(ShapeError::NoCells { kind });
        };
        if let Some(composite) = Arc::get_mut(shared) {
            return composite.put(cells, entry);
        }
        let CompositeKind::Voxels(voxels) = shared.kind() else {
            return Err(ShapeError::NoCells { kind });
        };
        let mut composite = Composite::new(CompositeKind::Voxels(voxels.clone()));
        composite.put(cells, entry)?;
        *shared = Arc::new(composite);
        Ok(())
    }
}

impl<V: Vector> Composite<V> {
    fn put(&mut self, cells: &[V::Cell], entry: Option<u8>) -> Result<(), ShapeError> {
        let CompositeKind::Voxels(voxels) = &mut self.kind else {
            let kind = self.kind_name();
            return Err(ShapeError::NoCells { kind });
        };
        voxels.put(cells, entry)?;
        self.pieces = Pieces::default();
        self.measure();
        Ok(())
    }
}
