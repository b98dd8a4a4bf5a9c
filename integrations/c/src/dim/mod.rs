//! All that both dimensions have. This folder is compiled twice: `super::only` says for which dimension.
//!
//! In the header: rows, world, shapes, bodies, frame, rules, questions, batches, slides, pairs, snapshots.

pub mod access;
pub mod batches;
pub mod bodies;
pub mod frame;
pub mod pairs;
pub mod questions;
pub mod rows;
pub mod rules;
pub mod shapes;
pub mod slides;
pub mod snapshots;
pub mod world;

pub use access::{ConstShapeHandle, ConstWorldHandle, ShapeHandle, WorldHandle};
pub use rows::*;
pub use shapes::{CellBox, Custom, MassProperties, OneWay, Tile, Tiles};
pub use slides::{
    PushOut, Slide, SlideContact, SlideContactList, SlideGround, SlideOptions, Sliding, SlidingBody,
};
pub use world::Options;

use super::only;
