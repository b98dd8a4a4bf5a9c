//! The plane: every type and function, without type parameters. [`dim3`](crate::dim3) has the same names.

use clearance_math::{DVec2 as Precise, Vec2 as V};

pub use clearance_math::{DVec2, IVec2, Rotation2, Vec2};

/// The rotation: a unit complex number, counter-clockwise positive.
pub type Rotation = Rotation2;

include!("dimension.rs");
