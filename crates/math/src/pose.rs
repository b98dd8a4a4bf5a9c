//! Poses: the position and orientation of a body.

use core::ops::Mul;

use crate::precise::Matrix;
use crate::{PreciseVector, Real, RelativePose, Rotation, RotationError, Vector, tolerances};

/// The error of a pose that is not valid. The message names the field, its value and what is
/// allowed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PoseError {
    /// A component of the translation is NaN, infinite or beyond the range of single precision.
    #[error(
        "translation[{axis}] is {value}, must be finite and at most {:e} in size",
        Real::MAX
    )]
    Translation {
        /// The axis: 0 is x, 1 is y, 2 is z.
        axis: usize,
        /// The value that was given.
        value: f64,
    },
    /// The rotation is not finite, or its length differs from one by more than 1e-3.
    #[error("rotation {0}")]
    Rotation(#[from] RotationError),
    /// The matrix does more than rotate and translate.
    #[error("matrix {0}")]
    Matrix(#[from] MatrixError),
}

/// The error of a matrix that is not a pose. A pose rotates and translates, and does nothing else.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// A column is not of unit length, so the matrix scales, or a number is not finite.
    #[error(
        "column {column} has length {length}, must be 1 (within 1e-3): a pose does not scale; \
         scale the shape instead"
    )]
    Scale {
        /// The column, counted from 0.
        column: usize,
        /// Its length.
        length: f64,
    },
    /// The matrix shears.
    #[error(
        "columns {} and {} meet at cosine {cosine}, must be at right angles (within 1e-3): a pose \
         does not shear",
        columns[0],
        columns[1]
    )]
    Shear {
        /// The two columns, counted from 0.
        columns: [usize; 2],
        /// The cosine of the angle between them.
        cosine: f64,
    },
    /// The matrix mirrors: its determinant is negative.
    #[error("mirrors, must only turn and move")]
    Mirror,
    /// The last row is not 0, ..., 0, 1, so the matrix has perspective.
    #[error("has a last row other than 0, ..., 0, 1: a pose has no perspective")]
    LastRow,
}

/// A position and an orientation. A pose maps the frame of a body to the frame that the body is
/// placed in, usually the world.
///
/// A point `p` of the body lies at `rotation * p + translation`. Poses are combined with `*`: if
/// `car` is the pose of a car in the world, and `wheel` the pose of a wheel in the frame of the
/// car, then `car * wheel` is the pose of the wheel in the world. All operations are computed in
/// double precision, with the same bits on every platform.
///
/// The position is kept in double precision, so that bodies may be as far from the origin as you like: [`Pose::position`]
/// gives it, and [`Pose::translation`] gives it rounded to single precision, which is all that a game near the origin needs.
/// Constructors take either: `Vec3` or `DVec3`.
///
/// ```
/// use clearance::dim3::{Pose, Quat, Vec3};
///
/// let car = Pose::new(Vec3::new(10.0, 0.0, 0.0), Quat::from_rotation_y(1.0));
/// let wheel = Pose::from_translation(Vec3::new(1.5, 0.25, 0.75));
/// let in_world = car * wheel;
/// let hub = in_world.transform_point(Vec3::ZERO);
/// assert!((hub - car.transform_point(wheel.translation())).length() < 1e-5);
/// assert!((car.inverse() * in_world).translation().distance(wheel.translation()) < 1e-5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<V: Vector> {
    /// No component is so small that its powers could vanish: see [`without_tiny_components`].
    position: V::Precise,
    /// The orientation of the body.
    pub rotation: V::Rotation,
}

impl<V: Vector> Pose<V> {
    /// The pose at the origin, not rotated.
    pub const IDENTITY: Self = Self {
        position: V::Precise::ZERO,
        rotation: V::Rotation::IDENTITY,
    };

    /// The pose that rotates by `rotation` and then translates by `translation`, in your unit of length. Nothing is checked
    /// here: see [`Pose::checked`].
    ///
    /// Components that single precision knows as zero, those below 1e-45, become zero.
    #[inline]
    #[must_use]
    pub fn new(translation: impl Into<V::Precise>, rotation: V::Rotation) -> Self {
        let position = without_tiny_components(translation.into());
        Self { position, rotation }
    }

