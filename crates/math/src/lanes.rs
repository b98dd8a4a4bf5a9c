//! Four vectors in SIMD registers, for kernels that measure four pairs at a time.
//!
//! Each lane performs the operations of [`crate::PreciseVector`] in the order of that type, so an
//! answer has the same bits whichever code path found it. Vectors of the plane also have a third
//! component here, which nothing reads.
//!
//! The type parameter `S` is an instruction set of the processor, which is detected when the
//! program runs: a kernel is compiled for each instruction set, and `dispatch!` chooses one. All of
//! them round alike, so all give the same bits. A kernel must be inlined completely into the
//! `dispatch!` call, or it is compiled for the oldest instruction set; that is why every function
//! that computes in lanes is `#[inline(always)]`.

use core::marker::PhantomData;
use core::ops::{Add, Div, Mul, Sub};

pub use fearless_simd::prelude::*;
pub use fearless_simd::{Level, dispatch, f32x8, f32x16, f64x4, mask64x4, u32x16};

use crate::{DVec3, Matrix, PreciseVector};

/// The number of lanes: how many values one register holds.
pub const LANES: usize = 4;

/// The widest instruction set to use: that of this processor, or that of the build target if the
/// build already requires wide instructions.
#[inline(always)]
#[must_use]
pub fn level() -> Level {
    // A build that requires AVX2 need not detect it.
    if cfg!(target_feature = "avx2") {
        Level::baseline()
    } else {
        Level::new()
    }
}

/// The greater number in each lane; none may be NaN. Which of two zeros of opposite sign counts as greater depends
/// on the processor.
#[inline(always)]
#[must_use]
pub fn greater_in_lanes<S: Simd, F: SimdFloat<S, Mask: Select<F>>>(a: F, b: F) -> F {
    if cfg!(target_arch = "wasm32") {
        // The maximum of WebAssembly also orders NaN and signed zeros, for which browsers need eight instructions.
        a.simd_gt(b).select(a, b)
    } else {
        a.max(b)
    }
}

/// The lesser number in each lane; none may be NaN. Which of two zeros of opposite sign counts as less depends on
/// the processor.
#[inline(always)]
#[must_use]
pub fn lesser_in_lanes<S: Simd, F: SimdFloat<S, Mask: Select<F>>>(a: F, b: F) -> F {
    if cfg!(target_arch = "wasm32") {
        // As above.
        a.simd_lt(b).select(a, b)
    } else {
        a.min(b)
    }
}

/// Four vectors of the dimension of `P`, stored component by component.
#[derive(Clone, Copy, Debug)]
pub struct FourVectors<S: Simd, P> {
    /// The x components.
    pub x: f64x4<S>,
    /// The y components.
    pub y: f64x4<S>,
    /// The z components; unused in 2D.
    pub z: f64x4<S>,
    dimension: PhantomData<P>,
}

impl<S: Simd, P: PreciseVector> FourVectors<S, P> {
    /// Builds four vectors from their x, y and z components.
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

    /// Four zero vectors.
    #[inline(always)]
    #[must_use]
    pub fn zero(simd: S) -> Self {
        Self::new([f64x4::splat(simd, 0.0); 3])
    }

    /// Copies one vector into all four lanes.
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

    /// Builds each vector by calling a function with the number of its lane.
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

    /// The vector in lane `lane`, counted from 0.
    #[inline(always)]
    #[must_use]
    pub fn lane(self, lane: usize) -> P {
        let (x, y, z) = (self.x.to_array(), self.y.to_array(), self.z.to_array());
        P::from_space(DVec3::new(x[lane], y[lane], z[lane]))
    }

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

    /// The x, y and z components.
    #[inline(always)]
    #[must_use]
    pub fn components(self) -> [f64x4<S>; 3] {
        [self.x, self.y, self.z]
    }

    /// The scalar product in each lane.
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
    pub fn length_squared(self) -> f64x4<S> {
        self.dot(self)
    }

