#![doc = include_str!("../README.md")]

mod collider;
mod manifolds;
mod plugin;
mod queries;

pub use collider::Collider;
pub use plugin::ClearanceColliderPlugin;
pub use queries::ClearanceQueriesPlugin;
