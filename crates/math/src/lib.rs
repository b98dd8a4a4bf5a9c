//! Vectors, rotations, poses and boxes of the Clearance collision engine.
//!
//! The vector is the type parameter everywhere: `Aabb<Vec2>` is a rectangle, `Aabb<Vec3>` a box.
//! Input and answers are in single precision ([`Real`]). Distances are computed in double precision
//! ([`Vector::Precise`]), which makes it possible to prove bounds for them.

mod aabb;
mod affine;
mod cell;
mod compile_once;
mod dimensions;
mod exact;
mod inconsistent;
#[doc(hidden)] // for the crates of this workspace
pub mod lanes;
mod map_each;
mod motion;
mod planes;
mod pose;
mod precise;
mod ray;
mod real;
mod relative_pose;
mod rotation;
mod rotation_in_plane;
mod rotation_in_space;
mod sort;
#[cfg(feature = "serde")]
mod stored;
pub mod tolerances;
mod vector;

pub use aabb::Aabb;
pub use cell::Cell;
#[doc(hidden)] // for the crates of this workspace
pub use exact::{ExactProduct, exact_product};
pub use glam;
pub use glam::{DMat2, DMat3, DVec2, DVec3, IVec2, IVec3, Quat, Vec2, Vec3};
#[doc(hidden)] // for the crates of this workspace
pub use inconsistent::Inconsistent;
pub use map_each::{MapEach, map_lanes};
pub use motion::{PoseResidual, VelocityStep};
#[doc(hidden)] // for the crates of this workspace
pub use planes::{Plane, nearest_allowed};
pub use pose::{MatrixError, Pose, PoseError};
pub use precise::{Matrix, PreciseVector};
pub use ray::{Ray, RayError};
#[doc(hidden)] // for the crates of this workspace
pub use real::cube_root;
pub use real::{Real, greater_of, lesser_of, round_down, round_nearest, round_up};
pub use relative_pose::RelativePose;
pub use rotation::{Rotation, RotationError};
pub use rotation_in_plane::Rotation2;
#[doc(hidden)] // for the crates of this workspace
pub use sort::{heap_sort, insertion_sort, sift_down, sift_up};
#[cfg(feature = "serde")]
pub use stored::PoseEncoding;
#[doc(hidden)] // for the crates of this workspace
#[cfg(feature = "serde")]
pub use stored::{ExactNumber, exact_numbers};
pub use vector::{CompiledFunction, Vector};
