//! What differs between the plane and space.

use clearance_math::{DVec2, Quat, Real, Rotation2, Vec2, Vec3};
use clearance_scene::FileVector;

use crate::bytes::Bytes;

/// The vectors that the targets are run for.
pub(crate) trait Dimension: FileVector {
    /// A rotation: none, by quarters, by a hair, any, or one that is refused.
    fn rotation(bytes: &mut Bytes) -> Self::Rotation;

    /// An angular velocity, at times one that is refused.
    fn angular(bytes: &mut Bytes) -> Self::Angular {
        let numbers = [(); 3].map(|()| bytes.number());
        Self::angular_from_numbers(&numbers)
    }
}

impl Dimension for Vec2 {
    fn rotation(bytes: &mut Bytes) -> Rotation2 {
        let of_parts = |x: Real, y: Real| {
            let unit = DVec2::new(f64::from(x), f64::from(y)).normalize_or_zero();
            Rotation2::from_cos_sin(unit.x, unit.y).unwrap_or_default()
        };
        match bytes.below(8) {
            0 | 1 => Rotation2::IDENTITY,
            2 => bytes.pick(
                &[(0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (1.0, 1.0)].map(|(x, y)| of_parts(x, y)),
            ),
            3 => of_parts(1.0, bytes.fraction() * bytes.power_of_two(60).min(1.0)),
            4 | 5 => of_parts(bytes.lattice(), bytes.lattice()),
            6 => Rotation2::from_angle(bytes.moderate()),
            _ => Rotation2::from_angle(bytes.number()),
        }
    }
}

impl Dimension for Vec3 {
    fn rotation(bytes: &mut Bytes) -> Quat {
        let parts = |bytes: &mut Bytes| Quat::from_array([(); 4].map(|()| bytes.lattice()));
        let half = |bytes: &mut Bytes| bytes.pick(&[0.5, -0.5]);
        match bytes.below(8) {
            0 | 1 => Quat::IDENTITY,
            2 => unit(bytes.pick(&[
                Quat::from_xyzw(1.0, 0.0, 0.0, 1.0),
                Quat::from_xyzw(0.0, -1.0, 0.0, 1.0),
                Quat::from_xyzw(0.0, 0.0, 1.0, 1.0),
                Quat::from_xyzw(0.0, 1.0, 0.0, 0.0),
                -Quat::IDENTITY,
            ])),
            3 => Quat::from_array([(); 4].map(|()| half(bytes))),
            4 => {
                let hair = bytes.fraction() * bytes.power_of_two(60).min(1.0);
                let axis: Vec3 = bytes.vector(|bytes| bytes.pick(&[0.0, 1.0, -1.0, 0.5]));
                unit(Quat::from_xyzw(
                    axis.x * hair,
                    axis.y * hair,
                    axis.z * hair,
                    1.0,
                ))
            }
            5 | 6 => unit(parts(bytes)),
            // Within a thousandth of unit length is allowed, and so is on its edge.
            _ if bytes.once_in(2) => unit(parts(bytes)) * (1.0 + bytes.fraction() * 1.1e-3),
            _ => Quat::from_array([(); 4].map(|()| bytes.number())),
        }
    }
}

/// The quaternion of unit length, or no rotation where there is none.
fn unit(quaternion: Quat) -> Quat {
    let length = quaternion.length();
    if length > 0.0 {
        quaternion * (1.0 / length)
    } else {
        Quat::IDENTITY
    }
}
