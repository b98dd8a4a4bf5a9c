//! Poses of one body relative to another.

use crate::precise::{Matrix, PreciseVector};

/// The pose of a body b in the frame of a body a, in double precision.
///
/// The translations are subtracted exactly before they are rotated. Bodies that are near each other
/// therefore keep their precision even if they are far from the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelativePose<P: PreciseVector> {
    /// The matrix that maps directions from b's frame to a's frame.
    pub rotation: P::Matrix,
    /// The origin of b, in a's frame.
    pub translation: P,
}

impl<P: PreciseVector> RelativePose<P> {
    /// The pose of a body in its own frame.
    #[inline]
    #[must_use]
    pub fn identity() -> Self {
        Self {
            rotation: P::Matrix::IDENTITY,
            translation: P::ZERO,
        }
    }

    /// The pose of c in the frame of a, where `self` is the pose of b in the frame of a, and `other`
    /// that of c in the frame of b.
    #[inline]
    #[must_use]
    pub fn after(&self, other: &Self) -> Self {
        Self {
            rotation: self.rotation.after(&other.rotation),
            translation: self.transform_point(other.translation),
        }
    }

    /// The inverse: the pose of a in the frame of b.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.transposed();
        Self {
            rotation,
            translation: -rotation.apply(self.translation),
        }
    }

    /// Maps a point from b's frame to a's frame.
    #[inline]
    #[must_use]
    pub fn transform_point(&self, point: P) -> P {
        self.rotation.apply(point) + self.translation
    }

    /// Maps a direction from b's frame to a's frame.
    #[inline]
    #[must_use]
    pub fn transform_direction(&self, direction: P) -> P {
        self.rotation.apply(direction)
    }

    /// Maps a direction from a's frame to b's frame.
    #[inline]
    #[must_use]
    pub fn inverse_transform_direction(&self, direction: P) -> P {
        self.rotation.apply_transposed(direction)
    }

    /// Maps a point from a's frame to b's frame.
    #[inline]
    #[must_use]
    pub fn inverse_transform_point(&self, point: P) -> P {
        self.rotation.apply_transposed(point - self.translation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pose;
    use glam::{Quat, Vec3};

    #[test]
    fn relative_pose_maps_as_the_two_poses_do() {
        let a = Pose::<Vec3>::new(
            Vec3::new(1e4, 2.0, -3.0),
            Quat::from_xyzw(0.5, 0.5, -0.5, 0.5),
        );
        let b = Pose::<Vec3>::new(
            Vec3::new(1e4 + 1.0, 2.5, -3.0),
            Quat::from_xyzw(0.0, 0.6, 0.0, 0.8),
        );
        let relative = RelativePose::between(&a, &b);
        let point = glam::DVec3::new(0.25, -1.0, 2.0);
        let world = RelativePose::from_pose(&b).transform_point(point);
        let back = RelativePose::from_pose(&a).inverse_transform_point(world);
        assert!((relative.transform_point(point) - back).length() < 1e-10);
        let there = relative.inverse().transform_point(back);
        assert!((there - point).length() < 1e-10);
    }
}
