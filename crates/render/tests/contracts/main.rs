//! What the crate promises.

mod common;
mod image;
mod plane;
mod space;
mod svg;
