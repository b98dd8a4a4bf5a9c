//! Vectors and matrices in SIMD registers, for kernels that measure four or eight pairs at a time.
//!
//! A register holds a number of each pair, in a lane of its own. Each lane performs the operations of
//! [`crate::PreciseVector`] in the order of that type, so an answer has the same bits whichever code path
//! found it. Vectors of the plane also have a third component here, which nothing reads.
//!
//! The type parameter `S` is an instruction set of the processor, which is detected when the
//! program runs: a kernel is compiled for each instruction set, and `dispatch!` chooses one. All of
//! them round alike, so all give the same bits. A kernel must be inlined completely into the
//! `dispatch!` call, or it is compiled for the oldest instruction set; that is why every function
//! that computes in lanes is `#[inline(always)]`.

mod matrices;
mod vectors;

pub use fearless_simd::prelude::*;
pub use fearless_simd::{Level, dispatch, f32x8, f32x16, f64x4, f64x8, mask64x4, u32x16};

pub use matrices::{FourMatrices, MatricesInLanes};
pub use vectors::{FourVectors, VectorsInLanes};

/// The number of lanes of [`f64x4`], which is used where nothing else is said.
pub const LANES: usize = 4;

/// A number of double precision in each lane: [`f64x4`], or [`f64x8`] for processors with registers for that.
///
/// `Lanes<S, Array = [f64; N]>` has `N` lanes.
pub trait Lanes<S: Simd>: SimdFloat<S, Element = f64> {}

impl<S: Simd, F: SimdFloat<S, Element = f64>> Lanes<S> for F {}

/// Whether the processor has registers for [`f64x8`]. Elsewhere two or four registers would take its place, and
/// kernels would run out of them.
#[inline(always)]
#[must_use]
pub fn has_eight_lanes<S: Simd>() -> bool {
    <S::f64s as SimdBase<S>>::LEN >= 8
}

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
