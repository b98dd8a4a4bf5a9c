//! Clearance and other engines on the same work, so that they can be measured side by side.
//!
//! The work of a frame: all poses of moving bodies are new; find every pair within the margin, and
//! write its signed distance and closest points to a list.

pub mod boxes;
mod clearance;
mod engine;
mod found;
mod once;
mod peer;
pub mod plane;
pub mod space;

pub use clearance::Clearance;
pub use clearance_benches::{Film, FilmKind, Player};
pub use engine::{Cuboids, Engine, Upkeep};
pub use found::Found;
pub use once::Once;
pub use peer::{Compared, Peer, record};

use core::time::Duration;

use criterion::Criterion;

/// Settings by which a suite takes a minute or two; options on the command line go first.
#[must_use]
pub fn criterion() -> Criterion {
    Criterion::default()
        .sample_size(15)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1200))
        .configure_from_args()
}
