//! Overlapping pairs of boxes: a bounding volume hierarchy and brute force behind one trait, and an
//! R-tree with the cargo feature `rtree`.
//!
//! This crate knows boxes and keys, but no bodies. A program registers each box under a [`Key`],
//! moves it with [`BroadPhase::set_bounds`], and calls [`BroadPhase::refresh`] once all boxes of a
//! frame are in place. Then it reads the overlapping pairs from [`BroadPhase::pairs`], or asks for
//! the boxes that overlap another box, contain a point, are hit by a ray, or are near a point. With
//! the cargo feature `parallel` several threads can share the work: see [`BroadPhase::set_workers`].
//!
//! ```
//! use clearance::broadphase::{BodyKind, BroadPhase, Bvh};
//! use clearance::dim2::{Aabb, Vec2};
//!
//! let mut boxes = Bvh::new();
//! boxes.insert(0, Aabb::new(Vec2::ZERO, Vec2::ONE), BodyKind::Fixed);
//! boxes.insert(1, Aabb::new(Vec2::ONE, Vec2::splat(2.0)), BodyKind::Moving);
//! boxes.refresh();
//! assert_eq!(boxes.pairs(), [(0, 1)]);
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

mod any;
mod broad_phase;
mod brute_force;
mod bvh;
mod capacity;
mod groups;
mod key;
mod predicted_bounds;
#[cfg(feature = "rtree")]
mod rtree;
mod table;

pub use any::{AnyBroadPhase, Backend};
pub use broad_phase::BroadPhase;
pub use brute_force::BruteForce;
pub use bvh::Bvh;
pub use clearance_tree::Workers;
pub use clearance_tree::ray_box::RayLine;
pub use groups::Groups;
pub use key::{BodyKind, Key, MAX_KEY};
#[cfg(feature = "rtree")]
pub use rtree::RTree;