    /// The pose at `translation`, not rotated.
    #[must_use]
    pub fn from_translation(translation: impl Into<V::Precise>) -> Self {
        Self::new(translation, V::Rotation::IDENTITY)
    }

    /// The pose at the origin, rotated by `rotation`.
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

    /// Where the origin of the body lies, in your unit of length, in double precision.
    #[inline]
    #[must_use]
    pub fn position(&self) -> V::Precise {
        self.position
    }

    /// Where the origin of the body lies, in your unit of length, rounded to single precision. Far from the origin this is
    /// coarse, 1 unit at 16 million: there use [`Pose::position`].
    ///
    /// ```
    /// use clearance::dim3::{DVec3, Pose, Vec3};
    ///
    /// let near = Pose::from_translation(Vec3::new(1.0, 2.0, 3.0));
    /// assert_eq!(near.translation(), Vec3::new(1.0, 2.0, 3.0));
    /// let far = Pose::from_translation(DVec3::new(1e10 + 0.25, 0.0, 0.0));
    /// assert_eq!(far.position().x, 1e10 + 0.25);
    /// assert_eq!(far.translation().x, 1e10);
    /// ```
    #[inline]
    #[must_use]
    pub fn translation(&self) -> V {
        V::from_precise(self.position)
    }

    /// The same pose, moved by `offset` along the axes of the outer frame.
    ///
    /// ```
    /// use clearance::dim2::{Pose, Vec2};
    ///
    /// let pose = Pose::from_translation(Vec2::X).moved_by(Vec2::Y);
    /// assert_eq!(pose.translation(), Vec2::new(1.0, 1.0));
    /// ```
    #[inline]
    #[must_use]
    pub fn moved_by(&self, offset: impl Into<V::Precise>) -> Self {
        Self::new(self.position + offset.into(), self.rotation)
    }

    /// Checks that every number is finite, that none is beyond the range of single precision (3.4e38), and that the rotation
    /// is within 1e-3 of unit length, and returns the pose unchanged.
    ///
    /// # Errors
    /// [`PoseError`] with the name of the field and its value.
    pub fn checked(self) -> Result<Self, PoseError> {
        if let Some((axis, value)) = self.lost_coordinate() {
            return Err(PoseError::Translation { axis, value });
        }
        self.rotation.checked()?;
        Ok(self)
    }

    /// The first axis along which the position is not finite or beyond the range of single precision, and its coordinate.
    #[inline]
    #[must_use]
    pub fn lost_coordinate(&self) -> Option<(usize, f64)> {
        let mut coordinates = (0..V::DIM).map(|axis| (axis, self.position.component(axis)));
        coordinates.find(|(_, value)| !is_in_range(*value))
    }

    /// The inverse pose, which maps the outer frame back to the frame of the body.
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
        Self::new(back.translation, self.rotation.inverse())
    }

    /// Maps a point from the frame of the body to the outer frame, rounded to single precision.
    /// [`Pose::transform_position`] does not round.
    #[must_use]
    pub fn transform_point(&self, point: V) -> V {
        V::from_precise(self.transform_position(point))
    }

    /// Maps a point from the frame of the body to the outer frame, in double precision.
    ///
    /// ```
    /// use clearance::dim3::{DVec3, Pose, Vec3};
    ///
    /// let far = Pose::from_translation(DVec3::new(1e10, 0.0, 0.0));
    /// assert_eq!(far.transform_position(Vec3::X).x, 1e10 + 1.0);
    /// ```
    #[must_use]
    pub fn transform_position(&self, point: impl Into<V::Precise>) -> V::Precise {
        self.precise().transform_point(point.into())
    }

    /// Maps a point from the outer frame to the frame of the body; the inverse of
    /// [`Pose::transform_point`].
    ///
    /// The translation is subtracted before the rotation is applied, so a point near the body stays
    /// precise even if both are far from the origin.
    ///
    /// ```
    /// use clearance::dim3::{Pose, Quat, Vec3};
    ///
    /// let pose = Pose::new(Vec3::new(0.0, 2.0, 0.0), Quat::from_rotation_z(0.5));
    /// let local = pose.inverse_transform_point(Vec3::new(0.0, 3.0, 0.0));
    /// assert!((local - Quat::from_rotation_z(-0.5) * Vec3::Y).length() < 1e-6);
    /// ```
    #[must_use]
    pub fn inverse_transform_point(&self, point: impl Into<V::Precise>) -> V {
        V::from_precise(self.precise().inverse_transform_point(point.into()))
    }

    /// Maps a direction from the frame of the body to the outer frame: rotates it without
    /// translating.
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

    /// Maps a direction from the outer frame to the frame of the body; the inverse of
    /// [`Pose::transform_direction`].
    #[must_use]
    pub fn inverse_transform_direction(&self, direction: V) -> V {
        let direction = direction.to_precise();
        V::from_precise(self.precise().inverse_transform_direction(direction))
    }

    fn precise(&self) -> RelativePose<V::Precise> {
        RelativePose::from_pose(self)
    }
}

