//! Strict reading: from the JSON tree to typed records, with every problem noted at its path.

mod composite;
mod cursor;
mod pose;
mod scene;
mod shape;

pub(crate) use cursor::{Cursor, Fields, Reading};
pub(crate) use pose::read_pose;
pub(crate) use scene::read_groups;
pub use scene::{read_scene, read_scene_with_files};
pub(crate) use shape::read_shape;

use crate::json::Value;

/// The value of the field `dimension`.
pub(crate) enum Dimension {
    Plane,
    Space,
}

impl Dimension {
    /// Reads the field `dimension`, which is 2 or 3.
    pub(crate) fn read(fields: &Fields) -> Option<Self> {
        let cursor = fields.required("dimension")?;
        if !matches!(cursor.node().value, Value::Number) {
            return cursor.expected("2 or 3");
        }
        match cursor.number()? {
            2.0 => Some(Self::Plane),
            3.0 => Some(Self::Space),
            _ => cursor.expected("2 or 3"),
        }
    }
}
