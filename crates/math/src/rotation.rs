//! Rotations: a unit complex number in the plane, a unit quaternion in space.

use core::fmt::{Debug, Display};
use core::ops::Mul;

use glam::{DMat2, DMat3, DVec2, DVec3, Quat, Vec2, Vec3};

use crate::lanes::{FourMatrices, FourVectors, LANES, Simd, SimdBase, f64x4};
use crate::real::{Real, round_nearest};
use crate::tolerances::{UNIT_LENGTH_SLACK, UNIT_ROUNDING};
use crate::vector::Sealed;
use crate::{PreciseVector, Vector};

/// Why a rotation was refused.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RotationError {
    /// A component is NaN or infinite.
    #[error("has a component that is not finite")]
    NotFinite,
    /// The length is not within 1e-3 of one.
    #[error("has length {length}, must be of unit length (within 1e-3)")]
    NotUnit {
        /// The length that was given.
        length: f64,
    },
}

/// A rotation of vectors `V`; sealed.
///
/// Its meaning is that of the number divided by its own length, so that rounding in a stored
/// rotation turns a body by a hair but never scales it.
pub trait Rotation<V: Vector>:
    Sealed + Copy + Debug + Display + PartialEq + Send + Sync + 'static
{
    /// What rounding leaves over of a rotation: four numbers in 3D, nothing in 2D, where rotations are
    /// kept in double precision. Zero by default.
    type Residual: Copy + Debug + Default + PartialEq + Send + Sync + 'static;

    /// The rotation that changes nothing.
    const IDENTITY: Self;

    /// The rotation itself if it is finite and within 1e-3 of unit length.
    ///
    /// It is not rewritten: [`Rotation::matrix`] divides by the length, whatever it is.
    ///
    /// # Errors
    /// [`RotationError`] says what is wrong with it.
    fn checked(self) -> Result<Self, RotationError>;

    /// The rotation that turns by `first`, then by `self`; for quaternions the product `self * first`.
    ///
    /// Computed in double precision and normalised: the same bits on every platform.
    #[must_use]
    fn after(self, first: Self) -> Self;

    /// The rotation that undoes this one; exact.
    #[must_use]
    fn inverse(self) -> Self;

    /// The exact rotation matrix in double precision.
    fn matrix(self) -> <V::Precise as PreciseVector>::Matrix;

    /// The matrices of four rotations, each that of [`Rotation::matrix`] to the last bit.
    fn matrices<S: Simd>(simd: S, rotations: [Self; LANES]) -> FourMatrices<S, V::Precise>;

    /// The rotation after turning at `angular` (radians a second, world axes) for `dt` seconds.
    ///
    /// Computed in double precision by portable code: the same bits on every platform.
    #[must_use]
    fn integrated(self, angular: V::Angular, dt: Real) -> Self {
        self.integrated_from(Self::Residual::default(), angular, dt)
            .0
    }

    /// The rotation after a turn as for [`Rotation::integrated`], from the exact rotation of which this is
    /// the rounded one, and what rounding then leaves over.
    ///
    /// Turns far below the resolution of a rotation add up in the residual until they show.
    #[must_use]
    fn integrated_from(
        self,
        residual: Self::Residual,
        angular: V::Angular,
        dt: Real,
    ) -> (Self, Self::Residual);

    /// The residual if rounding can have left it over of this rotation, else none at all.
    #[must_use]
    fn residual_or_none(self, residual: Self::Residual) -> Self::Residual;

    /// The bits of a residual: of four `f32` in 3D, zeros in 2D.
    fn encode_residual(residual: Self::Residual) -> [u32; 4];

    /// The residual with these bits.
    fn decode_residual(encoding: [u32; 4]) -> Self::Residual;

    /// Whether an angular velocity has no NaN and no infinite component.
    fn is_finite_angular(angular: V::Angular) -> bool;

    /// An angular velocity as a vector in space: in 2D it turns about z.
    fn angular_in_space(angular: V::Angular) -> Vec3;

    /// The angular velocity that [`Rotation::angular_in_space`] shows as `vector`; in 2D only z counts.
    fn angular_from_space(vector: Vec3) -> V::Angular;

    /// The bits of the rotation: of four `f32` in 3D, of two `f64`, low halves first, in 2D.
    fn to_bits(self) -> [u32; 4];

    /// The rotation with these bits, unchanged.
    ///
    /// # Errors
    /// [`RotationError`] if it is not one that [`Rotation::checked`] accepts, or in 2D not one of unit
    /// length up to rounding, as all are there.
    fn from_bits(bits: [u32; 4]) -> Result<Self, RotationError>;
}

