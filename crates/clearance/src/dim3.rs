//! Space: every type and function, without type parameters. [`dim2`](crate::dim2) has the same names.

use clearance_math::{DVec3 as Precise, Vec3 as V};

pub use clearance_gjk::{crossing_segments_into, self_crossings_into};
pub use clearance_math::{DVec3, IVec3, Quat, Vec3};
pub use clearance_shapes::HeightPatch;

/// The rotation: a unit quaternion.
pub type Rotation = Quat;
/// Where a triangle of one mesh crosses one of another.
pub type CrossingSegment = clearance_gjk::CrossingSegment<V>;

include!("dimension.rs");
