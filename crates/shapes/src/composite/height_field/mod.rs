//! Height fields: terrain over a grid.

pub(super) mod edit;
mod pyramid;

use clearance_math::internal::MapEach;
use clearance_math::{Real, Vector};

use super::vertices::is_mirrored;
use crate::error::check_vector;
use crate::{Requirement, ShapeError};

pub use edit::HeightPatch;

/// The most heights of a field: the nodes of its tree must have numbers of 31 bits.
const MOST_HEIGHTS: usize = 1 << 28;

/// How many heights have a common rounding, so that a change of some looks at few others.
const ROUNDED_TOGETHER: usize = 256;

/// Terrain: a grid of heights over the xz plane, centred on the origin. It has no inside; 3D only.
///
/// The grid has R rows of C heights. The vertex of row r and column c lies at
/// `x = (c / (C - 1) - 1/2) * scale.x`, `y = height * scale.y` and `z = (r / (R - 1) - 1/2) *
/// scale.z`, each rounded to single precision. Cell (r, c) between four vertices consists of two
/// parts: triangle `2 (r (C - 1) + c)` with the vertices (r, c), (r + 1, c), (r + 1, c + 1), and the
/// next one with the vertices (r, c), (r + 1, c + 1), (r, c + 1). A triangle with a missing height is
/// a hole: it has a number, but is no part. A field that is mirrored, by one or three negative numbers of the scale, names
/// the last two vertices of each triangle the other way round, so that the outer side stays the outer side.
///
/// It takes less than 5 bytes for each height: no triangles are stored. The tree is a pyramid: the
/// node of level L with row r and column c holds the cells from row `r 2^L` and column `c 2^L` on,
/// 2^L in each direction. Only the ranges of heights are stored, and only from blocks of 4 by 4
/// cells upwards.
#[derive(Clone)]
pub struct HeightField<V: Vector> {
    /// NaN stands for a missing height.
    heights: Vec<Real>,
    columns: u32,
    scale: V,
    /// The x coordinates of the columns of vertices.
    columns_at: Vec<Real>,
    /// The z coordinates of the rows of vertices.
    rows_at: Vec<Real>,
    levels: Vec<Level>,
    /// How many triangles are no holes.
    triangles: u32,
    roundings: Roundings,
}

/// How far vertices are from their exact places at most, because coordinates are rounded to single precision.
#[derive(Clone, Debug, Default)]
struct Roundings {
    /// Along x and z.
    level: [f64; 2],
    /// Along y, for each so many heights in a row.
    heights: Vec<f64>,
}

/// A level of the tree: blocks of 2^L by 2^L cells.
#[derive(Clone, Debug)]
struct Level {
    rows: u32,
    columns: u32,
    /// The index of the first node of the level.
    first_node: u32,
    /// The least and the greatest height of each block. Empty below blocks of 4 by 4 cells.
    ranges: Vec<Range>,
}

/// The least and the greatest height of some vertices; empty if the least exceeds the greatest.
#[derive(Clone, Copy, Debug)]
struct Range {
    low: Real,
    high: Real,
}

impl Range {
    const EMPTY: Self = Self {
        low: Real::INFINITY,
        high: Real::NEG_INFINITY,
    };

    /// `Real::min` and `Real::max` ignore the NaN of a missing height.
    fn with(self, height: Real) -> Self {
        Self {
            low: self.low.min(height),
            high: self.high.max(height),
        }
    }

    fn merged(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    fn is_empty(self) -> bool {
        self.low > self.high
    }

    fn has_bits_of(self, other: Self) -> bool {
        [self.low, self.high].map(Real::to_bits) == [other.low, other.high].map(Real::to_bits)
    }
}

impl<V: Vector> HeightField<V> {
    pub(in crate::composite) fn new(
        heights: Vec<Real>,
        columns: usize,
        scale: V,
    ) -> Result<Self, ShapeError> {
        check_vector("height_field", "scale", scale, Requirement::NotZero)?;
        let count = heights.len();
        let is_grid = columns >= 2 && count / 2 >= columns && count.is_multiple_of(columns);
        if !is_grid || count > MOST_HEIGHTS {
            return Err(ShapeError::Grid {
                count,
                columns,
                most: MOST_HEIGHTS,
            });
        }
        let columns = columns as u32;
        let rows = (heights.len() / columns as usize) as u32;
        let mut field = Self {
            heights,
            columns,
            scale,
            columns_at: places(scale.component(0), columns),
            rows_at: places(scale.component(2), rows),
            levels: Vec::new(),
            triangles: 0,
            roundings: Roundings::default(),
        };
        for (index, &height) in field.heights.iter().enumerate() {
            field.check_height(index, height)?;
        }
        field.make_levels(rows - 1, columns - 1);
        field.measure_roundings();
        field.triangles = field.part_numbers().count() as u32;
        if field.triangles == 0 {
            return Err(ShapeError::OnlyHoles);
        }
        Ok(field)
    }

    /// Checks a height that is, or is to be, at an index.
    fn check_height(&self, index: usize, height: Real) -> Result<(), ShapeError> {
        if height.is_infinite() || (height * self.scale.component(1)).is_infinite() {
            return Err(ShapeError::Height {
                row: index / self.columns as usize,
                column: index % self.columns as usize,
                value: height,
            });
        }
        Ok(())
    }

    /// Whether there is a triangle with this number that is no hole.
    fn is_there(&self, triangle: u32) -> bool {
        self.corners(triangle).is_some()
    }