/// A rotation of the plane: a unit complex number, counter-clockwise positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation2 {
    cos: f64,
    sin: f64,
}

/// The angle, as in `0.5 rad`.
impl Display for Rotation2 {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} rad", self.angle())
    }
}

impl Rotation2 {
    /// The rotation that changes nothing.
    pub const IDENTITY: Self = Self { cos: 1.0, sin: 0.0 };

    /// The rotation by `angle` radians, counter-clockwise; same bits on every platform.
    #[must_use]
    pub fn from_angle(angle: Real) -> Self {
        let (sin, cos) = libm::sincos(f64::from(angle));
        Self { cos, sin }
    }

    /// The rotation with this cosine and sine, normalised.
    ///
    /// # Errors
    /// [`RotationError`] if they are not finite or not of unit length within 1e-3.
    pub fn from_cos_sin(cos: f64, sin: f64) -> Result<Self, RotationError> {
        let length = DVec2::new(cos, sin).length();
        check_length(length)?;
        Ok(Self {
            cos: cos / length,
            sin: sin / length,
        })
    }

    /// The cosine of the angle.
    #[must_use]
    pub const fn cos(self) -> f64 {
        self.cos
    }

    /// The sine of the angle.
    #[must_use]
    pub const fn sin(self) -> f64 {
        self.sin
    }

    /// The angle in radians, from minus pi to pi.
    #[must_use]
    pub fn angle(self) -> Real {
        round_nearest(libm::atan2(self.sin, self.cos))
    }

    /// The rotation that undoes this one; exact.
    ///
    /// ```
    /// use clearance::dim2::{Rotation, Vec2};
    ///
    /// let turn = Rotation::from_angle(0.5);
    /// assert_eq!((turn * turn.inverse()).angle(), 0.0);
    /// assert!((turn * Vec2::X - Vec2::from_angle(0.5)).length() < 1e-7);
    /// ```
    #[must_use]
    pub fn inverse(self) -> Self {
        Rotation::inverse(self)
    }
}

/// `a * b` turns by b, then by a; in the plane the order does not matter.
impl Mul for Rotation2 {
    type Output = Self;

    fn mul(self, first: Self) -> Self {
        self.after(first)
    }
}

/// The turned vector, computed in double precision.
impl Mul<Vec2> for Rotation2 {
    type Output = Vec2;

    fn mul(self, vector: Vec2) -> Vec2 {
        Vec2::from_precise(self.matrix() * vector.to_precise())
    }
}

/// The rotation by an angle in radians, counter-clockwise, as [`Rotation2::from_angle`] makes it.
impl From<Real> for Rotation2 {
    fn from(angle: Real) -> Self {
        Self::from_angle(angle)
    }
}

impl Default for Rotation2 {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Sealed for Rotation2 {}

impl Rotation<Vec2> for Rotation2 {
    type Residual = ();

    const IDENTITY: Self = Self::IDENTITY;

    fn checked(self) -> Result<Self, RotationError> {
        // `from_angle` lets NaN and infinity through as NaN; all else is of unit length.
        check_squared_length(self.cos * self.cos + self.sin * self.sin)?;
        Ok(self)
    }

