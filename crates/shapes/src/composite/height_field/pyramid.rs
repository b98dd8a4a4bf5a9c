//! The tree of a height field: a pyramid of blocks of cells.

use clearance_math::internal::MapEach;
use clearance_math::{Aabb, Vector};
use clearance_tree::{Child, NONE, Node};

use super::{HeightField, Level, Range};
use crate::composite::nodes::{NodeContent, PartTree};
use crate::composite::triangle_group::TriangleGroup;

/// The lowest level whose ranges of heights are stored: that of blocks of 4 by 4 cells. Those below
/// are computed from the heights.
const FIRST_STORED: usize = 2;

/// A node of the tree by its place.
#[derive(Clone, Copy, Debug)]
struct CellBlock {
    level: usize,
    row: u32,
    column: u32,
}

impl<V: Vector> PartTree for HeightField<V> {
    fn content(&self, index: u32) -> NodeContent<'_> {
        let block = self.block(index);
        if block.level == 0 {
            return NodeContent::Triangles(self.group_of(block));
        }
        let lanes = self.below(block).map_each(|below| self.lane(below?));
        let boxes = lanes.map_each(|lane| lane.map_or(Aabb::empty(), |(_, bounds)| bounds));
        let mut node = Node::new(NONE);
        node.children = lanes.map_each(|lane| lane.map_or(Child::EMPTY, |(child, _)| child));
        for k in 0..V::DIM {
            // All at once, as they are read: that would wait for numbers that were written one by one.
            node.low[k] = boxes.map_each(|bounds| bounds.min.component(k)).into();
            node.high[k] = boxes.map_each(|bounds| bounds.max.component(k)).into();
        }
        NodeContent::ComputedBoxes(node)
    }
}

impl<V: Vector> HeightField<V> {
    /// What a lane holds for a block; `None` if all of its heights are missing.
    #[inline(always)]
    fn lane(&self, block: CellBlock) -> Option<(Child, Aabb<V>)> {
        let range = self.range(block);
        (!range.is_empty()).then(|| (Child::node(self.index(block)), self.bounds(block, range)))
    }

    /// Makes all levels, from single cells to the one block of the root. The root has node 0.
    pub(super) fn make_levels(&mut self, rows: u32, columns: u32) {
        let (mut rows, mut columns) = (rows, columns);
        loop {
            self.levels.push(Level {
                rows,
                columns,
                first_node: 0,
                ranges: Vec::new(),
            });
            if rows == 1 && columns == 1 {
                break;
            }
            (rows, columns) = (rows.div_ceil(2), columns.div_ceil(2));
        }
        let mut first_node = 0;
        for level in self.levels.iter_mut().rev() {
            level.first_node = first_node;
            first_node += level.rows * level.columns;
        }
        for level in FIRST_STORED..self.levels.len() {
            let Level { rows, columns, .. } = self.levels[level];
            let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
            let range = |(row, column)| self.range_of_below(CellBlock { level, row, column });
            self.levels[level].ranges = places.map(range).collect();
        }
    }

    fn range_of_below(&self, block: CellBlock) -> Range {
        let below = self.below(block).into_iter().flatten();
        below.fold(Range::EMPTY, |range, block| range.merged(self.range(block)))
    }

    /// Finds the ranges anew that depend on the vertices from a row and a column to others. Returns a box around all blocks
    /// whose nodes are not as they were, as wide as they are and as high as the field.
    pub(super) fn renew_ranges(&mut self, first: [u32; 2], last: [u32; 2]) -> Aabb<V> {
        let root = self.levels.len() - 1;
        let mut level = FIRST_STORED.min(root);
        loop {
            let ends = [first.map_each(|at| at.saturating_sub(1)), last];
            let [low, high] = ends.map_each(|[row, column]| CellBlock {
                level,
                row: row.min(self.levels[0].rows - 1) >> level,
                column: column.min(self.levels[0].columns - 1) >> level,
            });
            // Ranges of the levels below are not stored.
            let is_changed = level >= FIRST_STORED && self.renew_level([low, high]);
            if level == root || !is_changed {
                let all = self.range(self.block(0));
                let [low, high] = [low, high].map_each(|block| self.bounds(block, all));
                return low.merged(&high);
            }
            level += 1;
        }
    }

