//! Four vectors beside each other, for kernels that measure four pairs at a time.
//!
//! Each lane is computed as [`crate::PreciseVector`] would, operation by operation: an answer has the
//! same bits whichever way it was found. In the plane there is a last component, but it counts for
//! nothing.
//!
//! The first type parameter is a set of instructions of the processor, found out when the program runs:
//! a kernel is compiled for each, and `dispatch!` chooses. None of them rounds otherwise, so all have the
//! same bits. A kernel must be inlined into the choice from end to end, or it is compiled for
//! the least of them: hence `#[inline(always)]` on all that computes in lanes.

use core::marker::PhantomData;
use core::ops::{Add, Div, Mul, Sub};

pub use fearless_simd::prelude::*;
pub use fearless_simd::{Level, dispatch, f32x8, f64x4, mask64x4};

use crate::{DVec3, PreciseVector};

/// How many numbers stand beside each other.
pub const LANES: usize = 4;

/// The widest instructions to be used: of this processor, or in a build for certain ones, of those.
#[inline(always)]
#[must_use]
pub fn level() -> Level {
    // What the compiler was told it may use need not be asked for.
    if cfg!(target_feature = "avx2") {
        Level::baseline()
    } else {
        Level::new()
    }
}

/// Four vectors of the dimension of `P`.
#[derive(Clone, Copy, Debug)]
pub struct FourVectors<S: Simd, P> {
    /// The first components.
    pub x: f64x4<S>,
    /// The second components.
    pub y: f64x4<S>,
    /// The third components; in the plane they mean nothing.
    pub z: f64x4<S>,
    dimension: PhantomData<P>,
}

impl<S: Simd, P: PreciseVector> FourVectors<S, P> {
    /// Four vectors by their components.
    #[inline(always)]
    #[must_use]
    pub fn new([x, y, z]: [f64x4<S>; 3]) -> Self {
        Self {
            x,
            y,
            z,
            dimension: PhantomData,
        }
    }

    /// Four times the origin.
    #[inline(always)]
    #[must_use]
    pub fn zero(simd: S) -> Self {
        Self::new([f64x4::splat(simd, 0.0); 3])
    }

    /// Four times the same vector.
    #[inline(always)]
    #[must_use]
    pub fn splat(simd: S, vector: P) -> Self {
        let vector = vector.in_space();
        Self::new([
            f64x4::splat(simd, vector.x),
            f64x4::splat(simd, vector.y),
            f64x4::splat(simd, vector.z),
        ])
    }

    /// Each vector by a function of its lane.
    #[inline(always)]
    pub fn from_lanes(simd: S, mut vector: impl FnMut(usize) -> P) -> Self {
        let [a, b, c, d] = [
            vector(0).in_space(),
            vector(1).in_space(),
            vector(2).in_space(),
            vector(3).in_space(),
        ];
        Self::new([
            f64x4::load_array(simd, [a.x, b.x, c.x, d.x]),
            f64x4::load_array(simd, [a.y, b.y, c.y, d.y]),
            f64x4::load_array(simd, [a.z, b.z, c.z, d.z]),
        ])
    }

    /// The vector of one lane.
    #[inline(always)]
    #[must_use]
    pub fn lane(self, lane: usize) -> P {
        let (x, y, z) = (self.x.to_array(), self.y.to_array(), self.z.to_array());
        P::from_space(DVec3::new(x[lane], y[lane], z[lane]))
    }

    /// The first three lanes moved on by one or two places in a circle; the last stays.
    #[inline(always)]
    #[must_use]
    pub fn rotated(self, places: usize) -> Self {
        Self::new([
            rotated(self.x, places),
            rotated(self.y, places),
            rotated(self.z, places),
        ])
    }

    /// All lanes moved on by one place in a circle.
    #[inline(always)]
    #[must_use]
    pub fn rolled(self) -> Self {
        Self::new([rolled(self.x), rolled(self.y), rolled(self.z)])
    }

    /// The components, one axis after the other.
    #[inline(always)]
    #[must_use]
    pub fn components(self) -> [f64x4<S>; 3] {
        [self.x, self.y, self.z]
    }

    /// The scalar products.
    #[inline(always)]
    #[must_use]
    pub fn dot(self, other: Self) -> f64x4<S> {
        let in_plane = self.x * other.x + self.y * other.y;
        if P::DIM == 2 {
            in_plane
        } else {
            in_plane + self.z * other.z
        }
    }

    /// The vector products, in space.
    #[inline(always)]
    #[must_use]
    pub fn cross(self, other: Self) -> Self {
        Self::new([
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        ])
    }

    /// The squared Euclidean lengths.
    #[inline(always)]
    #[must_use]
    pub fn length_squared(self) -> f64x4<S> {
        self.dot(self)
    }

    /// The Euclidean lengths.
    #[inline(always)]
    #[must_use]
    pub fn length(self) -> f64x4<S> {
        self.dot(self).sqrt()
    }