    fn after(self, first: Self) -> Self {
        let turned = DVec2::new(
            self.cos * first.cos - self.sin * first.sin,
            self.sin * first.cos + self.cos * first.sin,
        );
        let unit = turned / turned.length();
        Self {
            cos: unit.x,
            sin: unit.y,
        }
    }

    fn inverse(self) -> Self {
        Self {
            cos: self.cos,
            sin: -self.sin,
        }
    }

    #[inline]
    fn matrix(self) -> DMat2 {
        DMat2::from_cols_array(&[self.cos, self.sin, -self.sin, self.cos])
    }

    #[inline(always)]
    fn matrices<S: Simd>(simd: S, rotations: [Self; LANES]) -> FourMatrices<S, DVec2> {
        let [a, b, c, d] = rotations;
        let cos = f64x4::load_array(simd, [a.cos, b.cos, c.cos, d.cos]);
        let sin = f64x4::load_array(simd, [a.sin, b.sin, c.sin, d.sin]);
        let zero = f64x4::splat(simd, 0.0);
        FourMatrices {
            columns: [
                FourVectors::new([cos, sin, zero]),
                FourVectors::new([-sin, cos, zero]),
                FourVectors::new([zero; 3]),
            ],
        }
    }

    fn integrated_from(self, (): (), angular: Real, dt: Real) -> (Self, ()) {
        let angle = f64::from(angular) * f64::from(dt);
        let (sinc, cos) = sinc_and_cos(angle * angle);
        let sin = angle * sinc;
        let turned = DVec2::new(
            self.cos * cos - self.sin * sin,
            self.sin * cos + self.cos * sin,
        );
        let unit = turned / turned.length();
        let turned = Self {
            cos: unit.x,
            sin: unit.y,
        };
        (turned, ())
    }

    fn residual_or_none(self, (): ()) {}

    fn encode_residual((): ()) -> [u32; 4] {
        [0; 4]
    }

    fn decode_residual(_encoding: [u32; 4]) {}

    fn is_finite_angular(angular: Real) -> bool {
        angular.is_finite()
    }

    fn angular_in_space(angular: Real) -> Vec3 {
        Vec3::new(0.0, 0.0, angular)
    }

    fn angular_from_space(vector: Vec3) -> Real {
        vector.z
    }

    fn to_bits(self) -> [u32; 4] {
        let [a, b] = [self.cos, self.sin].map(|number| {
            let bits = number.to_bits();
            [bits as u32, (bits >> 32) as u32]
        });
        [a[0], a[1], b[0], b[1]]
    }

    fn from_bits(bits: [u32; 4]) -> Result<Self, RotationError> {
        let number = |low: u32, high: u32| f64::from_bits(u64::from(high) << 32 | u64::from(low));
        let [a, b, c, d] = bits;
        let rotation = Self {
            cos: number(a, b),
            sin: number(c, d),
        }
        .checked()?;
        let length = DVec2::new(rotation.cos, rotation.sin).length();
        if (length - 1.0).abs() > UNIT_ROUNDING {
            return Err(RotationError::NotUnit { length });
        }
        Ok(rotation)
    }
}

impl Sealed for Quat {}

impl Rotation<Vec3> for Quat {
    type Residual = [Real; 4];

    const IDENTITY: Self = Quat::IDENTITY;

    fn checked(self) -> Result<Self, RotationError> {
        check_squared_length(squared_length(self))?;
        Ok(self)
    }

    fn after(self, first: Self) -> Self {
        product(
            self.to_array().map(f64::from),
            first.to_array().map(f64::from),
        )
    }

    fn inverse(self) -> Self {
        self.conjugate()
    }

