//! Questions about one or two shapes: distances with proven bounds, contacts, rays, casts, manifolds.
//!
//! Input and answers are in single precision, and the computation between them is in double
//! precision. The bounds of an answer are rounded outwards, so the true distance of the shapes, as
//! they were given, lies between them.
//!
//! | folder, each above those before it | what is in it |
//! | --- | --- |
//! | `pair/` | the two sides of a question, the order in which they are measured, their frames |
//! | `answer/` | distances with bounds, closest points, normal |
//! | `search/` | GJK and what goes on where it finds an overlap, for anything with a support function |
//! | `convex/` | two convex shapes: which method for which pair, and the closed forms |
//! | `manifold/` | the points in which two convex shapes touch |
//! | `parts/` | composites: the same questions, about pairs of their parts |
//! | `batch/` | many pairs in one call, lanes of SIMD where there are such |
//! | `questions/` | distance, overlap, point, ray and cast, as users ask for them |
//!
//! A distance goes from `questions/proximity.rs` to `parts/any_pair.rs`, which asks `convex/method.rs` about two convex
//! shapes and `parts/solid.rs` where one is a composite.
//!
//! `pair/canonical.rs` puts the sides into an order, and `pair/exchange.rs` turns the answer back, so that exchanging the sides
//! mirrors an answer. [`trace`] and [`minkowski_difference`] are for those who teach or debug.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod answer;
mod batch;
mod convex;
mod manifold;
mod pair;
mod parts;
mod questions;
mod search;
#[cfg(test)]
mod test_numbers;

pub use answer::{Measured, Outcome, Proximity, Separation, Status};
pub use batch::{manifold_each, measure_each};
pub use clearance_shapes::internal::core_corners;
pub use manifold::{
    Feature, Manifold, ManifoldPoint, PlacedManifold, contact_manifold, match_points,
};
pub use pair::{DEFAULT_EFFORT, PartFilter, Placed, QueryError, Question, Side};
pub use parts::effort::Completeness;
pub use parts::{
    CrossingSegment, contact_manifolds_into, contacts_into, crossing_segments_into,
    self_crossings_into,
};
pub use questions::{
    Advance, BackFaces, Cast, CastHit, CastOptions, Interior, Leaving, Motion, RayHit, RayOptions,
    all_hits_by_ray, cast_ray, cast_ray_all_into, cast_shapes, face_normal, hit_by_cast,
    hit_by_ray, intersects, is_hit_by_ray, measure, point_proximity, proximity, ray_hits, trace,
    trace_cast, trace_expansion,
};
pub use search::{
    Difference, Expansion, Goal, Iteration, Nearest, Overlap, Region, SearchResult, SeparatedCores,
    Simplex, Vertex, measure_difference, minkowski_difference, search,
};

/// For the crates of this workspace, and no promise to others: what is here changes without notice.
#[doc(hidden)]
pub mod internal {
    pub use crate::batch::{BallPairs, MOST_BALLS, measure_hinted_each, part_manifold_each};
    pub use crate::convex::closed_forms::half_space_half_space::unbounded_separation;
    pub use crate::convex::closed_forms::point_point::{Ball, measure_balls};
    pub use crate::convex::closed_forms::polytope_polytope::{Hint, HintPlace};
    pub use crate::convex::{Hinted, PartQuestion};
    pub use crate::pair::check_side;
    pub use crate::parts::{
        NearestPart, OfAllParts, SurfacePart, each_contact, each_manifold, each_obstacle,
        nearest_of_parts, part_manifold, part_manifold_along, sort_large,
    };
    pub use crate::questions::{
        HitInFrame, RayInFrame, ball_hit_by_ray, check_point, ray_surely_passes,
    };
}
