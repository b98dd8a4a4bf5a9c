//! The shapes of all slots, and their bounding spheres.

use std::ops::Deref;

use clearance_math::{Real, Vector, round_up};
use clearance_shapes::Shape;

use crate::reserve::{bytes, cut};

/// The sphere around the origin of a body that holds its shape. It takes far less memory than the shape, so that pairs out
/// of range are found without reading their shapes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct BoundingSphere {
    /// The [`Shape::bounding_radius`], rounded up; zero for vacant slots.
    pub(crate) radius: Real,
    /// Whether the shape is the ball of that radius around the origin of its body.
    pub(crate) is_ball: bool,
}

impl BoundingSphere {
    fn of<V: Vector>(shape: &Shape<V>) -> Self {
        Self {
            radius: round_up(shape.bounding_radius()),
            is_ball: shape.ball_radius().is_some(),
        }
    }
}

/// A shape for each slot; `None` for vacant ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct ShapeColumn<V: Vector> {
    rows: Vec<Option<Shape<V>>>,
    bounding_spheres: Vec<BoundingSphere>,
}

impl<V: Vector> ShapeColumn<V> {
    /// The bounding sphere of each slot.
    pub(crate) fn bounding_spheres(&self) -> &[BoundingSphere] {
        &self.bounding_spheres
    }

    /// Adds a vacant slot.
    pub(crate) fn push(&mut self) {
        self.rows.push(None);
        self.bounding_spheres.push(BoundingSphere::default());
    }

    /// Writes a row.
    pub(crate) fn set(&mut self, slot: usize, shape: Option<Shape<V>>) {
        self.bounding_spheres[slot] = shape.as_ref().map(BoundingSphere::of).unwrap_or_default();
        self.rows[slot] = shape;
    }

    /// Changes the shape of a row that has one; an error leaves it as it was.
    pub(crate) fn edit<E>(
        &mut self,
        slot: usize,
        edit: impl FnOnce(&mut Shape<V>) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(shape) = &mut self.rows[slot] else {
            return Ok(());
        };
        edit(shape)?;
        self.bounding_spheres[slot] = BoundingSphere::of(shape);
        Ok(())
    }

    /// Makes the column shorter, and gives back the memory beyond `capacity` rows.
    pub(crate) fn cut_down(&mut self, rows: usize, capacity: usize) {
        cut(&mut self.rows, rows, capacity);
        cut(&mut self.bounding_spheres, rows, capacity);
    }

    /// Bytes held, without what shapes share.
    pub(crate) fn memory(&self) -> usize {
        bytes(&self.rows) + bytes(&self.bounding_spheres)
    }

    /// Checks that the bounding spheres are those of the shapes, for tests.
    pub(crate) fn validate(&self) -> Result<(), String> {
        let sphere =
            |shape: &Option<Shape<V>>| shape.as_ref().map(BoundingSphere::of).unwrap_or_default();
        if self
            .rows
            .iter()
            .map(sphere)
            .eq(self.bounding_spheres.iter().copied())
        {
            Ok(())
        } else {
            Err("the bounding sphere of a slot is not that of its shape".to_owned())
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