    fn measure_roundings(&mut self) {
        let along = |axis: usize, places: &[Real]| {
            let extent = self.scale.component(axis);
            let count = places.len() as u32;
            let errors = (0..count).zip(places);
            let errors =
                errors.map(|(index, &place)| off(exact_place(extent, index, count), place));
            errors.fold(0.0, f64::max)
        };
        let blocks = self.heights.chunks(ROUNDED_TOGETHER);
        self.roundings = Roundings {
            level: [along(0, &self.columns_at), along(2, &self.rows_at)],
            heights: blocks.map(|heights| self.rounding_of(heights)).collect(),
        };
    }

    /// How much some heights are rounded at most; missing ones are not.
    fn rounding_of(&self, heights: &[Real]) -> f64 {
        let scale = self.scale.component(1);
        let errors = heights.iter().map(|&height| {
            let exact = f64::from(height) * f64::from(scale);
            off(exact, height * scale)
        });
        // The NaN of a missing height is ignored.
        errors.fold(0.0, f64::max)
    }

    /// How far a vertex is from the place that [`HeightField`] describes at most, in units of length.
    pub(in crate::composite) fn rounding(&self) -> f64 {
        let Roundings {
            level: [x, z],
            heights,
        } = &self.roundings;
        let y = heights.iter().copied().fold(0.0, f64::max);
        // The exact places are computed in double precision, which rounds far less.
        (x * x + y * y + z * z).sqrt() * (1.0 + 1e-6)
    }

    /// The number of rows of vertices.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.levels[0].rows + 1
    }

    /// The number of columns of vertices.
    #[must_use]
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// The heights, row by row, before they are scaled. NaN stands for a missing height.
    #[must_use]
    pub fn heights(&self) -> &[Real] {
        &self.heights
    }

    /// The extents along x and z, and the factor of the heights.
    #[must_use]
    pub fn scale(&self) -> V {
        self.scale
    }

    /// Twice the number of cells.
    pub(in crate::composite) fn part_count(&self) -> u32 {
        2 * (self.rows() - 1) * (self.columns - 1)
    }

    /// The numbers of the triangles that are no holes, from the least on.
    pub(in crate::composite) fn part_numbers(&self) -> impl Iterator<Item = u32> {
        (0..self.part_count()).filter(|&number| self.corners(number).is_some())
    }

    /// The corners of a triangle, or `None` if there is no such triangle or it is a hole.
    #[inline]
    #[must_use]
    pub fn corners(&self, triangle: u32) -> Option<[V; 3]> {
        let cell = triangle / 2;
        let (row, column) = (cell / (self.columns - 1), cell % (self.columns - 1));
        if row + 1 >= self.rows() {
            return None;
        }
        self.corners_in([row, column], triangle % 2)
    }

    /// The corners of one of the two triangles of a cell; `None` if it is a hole.
    #[inline]
    fn corners_in(&self, [row, column]: [u32; 2], number: u32) -> Option<[V; 3]> {
        let [a, b, c] = if number == 0 {
            [(row, column), (row + 1, column), (row + 1, column + 1)]
        } else {
            [(row, column), (row + 1, column + 1), (row, column + 1)]
        };
        // Exchanged before the vertices are read: these would be copied in memory.
        let is_mirrored = is_mirrored(self.scale);
        let [b, c] = if is_mirrored { [c, b] } else { [b, c] };
        let corners = [a, b, c].map_each(|(row, column)| self.vertex(row, column));
        let is_hole = corners.iter().any(|corner| corner.component(1).is_nan());
        (!is_hole).then_some(corners)
    }

    /// The vertex of a row and a column; its y is NaN if the height is missing.
    #[inline]
    fn vertex(&self, row: u32, column: u32) -> V {
        V::ZERO
            .with_component(0, self.columns_at[column as usize])
            .with_component(1, self.height(row, column))
            .with_component(2, self.rows_at[row as usize])
    }

    #[inline]
    fn height(&self, row: u32, column: u32) -> Real {
        let index = row as usize * self.columns as usize + column as usize;
        self.heights[index] * self.scale.component(1)
    }

    pub(in crate::composite) fn memory(&self) -> usize {
        let ranges = self.levels.iter().map(|level| level.ranges.capacity());
        let reals = self.heights.capacity() + self.columns_at.capacity() + self.rows_at.capacity();
        reals * size_of::<Real>()
            + self.roundings.heights.capacity() * size_of::<f64>()
            + self.levels.capacity() * size_of::<Level>()
            + ranges.sum::<usize>() * size_of::<Range>()
    }
}

/// The coordinates of `count` vertices along an axis, spread over `extent` about the origin.
fn places(extent: Real, count: u32) -> Vec<Real> {
    (0..count)
        .map(|index| exact_place(extent, index, count) as Real)
        .collect()
}

fn off(exact: f64, rounded: Real) -> f64 {
    (exact - f64::from(rounded)).abs()
}

fn exact_place(extent: Real, index: u32, count: u32) -> f64 {
    (f64::from(index) / f64::from(count - 1) - 0.5) * f64::from(extent)
}

/// The levels follow from the rest. Missing heights equal each other.
impl<V: Vector> PartialEq for HeightField<V> {
    fn eq(&self, other: &Self) -> bool {
        let is_equal = |(a, b): (&Real, &Real)| a == b || (a.is_nan() && b.is_nan());
        self.columns == other.columns
            && self.scale == other.scale
            && self.heights.len() == other.heights.len()
            && self.heights.iter().zip(&other.heights).all(is_equal)
    }
}
