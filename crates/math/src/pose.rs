//! Where a body is: a translation and a rotation.

use crate::{Real, Rotation, RotationError, Vector};

/// Why a pose was refused.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PoseError {
    /// A component of the translation is NaN or infinite.
    #[error("translation[{axis}] is {value}, must be finite")]
    Translation {
        /// The axis, counted from 0.
        axis: usize,
        /// The value that was given.
        value: Real,
    },
    /// The rotation is not finite or not of unit length.
    #[error("rotation {0}")]
    Rotation(#[from] RotationError),
}

/// A position and an orientation: maps the frame of a body to the frame that it is placed in.
///
/// A point `p` of the body lies at `rotation * p + translation`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<V: Vector> {
    /// The origin of the body, in the caller's unit of length.
    pub translation: V,
    /// The orientation of the body.
    pub rotation: V::Rotation,
}

impl<V: Vector> Pose<V> {
    /// The pose that changes nothing.
    pub const IDENTITY: Self = Self {
        translation: V::ZERO,
        rotation: V::Rotation::IDENTITY,
    };

    /// The pose that turns by `rotation`, then moves by `translation`.
    #[must_use]
    pub fn new(translation: V, rotation: V::Rotation) -> Self {
        Self {
            translation,
            rotation,
        }
    }

    /// The pose that moves by `translation` and does not turn.
    #[must_use]
    pub fn from_translation(translation: V) -> Self {
        Self::new(translation, V::Rotation::IDENTITY)
    }

    /// The pose itself if every number is finite and the rotation is of unit length within 1e-3.
    ///
    /// # Errors
    /// [`PoseError`] names the field and its value.
    pub fn checked(self) -> Result<Self, PoseError> {
        for axis in 0..V::DIM {
            let value = self.translation.component(axis);
            if !value.is_finite() {
                return Err(PoseError::Translation { axis, value });
            }
        }
        Ok(Self::new(self.translation, self.rotation.checked()?))
    }

    /// A point of the body's frame in the outer frame, computed in double precision.
    #[must_use]
    pub fn transform_point(&self, point: V) -> V {
        use crate::Matrix;
        let turned = self.rotation.matrix().apply(point.to_precise());
        V::from_precise(turned + self.translation.to_precise())
    }
}

/// Translation and rotation, as in `[1, 2] turned by 0.5 rad`.
impl<V: Vector> core::fmt::Display for Pose<V> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} turned by {}", self.translation, self.rotation)
    }
}

impl<V: Vector> Default for Pose<V> {
    fn default() -> Self {
        Self::IDENTITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};

    #[test]
    fn refusals_name_the_field() {
        let bad = Pose::from_translation(Vec3::new(0.0, f32::NAN, 0.0));
        let text = bad.checked().unwrap_err().to_string();
        assert!(text.contains("translation[1]"), "{text}");
        let long = Pose::new(Vec3::ZERO, Quat::from_xyzw(0.0, 0.0, 0.0, 2.0));
        assert!(long.checked().unwrap_err().to_string().contains("rotation"));
    }
}
