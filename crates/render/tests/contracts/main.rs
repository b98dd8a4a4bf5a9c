//! What the crate promises.

mod common;
mod plane;
mod space;
