//! A tree over numbered boxes: box, ray and nearest queries, and the overlapping pairs of two
//! trees.
//!
//! A [`Tree`] is built from boxes, and answers with their numbers: it knows neither bodies nor
//! shapes. Its nodes have four children whose boxes lie side by side, so that one box is tested
//! against all four at once. The nodes are in a flat array, a parent always before its children;
//! thanks to that order one backward sweep refits the whole tree.
//!
//! Whoever needs another traversal can write it on top of [`Tree::nodes`], [`Node`] and [`Child`].
//! A [`LaneMask`] lets the traversals of this crate skip subtrees by other criteria than their
//! boxes.
//!
//! ```
//! use clearance_math::{Aabb, DVec2, Ray, Vec2};
//! use clearance_tree::ray_box::RayLine;
//! use clearance_tree::{BuildScratch, BuildTools, Tree, Workers};
//!
//! // A row of unit squares with gaps of one.
//! let squares: Vec<_> = (0..100)
//!     .map(|k| Vec2::new(2.0 * k as f32, 0.0))
//!     .map(|corner| Aabb::new(corner, corner + Vec2::ONE))
//!     .collect();
//! let tools = BuildTools {
//!     scratch: &mut BuildScratch::default(),
//!     workers: &Workers::alone(),
//! };
//! let tree = Tree::build(&squares, tools)?;
//! assert_eq!((tree.len(), tree.bounds().max), (100, Vec2::new(199.0, 1.0)));
//!
//! let mut found = Vec::new();
//! let window = Aabb::new(Vec2::new(20.5, 0.5), Vec2::new(23.0, 9.0));
//! tree.query_box(&window, &mut |number| found.push(number));
//! found.sort();
//! assert_eq!(found, [10, 11]);
//!
//! let ray = Ray::<Vec2>::new(Vec2::new(30.5, -7.0), Vec2::Y)?;
//! let line = RayLine::of(&ray, DVec2::ZERO);
//! let mut hit = None;
//! tree.query_ray(&line, f32::INFINITY, &mut |number, entry| {
//!     hit = Some(number);
//!     entry // what is farther than this need not be visited
//! });
//! assert_eq!(hit, Some(15));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

mod blocks;
mod build;
mod error;
mod join;
mod least_first;
mod mask;
mod nearest_first;
mod node;
mod query;
pub mod ray_box;
mod ray_slabs;
mod refit;
mod split;
#[cfg(feature = "parallel")]
mod team;
mod tree;
mod validate;
mod wide;
mod wide_search;
mod workers;

pub use build::{BuildScratch, BuildTools};
pub use error::BuildError;
pub use join::{Join, JoinStacks};
pub use mask::{AllLanes, JoinMask, LaneMask, Leaf};
pub use nearest_first::{Arrival, NearestFirst};
pub use node::{Child, LANES, NONE, Node, lanes, node_and_lane, occupied_lanes, place};
pub use refit::Growth;
pub use tree::{MAX_LEAVES, Tree};
#[cfg(feature = "parallel")]
pub use workers::StartError;
pub use workers::Workers;

/// For the crates of this workspace, and no promise to others: what is here changes without notice.
#[doc(hidden)]
pub mod internal {
    pub use crate::blocks::{BLOCK, BlockTree};
    pub use crate::node::half_surface;
    pub use crate::ray_slabs::leaves_on_ray_by;
    pub use crate::tree::{leaves_mut, nodes_mut};
    pub use crate::wide::{MOST_LEVELS, WIDE, WideNode, WideScratch, wide_nodes};
    pub use crate::wide_search::{MOST_LIMIT, Search, WideLeaf, nearest_first};
}
