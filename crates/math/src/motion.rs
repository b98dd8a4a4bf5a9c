//! Moving poses at constant velocities without losing slow motion to rounding.

use crate::{Pose, Real, Rotation, Vector};

/// The rounding error of the rotation of a moving body, which the next step adds again. It is zero for a pose that was set
/// by the user.
///
/// A step of a body that turns slowly can be smaller than the resolution of its rotation, and would be rounded away in
/// every frame. The part that was rounded away is kept here and added to the next step. Positions need no residual: they
/// are in double precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseResidual<V: Vector> {
    rotation: <V::Rotation as Rotation<V>>::Residual,
}

impl<V: Vector> PoseResidual<V> {
    /// The residual of a pose without rounding error: zero.
    #[must_use]
    pub fn none() -> Self {
        Self {
            rotation: Default::default(),
        }
    }

    /// The bits of the residual.
    #[must_use]
    pub fn encode(&self) -> [u32; 4] {
        V::Rotation::encode_residual(self.rotation)
    }

    /// The residual with the given bits. It is not checked: [`Pose::residual_or_none`] does that.
    #[must_use]
    pub fn decode(encoding: [u32; 4]) -> Self {
        Self {
            rotation: V::Rotation::decode_residual(encoding),
        }
    }
}

impl<V: Vector> Default for PoseResidual<V> {
    fn default() -> Self {
        Self::none()
    }
}

/// A constant velocity and the time for which it lasts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VelocityStep<V: Vector> {
    /// The velocity of the body's origin, in units of length a second, in the frame of the world.
    pub linear: V,
    /// The angular velocity about the body's origin, in radians a second, about the axes of the
    /// world.
    pub angular: V::Angular,
    /// The duration in seconds.
    pub dt: Real,
}

impl<V: Vector> Pose<V> {
    /// Moves the exact pose, which is `self` plus `residual`, and returns the rounded pose and the
    /// new residual.
    ///
    /// It is computed in double precision by portable code, with the same bits on every platform. A
    /// coordinate beyond the range of [`Real`] is one that [`Pose::checked`] refuses.
    #[must_use]
    pub fn moved(
        &self,
        residual: &PoseResidual<V>,
        motion: &VelocityStep<V>,
    ) -> (Self, PoseResidual<V>) {
        let (mut next, mut rest) = (*self, *residual);
        if motion.linear != V::ZERO {
            next = Self::new(self.destination(motion), self.rotation);
        }
        if motion.angular != V::Angular::default() {
            (next.rotation, rest.rotation) =
                self.rotation
                    .integrated_from(residual.rotation, motion.angular, motion.dt);
        }
        (next, rest)
    }

    /// Where the motion takes the origin of the body.
    #[must_use]
    pub fn destination(&self, motion: &VelocityStep<V>) -> V::Precise {
        self.position() + motion.linear.to_precise() * f64::from(motion.dt)
    }

    /// Returns `residual` if it can belong to this pose, that is if it is small enough to be a
    /// rounding error of its rotation, and otherwise a residual of zero. The residual of another pose would
    /// turn the body.
    #[must_use]
    pub fn residual_or_none(&self, residual: &PoseResidual<V>) -> PoseResidual<V> {
        PoseResidual {
            rotation: self.rotation.residual_or_none(residual.rotation),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Quat, Vec3};

    #[test]
    fn steps_below_the_resolution_add_up() {
        let motion = VelocityStep {
            linear: Vec3::new(1e-4, 0.0, -3e-5),
            angular: Vec3::new(0.0, 1e-4, 0.0),
            dt: 1e-3,
        };
        let start = Pose::from_translation(Vec3::new(1000.0, 0.0, -1e4));
        let (mut pose, mut rest) = (start, PoseResidual::none());
        for _ in 0..100_000 {
            (pose, rest) = pose.moved(&rest, &motion);
            assert_eq!(pose.residual_or_none(&rest), rest);
        }
        // 100 seconds.
        let way = pose.position() - start.position();
        assert!((way.x - 1e-2).abs() < 1e-8, "{way}");
        assert!((way.z + 3e-3).abs() < 1e-7, "{way}");
        let angle = 2.0 * f64::from(pose.rotation.y).asin();
        assert!((angle - 1e-2).abs() < 1e-7, "{angle}");
    }

    #[test]
    fn residuals_of_other_poses_do_not_count() {
        let motion = VelocityStep {
            linear: Vec3::X,
            angular: Vec3::Y,
            dt: 0.1,
        };
        let start = Pose::<Vec3>::IDENTITY;
        let (pose, rest) = start.moved(&PoseResidual::none(), &motion);
        assert_eq!(pose.residual_or_none(&rest), rest);
        assert_ne!(rest, PoseResidual::none());
        let other = Pose::new(Vec3::X, Quat::from_xyzw(1e-9, 0.6, 0.8, 0.0));
        assert_eq!(other.residual_or_none(&rest), PoseResidual::none());
        let nan = PoseResidual::<Vec3>::decode([Real::NAN.to_bits(); 4]);
        assert_eq!(pose.residual_or_none(&nan), PoseResidual::none());
        assert_eq!(PoseResidual::decode(rest.encode()), rest);
    }
}
