//! Searches that need only support functions: GJK for the distance of two cores, and what goes on where they overlap.
//!
//! | step | where |
//! | --- | --- |
//! | the difference of two cores, and its farthest point in a direction, a vertex | `difference.rs`, `cores.rs`, `vertex.rs`; `corners.rs` where both have few |
//! | the distance by GJK | `distance.rs` |
//! | the nearest point of its simplex | `simplex/`, in SIMD lanes `simplex_in_lanes/`, `feet.rs` for both; `kept_simplex.rs` between two steps of a cast |
//! | the depth of an overlap by an expanding polytope | `penetration/` |
//! | both, as a user's own difference asks for them | `iterate.rs` |
//! | a ray against a difference | `moving_origin/` |
//! | what is recorded on the way, for those who teach or debug | `trace.rs`, `minkowski.rs` |

mod cores;
mod corners;
mod difference;
mod distance;
mod feet;
mod iterate;
mod kept_simplex;
mod minkowski;
pub(crate) mod moving_origin;
pub(crate) mod penetration;
pub(crate) mod simplex;
mod simplex_in_lanes;
mod trace;
mod vertex;

pub(crate) use cores::Cores;
pub(crate) use corners::CornerStorage;
pub use difference::Difference;
pub(crate) use difference::{Minkowski, SupportMapping, witness_slack};
pub use distance::{Goal, Overlap, SearchResult, SeparatedCores, search};
pub(crate) use distance::{search_from, search_in};
pub use iterate::measure_difference;
pub(crate) use iterate::measure_in;
pub(crate) use kept_simplex::KeptSimplex;
pub use minkowski::minkowski_difference;
pub use simplex::{Nearest, Region, Simplex};
pub(crate) use simplex::{
    nearest_of_corners, tetrahedron_surely_holds_origin, weights_inside, witness_points_of,
};
pub(crate) use simplex_in_lanes::{Added, SimplexInLanes};
pub use trace::{Expansion, Iteration};
pub(crate) use trace::{Steps, record};
pub use vertex::Vertex;