    /// R = I + 2 / |q|^2 (w K + K K) for q = (v, w), K the matrix of the cross product with v: no
    /// root is taken, and a quaternion
    /// whose length is off by rounding gives an exact rotation all the same.
    #[inline]
    fn matrix(self) -> DMat3 {
        let [x, y, z, w] = self.to_array().map(f64::from);
        let s = 2.0 / squared_length(self);
        let (xs, ys, zs) = (x * s, y * s, z * s);
        let (wx, wy, wz) = (w * xs, w * ys, w * zs);
        let (xx, xy, xz) = (x * xs, x * ys, x * zs);
        let (yy, yz, zz) = (y * ys, y * zs, z * zs);
        DMat3::from_cols(
            DVec3::new(1.0 - (yy + zz), xy + wz, xz - wy),
            DVec3::new(xy - wz, 1.0 - (xx + zz), yz + wx),
            DVec3::new(xz + wy, yz - wx, 1.0 - (xx + yy)),
        )
    }

    #[inline(always)]
    fn matrices<S: Simd>(simd: S, rotations: [Self; LANES]) -> FourMatrices<S, DVec3> {
        let [a, b, c, d] = rotations;
        let part = |parts: [Real; LANES]| f64x4::load_array(simd, parts.map(f64::from));
        let (x, y) = (part([a.x, b.x, c.x, d.x]), part([a.y, b.y, c.y, d.y]));
        let (z, w) = (part([a.z, b.z, c.z, d.z]), part([a.w, b.w, c.w, d.w]));
        let s = 2.0 / (x * x + y * y + z * z + w * w);
        let (xs, ys, zs) = (x * s, y * s, z * s);
        let (wx, wy, wz) = (w * xs, w * ys, w * zs);
        let (xx, xy, xz) = (x * xs, x * ys, x * zs);
        let (yy, yz, zz) = (y * ys, y * zs, z * zs);
        FourMatrices {
            columns: [
                FourVectors::new([1.0 - (yy + zz), xy + wz, xz - wy]),
                FourVectors::new([xy - wz, 1.0 - (xx + zz), yz + wx]),
                FourVectors::new([xz + wy, yz - wx, 1.0 - (xx + yy)]),
            ],
        }
    }

    fn integrated_from(self, residual: [Real; 4], angular: Vec3, dt: Real) -> (Self, [Real; 4]) {
        let turn = DVec3::from(angular) * f64::from(dt);
        let square = turn.dot(turn);
        if !(square > 0.0) {
            return (self, residual);
        }
        // Half the angle: the vector part is half the turn times sin(x) / x.
        let (sinc, w) = sinc_and_cos(0.25 * square);
        let v = turn * (0.5 * sinc);
        let [x, y, z, s] = exact(self, residual);
        let u = DVec3::new(x, y, z);
        // The product of quaternions (v, w) (u, s).
        let vector = u * w + v * s + v.cross(u);
        let scalar = w * s - v.dot(u);
        let inverse = 1.0 / (vector.dot(vector) + scalar * scalar).sqrt();
        let unit = [vector.x, vector.y, vector.z, scalar].map(|component| component * inverse);
        let rounded = unit.map(round_nearest);
        let left_over = |k: usize| (unit[k] - f64::from(rounded[k])) as Real;
        (Quat::from_array(rounded), [0, 1, 2, 3].map(left_over))
    }

    fn residual_or_none(self, residual: [Real; 4]) -> [Real; 4] {
        let is_left_over = exact(self, residual).map(round_nearest) == self.to_array();
        if is_left_over { residual } else { [0.0; 4] }
    }

    fn encode_residual(residual: [Real; 4]) -> [u32; 4] {
        residual.map(Real::to_bits)
    }

    fn decode_residual(encoding: [u32; 4]) -> [Real; 4] {
        encoding.map(Real::from_bits)
    }

    fn is_finite_angular(angular: Vec3) -> bool {
        angular.is_finite()
    }

    fn angular_in_space(angular: Vec3) -> Vec3 {
        angular
    }

    fn angular_from_space(vector: Vec3) -> Vec3 {
        vector
    }

