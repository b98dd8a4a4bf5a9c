//! A description of a shape together with the shape.

use clearance_shapes::Shape;

use crate::problem::Problem;
use crate::{FileVector, MeshFiles, ShapeRecord};

/// A valid description and the shape that was built from it.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneShape<V: FileVector> {
    record: ShapeRecord<V>,
    shape: Shape<V>,
}

impl<V: FileVector> SceneShape<V> {
    /// Builds the shape of `record`, which must not name a mesh by its path.
    ///
    /// # Errors
    /// What [`ShapeRecord::build`] refuses.
    pub fn new(record: ShapeRecord<V>) -> Result<Self, Problem> {
        Self::with_files(record, &MeshFiles::none())
    }

    /// Builds the shape of `record`. Meshes that are named by their paths are taken from `files`.
    ///
    /// # Errors
    /// What [`ShapeRecord::build`] refuses.
    pub fn with_files(record: ShapeRecord<V>, files: &MeshFiles) -> Result<Self, Problem> {
        let shape = record.build(files)?;
        Ok(Self { record, shape })
    }

    /// The description of the shape.
    #[must_use]
    pub fn record(&self) -> &ShapeRecord<V> {
        &self.record
    }

    /// The shape.
    #[must_use]
    pub fn shape(&self) -> &Shape<V> {
        &self.shape
    }
}
