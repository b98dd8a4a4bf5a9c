//! Where a body is: a translation and a rotation.

use core::ops::Mul;

use crate::{MatrixError, Real, RelativePose, Rotation, RotationError, Vector};

/// Why a pose was refused: which field, which value, what would be valid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
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
    /// The matrix does more than turn and move.
    #[error("matrix {0}")]
    Matrix(#[from] MatrixError),
}

/// A position and an orientation: maps the frame of a body to the frame that it is placed in.
///
/// A point `p` of the body lies at `rotation * p + translation`. Poses are combined by `*`: if `car` is the
/// pose of a car in the world, and `wheel` that of a wheel in the frame of the car, then `car * wheel` is
/// the pose of the wheel in the world. All operations compute in double precision and round their
/// result once, so they have the same bits on every platform.
///
/// ```
/// use clearance::dim3::{Pose, Quat, Vec3};
///
/// let car = Pose::new(Vec3::new(10.0, 0.0, 0.0), Quat::from_rotation_y(1.0));
/// let wheel = Pose::from_translation(Vec3::new(1.5, 0.25, 0.75));
/// let in_world = car * wheel;
/// let hub = in_world.transform_point(Vec3::ZERO);
/// assert!((hub - car.transform_point(wheel.translation)).length() < 1e-5);
/// assert!((car.inverse() * in_world).translation.distance(wheel.translation) < 1e-5);
/// ```
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

    /// The pose that turns by `rotation` about the origin and does not move.
    ///
    /// ```
    /// use clearance::dim2::{Pose, Rotation, Vec2};
    ///
    /// let quarter = Pose::from_rotation(Rotation::from_angle(std::f32::consts::FRAC_PI_2));
    /// assert!((quarter.transform_point(Vec2::X) - Vec2::Y).length() < 1e-6);
    /// ```
    #[must_use]
    pub fn from_rotation(rotation: V::Rotation) -> Self {
        Self::new(V::ZERO, rotation)
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

    /// The pose that maps back from the outer frame to the frame of the body.
    ///
    /// ```
    /// use clearance::dim2::{Pose, Rotation, Vec2};
    ///
    /// let pose = Pose::new(Vec2::new(3.0, 4.0), Rotation::from_angle(1.0));
    /// let there = pose.transform_point(Vec2::X);
    /// assert!((pose.inverse().transform_point(there) - Vec2::X).length() < 1e-6);
    /// ```
    #[must_use]
    pub fn inverse(&self) -> Self {
        let back = self.precise().inverse();
        Self::new(V::from_precise(back.translation), self.rotation.inverse())
    }

    /// A point of the body's frame in the outer frame.
    #[must_use]
    pub fn transform_point(&self, point: V) -> V {
        V::from_precise(self.precise().transform_point(point.to_precise()))
    }

    /// A point of the outer frame in the body's frame: undoes [`Pose::transform_point`].
    ///
    /// The translation is subtracted before anything is turned, so a point near the body keeps its digits
    /// however far both are from the origin.
    ///
    /// ```
    /// use clearance::dim3::{Pose, Quat, Vec3};
    ///
    /// let pose = Pose::new(Vec3::new(0.0, 2.0, 0.0), Quat::from_rotation_z(0.5));
    /// let local = pose.inverse_transform_point(Vec3::new(0.0, 3.0, 0.0));
    /// assert!((local - Quat::from_rotation_z(-0.5) * Vec3::Y).length() < 1e-6);
    /// ```
    #[must_use]
    pub fn inverse_transform_point(&self, point: V) -> V {
        V::from_precise(self.precise().inverse_transform_point(point.to_precise()))
    }

    /// A direction of the body's frame in the outer frame: turned, not moved.
    ///
    /// ```
    /// use clearance::dim3::{Pose, Vec3};
    ///
    /// let pose = Pose::from_translation(Vec3::new(5.0, 0.0, 0.0));
    /// assert_eq!(pose.transform_direction(Vec3::Y), Vec3::Y);
    /// ```
    #[must_use]
    pub fn transform_direction(&self, direction: V) -> V {
        V::from_precise(self.precise().transform_direction(direction.to_precise()))
    }

    /// A direction of the outer frame in the body's frame: undoes [`Pose::transform_direction`].
    #[must_use]
    pub fn inverse_transform_direction(&self, direction: V) -> V {
        let direction = direction.to_precise();
        V::from_precise(self.precise().inverse_transform_direction(direction))
    }

    fn precise(&self) -> RelativePose<V::Precise> {
        RelativePose::from_pose(self)
    }
}

