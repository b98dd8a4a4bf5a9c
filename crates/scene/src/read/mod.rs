//! Strict reading: from JSON to typed records. Each mistake is placed by the path that leads to it.

mod composite;
mod cursor;
mod scene;
mod shape;
mod value;

pub(crate) use cursor::{Cursor, Fields, Read, Reading};
pub use scene::{read_scene, read_scene_with_files};
pub(crate) use shape::read_shape;
pub use shape::read_shape_text;
pub(crate) use value::{
    Dimension, boolean, groups, list, motion, not_negative, pose, position, vector, whole,
};
