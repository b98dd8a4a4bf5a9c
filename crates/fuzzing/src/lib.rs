//! Fuzz targets of the Clearance collision engine: each takes bytes, makes input of them, and
//! panics with that input if the engine breaks a promise.
//!
//! Any bytes will do. The package `fuzz` hands these functions to libFuzzer, and the tests of this
//! crate replay the inputs under `corpus/`, so every crash that was ever found stays mended.
//!
//! ```
//! clearance_fuzzing::pair(b"any bytes make two shapes at two poses");
//! clearance_fuzzing::pair_file(br#"{"id": 1, "dimension": 3}"#);
//! ```

mod body;
mod bytes;
mod composite;
mod dimension;
mod form;
mod hull;
mod pair;
mod pair_file;
mod placement;
mod questions;
mod recording;
mod scene_file;
mod surface;
mod world;

pub use composite::composite;
pub use hull::hull;
pub use pair::pair;
pub use pair_file::pair_file;
pub use questions::questions;
pub use recording::recording;
pub use scene_file::scene_file;
pub use world::world;

/// A function that takes any bytes and panics if the engine breaks a promise.
pub type Target = fn(&[u8]);

/// Every target by the name of its folder under `corpus/`.
pub const TARGETS: [(&str, Target); 8] = [
    ("pair", pair),
    ("hull", hull),
    ("pair_file", pair_file),
    ("scene_file", scene_file),
    ("world", world),
    ("composite", composite),
    ("questions", questions),
    ("recording", recording),
];