/// `outer * inner` maps by `inner` first, then by `outer`.
impl<V: Vector> Mul for Pose<V> {
    type Output = Self;

    fn mul(self, inner: Self) -> Self {
        let translation = self.transform_point(inner.translation);
        Self::new(translation, self.rotation.after(inner.rotation))
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
    use glam::{Quat, Vec2, Vec3};

    use super::*;
    use crate::{PreciseVector, Rotation2};

    #[test]
    fn refusals_name_the_field() {
        let bad = Pose::from_translation(Vec3::new(0.0, f32::NAN, 0.0));
        let text = bad.checked().unwrap_err().to_string();
        assert!(text.contains("translation[1]"), "{text}");
        let long = Pose::new(Vec3::ZERO, Quat::from_xyzw(0.0, 0.0, 0.0, 2.0));
        assert!(long.checked().unwrap_err().to_string().contains("rotation"));
    }

    /// A number from -1 to 1 that depends on `k` in no simple way.
    fn number(k: u32) -> f32 {
        let mixed = k
            .wrapping_mul(0x9e37_79b9)
            .rotate_left(13)
            .wrapping_mul(0x85eb_ca6b);
        mixed as i32 as f32 / 2.0_f32.powi(31)
    }

    /// Combining poses is applying both; rounding of single precision is what is left.
    fn algebra_agrees_with_applying<V: Vector>(rotation: impl Fn(u32) -> V::Rotation) {
        let vector = |k: u32, size: f32| {
            (0..V::DIM).fold(V::ZERO, |v, axis| {
                v.with_component(axis, size * number(7 * k + axis as u32))
            })
        };
        for k in 0..2000 {
            let size = [1e-3, 1.0, 50.0, 1e6][k as usize % 4];
            let a = Pose::new(vector(k, size), rotation(k));
            let b = Pose::new(vector(k + 5000, size), rotation(k + 5000));
            let (a_exact, b_exact) = (RelativePose::from_pose(&a), RelativePose::from_pose(&b));
            let point = vector(k + 9000, size);
            let exact = a_exact.transform_point(b_exact.transform_point(point.to_precise()));
            // Six roundings of half a unit in the last place, of numbers up to thrice the size.
            let slack = 2e-6 * f64::from(size);
            let near = |found: V, exact: V::Precise| (found.to_precise() - exact).length() <= slack;
            assert!(near((a * b).transform_point(point), exact), "{a:?} {b:?}");
            let there = a_exact.transform_point(point.to_precise());
            assert!(near(a.transform_point(point), there), "{a:?}");
            assert!(near(
                a.inverse().transform_point(V::from_precise(there)),
                point.to_precise()
            ));
            assert!(near(
                a.inverse_transform_point(V::from_precise(there)),
                point.to_precise()
            ));
            let turned = a.transform_direction(point);
            assert!(near(
                a.inverse_transform_direction(turned),
                point.to_precise()
            ));
            assert!(near(
                turned,
                a_exact.transform_direction(point.to_precise())
            ));
            let same = a * a.inverse();
            assert!(near(same.translation, V::Precise::ZERO), "{a:?}");
            assert!((a * b).checked().is_ok());
        }
    }

    #[test]
    fn algebra_agrees_with_applying_in_the_plane() {
        algebra_agrees_with_applying::<Vec2>(|k| Rotation2::from_angle(4.0 * number(k)));
    }

    #[test]
    fn algebra_agrees_with_applying_in_space() {
        algebra_agrees_with_applying::<Vec3>(|k| {
            let [x, y, z, w] = [0, 1, 2, 3].map(|i| number(4 * k + i));
            // Not quite of unit length: what counts is the direction.
            Quat::from_xyzw(x, y, z, w + 1e-3).normalize() * (1.0 + 5e-4 * number(k))
        });
    }
}
