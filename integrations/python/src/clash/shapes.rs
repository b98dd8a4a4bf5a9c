//! Shapes of assemblies, each once, however many parts have it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use clearance::math::Pose;
use clearance::math::glam::Vec3;
use clearance::shapes::Shape;
use clearance_clash::Part;
use pyo3::PyResult;
use serde::{Deserialize, Serialize};

use crate::problem::refused;

/// A part without its shape.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredPart {
    name: String,
    pose: Pose<Vec3>,
    rounding: f64,
    pub(super) shape: u32,
}

impl StoredPart {
    /// The part, whose shape has a number.
    pub(super) fn new(part: &Part, shape: u32) -> Self {
        Self {
            name: part.name().to_owned(),
            pose: *part.pose(),
            rounding: part.rounding(),
            shape,
        }
    }

    /// The part with its shape.
    pub(super) fn with(self, shape: &Shape<Vec3>) -> PyResult<Part> {
        let part = Part::new(self.name, shape.clone(), self.pose);
        part.map(|part| part.rounded_by(self.rounding))
            .map_err(|error| refused(format!("stored part: {error}")))
    }
}

/// Shapes that were met so far.
#[derive(Default)]
pub(super) struct Shapes {
    pub(super) list: Vec<Shape<Vec3>>,
    /// The numbers of the composites among them, by their addresses.
    composites: HashMap<usize, u32>,
}

impl Shapes {
    /// The number of the shape of a part. Parts share meshes, but no shapes without parts: these are as small as a number.
    pub(super) fn number_of(&mut self, part: &Part) -> u32 {
        let shape = part.shape();
        let next = self.list.len() as u32;
        if let Shape::Composite(composite) = shape {
            let address = Arc::as_ptr(composite).cast::<u8>() as usize;
            match self.composites.entry(address) {
                Entry::Occupied(known) => return *known.get(),
                Entry::Vacant(free) => free.insert(next),
            };
        }
        self.list.push(shape.clone());
        next
    }
}
