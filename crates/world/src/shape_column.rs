//! The shapes of all slots, and how far each reaches.

use std::ops::Deref;

use clearance_math::{Real, Vector, round_up};
use clearance_shapes::Shape;

use crate::columns::{bytes, cut};

/// How far a shape reaches. Far smaller than the shape, which is not read at all for pairs out of range.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Reach {
    /// The [`Shape::bounding_radius`], rounded up; zero for vacant slots.
    pub(crate) bounding_radius: Real,
    /// Whether the shape is the ball of that radius around the origin of its body.
    pub(crate) is_ball: bool,
}

impl Reach {
    fn of<V: Vector>(shape: &Shape<V>) -> Self {
        Self {
            bounding_radius: round_up(shape.bounding_radius()),
            is_ball: shape.ball_radius().is_some(),
        }
    }
}

/// A shape for each slot; `None` for vacant ones.
#[derive(Clone, Debug)]
pub(crate) struct ShapeColumn<V: Vector> {
    rows: Vec<Option<Shape<V>>>,
    reaches: Vec<Reach>,
}

impl<V: Vector> Default for ShapeColumn<V> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            reaches: Vec::new(),
        }
    }
}

impl<V: Vector> ShapeColumn<V> {
    /// How far the shape of each slot reaches.
    pub(crate) fn reaches(&self) -> &[Reach] {
        &self.reaches
    }

    /// Adds a vacant slot.
    pub(crate) fn push(&mut self) {
        self.rows.push(None);
        self.reaches.push(Reach::default());
    }

    /// Writes a row.
    pub(crate) fn set(&mut self, slot: usize, shape: Option<Shape<V>>) {
        self.reaches[slot] = shape.as_ref().map(Reach::of).unwrap_or_default();
        self.rows[slot] = shape;
    }

    /// Makes the column shorter, and gives back the memory beyond `capacity` rows.
    pub(crate) fn cut_down(&mut self, rows: usize, capacity: usize) {
        cut(&mut self.rows, rows, capacity);
        cut(&mut self.reaches, rows, capacity);
    }

    /// Bytes held, without what shapes share.
    pub(crate) fn memory(&self) -> usize {
        bytes(&self.rows) + bytes(&self.reaches)
    }

    /// Checks that the reaches are those of the shapes, for tests.
    pub(crate) fn validate(&self) -> Result<(), String> {
        let reach = |shape: &Option<Shape<V>>| shape.as_ref().map(Reach::of).unwrap_or_default();
        if self.rows.iter().map(reach).eq(self.reaches.iter().copied()) {
            Ok(())
        } else {
            Err("the reach of a slot is not that of its shape".to_owned())
        }
    }
}

/// The rows.
impl<V: Vector> Deref for ShapeColumn<V> {
    type Target = [Option<Shape<V>>];

    fn deref(&self) -> &Self::Target {
        &self.rows
    }
}
