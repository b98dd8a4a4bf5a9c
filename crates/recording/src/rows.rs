//! The slots of a world as writer and reader of a recording both know them.

use crate::bytes::Unreadable;
use crate::row::{POSITION_NUMBERS, ROTATION_WORDS, Row, Space, VELOCITY_WORDS};

/// How much each word of position, rotation and velocity went up when it was written last, as whole numbers. Of a position
/// the words are those of its numbers in single precision.
pub(crate) type Deltas = [i32; FIRST_VELOCITY + VELOCITY_WORDS];
/// The places of the words of rotations and velocities.
pub(crate) const FIRST_ROTATION: usize = POSITION_NUMBERS;
pub(crate) const FIRST_VELOCITY: usize = FIRST_ROTATION + ROTATION_WORDS;

/// By what the next change of a body is predicted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Trend {
    deltas: Deltas,
    /// The frame in which they were written.
    frame: u64,
}

/// The slots of a world.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub(crate) space: Space,
    rows: Vec<Row>,
    trends: Vec<Trend>,
}

impl Rows {
    pub(crate) fn new(space: Space) -> Self {
        Self {
            space,
            rows: Vec::new(),
            trends: Vec::new(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.trends.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn all(&self) -> &[Row] {
        &self.rows
    }

    /// The row of a slot that was in use.
    pub(crate) fn get(&self, slot: u32) -> Option<&Row> {
        self.rows.get(slot as usize)
    }

    /// The row of a slot; one that was never in use differs from all that are.
    pub(crate) fn row(&self, slot: u32) -> Row {
        let row = self.get(slot).copied();
        row.unwrap_or_else(|| Row::vacant(u32::MAX, self.space))
    }

    /// Writes a row. The slot may be the next one, but none beyond.
    pub(crate) fn set(&mut self, slot: u32, row: Row) -> Result<(), Unreadable> {
        let most = self.rows.len();
        if let Some(place) = self.rows.get_mut(slot as usize) {
            *place = row;
        } else if slot as usize == most {
            self.rows.push(row);
            self.trends.push(Trend::default());
        } else {
            let reason = format!("slot {slot} is named, must be at most {most}");
            return Err(Unreadable(reason));
        }
        Ok(())
    }

    /// The row of a slot that has a body.
    pub(crate) fn taken(&mut self, slot: u32) -> Result<&mut Row, Unreadable> {
        let row = self.rows.get_mut(slot as usize);
        row.filter(|row| row.is_taken)
            .ok_or_else(|| Unreadable(format!("slot {slot} is changed, but has no body")))
    }

    /// What is predicted of a slot in this frame: none if it did not change in the frame before.
    pub(crate) fn trend(&self, slot: u32, frame: u64) -> Deltas {
        let trend = self.trends.get(slot as usize);
        let trend = trend.filter(|trend| trend.frame.checked_add(1) == Some(frame));
        trend.map_or(Deltas::default(), |trend| trend.deltas)
    }

    pub(crate) fn set_trend(&mut self, slot: u32, frame: u64, deltas: Deltas) {
        if let Some(trend) = self.trends.get_mut(slot as usize) {
            *trend = Trend { deltas, frame };
        }
    }

    /// Lists the numbers of the shapes that bodies have, sorted.
    pub(crate) fn list_shapes(&self, shapes: &mut Vec<u32>) {
        shapes.clear();
        let taken = self.rows.iter().filter(|row| row.is_taken);
        shapes.extend(taken.map(|row| row.properties.shape));
        shapes.sort_unstable();
        shapes.dedup();
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        bytes_of(&self.rows) + bytes_of(&self.trends)
    }

    /// Predicts nothing any more.
    pub(crate) fn forget_trends(&mut self) {
        self.trends.fill(Trend::default());
    }
}

/// Bytes that a vector holds, spare capacity included.
pub(crate) fn bytes_of<T>(vector: &Vec<T>) -> usize {
    vector.capacity() * size_of::<T>()
}

/// A slot that is different.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) slot: u32,
    pub(crate) from: Row,
    pub(crate) to: Row,
}

impl Change {
    /// Whether another body is in the slot, or none any more.
    pub(crate) fn is_other_body(&self) -> bool {
        self.from.generation != self.to.generation || self.from.is_taken != self.to.is_taken
    }

    /// What the changes of properties and motion are relative to.
    pub(crate) fn base(&self, rows: &Rows) -> Row {
        if self.is_other_body() {
            Row::vacant(self.to.generation, rows.space)
        } else {
            self.from
        }
    }
}