    fn to_bits(self) -> [u32; 4] {
        self.to_array().map(Real::to_bits)
    }

    fn from_bits(bits: [u32; 4]) -> Result<Self, RotationError> {
        Quat::from_array(bits.map(Real::from_bits)).checked()
    }
}

/// The product of two quaternions (x, y, z, w), normalised.
fn product([a, b, c, w]: [f64; 4], [x, y, z, s]: [f64; 4]) -> Quat {
    let (v, u) = (DVec3::new(a, b, c), DVec3::new(x, y, z));
    let vector = u * w + v * s + v.cross(u);
    let scalar = w * s - v.dot(u);
    let inverse = 1.0 / (vector.dot(vector) + scalar * scalar).sqrt();
    let unit = [vector.x, vector.y, vector.z, scalar].map(|c| round_nearest(c * inverse));
    Quat::from_array(unit)
}

/// sin(x) / x and cos(x) of the angle with the given square.
///
/// Few bodies turn by more than half a radian in a frame. Up to there Taylor's series in the square
/// are right to 2e-16, and take neither a root nor a division.
#[inline]
fn sinc_and_cos(square: f64) -> (f64, f64) {
    const SINC: [f64; 8] = inverse_factorials(1);
    const COS: [f64; 8] = inverse_factorials(0);
    if square <= 0.25 {
        let series = |terms: [f64; 8]| {
            terms
                .iter()
                .rev()
                .fold(0.0, |sum, term| term + square * sum)
        };
        return (series(SINC), series(COS));
    }
    let angle = square.sqrt();
    let (sin, cos) = libm::sincos(angle);
    (sin / angle, cos)
}

/// The inverses of the factorials of `first`, `first` + 2 and so on, with alternating signs.
const fn inverse_factorials(first: usize) -> [f64; 8] {
    let mut terms = [1.0; 8];
    let mut k = 1;
    while k < terms.len() {
        let n = (first + 2 * k) as f64;
        terms[k] = -terms[k - 1] / (n * (n - 1.0));
        k += 1;
    }
    terms
}

/// The quaternion of which `q` is the rounded one.
#[inline]
fn exact(q: Quat, residual: [Real; 4]) -> [f64; 4] {
    let (rounded, rest) = (q.to_array(), residual);
    [0, 1, 2, 3].map(|k| f64::from(rounded[k]) + f64::from(rest[k]))
}

fn squared_length(q: Quat) -> f64 {
    let [x, y, z, w] = q.to_array().map(f64::from);
    x * x + y * y + z * z + w * w
}

#[inline]
fn check_squared_length(squared_length: f64) -> Result<(), RotationError> {
    // A square is about twice as far from one as its root: what passes here needs no root.
    if (squared_length - 1.0).abs() <= UNIT_LENGTH_SLACK {
        Ok(())
    } else {
        check_length(squared_length.sqrt())
    }
}

fn check_length(length: f64) -> Result<(), RotationError> {
    if !length.is_finite() {
        Err(RotationError::NotFinite)
    } else if (length - 1.0).abs() > UNIT_LENGTH_SLACK {
        Err(RotationError::NotUnit { length })
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{Level, dispatch, level};

    #[test]
    fn matrices_are_rotations_even_when_the_number_is_not_quite_unit() {
        let q = Quat::from_xyzw(0.5, -0.5, 0.5, 0.5004);
        let m = q.matrix();
        let gram = m.transpose() * m;
        assert!((gram - DMat3::IDENTITY).abs_diff_eq(DMat3::ZERO, 1e-14));
        assert!((m.determinant() - 1.0).abs() < 1e-14);
    }

    fn lanes<S: Simd, P: PreciseVector>(vectors: FourVectors<S, P>) -> [[f64; LANES]; 3] {
        vectors.components().map(SimdBase::to_array)
    }

    #[test]
    fn four_matrices_have_the_bits_of_each() {
        let unit = |x, y, z, w| Quat::from_xyzw(x, y, z, w).normalize();
        let turns = [
            Quat::IDENTITY,
            unit(0.1, 0.7, -0.3, 0.5),
            unit(-0.0, 1.0, 0.0, -0.0),
            Quat::from_xyzw(0.5, -0.5, 0.5, 0.5004),
        ];
        let flat = [0.0, 0.5, -2.0, 3.0].map(Rotation2::from_angle);
        for level in [Level::baseline(), level()] {
            let in_space = dispatch!(level, simd => Quat::matrices(simd, turns).columns.map(lanes));
            let in_plane =
                dispatch!(level, simd => Rotation2::matrices(simd, flat).columns.map(lanes));
            for lane in 0..LANES {
                for (k, column) in in_space.iter().enumerate() {
                    let alone = turns[lane].matrix().col(k).to_array();
                    assert_eq!(
                        column.map(|row| row[lane].to_bits()),
                        alone.map(f64::to_bits)
                    );
                }
                for (k, [x, y, _]) in in_plane.iter().enumerate().take(2) {
                    let alone = flat[lane].matrix().col(k).to_array();
                    assert_eq!(
                        [x, y].map(|row| row[lane].to_bits()),
                        alone.map(f64::to_bits)
                    );
                }
            }
        }
    }

    #[test]
    fn quaternion_matrix_agrees_with_glam() {
        let q = Quat::from_xyzw(0.1, 0.7, -0.3, 0.5).normalize();
        let v = Vec3::new(1.0, -2.0, 3.0);
        assert!(((q * v).as_dvec3() - q.matrix() * v.as_dvec3()).length() < 1e-6);
    }

    #[test]
    fn integration_turns_by_the_angle() {
        let turned = Quat::IDENTITY.integrated(Vec3::new(0.0, 0.0, 2.0), 0.5);
        let image = turned.matrix() * DVec3::X;
        assert!((image - DVec3::new(1f64.cos(), 1f64.sin(), 0.0)).length() < 1e-6);
        let flat = Rotation2::from_angle(0.25).integrated(2.0, 0.5);
        assert!((flat.angle() - 1.25).abs() < 1e-6);
    }

    #[test]
    fn series_agree_with_the_library() {
        for k in 1..2000 {
            let angle = f64::from(k) * 5e-4;
            let (sinc, cos) = sinc_and_cos(angle * angle);
            let (sin, expected) = libm::sincos(angle);
            assert!((sinc - sin / angle).abs() < 4e-16, "{angle}");
            assert!((cos - expected).abs() < 4e-16, "{angle}");
        }
        assert_eq!(sinc_and_cos(0.0), (1.0, 1.0));
    }

    #[test]
    fn bits_bring_back_every_bit() {
        for k in 0..1000 {
            let angle = k as f32 * 0.37 - 150.0;
            let flat = Rotation2::from_angle(angle).integrated(angle, 0.01);
            assert_eq!(Rotation2::from_bits(flat.to_bits()), Ok(flat));
            let turned = Quat::IDENTITY.integrated(Vec3::new(angle, 1.0, -2.0), 0.1);
            assert_eq!(Quat::from_bits(turned.to_bits()), Ok(turned));
        }
        let [a, b, c, d] = Rotation2::from_angle(0.5).to_bits();
        assert!(Rotation2::from_bits([a, b ^ 64, c, d]).is_err());
        assert!(Quat::from_bits([u32::MAX; 4]).is_err());
    }

    #[test]
    fn bad_rotations_are_refused() {
        assert!(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0).checked().is_err());
        assert_eq!(
            Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0).checked(),
            Err(RotationError::NotFinite)
        );
        assert!(Rotation2::from_cos_sin(1.0, 0.1).is_err());
        assert!(Rotation2::from_angle(f32::INFINITY).checked().is_err());
        assert!(Quat::from_xyzw(0.0, 0.0, 0.0, 1.0009).checked().is_ok());
    }
}
