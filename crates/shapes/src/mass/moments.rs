//! Integrals over sets of points and over sets of directions, in space. The plane is the slice z = 0 of it.

use core::ops::{Add, AddAssign, Mul};

use clearance_math::{DMat3, DVec3};

/// The integrals of 1, of x and of x x^T over a set of points or of unit directions x.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moments {
    pub(super) measure: f64,
    pub(super) first: DVec3,
    pub(super) second: DMat3,
}

/// The matrix a b^T.
pub(super) fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// a b^T + b a^T.
pub(super) fn mixed(a: DVec3, b: DVec3) -> DMat3 {
    outer(a, b) + outer(b, a)
}

impl Moments {
    pub(super) const ZERO: Self = Self {
        measure: 0.0,
        first: DVec3::ZERO,
        second: DMat3::ZERO,
    };

    /// Those of a direction, or of a point of measure 1.
    pub(super) fn of_point(x: DVec3) -> Self {
        Self::of_simplex(&[x], 1.0)
    }

    /// Those of a point, segment, triangle or tetrahedron, whose length, area or volume is `measure`.
    pub(super) fn of_simplex(corners: &[DVec3], measure: f64) -> Self {
        let count = corners.len() as f64;
        let sum: DVec3 = corners.iter().sum();
        let squares = corners
            .iter()
            .fold(outer(sum, sum), |all, &x| all + outer(x, x));
        Self {
            measure,
            first: sum * (measure / count),
            second: squares * (measure / (count * (count + 1.0))),
        }
    }

    /// Those of the points x + t n with x of `self`, n of `normals` and t from 0 to `depth`, which grow with
    /// t^(codimension - 1): what a face of that codimension adds to a convex body that is rounded by `depth`.
    pub(super) fn swept(&self, normals: &Self, codimension: u32, depth: f64) -> Self {
        let power = (0..codimension).fold(1.0, |power, _| power * depth);
        let [order, next] = [codimension, codimension + 1].map(f64::from);
        let (flat, tilted) = (power / order, power * depth / next);
        let round = power * depth * depth / (order + 2.0);
        Self {
            measure: self.measure * normals.measure * flat,
            first: self.first * (normals.measure * flat) + normals.first * (self.measure * tilted),
            second: self.second * (normals.measure * flat)
                + mixed(self.first, normals.first) * tilted
                + normals.second * (self.measure * round),
        }
    }
}

impl Add for Moments {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            measure: self.measure + other.measure,
            first: self.first + other.first,
            second: self.second + other.second,
        }
    }
}

impl AddAssign for Moments {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<f64> for Moments {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self {
            measure: self.measure * factor,
            first: self.first * factor,
            second: self.second * factor,
        }
    }
}
