//! What the suites share: settings, random numbers, and pairs of shapes beside each other.

mod film;
mod kinds;
mod measurements;
mod pairs;
pub mod questions;
mod random;
pub mod voxels;

pub use film::{AnyFilm, Film, FilmKind, FrameTimes, Player, empty_scene};
pub use kinds::{Kind, PAIRS_IN_SPACE, PAIRS_IN_THE_PLANE, Space};
pub use measurements::{Measurement, measurements, written};
pub use pairs::{Pair, Placement, bench_pairs, pairs, resting_pairs};
pub use random::Random;

use core::time::Duration;

use criterion::Criterion;

/// Settings by which all suites together take some minutes; options on the command line go first.
#[must_use]
pub fn criterion() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(800))
        .configure_from_args()
}
