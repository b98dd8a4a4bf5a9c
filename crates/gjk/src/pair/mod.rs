//! The two sides of a question: placed shapes, the order in which they are measured, and their frames.
//!
//! | what | where |
//! | --- | --- |
//! | a shape, its pose and what counts of it; errors of a question | `placed.rs` |
//! | two sides and a range | `question.rs` |
//! | which side comes first; the way into that order, and back with the answer | `canonical.rs`; `exchange.rs` |
//! | the poses of both in each other's frames | `frames.rs` |

pub(crate) mod canonical;
mod exchange;
mod frames;
mod placed;
mod question;

pub(crate) use exchange::{Exchange, Mirrored};
pub(crate) use frames::{BodyFrames, Frames, FramesOf, KeptFrames};
pub(crate) use placed::check;
pub use placed::{DEFAULT_EFFORT, PartFilter, Placed, QueryError, Side, check_side};
pub use question::Question;
