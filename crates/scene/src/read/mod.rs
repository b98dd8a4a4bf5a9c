//! Strict reading: from the JSON tree to typed records, with every problem noted at its path.

mod composite;
mod cursor;
mod pose;
mod scene;
mod shape;

pub(crate) use cursor::{Cursor, Dimension, Fields, Reading};
pub(crate) use pose::read_pose;
pub(crate) use scene::read_groups;
pub use scene::{read_scene, read_scene_with_files};
pub(crate) use shape::read_shape;
pub use shape::read_shape_text;
