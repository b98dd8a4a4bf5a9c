//! How the heights of a field are changed.

use std::sync::Arc;

use clearance_math::{Aabb, Real, Vector, compile_once};

use super::{HeightField, ROUNDED_TOGETHER};
use crate::composite::pieces::Pieces;
use crate::composite::{Composite, CompositeKind};
use crate::{Shape, ShapeError};

/// A block of heights within a field: see [`Shape::set_heights`].
#[derive(Clone, Copy, Debug)]
pub struct HeightPatch<'a> {
    /// The row of the field in which its first height is.
    pub row: u32,
    /// The column of the field in which its first height is.
    pub column: u32,
    /// How many heights each of its rows has.
    pub columns: u32,
    /// The heights, row by row, before they are scaled. NaN stands for a missing height.
    pub heights: &'a [Real],
}

impl HeightPatch<'_> {
    /// The row and column of its last height; `None` if it has none or a row that is not full.
    fn last(&self) -> Option<[u32; 2]> {
        let count = u32::try_from(self.heights.len()).ok()?;
        let rows = count.checked_div(self.columns)?;
        let is_whole = rows > 0 && rows * self.columns == count;
        let row = self.row.checked_add(rows - u32::from(is_whole))?;
        let column = self.column.checked_add(self.columns - 1)?;
        is_whole.then_some([row, column])
    }

    /// Its heights with their rows and columns in the field.
    fn places(&self) -> impl Iterator<Item = ([u32; 2], Real)> {
        let (row, column, columns) = (self.row, self.column, self.columns);
        let places = (0..).zip(self.heights);
        places.map(move |(index, &height)| {
            ([row + index / columns, column + index % columns], height)
        })
    }
}

impl<V: Vector> HeightField<V> {
    /// Whether a patch lies in the field and would change a bit of it.
    fn would_change(&self, patch: &HeightPatch<'_>) -> Result<bool, ShapeError> {
        let size = [self.rows(), self.columns];
        let is_within = |[row, column]: &[u32; 2]| *row < size[0] && *column < size[1];
        if patch.last().filter(is_within).is_none() {
            return Err(ShapeError::HeightsOutside {
                count: patch.heights.len(),
                columns: patch.columns,
                place: [patch.row, patch.column],
                size,
            });
        }
        let mut is_new = false;
        for ([row, column], height) in patch.places() {
            let index = self.index_of(row, column);
            self.check_height(index, height)?;
            is_new |= self.heights[index].to_bits() != height.to_bits();
        }
        Ok(is_new)
    }

    fn index_of(&self, row: u32, column: u32) -> usize {
        row as usize * self.columns as usize + column as usize
    }

    /// How many of the triangles at the vertices of a patch are no holes.
    fn triangles_at(&self, patch: &HeightPatch<'_>) -> u32 {
        let Some([last_row, last_column]) = patch.last() else {
            return 0;
        };
        let rows = patch.row.saturating_sub(1)..=last_row.min(self.rows() - 2);
        let columns = patch.column.saturating_sub(1)..=last_column.min(self.columns - 2);
        let cells = rows.flat_map(|row| columns.clone().map(move |column| (row, column)));
        let firsts = cells.map(|(row, column)| 2 * (row * (self.columns - 1) + column));
        let numbers = firsts.flat_map(|first| [first, first + 1]);
        numbers.filter(|&number| self.is_there(number)).count() as u32
    }

    /// Puts a patch that was checked, and leaves the heights that were there in it.
    fn exchange(&mut self, patch: &HeightPatch<'_>) -> Vec<Real> {
        let before = patch.places().map(|([row, column], height)| {
            let index = self.index_of(row, column);
            core::mem::replace(&mut self.heights[index], height)
        });
        before.collect()
    }

    /// Puts a patch that would change something. Returns a box around all of the field that is not as it was.
    fn put(&mut self, patch: &HeightPatch<'_>) -> Result<Aabb<V>, ShapeError> {
        let others = self.triangles - self.triangles_at(patch);
        let before = self.exchange(patch);
        let triangles = others + self.triangles_at(patch);
        if triangles == 0 {
            let heights = &before;
            self.exchange(&HeightPatch { heights, ..*patch });
            return Err(ShapeError::OnlyHoles);
        }
        self.triangles = triangles;
        let [last_row, last_column] = patch.last().unwrap_or_default();
        for row in patch.row..=last_row {
            let [first, last] = [patch.column, last_column]
                .map(|column| self.index_of(row, column) / ROUNDED_TOGETHER);
            for block in first..=last {
                let start = block * ROUNDED_TOGETHER;
                let end = (start + ROUNDED_TOGETHER).min(self.heights.len());
                self.roundings.heights[block] = self.rounding_of(&self.heights[start..end]);
            }
        }
        Ok(self.renew_ranges([patch.row, patch.column], [last_row, last_column]))
    }
}

impl<V: Vector> Composite<V> {
    fn height_field(&self) -> Result<&HeightField<V>, ShapeError> {
        match &self.kind {
            CompositeKind::HeightField(field) => Ok(field),
            _ => Err(no_heights(self.kind_name())),
        }
    }

    /// Puts a patch that would change something.
    fn put_heights(&mut self, patch: &HeightPatch<'_>) -> Result<Aabb<V>, ShapeError> {
        let kind = self.kind_name();
        let CompositeKind::HeightField(field) = &mut self.kind else {
            return Err(no_heights(kind));
        };
        let changed = field.put(patch)?;
        self.rounding = field.rounding();
        self.pieces = Pieces::default();
        self.measure();
        Ok(changed)
    }
}

fn no_heights(kind: &'static str) -> ShapeError {
    ShapeError::NoHeights { kind }
}

compile_once! {
    /// See [`Shape::edit_heights`].
    pub(crate) fn put_heights_of<'a, 'h, V>(
        shape: &'a mut Shape<V>,
        patch: HeightPatch<'h>,
    ) -> Result<Option<Aabb<V>>, ShapeError> {
        let kind = shape.kind_name();
        let Shape::Composite(shared) = shape else {
            return Err(no_heights(kind));
        };
        if !shared.height_field()?.would_change(&patch)? {
            return Ok(None);
        }
        if let Some(composite) = Arc::get_mut(shared) {
            return composite.put_heights(&patch).map(Some);
        }
        let mut composite = Composite {
            one_sided: shared.one_sided,
            user_data: shared.user_data.clone(),
            ..Composite::new(CompositeKind::HeightField(shared.height_field()?.clone()))
        };
        let changed = composite.put_heights(&patch)?;
        *shared = Arc::new(composite);
        Ok(Some(changed))
    }
}
