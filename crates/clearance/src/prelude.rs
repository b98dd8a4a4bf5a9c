//! What most programs need of both dimensions: the names that do not depend on it, and the two
//! modules with those that do.
//!
//! ```
//! use clearance::prelude::*;
//!
//! let world = dim2::World::new(Options::default())?;
//! assert!(world.is_empty());
//! # Ok::<(), WorldError>(())
//! ```

pub use crate::{
    Backend, BodyId, BroadPhase, EventKind, Groups, Kind, Mobility, Options, Real, ShapeError,
    Status, WorldError, dim2, dim3,
};
pub use clearance_math::{Quat, Rotation2, Vec2, Vec3};
