//! What the crate promises, one file a promise.

mod file_formats;
mod hostile;
mod meshes;
mod questions;
mod real_meshes;
mod refusals;
mod scene_fields;