impl<P: PreciseVector> RelativePose<P> {
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
        let apart = b.position - self.translation;
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
            translation: pose.position,
        }
    }
}

/// `outer * inner` first applies `inner` and then `outer`.
impl<V: Vector> Mul for Pose<V> {
    type Output = Self;

    fn mul(self, inner: Self) -> Self {
        let position = self.transform_position(inner.position);
        Self::new(position, self.rotation.after(inner.rotation))
    }
}

/// `pose * point` is [`Pose::transform_point`].
///
/// ```
/// use clearance::dim2::{Pose, Vec2};
///
/// let pose = Pose::from_translation(Vec2::new(3.0, 4.0));
/// assert_eq!(pose * Vec2::X, Vec2::new(4.0, 4.0));
/// ```
impl Mul<glam::Vec2> for Pose<glam::Vec2> {
    type Output = glam::Vec2;

    fn mul(self, point: glam::Vec2) -> glam::Vec2 {
        self.transform_point(point)
    }
}

/// `pose * point` is [`Pose::transform_point`].
///
/// ```
/// use clearance::dim3::{Pose, Vec3};
///
/// let pose = Pose::from_translation(Vec3::new(3.0, 4.0, 5.0));
/// assert_eq!(pose * Vec3::X, Vec3::new(4.0, 4.0, 5.0));
/// ```
impl Mul<glam::Vec3> for Pose<glam::Vec3> {
    type Output = glam::Vec3;

    fn mul(self, point: glam::Vec3) -> glam::Vec3 {
        self.transform_point(point)
    }
}

/// Writes translation and rotation, for example `[1, 2] turned by 0.5 rad`.
impl<V: Vector> core::fmt::Display for Pose<V> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} turned by {}", self.position, self.rotation)
    }
}

/// Whether a coordinate is a number that a pose may have: the powers that distances need neither overflow nor vanish.
#[inline]
pub(crate) fn is_in_range(value: f64) -> bool {
    value.abs() <= f64::from(Real::MAX)
}

/// A position whose components below [`tolerances::LEAST_POSITION`] are zero, so that none of their powers vanishes in
/// double precision where the number itself does not.
#[inline]
pub(crate) fn without_tiny_components<P: PreciseVector>(position: P) -> P {
    P::from_fn(|axis| {
        let value = position.component(axis);
        if value.abs() < tolerances::LEAST_POSITION {
            0.0_f64.copysign(value)
        } else {
            value
        }
    })
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
    use crate::Rotation2;

    #[test]
    fn refusals_name_the_field() {
        let bad = Pose::<Vec3>::from_translation(Vec3::new(0.0, f32::NAN, 0.0));
        let text = bad.checked().unwrap_err().to_string();
        assert!(text.contains("translation[1]"), "{text}");
        let long = Pose::<Vec3>::new(Vec3::ZERO, Quat::from_xyzw(0.0, 0.0, 0.0, 2.0));
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
        let vector = |k: u32, size: f32| V::from_fn(|axis| size * number(7 * k + axis as u32));
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
            assert!(near(same.translation(), V::Precise::ZERO), "{a:?}");
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
