//! Overlapping pairs of boxes: a bounding volume hierarchy and brute force behind one trait, and, with the
//! cargo feature `rtree`, an R-tree.
//!
//! This crate knows boxes and opaque keys, never bodies. A caller registers a box under a [`Key`],
//! moves it with [`BroadPhase::set_bounds`], calls [`BroadPhase::refresh`] once all boxes of a
//! frame are in place, and then asks for [`BroadPhase::pairs`] or puts queries. With the cargo feature
//! `parallel` the threads of a rayon pool can share the work: [`BroadPhase::set_threads`].
//!
//! ```
//! use clearance_broadphase::{BroadPhase, Bvh, Mobility};
//! use clearance_math::{Aabb, Vec2};
//!
//! let mut boxes = Bvh::new();
//! boxes.insert(0, Aabb::new(Vec2::ZERO, Vec2::ONE), Mobility::Fixed);
//! boxes.insert(1, Aabb::new(Vec2::ONE, Vec2::splat(2.0)), Mobility::Moving);
//! boxes.refresh();
//! assert_eq!(boxes.pairs(), [(0, 1)]);
//! ```

mod any;
mod broad_phase;
mod brute_force;
mod bvh;
#[doc(hidden)]
pub mod capacity;
mod filter;
mod key;
mod ray_box;
#[cfg(feature = "rtree")]
mod rtree;
mod table;
mod workers;

pub use any::{AnyBroadPhase, Backend};
pub use broad_phase::BroadPhase;
pub use brute_force::BruteForce;
pub use bvh::Bvh;
pub use filter::PairFilter;
pub use key::{Key, MAX_KEY, Mobility};
#[cfg(feature = "rtree")]
pub use rtree::RTree;
