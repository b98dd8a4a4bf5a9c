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
//!
//! Each instruction set is another copy of all that a kernel calls, for users to compile and to ship. So most kernels
//! have two on x86: AVX2, and the oldest that the target allows. Those that gain much by AVX-512 are called by
//! `dispatch_widest!` and have a third. Those that only gather what can be measured one by one as well, with the same
//! bits, are called by `dispatch_if_wide!` and have one copy less: none for processors of x86 without AVX2, where it would
//! take the compiler longer than any other and serve few. A kernel that must run everywhere asks [`is_narrow`] for the
//! parts of which that is true.

mod matrices;
mod numbers;
pub(crate) mod registers;
mod vectors;

pub use crate::{apart, dispatch, dispatch_if_wide, dispatch_widest};

pub use matrices::{FourMatrices, MatricesInLanes};
pub use numbers::{Condition, Lanes, Number, Operand};
pub use registers::*;
pub use vectors::{FourVectors, VectorsInLanes};
