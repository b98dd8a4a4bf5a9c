//! Moving poses at constant velocities without losing slow motion to rounding.

use crate::map_each::MapEach;
use crate::real::left_over;
use crate::{Pose, PreciseVector, Real, Rotation, Vector};

/// The rounding error of the pose of a moving body, which the next step adds again. It is zero for
/// a pose that was set by the user.
///
/// A step of a slow body can be smaller than the resolution of its pose: at a coordinate of 1000
/// units a step below 3e-5 would be rounded away in every frame, and slow turns likewise. The part
/// that was rounded away is kept here and added to the next step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseResidual<V: Vector> {
    translation: V,
    rotation: <V::Rotation as Rotation<V>>::Residual,
}

impl<V: Vector> PoseResidual<V> {
    /// The residual of a pose without rounding error: zero.
    #[must_use]
    pub fn none() -> Self {
        Self {
            translation: V::ZERO,
            rotation: Default::default(),
        }
    }

    /// The bits of the residual: the translation (with zeros for a missing axis), then the
    /// rotation.
    #[must_use]
    pub fn encode(&self) -> [u32; 7] {
        let mut encoding = [0; 7];
        for (axis, bits) in encoding.iter_mut().enumerate().take(V::DIM) {
            *bits = self.translation.component(axis).to_bits();
        }
        encoding[3..].copy_from_slice(&V::Rotation::encode_residual(self.rotation));
        encoding
    }

    /// The residual with the given bits. It is not checked: [`Pose::residual_or_none`] does that.
    #[must_use]
    pub fn decode(encoding: [u32; 7]) -> Self {
        let [x, y, z, rotation @ ..] = encoding;
        let numbers = [x, y, z].map_each(Real::from_bits);
        let axes = numbers.into_iter().enumerate().take(V::DIM);
        Self {
            translation: axes.fold(V::ZERO, |vector, (axis, number)| {
                vector.with_component(axis, number)
            }),
            rotation: V::Rotation::decode_residual(rotation),
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
    /// coordinate beyond the range of [`Real`] becomes infinite.
    #[must_use]
    pub fn moved(
        &self,
        residual: &PoseResidual<V>,
        motion: &VelocityStep<V>,
    ) -> (Self, PoseResidual<V>) {
        let (mut next, mut rest) = (*self, *residual);
        // Without velocity the translation is not touched: rounding it again could move the body.
        if motion.linear != V::ZERO {
            let exact = self.destination(residual, motion);
            for axis in 0..V::DIM {
                let component = exact.component(axis);
                let rounded = component as Real;
                next.translation = next.translation.with_component(axis, rounded);
                let left_over = left_over(component, rounded);
                rest.translation = rest.translation.with_component(axis, left_over);
            }
        }
        if motion.angular != V::Angular::default() {
            (next.rotation, rest.rotation) =
                self.rotation
                    .integrated_from(residual.rotation, motion.angular, motion.dt);
        }
        (next, rest)
    }

    /// Where the motion takes the origin of the body, before rounding.
    #[must_use]
    pub fn destination(&self, residual: &PoseResidual<V>, motion: &VelocityStep<V>) -> V::Precise {
        let exact = self.translation.to_precise() + residual.translation.to_precise();
        exact + motion.linear.to_precise() * f64::from(motion.dt)
    }

    /// Returns `residual` if it can belong to this pose, that is if it is small enough to be a
    /// rounding error of it, and otherwise a residual of zero. The residual of another pose would
    /// move the body.
    #[must_use]
    pub fn residual_or_none(&self, residual: &PoseResidual<V>) -> PoseResidual<V> {
        let is_left_over = (0..V::DIM).all(|axis| {
            let rounded = self.translation.component(axis);
            let exact = f64::from(rounded) + f64::from(residual.translation.component(axis));
            exact as Real == rounded
        });
        PoseResidual {
            translation: if is_left_over {
                residual.translation
            } else {
                V::ZERO
            },
            rotation: self.rotation.residual_or_none(residual.rotation),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Quat, Vec3};

    #[test]
    fn what_a_step_leaves_over_belongs_to_its_pose() {
        // Found by review: the difference rounds up to exactly half a step of the coordinate.
        let motion = VelocityStep {
            linear: Vec3::X * (2.0_f32.powi(-12) * (1.0 - 2.0_f32.powi(-14))),
            angular: Vec3::ZERO,
            dt: 2.0_f32.powi(-12) * (1.0 + 2.0_f32.powi(-14)),
        };
        let start = Pose::from_translation(Vec3::X * (1.0 + 2.0_f32.powi(-23)));
        let (pose, residual) = start.moved(&PoseResidual::none(), &motion);
        assert_ne!(residual.translation, Vec3::ZERO);
        assert_eq!(pose.residual_or_none(&residual), residual);
    }

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
        // 100 seconds; the poses are within one rounding of the truth.
        let way = pose.translation - start.translation;
        assert!((way.x - 1e-2).abs() < 6.2e-5, "{way}");
        assert!((way.z + 3e-3).abs() < 1e-3, "{way}");
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
        let far = Pose::from_translation(Vec3::splat(1e7));
        let (pose, rest) = far.moved(&PoseResidual::none(), &motion);
        assert_eq!(pose.residual_or_none(&rest), rest);
        assert_ne!(rest, PoseResidual::none());
        let other = Pose::new(Vec3::X, Quat::from_xyzw(1e-9, 0.6, 0.8, 0.0));
        assert_eq!(other.residual_or_none(&rest), PoseResidual::none());
        let nan = PoseResidual::<Vec3>::decode([Real::NAN.to_bits(); 7]);
        assert_eq!(pose.residual_or_none(&nan), PoseResidual::none());
        assert_eq!(PoseResidual::decode(rest.encode()), rest);
    }
}
