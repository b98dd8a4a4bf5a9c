//! Vectors of one pair, or in SIMD lanes.

use core::marker::PhantomData;
use core::ops::{Add, Div, Mul, Sub};

use glam::DVec3;

use super::numbers::{Condition, Lanes, Number};
use super::registers::{Simd, SimdBase, f64x4};
use crate::PreciseVector;

/// Four vectors of the dimension of `P`.
pub type FourVectors<S, P> = VectorsInLanes<f64x4<S>, P>;

/// A vector of the dimension of `P` for one pair or in each lane, stored component by component.
#[derive(Clone, Copy, Debug)]
pub struct VectorsInLanes<F, P> {
    /// The x components.
    pub x: F,
    /// The y components.
    pub y: F,
    /// The z components; unused in 2D.
    pub z: F,
    kind: PhantomData<P>,
}

impl<F: Number, P: PreciseVector> VectorsInLanes<F, P> {
    /// Builds the vectors from their x, y and z components.
    #[inline(always)]
    #[must_use]
    pub fn new([x, y, z]: [F; 3]) -> Self {
        Self {
            x,
            y,
            z,
            kind: PhantomData,
        }
    }

    /// Zero vectors.
    #[inline(always)]
    #[must_use]
    pub fn zero(set: F::Set) -> Self {
        Self::new([F::splat(set, 0.0); 3])
    }

    /// Copies one vector into all lanes.
    #[inline(always)]
    #[must_use]
    pub fn splat(set: F::Set, vector: P) -> Self {
        let vector = vector.in_space();
        Self::new([
            F::splat(set, vector.x),
            F::splat(set, vector.y),
            F::splat(set, vector.z),
        ])
    }

    /// Builds each vector by calling a function with the number of its lane.
    #[inline(always)]
    pub fn from_lanes<const N: usize>(set: F::Set, mut vector: impl FnMut(usize) -> P) -> Self
    where
        F: Lanes<N>,
    {
        let mut rows = [[0.0; N]; 3];
        #[expect(
            clippy::needless_range_loop,
            reason = "iterators are compiled anew for each caller"
        )]
        for lane in 0..N {
            let vector: DVec3 = vector(lane).in_space();
            rows[0][lane] = vector.x;
            rows[1][lane] = vector.y;
            rows[2][lane] = vector.z;
        }
        let [x, y, z] = rows;
        Self::new([
            F::of_lanes(set, x),
            F::of_lanes(set, y),
            F::of_lanes(set, z),
        ])
    }

    /// The vector in lane `lane`, counted from 0.
    #[inline(always)]
    #[must_use]
    pub fn lane(self, lane: usize) -> P {
        P::from_space(DVec3::new(
            self.x.lane(lane),
            self.y.lane(lane),
            self.z.lane(lane),
        ))
    }

    /// The x, y and z components.
    #[inline(always)]
    #[must_use]
    pub fn components(self) -> [F; 3] {
        [self.x, self.y, self.z]
    }

    /// The scalar product in each lane.
    #[inline(always)]
    #[must_use]
    pub fn dot(self, other: Self) -> F {
        let in_plane = self.x * other.x + self.y * other.y;
        if const { P::DIM == 2 } {
            in_plane
        } else {
            in_plane + self.z * other.z
        }
    }

    /// The cross product in each lane; 3D only.
    #[inline(always)]
    #[must_use]
    pub fn cross(self, other: Self) -> Self {
        Self::new([
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        ])
    }

    /// The squared length of each vector.
    #[inline(always)]
    #[must_use]
    pub fn length_squared(self) -> F {
        self.dot(self)
    }

    /// The length of each vector.
    #[inline(always)]
    #[must_use]
    pub fn length(self) -> F {
        self.dot(self).sqrt()
    }

    /// The absolute value of each component.
    #[inline(always)]
    #[must_use]
    pub fn abs(self) -> Self {
        Self::new([self.x.abs(), self.y.abs(), self.z.abs()])
    }

    /// The negated vectors.
    #[inline(always)]
    #[must_use]
    pub fn negated(self) -> Self {
        Self::new([-self.x, -self.y, -self.z])
    }

    /// The components of `self` with the signs of the components of `other`.
    #[inline(always)]
    #[must_use]
    pub fn with_signs_of(self, other: Self) -> Self {
        Self::new([
            self.x.with_sign_of(other.x),
            self.y.with_sign_of(other.y),
            self.z.with_sign_of(other.z),
        ])
    }

    /// The greater of the components of `self` and of `low`.
    ///
    /// For NaN, and for zeros of opposite sign, the result depends on the processor.
    #[inline(always)]
    #[must_use]
    pub fn at_least(self, low: Self) -> Self {
        Self::new([
            self.x.greater(low.x),
            self.y.greater(low.y),
            self.z.greater(low.z),
        ])
    }

    /// Clamps each component to the range from `low` to `high`; `low` must not exceed `high`.
    ///
    /// For NaN, and for zeros of opposite sign, the result depends on the processor.
    #[inline(always)]
    #[must_use]
    pub fn held(self, low: Self, high: Self) -> Self {
        let raised = self.at_least(low);
        Self::new([
            raised.x.lesser(high.x),
            raised.y.lesser(high.y),
            raised.z.lesser(high.z),
        ])
    }

    /// The product component by component.
    #[inline(always)]
    #[must_use]
    pub fn scaled_by(self, other: Self) -> Self {
        Self::new([self.x * other.x, self.y * other.y, self.z * other.z])
    }

    /// The vectors of `self` in the lanes that `mask` selects, and those of `otherwise` in the
    /// others.
    #[inline(always)]
    #[must_use]
    pub fn or_where_unset(self, mask: F::Mask, otherwise: Self) -> Self {
        Self::new([
            mask.choose(self.x, otherwise.x),
            mask.choose(self.y, otherwise.y),
            mask.choose(self.z, otherwise.z),
        ])
    }
}

impl<S: Simd, P: PreciseVector> FourVectors<S, P> {
    /// Rotates the first three lanes by one or two places; the last lane stays where it is.
    #[inline(always)]
    #[must_use]
    pub fn rotated(self, places: usize) -> Self {
        Self::new([
            rotated(self.x, places),
            rotated(self.y, places),
            rotated(self.z, places),
        ])
    }
}

// These are functions and not closures passed to `map`, because in debug builds of games such
// closures would not be inlined.

#[inline(always)]
fn rotated<S: Simd>(lanes: f64x4<S>, places: usize) -> f64x4<S> {
    let four = lanes.to_array();
    let [a, b, c] = [places % 3, (1 + places) % 3, (2 + places) % 3];
    f64x4::load_array(lanes.simd, [four[a], four[b], four[c], four[3]])
}

impl<F: Number, P: PreciseVector> Add for VectorsInLanes<F, P> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::new([self.x + other.x, self.y + other.y, self.z + other.z])
    }
}

impl<F: Number, P: PreciseVector> Sub for VectorsInLanes<F, P> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::new([self.x - other.x, self.y - other.y, self.z - other.z])
    }
}

impl<F: Number, P: PreciseVector> Mul<F> for VectorsInLanes<F, P> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: F) -> Self {
        Self::new([self.x * factor, self.y * factor, self.z * factor])
    }
}

impl<F: Number, P: PreciseVector> Div<F> for VectorsInLanes<F, P> {
    type Output = Self;

    #[inline(always)]
    fn div(self, divisor: F) -> Self {
        Self::new([self.x / divisor, self.y / divisor, self.z / divisor])
    }
}
