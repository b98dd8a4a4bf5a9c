//! Rotations of the plane.

use core::fmt::Display;
use core::ops::Mul;

use glam::{DVec2, Vec2, Vec3};

use crate::lanes::{Lanes, MatricesInLanes, VectorsInLanes};
use crate::map_each::{MapEach, map_lanes};
use crate::precise::Sealed;
use crate::real::{Real, round_nearest};
use crate::rotation::{Rotation, RotationError, check_length, check_squared_length, sinc_and_cos};
use crate::tolerances::UNIT_ROUNDING;
use crate::vector::Vector;

/// A rotation in 2D, stored as the cosine and sine of its angle in double precision. Positive
/// angles turn counter-clockwise (from x to y).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation2 {
    cos: f64,
    sin: f64,
}

/// Writes the angle, for example `0.5 rad`.
impl Display for Rotation2 {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} rad", self.angle())
    }
}

impl Rotation2 {
    /// The rotation by zero.
    pub const IDENTITY: Self = Self { cos: 1.0, sin: 0.0 };

    /// The rotation by `angle` radians, counter-clockwise, with the same bits on every platform. A
    /// NaN or infinite angle gives a rotation that [`Rotation::checked`] refuses.
    #[must_use]
    pub fn from_angle(angle: Real) -> Self {
        let (sin, cos) = libm::sincos(f64::from(angle));
        Self { cos, sin }
    }

    /// The rotation with the given cosine and sine, which are normalised.
    ///
    /// # Errors
    /// [`RotationError`] if a number is not finite, or if the length of (cos, sin) differs from one
    /// by more than 1e-3.
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

    /// The angle in radians, from -pi to pi, counter-clockwise positive.
    #[must_use]
    pub fn angle(self) -> Real {
        round_nearest(libm::atan2(self.sin, self.cos))
    }

    /// The inverse rotation, without rounding error.
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

/// `a * b` first turns by `b` and then by `a`; in 2D the order does not matter.
impl Mul for Rotation2 {
    type Output = Self;

    fn mul(self, first: Self) -> Self {
        self.after(first)
    }
}

/// Rotates a vector. Computed in double precision and rounded once.
impl Mul<Vec2> for Rotation2 {
    type Output = Vec2;

    fn mul(self, vector: Vec2) -> Vec2 {
        Vec2::from_precise(self.matrix() * vector.to_precise())
    }
}

/// The counter-clockwise rotation by an angle in radians, as [`Rotation2::from_angle`] makes it.
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
        // `from_angle` turns an infinite angle into NaN; every other rotation has unit length.
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

    #[inline(always)]
    fn matrices<F: Lanes<N>, const N: usize>(
        set: F::Set,
        rotations: [Self; N],
    ) -> MatricesInLanes<F, DVec2> {
        let cos = F::of_lanes(set, map_lanes(&rotations, |turn| turn.cos));
        let sin = F::of_lanes(set, map_lanes(&rotations, |turn| turn.sin));
        let zero = F::splat(set, 0.0);
        MatricesInLanes {
            columns: [
                VectorsInLanes::new([cos, sin, zero]),
                VectorsInLanes::new([-sin, cos, zero]),
                VectorsInLanes::new([zero; 3]),
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
        let [a, b] = [self.cos, self.sin].map_each(|number| {
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