    /// Finds the ranges of some blocks of a level anew, and says whether one is another than before.
    fn renew_level(&mut self, [low, high]: [CellBlock; 2]) -> bool {
        let mut is_changed = false;
        for row in low.row..=high.row {
            for column in low.column..=high.column {
                let block = CellBlock { row, column, ..low };
                let range = self.range_of_below(block);
                let level = &mut self.levels[block.level];
                let place = (row * level.columns + column) as usize;
                if let Some(stored) = level.ranges.get_mut(place) {
                    is_changed |= !stored.has_bits_of(range);
                    *stored = range;
                }
            }
        }
        is_changed
    }

    /// The two triangles of a cell, as far as they are no holes.
    fn group_of(&self, cell: CellBlock) -> TriangleGroup {
        let first = 2 * (cell.row * (self.columns - 1) + cell.column);
        let corners = [0, 1].map_each(|number| self.corners_in([cell.row, cell.column], number));
        let part = |lane: usize| match corners[lane] {
            Some(_) => Child::leaf(first + lane as u32),
            None => Child::EMPTY,
        };
        let parts = [part(0), part(1), Child::EMPTY, Child::EMPTY];
        let some = corners[0].or(corners[1]).unwrap_or([V::ZERO; 3]);
        let lanes = [corners[0].unwrap_or(some), corners[1].unwrap_or(some)];
        TriangleGroup::new(parts, |lane, corner| lanes[lane % 2][corner])
    }

    fn index(&self, block: CellBlock) -> u32 {
        let level = &self.levels[block.level];
        level.first_node + block.row * level.columns + block.column
    }

    fn block(&self, index: u32) -> CellBlock {
        // The first nodes of the levels decrease, from cells to the root.
        let level = self
            .levels
            .partition_point(|level| level.first_node > index);
        let place = index - self.levels[level].first_node;
        let columns = self.levels[level].columns;
        CellBlock {
            level,
            row: place / columns,
            column: place % columns,
        }
    }

    /// The four blocks of the level below that a block consists of, as far as there are cells.
    fn below(&self, block: CellBlock) -> [Option<CellBlock>; 4] {
        let level = block.level - 1;
        let (rows, columns) = (self.levels[level].rows, self.levels[level].columns);
        [(0, 0), (0, 1), (1, 0), (1, 1)].map_each(|(down, right)| {
            let (row, column) = (2 * block.row + down, 2 * block.column + right);
            (row < rows && column < columns).then_some(CellBlock { level, row, column })
        })
    }

    /// The cells of a block: the first row and column, and those after the last.
    fn cells(&self, block: CellBlock) -> [[u32; 2]; 2] {
        let cells = |first: u32, all: u32| {
            let start = first << block.level;
            [start, (start + (1 << block.level)).min(all)]
        };
        [
            cells(block.row, self.levels[0].rows),
            cells(block.column, self.levels[0].columns),
        ]
    }

    /// The heights of all vertices of a block.
    fn range(&self, block: CellBlock) -> Range {
        let level = &self.levels[block.level];
        if let Some(range) = level
            .ranges
            .get((block.row * level.columns + block.column) as usize)
        {
            return *range;
        }
        let [rows, columns] = self.cells(block);
        let [first, last] = columns.map_each(|column| column as usize);
        let mut range = Range::EMPTY;
        for row in rows[0]..rows[1] + 1 {
            let start = row as usize * self.columns as usize;
            for height in &self.heights[start + first..start + last + 1] {
                range = range.with(height * self.scale.component(1));
            }
        }
        range
    }

    fn bounds(&self, block: CellBlock, range: Range) -> Aabb<V> {
        let [rows, columns] = self.cells(block);
        let corner = |row, column, height| {
            V::ZERO
                .with_component(0, self.columns_at[column as usize])
                .with_component(1, height)
                .with_component(2, self.rows_at[row as usize])
        };
        let first = corner(rows[0], columns[0], range.low);
        let last = corner(rows[1], columns[1], range.high);
        // Rows and columns of a mirrored field begin where they are greatest.
        Aabb::new(first.min(last), first.max(last))
    }
}
