//! The questions that users ask of one or two placed shapes. Each checks its input at the door.
//!
//! | question | where |
//! | --- | --- |
//! | how far apart, which points are closest | `proximity.rs`; a point instead of a shape: `point.rs` |
//! | do they overlap | `proximity.rs`, by the same methods, which may stop early |
//! | what a ray meets first, and all that it meets | `ray/` |
//! | when two shapes in motion meet | `cast/` |
//! | which face a point of the surface lies on | `face_normal.rs` |
//! | how an overlap is found, step by step | `trace_expansion.rs` |
//!
//! Contacts of parts are asked of [`crate::parts`], manifolds of [`crate::manifold`], many pairs of [`crate::batch`].

mod cast;
mod face_normal;
mod point;
mod proximity;
mod ray;
mod trace_expansion;

pub use cast::{
    Advance, Cast, CastHit, CastOptions, Leaving, Motion, cast_shapes, hit_by_cast, trace_cast,
};
pub use face_normal::face_normal;
pub use point::{check_point, point_proximity};
pub use proximity::{intersects, measure, proximity, trace};
pub use ray::{
    BackFaces, HitInFrame, Interior, RayHit, RayInFrame, RayOptions, all_hits_by_ray,
    ball_hit_by_ray, cast_ray, cast_ray_all_into, hit_by_ray, is_hit_by_ray, ray_hits,
    ray_surely_passes,
};
pub use trace_expansion::trace_expansion;
