//! Vectors, rotations, poses and boxes of the Clearance collision engine.
//!
//! The vector is the type parameter everywhere: `Aabb<Vec2>` is a rectangle, `Aabb<Vec3>` a box.
//! Input and answers are in single precision ([`Real`]). Distances are computed in double precision
//! ([`Vector::Precise`]), which makes it possible to prove bounds for them.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod aabb;
mod affine;
mod cell;
mod compile_once;
mod dimensions;
mod exact;
mod inconsistent;
mod lanes;
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
pub use glam;
pub use glam::{DMat2, DMat3, DVec2, DVec3, IVec2, IVec3, Quat, Vec2, Vec3};
pub use inconsistent::Inconsistent;
pub use motion::{PoseResidual, VelocityStep};
pub use pose::{MatrixError, Pose, PoseError};
pub use precise::{Matrix, PreciseVector};
pub use ray::{Ray, RayError};
pub use real::{Real, greater_of, lesser_of, round_down, round_nearest, round_up};
pub use relative_pose::RelativePose;
pub use rotation::{Rotation, RotationError};
pub use rotation_in_plane::Rotation2;
#[cfg(feature = "serde")]
pub use stored::PoseEncoding;
pub use vector::{CompiledFunction, Vector};

/// For the crates of this workspace, and no promise to others: what is here changes without notice.
#[doc(hidden)]
pub mod internal {
    /// Numbers, vectors and matrices in SIMD lanes.
    pub mod lanes {
        pub use crate::lanes::*;
    }
    pub use crate::exact::{ExactProduct, exact_product};
    pub use crate::map_each::{MapEach, map_lanes};
    pub use crate::planes::{Plane, nearest_allowed};
    pub use crate::real::cube_root;
    pub use crate::sort::{heap_sort, insertion_sort, sift_down, sift_up};
    #[cfg(feature = "serde")]
    pub use crate::stored::{ExactNumber, exact_numbers};
}
