//! The stages of a step, in the order in which they run.
//!
//! | stage | files |
//! |---|---|
//! | move | `move_bodies`: bodies move by their velocities |
//! | bound | `bound`: bodies that changed get new boxes; `sweep`: the ways of swept bodies, also for the stage measure |
//! | pair | `select`: of the bodies whose boxes overlap, those that are measured; `filter`: those that are refused |
//! | measure | `measure`: contacts; `impacts`: pairs that met on their ways; `parts`: contacts of parts; `manifolds` |
//! | report | `findings`: contacts, and what changed; `seams`: ghosts among the contacts of parts; `manifolds` |
//!
//! `buffers` is what one stage leaves for the next. In it `findings` holds what the stage measure leaves for the stage report, and runs the files of both.

mod bound;
mod buffers;
mod filter;
mod findings;
mod impacts;
mod manifolds;
mod measure;
mod move_bodies;
mod parts;
mod seams;
mod select;
mod sweep;

pub(crate) use bound::{Bounding, bound, update};
pub(crate) use buffers::Buffers;
pub(crate) use filter::PairRules;
pub(crate) use impacts::{Ways, is_of_impact};
pub(crate) use manifolds::{Wanted, is_in_range, is_of_solids};
pub(crate) use measure::Measuring;
pub(crate) use move_bodies::move_bodies;
pub(crate) use select::select;
pub(crate) use sweep::Sweeps;