    /// The absolute value of each component.
    #[inline(always)]
    #[must_use]
    pub fn abs(self) -> Self {
        Self::new([self.x.abs(), self.y.abs(), self.z.abs()])
    }

    /// The vectors turned round.
    #[inline(always)]
    #[must_use]
    pub fn negated(self) -> Self {
        Self::new([-self.x, -self.y, -self.z])
    }

    /// Each component with the sign of the other's.
    #[inline(always)]
    #[must_use]
    pub fn with_signs_of(self, other: Self) -> Self {
        Self::new([
            self.x.copysign(other.x),
            self.y.copysign(other.y),
            self.z.copysign(other.z),
        ])
    }

    /// Each component, or that of `low` where it is greater.
    ///
    /// For numbers only: NaN, and zeros of both signs, depend on the processor.
    #[inline(always)]
    #[must_use]
    pub fn at_least(self, low: Self) -> Self {
        Self::new([self.x.max(low.x), self.y.max(low.y), self.z.max(low.z)])
    }

    /// Each component held between those of two vectors, of which the first is below the second.
    ///
    /// For numbers only, as [`FourVectors::at_least`].
    #[inline(always)]
    #[must_use]
    pub fn held(self, low: Self, high: Self) -> Self {
        let raised = self.at_least(low);
        Self::new([
            raised.x.min(high.x),
            raised.y.min(high.y),
            raised.z.min(high.z),
        ])
    }

    /// The components scaled one by one.
    #[inline(always)]
    #[must_use]
    pub fn scaled_by(self, other: Self) -> Self {
        Self::new([self.x * other.x, self.y * other.y, self.z * other.z])
    }

    /// The vectors of those lanes that `mask` has, and the others of `otherwise`.
    #[inline(always)]
    #[must_use]
    pub fn or_where_unset(self, mask: mask64x4<S>, otherwise: Self) -> Self {
        Self::new([
            mask.select(self.x, otherwise.x),
            mask.select(self.y, otherwise.y),
            mask.select(self.z, otherwise.z),
        ])
    }
}

// Functions, not closures given to `map` of an array: in debug builds of games those stay calls.

#[inline(always)]
fn rotated<S: Simd>(lanes: f64x4<S>, places: usize) -> f64x4<S> {
    let four = lanes.to_array();
    let [a, b, c] = [places % 3, (1 + places) % 3, (2 + places) % 3];
    f64x4::load_array(lanes.simd, [four[a], four[b], four[c], four[3]])
}

#[inline(always)]
fn rolled<S: Simd>(lanes: f64x4<S>) -> f64x4<S> {
    let [a, b, c, d] = lanes.to_array();
    f64x4::load_array(lanes.simd, [b, c, d, a])
}

impl<S: Simd, P: PreciseVector> Add for FourVectors<S, P> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::new([self.x + other.x, self.y + other.y, self.z + other.z])
    }
}

impl<S: Simd, P: PreciseVector> Sub for FourVectors<S, P> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::new([self.x - other.x, self.y - other.y, self.z - other.z])
    }
}

impl<S: Simd, P: PreciseVector> Mul<f64x4<S>> for FourVectors<S, P> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: f64x4<S>) -> Self {
        Self::new([self.x * factor, self.y * factor, self.z * factor])
    }
}

impl<S: Simd, P: PreciseVector> Div<f64x4<S>> for FourVectors<S, P> {
    type Output = Self;

    #[inline(always)]
    fn div(self, divisor: f64x4<S>) -> Self {
        Self::new([self.x / divisor, self.y / divisor, self.z / divisor])
    }
}

/// Four matrices that rotate vectors, by their columns.
#[derive(Clone, Copy, Debug)]
pub struct FourMatrices<S: Simd, P> {
    /// The images of the axes; in the plane the last one means nothing.
    pub columns: [FourVectors<S, P>; 3],
}

impl<S: Simd, P: PreciseVector> FourMatrices<S, P> {
    /// The images of `vectors`.
    #[inline(always)]
    #[must_use]
    pub fn apply(&self, vectors: FourVectors<S, P>) -> FourVectors<S, P> {
        let [a, b, c] = self.columns;
        let in_plane = a * vectors.x + b * vectors.y;
        if P::DIM == 2 {
            in_plane
        } else {
            in_plane + c * vectors.z
        }
    }

    /// The images of `vectors` under the transposed matrices: the inverses of rotations.
    #[inline(always)]
    #[must_use]
    pub fn apply_transposed(&self, vectors: FourVectors<S, P>) -> FourVectors<S, P> {
        let [a, b, c] = self.columns;
        FourVectors::new([a.dot(vectors), b.dot(vectors), c.dot(vectors)])
    }

    /// The products of the transposed matrices with `others`: what rotates by them, seen from here.
    #[inline(always)]
    #[must_use]
    pub fn transposed_times(&self, others: &Self) -> Self {
        let [a, b, c] = others.columns;
        Self {
            columns: [
                self.apply_transposed(a),
                self.apply_transposed(b),
                self.apply_transposed(c),
            ],
        }
    }
}