    /// The length of each vector.
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
            self.x.copysign(other.x),
            self.y.copysign(other.y),
            self.z.copysign(other.z),
        ])
    }

    /// The greater of the components of `self` and of `low`.
    ///
    /// For NaN, and for zeros of opposite sign, the result depends on the processor.
    #[inline(always)]
    #[must_use]
    pub fn at_least(self, low: Self) -> Self {
        Self::new([self.x.max(low.x), self.y.max(low.y), self.z.max(low.z)])
    }

    /// Clamps each component to the range from `low` to `high`; `low` must not exceed `high`.
    ///
    /// For NaN, and for zeros of opposite sign, the result depends on the processor.
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
    pub fn or_where_unset(self, mask: mask64x4<S>, otherwise: Self) -> Self {
        Self::new([
            mask.select(self.x, otherwise.x),
            mask.select(self.y, otherwise.y),
            mask.select(self.z, otherwise.z),
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

/// Four rotation matrices, stored column by column.
#[derive(Clone, Copy, Debug)]
pub struct FourMatrices<S: Simd, P> {
    /// The images of the x, y and z axes; the last is unused in 2D.
    pub columns: [FourVectors<S, P>; 3],
}

impl<S: Simd, P: PreciseVector> FourMatrices<S, P> {
    /// Copies one matrix into all four lanes.
    #[inline(always)]
    #[must_use]
    pub fn splat(simd: S, matrix: &P::Matrix) -> Self {
        let column = |index| FourVectors::splat(simd, matrix.column(index));
        Self {
            columns: [
                column(0),
                column(1),
                if P::DIM == 2 {
                    FourVectors::zero(simd)
                } else {
                    column(2)
                },
            ],
        }
    }

    /// Multiplies each matrix with the vector in its lane.
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

    /// The matrix in lane `lane`, counted from 0.
    #[inline(always)]
    #[must_use]
    pub fn lane(&self, lane: usize) -> P::Matrix {
        let [a, b, c] = self.columns;
        P::Matrix::from_columns([a.lane(lane), b.lane(lane), c.lane(lane)])
    }

    /// Multiplies each transposed matrix with the vector in its lane: the inverse rotation.
    #[inline(always)]
    #[must_use]
    pub fn apply_transposed(&self, vectors: FourVectors<S, P>) -> FourVectors<S, P> {
        let [a, b, c] = self.columns;
        FourVectors::new([a.dot(vectors), b.dot(vectors), c.dot(vectors)])
    }

    /// The transposed matrices: the inverse rotations.
    #[inline(always)]
    #[must_use]
    pub fn transposed(&self) -> Self {
        let [a, b, c] = self.columns;
        Self {
            columns: [
                FourVectors::new([a.x, b.x, c.x]),
                FourVectors::new([a.y, b.y, c.y]),
                FourVectors::new([a.z, b.z, c.z]),
            ],
        }
    }

    /// These matrices in the lanes that `mask` selects, and those of `otherwise` in the others.
    #[inline(always)]
    #[must_use]
    pub fn or_where_unset(&self, mask: mask64x4<S>, otherwise: &Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.columns, otherwise.columns);
        Self {
            columns: [
                a.or_where_unset(mask, d),
                b.or_where_unset(mask, e),
                c.or_where_unset(mask, f),
            ],
        }
    }

    /// The products of the transposed matrices with `others`: the rotations `others`, expressed in
    /// the frames that these matrices rotate.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greater_and_the_lesser_in_each_lane() {
        dispatch!(level(), simd => {
            let a = f64x4::simd_from(simd, [1.0, -2.0, f64::INFINITY, 4.0]);
            let b = f64x4::simd_from(simd, [0.5, 3.0, 7.0, 4.0]);
            assert_eq!(greater_in_lanes(a, b).to_array(), [1.0, 3.0, f64::INFINITY, 4.0]);
            assert_eq!(lesser_in_lanes(a, b).to_array(), [0.5, -2.0, 7.0, 4.0]);
        });
    }
}
