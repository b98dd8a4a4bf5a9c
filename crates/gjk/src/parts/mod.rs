//! Questions about composite shapes: meshes, polylines, height fields, clouds of points, voxels and compounds.
//!
//! A question is a reduction over the parts of one composite, or over the pairs of parts of two:
//!
//! | question | reduction | file |
//! | --- | --- | --- |
//! | distance | the least | `least.rs` |
//! | contacts | all within a distance | `contacts.rs` |
//! | what a body keeps away from | all within a distance, a solid as one body | `obstacles.rs` |
//! | contact manifolds | one for each contact | `manifolds.rs`, found by `contacts.rs` |
//! | intersection | any | `least.rs`, which ends at the first |
//! | curves in which surfaces cross | all segments of two triangles | `crossing/` |
//!
//! `any_pair.rs` and `intersection.rs` are the doors for any two shapes: they ask `crate::convex` where no composite takes part.
//! The door of distances of composites is `solid.rs`: of closed surfaces with an inside the same is asked first, and then whether one
//! shape lies inside the other. Rays and casts are in `questions/ray/composite.rs` and `questions/cast/composites/`.
//!
//! The trees over the parts only decide which pairs of parts are measured, and in which order
//! (`nearest_first.rs`). What is skipped is proven to be farther apart than what was found, so an
//! answer is that of measuring all pairs of parts, whatever the trees look like. A kind of shape
//! needs no code here, and neither does a pair of kinds.

pub(crate) mod any_pair;
mod ball;
mod contacts;
mod counted;
mod crossing;
mod cuboid;
mod depth;
pub(crate) mod effort;
mod four_triangles;
mod gap;
mod inside;
pub(crate) mod intersection;
mod least;
mod manifolds;
mod nearest_first;
mod obstacles;
mod of_all_parts;
mod outward;
mod part_pair;
mod pieces;
mod sides;
mod solid;
mod sort;
mod surface_part;
mod targets;
mod two_trees;
mod wide;
mod wide_slabs;

pub use contacts::{contacts_into, each_contact, each_manifold};
pub use crossing::{CrossingSegment, crossing_segments_into, self_crossings_into};
pub use manifolds::{contact_manifolds_into, part_manifold, part_manifold_along};
pub use obstacles::each_obstacle;
pub use of_all_parts::{NearestPart, OfAllParts, nearest_of_parts};
pub use sort::sort_large;
pub use surface_part::SurfacePart;

pub(crate) use counted::{SidedBox, are_counted, are_passed};
pub(crate) use four_triangles::FourTriangles;
pub(crate) use gap::{
    BoxMap, FourBoxes, components, nearest_lane, reach_of, root, rounding as box_rounding,
};
pub(crate) use inside::{Unit, has_inside};
pub(crate) use least::measure_all;
pub(crate) use nearest_first::{PartPair, Target, Visitor, tree_with_one};
pub(crate) use obstacles::{each_overlap, is_of_solid, overlap};
pub(crate) use outward::outward;
pub(crate) use part_pair::{PlacedPart, compare_parts, measure_parts, part_of};
pub(crate) use sides::part_rounding;
pub(crate) use solid::{ByHulls, beside_origin, measure};
pub(crate) use targets::Below;
pub(crate) use two_trees::{
    Branch, OfInterest, PairOpening, Pending, PendingPairs, box_of, tree_with_tree,
};
pub(crate) use wide_slabs::WideSlabs;
