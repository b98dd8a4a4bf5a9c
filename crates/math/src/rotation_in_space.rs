//! Rotations in space: glam's unit quaternion.

use glam::{DVec3, Quat, Vec3};

use crate::lanes::{Lanes, MatricesInLanes, VectorsInLanes};
use crate::map_each::{MapEach, map_lanes};
use crate::precise::Sealed;
use crate::real::{Real, left_over, round_nearest};
use crate::rotation::{Rotation, RotationError, check_squared_length, sinc_and_cos};
use crate::tolerances;

/// A quaternion whose squared length, in single precision, is within this of one is valid: the length is off by half as
/// much, which is less than [`UNIT_LENGTH_SLACK`](tolerances::UNIT_LENGTH_SLACK).
const ROUGHLY_UNIT: Real = tolerances::UNIT_LENGTH_SLACK as Real;

impl Sealed for Quat {}

impl Rotation<Vec3> for Quat {
    type Residual = [Real; 4];

    const IDENTITY: Self = Quat::IDENTITY;

    #[inline]
    fn checked(self) -> Result<Self, RotationError> {
        // Nearly all are so near to unit length that single precision tells it.
        let [x, y, z, w] = self.to_array();
        let rough = (x * x + y * y) + (z * z + w * w);
        if !((rough - 1.0).abs() <= ROUGHLY_UNIT) {
            check_squared_length(squared_length(self))?;
        }
        Ok(self)
    }

    fn after(self, first: Self) -> Self {
        product(
            self.to_array().map_each(f64::from),
            first.to_array().map_each(f64::from),
        )
    }

    fn inverse(self) -> Self {
        self.conjugate()
    }

    /// R = I + 2 / |q|^2 (w K + K K) for q = (v, w), where K is the matrix of the cross product
    /// with v. This takes no square root, and gives an exact rotation even for a quaternion whose
    /// length is not one.
    #[inline(always)]
    fn matrices<F: Lanes<N>, const N: usize>(
        set: F::Set,
        rotations: [Self; N],
    ) -> MatricesInLanes<F, DVec3> {
        let of = |number: fn(&Self) -> Real| {
            F::of_lanes(set, map_lanes(&rotations, |turn| f64::from(number(turn))))
        };
        let [x, y, z, w] = [of(|q| q.x), of(|q| q.y), of(|q| q.z), of(|q| q.w)];
        let one = F::splat(set, 1.0);
        let s = F::splat(set, 2.0) / (x * x + y * y + z * z + w * w);
        let (xs, ys, zs) = (x * s, y * s, z * s);
        let (wx, wy, wz) = (w * xs, w * ys, w * zs);
        let (xx, xy, xz) = (x * xs, x * ys, x * zs);
        let (yy, yz, zz) = (y * ys, y * zs, z * zs);
        MatricesInLanes {
            columns: [
                VectorsInLanes::new([one - (yy + zz), xy + wz, xz - wy]),
                VectorsInLanes::new([xy - wz, one - (xx + zz), yz + wx]),
                VectorsInLanes::new([xz + wy, yz - wx, one - (xx + yy)]),
            ],
        }
    }

    #[inline(always)] // called, it would give its numbers back by memory, which takes as long again
    fn integrated_from(self, residual: [Real; 4], angular: Vec3, dt: Real) -> (Self, [Real; 4]) {
        let turn = DVec3::from(angular) * f64::from(dt);
        let square = turn.dot(turn);
        if !(square > 0.0) {
            return (self, residual);
        }
        // The vector part of the quaternion is half the turn times sin(x) / x, where x is half the
        // angle.
        let (sinc, w) = sinc_and_cos(0.25 * square);
        let v = turn * (0.5 * sinc);
        let [x, y, z, s] = exact(self, residual);
        let u = DVec3::new(x, y, z);
        // The product of the quaternions (v, w) and (u, s).
        let vector = u * w + v * s + v.cross(u);
        let scalar = w * s - v.dot(u);
        let inverse = 1.0 / (vector.dot(vector) + scalar * scalar).sqrt();
        let unit = [vector.x, vector.y, vector.z, scalar].map_each(|component| component * inverse);
        let rounded = unit.map_each(round_nearest);
        let rest = [0, 1, 2, 3].map_each(|k| left_over(unit[k], rounded[k]));
        (Quat::from_array(rounded), rest)
    }

    fn residual_or_none(self, residual: [Real; 4]) -> [Real; 4] {
        let is_left_over = exact(self, residual).map_each(round_nearest) == self.to_array();
        if is_left_over { residual } else { [0.0; 4] }
    }

    fn encode_residual(residual: [Real; 4]) -> [u32; 4] {
        residual.map_each(Real::to_bits)
    }

    fn decode_residual(encoding: [u32; 4]) -> [Real; 4] {
        encoding.map_each(Real::from_bits)
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
        self.to_array().map_each(Real::to_bits)
    }

    fn from_bits(bits: [u32; 4]) -> Result<Self, RotationError> {
        Quat::from_array(bits.map_each(Real::from_bits)).checked()
    }
}

/// The normalised product of two quaternions, each in the order x, y, z, w.
fn product([a, b, c, w]: [f64; 4], [x, y, z, s]: [f64; 4]) -> Quat {
    let (v, u) = (DVec3::new(a, b, c), DVec3::new(x, y, z));
    let vector = u * w + v * s + v.cross(u);
    let scalar = w * s - v.dot(u);
    let inverse = 1.0 / (vector.dot(vector) + scalar * scalar).sqrt();
    let unit = [vector.x, vector.y, vector.z, scalar].map_each(|c| round_nearest(c * inverse));
    Quat::from_array(unit)
}

/// The quaternion in double precision: the rounded one plus its residual.
#[inline]
fn exact(q: Quat, residual: [Real; 4]) -> [f64; 4] {
    let (rounded, rest) = (q.to_array(), residual);
    [0, 1, 2, 3].map_each(|k| f64::from(rounded[k]) + f64::from(rest[k]))
}

fn squared_length(q: Quat) -> f64 {
    let [x, y, z, w] = q.to_array().map_each(f64::from);
    x * x + y * y + z * z + w * w
}
