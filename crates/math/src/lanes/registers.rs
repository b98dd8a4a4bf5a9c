//! Registers, and the instruction sets that kernels are compiled for.

pub use fearless_simd::prelude::*;
pub use fearless_simd::{Level, dispatch as dispatch_to_any};
pub use fearless_simd::{f32x8, f32x16, f64x4, f64x8, mask32x16, mask64x4, mask64x8, u32x16};

/// The number of lanes of [`f64x4`], which is used where nothing else is said.
pub const LANES: usize = 4;

/// Runs a kernel, `dispatch!(simd => kernel(simd, ...))`, in the instructions of this processor: AVX2 where it has them, else
/// the oldest that the build target allows.
#[doc(hidden)] // macros are exported at the root of their crate
#[macro_export]
macro_rules! dispatch {
    ($simd:pat => $op:expr) => {{
        #[cfg(target_arch = "x86_64")]
        {
            match $crate::internal::lanes::level().as_avx2() {
                Some(set) => $crate::run_in!(set, $simd => $op),
                None => $crate::run_in!($crate::internal::lanes::oldest(), $simd => $op),
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            $crate::internal::lanes::dispatch_to_any!($crate::internal::lanes::level(), $simd => $op)
        }
    }};
}

/// As [`dispatch!`], but with a copy for AVX-512 also. `dispatch_widest!(simd, Wide => kernel::<_, Wide<_>>(simd))` names
/// the register of double precision to use: [`f64x8`] there and [`f64x4`] elsewhere, since kernels run out of registers where
/// two or more stand for one.
#[doc(hidden)] // macros are exported at the root of their crate
#[macro_export]
macro_rules! dispatch_widest {
    ($simd:pat => $op:expr) => {{
        #[cfg(target_arch = "x86_64")]
        {
            match $crate::internal::lanes::level().as_avx512() {
                Some(set) => $crate::run_in!(set, $simd => $op),
                None => $crate::dispatch!($simd => $op),
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            $crate::dispatch!($simd => $op)
        }
    }};
    ($simd:pat, $wide:ident => $op:expr) => {{
        #[cfg(target_arch = "x86_64")]
        {
            match $crate::internal::lanes::level().as_avx512() {
                Some(set) => {
                    type $wide<S> = $crate::internal::lanes::f64x8<S>;
                    $crate::run_in!(set, $simd => $op)
                }
                None => {
                    type $wide<S> = $crate::internal::lanes::f64x4<S>;
                    $crate::dispatch!($simd => $op)
                }
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            type $wide<S> = $crate::internal::lanes::f64x4<S>;
            $crate::dispatch!($simd => $op)
        }
    }};
}

/// As [`dispatch!`], or as [`dispatch_widest!`] where `Wide` is named, but does something else where a processor of x86 has
/// no AVX2, or a target no registers to speak of: `dispatch_if_wide!(simd => kernel(simd), else one_by_one())`.
#[doc(hidden)] // macros are exported at the root of their crate
#[macro_export]
macro_rules! dispatch_if_wide {
    ($simd:pat => $op:expr, else $other:expr) => {{
        #[cfg(target_arch = "x86_64")]
        {
            match $crate::internal::lanes::level().as_avx2() {
                Some(set) => $crate::run_in!(set, $simd => $op),
                None => $other,
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            if $crate::internal::lanes::IS_WIDE {
                $crate::internal::lanes::dispatch_to_any!($crate::internal::lanes::level(), $simd => $op)
            } else {
                $other
            }
        }
    }};
    ($simd:pat, $wide:ident => $op:expr, else $other:expr) => {{
        #[cfg(target_arch = "x86_64")]
        {
            match $crate::internal::lanes::level().as_avx512() {
                Some(set) => {
                    type $wide<S> = $crate::internal::lanes::f64x8<S>;
                    $crate::run_in!(set, $simd => $op)
                }
                None => {
                    type $wide<S> = $crate::internal::lanes::f64x4<S>;
                    $crate::dispatch_if_wide!($simd => $op, else $other)
                }
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            type $wide<S> = $crate::internal::lanes::f64x4<S>;
            $crate::dispatch_if_wide!($simd => $op, else $other)
        }
    }};
}

/// Whether kernels are compiled for a target other than x86 of 64 bits: ARM of 64 bits always has registers for them,
/// WebAssembly if it is built for simd128.
pub const IS_WIDE: bool = cfg!(any(target_arch = "aarch64", target_feature = "simd128"));

/// Computes a part of a kernel, `apart!(expression)`: in place, so that it stays in registers, but in a function of its own
/// for targets without any. There each operation is a loop over its lanes, and what LLVM takes to unroll these grows
/// with the square of their number in a function: minutes for the largest kernels.
#[doc(hidden)] // macros are exported at the root of their crate
#[macro_export]
macro_rules! apart {
    ($part:expr) => {
        $crate::internal::lanes::in_function(
            #[inline(always)]
            || $part,
        )
    };
}

/// Computes the part of [`apart!`].
#[cfg_attr(any(target_arch = "x86_64", target_arch = "aarch64"), inline(always))]
#[cfg_attr(target_feature = "simd128", inline(always))]
pub fn in_function<R>(part: impl FnOnce() -> R) -> R {
    part()
}

/// Whether a kernel that is compiled for `S` leaves to scalar code what both compute with the same bits: for the oldest
/// processors of x86, and where there are no registers to speak of. There each operation on lanes becomes several, which
/// takes the compiler longest.
#[inline(always)]
#[must_use]
pub const fn is_narrow<S: Simd>() -> bool {
    !IS_WIDE && size_of::<S::f64s>() < size_of::<[f64; 4]>()
}

/// Whether [`dispatch_if_wide!`] runs its kernel.
#[inline(always)]
#[must_use]
pub fn is_wide() -> bool {
    #[cfg(target_arch = "x86_64")]
    return level().as_avx2().is_some();
    #[cfg(not(target_arch = "x86_64"))]
    return IS_WIDE;
}

/// Runs a kernel in the instructions that a token stands for.
#[doc(hidden)] // macros are exported at the root of their crate
#[macro_export]
macro_rules! run_in {
    ($set:expr, $simd:pat => $op:expr) => {{
        let set = $set;
        $crate::internal::lanes::Simd::vectorize(
            set,
            #[inline(always)]
            || {
                let $simd = set;
                $op
            },
        )
    }};
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

/// What every x86 processor of 64 bits has.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[must_use]
pub fn oldest() -> fearless_simd::Sse2 {
    let Some(sse2) = Level::baseline().as_sse2() else {
        unreachable!("x86 processors of 64 bits have SSE2")
    };
    sse2
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
        dispatch!(simd => {
            let a = f64x4::simd_from(simd, [1.0, -2.0, f64::INFINITY, 4.0]);
            let b = f64x4::simd_from(simd, [0.5, 3.0, 7.0, 4.0]);
            assert_eq!(greater_in_lanes(a, b).to_array(), [1.0, 3.0, f64::INFINITY, 4.0]);
            assert_eq!(lesser_in_lanes(a, b).to_array(), [0.5, -2.0, 7.0, 4.0]);
        });
    }
}
