//! What most programs need: the names that both dimensions share, and the modules of the two
//! dimensions. It can be combined with `dim2::*` or `dim3::*`, and with glam's names.
//!
//! ```
//! use clearance::prelude::*;
//!
//! let world = dim2::World::new(Options::default())?;
//! assert!(world.is_empty());
//! # Ok::<(), WorldError>(())
//! ```

pub use crate::{
    Backend, BodyId, BodyKind, BodyPair, EventKind, Groups, Options, Real, ShapeError, Status,
    WorldError, dim2, dim3,
};
pub use clearance_math::{Quat, Rotation2, Vec2, Vec3};
