//! Four vectors beside each other, for kernels that measure four pairs at a time.
//!
//! Each lane is computed as [`crate::PreciseVector`] would, operation by operation: an answer has the
//! same bits whichever way it was found. In the plane there is a last component, but it counts for
//! nothing.

use core::marker::PhantomData;
use core::ops::{Add, Div, Mul, Sub};

pub use wide::f64x4;

use crate::PreciseVector;

/// How many numbers stand beside each other.
pub const LANES: usize = 4;

/// Each of four numbers by a function of its lane.
#[inline]
pub fn from_lanes(number: impl FnMut(usize) -> f64) -> f64x4 {
    f64x4::new(core::array::from_fn(number))
}

/// The number with its sign turned, zero included.
#[inline]
#[must_use]
pub fn negated(number: f64x4) -> f64x4 {
    number ^ f64x4::splat(-0.0)
}

/// Four vectors of the dimension of `P`.
#[derive(Clone, Copy, Debug)]
pub struct FourVectors<P> {
    /// The first components.
    pub x: f64x4,
    /// The second components.
    pub y: f64x4,
    /// The third components; in the plane they mean nothing.
    pub z: f64x4,
    dimension: PhantomData<P>,
}

impl<P: PreciseVector> FourVectors<P> {
    /// Four times the origin.
    pub const ZERO: Self = Self {
        x: f64x4::ZERO,
        y: f64x4::ZERO,
        z: f64x4::ZERO,
        dimension: PhantomData,
    };

    /// Four vectors by their components.
    #[inline]
    #[must_use]
    pub fn new([x, y, z]: [f64x4; 3]) -> Self {
        Self {
            x,
            y,
            z,
            dimension: PhantomData,
        }
    }

    /// Each vector by a function of its lane.
    #[inline]
    pub fn from_lanes(mut vector: impl FnMut(usize) -> P) -> Self {
        let vectors = [0, 1, 2, 3].map(|lane| vector(lane).in_space());
        Self::new([
            from_lanes(|lane| vectors[lane].x),
            from_lanes(|lane| vectors[lane].y),
            from_lanes(|lane| vectors[lane].z),
        ])
    }

    /// The components, one axis after the other.
    #[inline]
    #[must_use]
    pub fn components(self) -> [f64x4; 3] {
        [self.x, self.y, self.z]
    }

    /// Each component by a function of those of two vectors.
    #[inline]
    #[must_use]
    pub fn zip(self, other: Self, combine: impl Fn(f64x4, f64x4) -> f64x4) -> Self {
        Self::new([
            combine(self.x, other.x),
            combine(self.y, other.y),
            combine(self.z, other.z),
        ])
    }

    /// The scalar products.
    #[inline]
    #[must_use]
    pub fn dot(self, other: Self) -> f64x4 {
        let in_plane = self.x * other.x + self.y * other.y;
        if P::DIM == 2 {
            in_plane
        } else {
            in_plane + self.z * other.z
        }
    }

    /// The squared Euclidean lengths.
    #[inline]
    #[must_use]
    pub fn length_squared(self) -> f64x4 {
        self.dot(self)
    }

    /// The Euclidean lengths.
    #[inline]
    #[must_use]
    pub fn length(self) -> f64x4 {
        self.dot(self).sqrt()
    }

    /// The absolute value of each component.
    #[inline]
    #[must_use]
    pub fn abs(self) -> Self {
        self.zip(self, |component, _| component.abs())
    }

    /// The vectors turned round.
    #[inline]
    #[must_use]
    pub fn negated(self) -> Self {
        self.zip(self, |component, _| negated(component))
    }

    /// Each component with the sign of the other's.
    #[inline]
    #[must_use]
    pub fn with_signs_of(self, other: Self) -> Self {
        let sign = f64x4::splat(-0.0);
        self.zip(other, |size, signed| size.abs() | (signed & sign))
    }

    /// Each component held between those of two vectors, of which the first is below the second.
    ///
    /// For numbers only: NaN, and zeros of both signs as limits, depend on the processor.
    #[inline]
    #[must_use]
    pub fn held(self, low: Self, high: Self) -> Self {
        let raised = self.zip(low, f64x4::fast_max);
        raised.zip(high, f64x4::fast_min)
    }

    /// The components scaled one by one.
    #[inline]
    #[must_use]
    pub fn scaled_by(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }

    /// The vectors of those lanes whose bits in `mask` are all set, and the others of `otherwise`.
    #[inline]
    #[must_use]
    pub fn or_where_unset(self, mask: f64x4, otherwise: Self) -> Self {
        self.zip(otherwise, |ours, theirs| mask.bitselect(ours, theirs))
    }
}

impl<P: PreciseVector> Add for FourVectors<P> {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
}

impl<P: PreciseVector> Sub for FourVectors<P> {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
}

impl<P: PreciseVector> Mul<f64x4> for FourVectors<P> {
    type Output = Self;

    #[inline]
    fn mul(self, factor: f64x4) -> Self {
        self.zip(self, |component, _| component * factor)
    }
}

impl<P: PreciseVector> Div<f64x4> for FourVectors<P> {
    type Output = Self;

    #[inline]
    fn div(self, divisor: f64x4) -> Self {
        self.zip(self, |component, _| component / divisor)
    }
}

/// Four matrices that rotate vectors, by their columns.
#[derive(Clone, Copy, Debug)]
pub struct FourMatrices<P> {
    /// The images of the axes; in the plane the last one means nothing.
    pub columns: [FourVectors<P>; 3],
}

impl<P: PreciseVector> FourMatrices<P> {
    /// The images of `vectors`.
    #[inline]
    #[must_use]
    pub fn apply(&self, vectors: FourVectors<P>) -> FourVectors<P> {
        let [a, b, c] = self.columns;
        let in_plane = a * vectors.x + b * vectors.y;
        if P::DIM == 2 {
            in_plane
        } else {
            in_plane + c * vectors.z
        }
    }

    /// The images of `vectors` under the transposed matrices: the inverses of rotations.
    #[inline]
    #[must_use]
    pub fn apply_transposed(&self, vectors: FourVectors<P>) -> FourVectors<P> {
        FourVectors::new(self.columns.map(|column| column.dot(vectors)))
    }

    /// The products of the transposed matrices with `others`: what rotates by them, seen from here.
    #[inline]
    #[must_use]
    pub fn transposed_times(&self, others: &Self) -> Self {
        let columns = others.columns.map(|column| self.apply_transposed(column));
        Self { columns }
    }
}
