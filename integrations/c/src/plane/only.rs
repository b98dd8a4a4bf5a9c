//! What the plane has and space has not.

use clearance::dim2::{DVec2, IVec2, Pose, Rotation, Vec2};
use clearance::math::Rotation as _;

use crate::border::{Outcome, Problem};

pub(crate) use clearance::dim2 as engine;

/// The vector of this dimension.
pub(crate) type V = Vec2;
/// A vector in double precision.
pub(crate) type Precise = DVec2;
/// A cell of a grid.
pub(crate) type Cell = IVec2;
/// The numbers of a rotation: the cosine and the sine of its angle.
pub type RotationNumbers = [f64; 2];
/// The number of an angular velocity.
pub type AngularNumbers = f32;
/// The kinds of handles, so that none is taken for one of space.
pub(crate) const FIRST_KIND: usize = 1;
/// No turn.
pub(crate) const IDENTITY: RotationNumbers = [1.0, 0.0];
/// The number of dimensions.
pub const DIM: usize = 2;
/// The most points of a manifold.
pub const POINTS: usize = 2;
/// Of what somebody steers.
pub const STAND_END: usize = 4;
/// The numbers of an inertia.
pub const INERTIA: usize = 1;
/// How many bytes fill a row up to a multiple of eight: one that ends with a separation, and its status.
pub const TAIL: usize = 3;
/// Of a row that ends with a separation and a byte more.
pub const SHORTER_TAIL: usize = 2;
/// Of a row that ends with the hit of a ray.
pub const RAY_TAIL: usize = 5;
/// Of a row that ends with the hit of a cast.
pub const CAST_TAIL: usize = 4;
/// Of a ray.
pub const RAY_END: usize = 0;
/// Of a body, and of a shape in motion.
pub const BODY_END: usize = 4;
/// Of a row that ends with a vector in single precision, as where a slide ended.
pub const VECTOR_END: usize = 0;

/// The number of an inertia.
pub(crate) fn inertia_numbers(properties: &engine::MassProperties) -> [f64; INERTIA] {
    [properties.inertia()]
}

/// The number of an angular velocity.
pub(crate) fn angular_numbers(angular: f32) -> AngularNumbers {
    angular
}

/// The angular velocity of a number.
pub(crate) fn angular_of(number: AngularNumbers) -> f32 {
    number
}

/// The numbers of a rotation.
pub(crate) fn rotation_numbers(rotation: Rotation) -> RotationNumbers {
    [rotation.cos(), rotation.sin()]
}

/// The pose of numbers. A rotation that a world gave keeps its bits; others become one of unit length.
#[inline]
pub(crate) fn pose_of(position: [f64; 2], [cos, sin]: RotationNumbers) -> Outcome<Pose> {
    let halves =
        [cos, sin].map(|number| [number.to_bits() as u32, (number.to_bits() >> 32) as u32]);
    let bits = [halves[0][0], halves[0][1], halves[1][0], halves[1][1]];
    let rotation = Rotation::from_bits(bits).or_else(|_| Rotation::from_cos_sin(cos, sin));
    let rotation = rotation.map_err(|error| Problem::from(error).in_field("pose.rotation"))?;
    Ok(Pose::new(DVec2::from_array(position), rotation))
}
