//! Questions about one or two shapes: distances with proven bounds, contacts, rays, casts, manifolds.
//!
//! Input and answers are in single precision, and the computation between them is in double
//! precision. The bounds of an answer are rounded outwards, so the true distance of the shapes, as
//! they were given, lies between them.
//!
//! | question | door | then |
//! | --- | --- | --- |
//! | distance of two shapes | `proximity.rs`, `any_pair.rs` | convex: `pair.rs` chooses a closed form of `pairs/` or a search: `distance.rs`, and `penetration/` if they overlap; composites: `composite/solid.rs`, `composite/least.rs` |
//! | do they overlap | `overlap.rs` | the same methods, which may stop early |
//! | distance of a point | `point.rs` | as of a shape without size |
//! | contacts of all parts | `composite/contacts.rs` | each pair of parts as above |
//! | a ray | `ray/mod.rs` | closed forms for sharp shapes, `ray/iterate.rs` for others, `ray/composite.rs` |
//! | when two shapes in motion meet | `cast/mod.rs` | `cast/meeting.rs` for convex shapes, `cast/composite.rs` |
//! | a contact manifold | `manifold/mod.rs` | the pair as above, then `manifold/points.rs` |
//! | many pairs in one call | `batch/mod.rs` | lanes of SIMD where there are such, else one by one |
//!
//! Searches ask a [`Difference`] of two shapes for its farthest points (`difference.rs`, `cores.rs`); their core is the
//! nearest point of a simplex (`simplex/`, `simplex_in_lanes/`). `canonical.rs` puts the sides into an order, so that
//! exchanging them mirrors an answer; `trace.rs` and [`minkowski_difference`] are for those who teach or debug.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod answer;
mod answers_in_lanes;
mod any_pair;
mod axes_in_lanes;
mod batch;
mod canonical;
mod cast;
mod composite;
mod cores;
mod corners;
mod depth_gap;
mod difference;
mod distance;
mod effort;
#[cfg(test)]
mod exact;
mod face_normal;
mod frames;
mod iterate;
mod kept_simplex;
mod manifold;
mod measured;
mod minkowski;
mod moving_origin;
mod overlap;
mod pair;
mod pairs;
mod penetration;
mod placed;
mod point;
mod proximity;
mod ray;
mod simplex;
mod simplex_in_lanes;
mod surface_part;
#[cfg(test)]
mod test_numbers;
mod trace;
mod trace_expansion;
mod vertex;

pub use answer::{Proximity, Separation, Status};
pub use batch::{Question, manifold_each, measure_each};
pub use cast::{
    Advance, Cast, CastHit, CastOptions, Leaving, Motion, cast_shapes, hit_by_cast, trace_cast,
};
pub use composite::{contact_manifolds, contacts};
pub use difference::Difference;
pub use distance::{Goal, Overlap, SearchResult, SeparatedCores, search};
pub use effort::Completeness;
pub use face_normal::face_normal;
pub use iterate::measure_difference;
pub use manifold::{
    Feature, Manifold, ManifoldPoint, PlacedManifold, contact_manifold, match_points,
};
pub use measured::{Measured, Outcome};
pub use minkowski::{core_corners, minkowski_difference};
pub use placed::{DEFAULT_EFFORT, PartFilter, Placed, QueryError, Side};
pub use point::point_proximity;
pub use proximity::{intersects, measure, proximity, trace};
pub use ray::{
    BackFaces, HitInFrame, Interior, RayHit, RayInFrame, RayOptions, all_hits_by_ray, cast_ray,
    cast_ray_all, hit_by_ray, is_hit_by_ray, ray_hits,
};
pub use simplex::{Nearest, Region, Simplex};
pub use trace::{Expansion, Iteration};
pub use trace_expansion::trace_expansion;
pub use vertex::Vertex;

/// For the crates of this workspace, and no promise to others: what is here changes without notice.
#[doc(hidden)]
pub mod internal {
    pub use crate::batch::{
        BallPairs, Hinted, MOST_BALLS, PartQuestion, measure_hinted_each, part_manifold_each,
    };
    pub use crate::composite::{
        NearestPart, OfAllParts, each_contact, each_manifold, each_obstacle, nearest_of_parts,
        part_manifold, part_manifold_along,
    };
    pub use crate::pairs::half_space_half_space::unbounded_separation;
    pub use crate::pairs::point_point::{Ball, measure_balls};
    pub use crate::pairs::polytope_polytope::{Hint, HintPlace};
    pub use crate::placed::check_side;
    pub use crate::point::check_point;
    pub use crate::ray::{ball_hit_by_ray, ray_surely_passes};
    pub use crate::surface_part::SurfacePart;
}
