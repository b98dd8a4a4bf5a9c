//! What the crate promises, one file a promise.

mod custom_shapes;
mod file_formats;
mod hostile;
mod mesh_texts;
mod meshes;
mod questions;
mod real_meshes;
mod refusals;
mod scene_fields;
