//! Poses of one body relative to another.

use crate::{Matrix, Pose, PreciseVector, Rotation, Vector};

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

    /// The pose of `b` in the frame of `a`. Both poses are given in one common frame, usually the
    /// world.
    #[must_use]
    pub fn between<V: Vector<Precise = P>>(a: &Pose<V>, b: &Pose<V>) -> Self {
        Self::from_pose(a).of(b)
    }

    /// The pose of `b` in the frame of `self`. Both are given in one common frame.
    #[inline]
    #[must_use]
    pub fn of<V: Vector<Precise = P>>(&self, b: &Pose<V>) -> Self {
        let to_self = self.rotation.transposed();
        let apart = b.translation.to_precise() - self.translation;
        Self {
            rotation: to_self.after(&b.rotation.matrix()),
            translation: to_self.apply(apart),
        }
    }

    /// A pose in double precision, as a map from the frame of the body to the outer frame.
    #[must_use]
    pub fn from_pose<V: Vector<Precise = P>>(pose: &Pose<V>) -> Self {
        Self {
            rotation: pose.rotation.matrix(),
            translation: pose.translation.to_precise(),
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
    use glam::{Quat, Vec3};

    #[test]
    fn relative_pose_maps_as_the_two_poses_do() {
        let a = Pose::new(
            Vec3::new(1e4, 2.0, -3.0),
            Quat::from_xyzw(0.5, 0.5, -0.5, 0.5),
        );
        let b = Pose::new(
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
