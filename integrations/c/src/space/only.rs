//! What space has and the plane has not.

use clearance::dim3::{DVec3, IVec3, Pose, Quat, Vec3};

use crate::border::Outcome;

pub(crate) use clearance::dim3 as engine;

/// The vector of this dimension.
pub(crate) type V = Vec3;
/// A vector in double precision.
pub(crate) type Precise = DVec3;
/// A cell of a grid.
pub(crate) type Cell = IVec3;
/// The numbers of a rotation: a quaternion.
pub type RotationNumbers = [f32; 4];
/// The numbers of an angular velocity.
pub type AngularNumbers = [f32; 3];
/// The kinds of handles, so that none is taken for one of the plane.
pub(crate) const FIRST_KIND: usize = 4;
/// No turn.
pub(crate) const IDENTITY: RotationNumbers = [0.0, 0.0, 0.0, 1.0];
/// The number of dimensions.
pub const DIM: usize = 3;
/// The most points of a manifold.
pub const POINTS: usize = 4;
/// Of what somebody steers.
pub const STAND_END: usize = 0;
/// The numbers of an inertia.
pub const INERTIA: usize = 9;
/// How many bytes fill a row up to a multiple of eight: one that ends with a separation, and its status.
pub const TAIL: usize = 7;
/// Of a row that ends with a separation and a byte more.
pub const SHORTER_TAIL: usize = 6;
/// Of a row that ends with the hit of a ray.
pub const RAY_TAIL: usize = 1;
/// Of a row that ends with the hit of a cast.
pub const CAST_TAIL: usize = 0;
/// Of a ray.
pub const RAY_END: usize = 4;
/// Of a body, and of a shape in motion.
pub const BODY_END: usize = 0;
/// Of a row that ends with a vector in single precision, as where a slide ended.
pub const VECTOR_END: usize = 4;

/// The numbers of an inertia, row by row.
pub(crate) fn inertia_numbers(properties: &engine::MassProperties) -> [f64; INERTIA] {
    properties.inertia().to_cols_array()
}

/// The numbers of an angular velocity.
pub(crate) fn angular_numbers(angular: Vec3) -> AngularNumbers {
    angular.to_array()
}

/// The angular velocity of numbers.
pub(crate) fn angular_of(numbers: AngularNumbers) -> Vec3 {
    numbers.into()
}

/// The numbers of a rotation.
pub(crate) fn rotation_numbers(rotation: Quat) -> RotationNumbers {
    rotation.to_array()
}

/// The pose of numbers; whether it is one is asked later.
#[inline]
pub(crate) fn pose_of(position: [f64; 3], rotation: RotationNumbers) -> Outcome<Pose> {
    Ok(Pose::new(
        DVec3::from_array(position),
        Quat::from_array(rotation),
    ))
}
