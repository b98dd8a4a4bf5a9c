//! Two convex shapes or half-spaces: a closed form where there is one, else a search.
//!
//! | what | where |
//! | --- | --- |
//! | which method measures which pair | `method.rs`, with a table in front |
//! | the closed forms, each written once for one pair and for lanes of pairs | `closed_forms/` |
//! | two cores, as all of these are asked about them | `core_pair.rs` |
//! | an axis for each lane, as closed forms choose them | `axes_in_lanes.rs` |
//! | how well the depth of an overlap is known | `depth_gap.rs` |
//! | questions that know where to begin | `hinted.rs` |

mod axes_in_lanes;
pub(crate) mod closed_forms;
mod core_pair;
mod depth_gap;
mod hinted;
pub(crate) mod method;
#[cfg(test)]
mod tests;

pub(crate) use axes_in_lanes::AxesInLanes;
pub(crate) use core_pair::CorePair;
pub(crate) use depth_gap::depth_gap;
pub use hinted::{Hinted, PartQuestion};
