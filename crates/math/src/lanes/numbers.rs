//! Numbers of one pair, or of one in each lane: what is written once for both has the same bits for both.

use core::fmt::Debug;
use core::ops::{Add, BitAnd, BitAndAssign, BitOr, BitOrAssign, Div, Mul, Neg, Not, Sub};

use super::registers::*;
use crate::real::{greater_of, lesser_of};

/// A number of double precision: `f64` for one pair, [`f64x4`] and [`f64x8`] for a pair in each lane.
///
/// Comparisons have other names than those of the registers, since both are in scope at some places. A condition that holds
/// everywhere, or nowhere, makes a branch: for one pair that is a plain `if`.
pub trait Number:
    Copy
    + Debug
    + Operand<Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Mul<f64, Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The instruction set that it is computed with; nothing for one pair.
    type Set: Copy;
    /// The answer to a question about each lane; `bool` for one pair.
    type Mask: Condition<Self>;

    /// How many lanes there are; one for `f64`.
    const COUNT: usize;

    /// Copies a number into all lanes.
    fn splat(set: Self::Set, number: f64) -> Self;
    /// The instruction set.
    fn set(self) -> Self::Set;
    /// The number in lane `lane`, counted from 0.
    fn lane(self, lane: usize) -> f64;
    /// The absolute value.
    #[must_use]
    fn abs(self) -> Self;
    /// The square root.
    #[must_use]
    fn sqrt(self) -> Self;
    /// This number with the sign of another.
    #[must_use]
    fn with_sign_of(self, other: Self) -> Self;
    /// The greater of two; none may be NaN. Which of two zeros of opposite sign it is depends on the processor.
    #[must_use]
    fn greater(self, other: Self) -> Self;
    /// The lesser of two; none may be NaN. Which of two zeros of opposite sign it is depends on the processor.
    #[must_use]
    fn lesser(self, other: Self) -> Self;
    /// Where it is greater than another.
    fn is_above(self, other: impl Operand<Self>) -> Self::Mask;
    /// Where it is greater than another or equal.
    fn is_at_least(self, other: impl Operand<Self>) -> Self::Mask;
    /// Where it equals another.
    fn is_equal(self, other: impl Operand<Self>) -> Self::Mask;

    /// Where it is less than another.
    #[inline(always)]
    fn is_below(self, other: impl Operand<Self>) -> Self::Mask {
        other.like(self).is_above(self)
    }

    /// Where it is less than another or equal.
    #[inline(always)]
    fn is_at_most(self, other: impl Operand<Self>) -> Self::Mask {
        other.like(self).is_at_least(self)
    }

    /// This number, or the nearest end of the range from `-most` to `most`.
    #[inline(always)]
    #[must_use]
    fn clamped(self, most: Self) -> Self {
        let raised = self.is_below(-most).choose(-most, self);
        raised.is_above(most).choose(most, raised)
    }
}

/// A [`Number`] of which the lanes are an array.
pub trait Lanes<const N: usize>: Number {
    /// The numbers of an array, one in each lane.
    fn of_lanes(set: Self::Set, numbers: [f64; N]) -> Self;
    /// The numbers in the lanes.
    fn lanes(self) -> [f64; N];
}

/// The right side of a comparison: a number for each lane, or one for all.
pub trait Operand<F>: Copy {
    /// The number in the lanes of another.
    fn like(self, other: F) -> F;
}

impl<F: Number> Operand<F> for f64 {
    #[inline(always)]
    fn like(self, other: F) -> F {
        F::splat(other.set(), self)
    }
}

/// The answer to a question about each lane.
pub trait Condition<F: Number<Mask = Self>>:
    Copy
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + Not<Output = Self>
{
    /// The same answer in all lanes.
    fn of_all(set: F::Set, answer: bool) -> Self;
    /// A bit for each lane.
    fn bits(self) -> u32;
    /// Whether it holds in some lane.
    fn holds_somewhere(self) -> bool;
    /// Whether it holds in all lanes.
    fn holds_everywhere(self) -> bool;
    /// The first number where it holds, and the second elsewhere.
    fn choose(self, first: F, second: F) -> F;
}

/// Methods that are one operation each.
macro_rules! operations {
    ($(fn $name:ident($($argument:tt)*) -> $result:ty { $what:expr })*) => {
        $(
            #[inline(always)]
            fn $name($($argument)*) -> $result {
                $what
            }
        )*
    };
}

impl Number for f64 {
    type Set = ();
    type Mask = bool;
    const COUNT: usize = 1;

    operations! {
        fn splat(_: (), number: f64) -> Self { number }
        fn set(self) -> () { () }
        fn lane(self, _: usize) -> f64 { self }
        fn abs(self) -> Self { self.abs() }
        fn sqrt(self) -> Self { self.sqrt() }
        fn with_sign_of(self, other: Self) -> Self { self.copysign(other) }
        fn greater(self, other: Self) -> Self { greater_of(self, other) }
        fn lesser(self, other: Self) -> Self { lesser_of(self, other) }
        fn is_above(self, other: impl Operand<Self>) -> bool { self > other.like(self) }
        fn is_at_least(self, other: impl Operand<Self>) -> bool { self >= other.like(self) }
        fn is_equal(self, other: impl Operand<Self>) -> bool { self == other.like(self) }
    }
}

impl Lanes<1> for f64 {
    operations! {
        fn of_lanes(_: (), numbers: [f64; 1]) -> Self { numbers[0] }
        fn lanes(self) -> [f64; 1] { [self] }
    }
}

impl Condition<f64> for bool {
    operations! {
        fn of_all(_: (), answer: bool) -> Self { answer }
        fn bits(self) -> u32 { self.into() }
        fn holds_somewhere(self) -> bool { self }
        fn holds_everywhere(self) -> bool { self }
        fn choose(self, first: f64, second: f64) -> f64 { if self { first } else { second } }
    }
}

macro_rules! number_in_lanes {
    ($number:ident, $mask:ident, $count:literal) => {
        impl<S: Simd> Number for $number<S> {
            type Set = S;
            type Mask = $mask<S>;
            const COUNT: usize = $count;

            operations! {
                fn splat(set: S, number: f64) -> Self { SimdBase::splat(set, number) }
                fn set(self) -> S { self.simd }
                fn lane(self, lane: usize) -> f64 { self[lane] }
                fn abs(self) -> Self { SimdBase::abs(self) }
                fn sqrt(self) -> Self { SimdFloat::sqrt(self) }
                fn with_sign_of(self, other: Self) -> Self { self.copysign(other) }
                fn greater(self, other: Self) -> Self { greater_in_lanes(self, other) }
                fn lesser(self, other: Self) -> Self { lesser_in_lanes(self, other) }
                fn is_above(self, other: impl Operand<Self>) -> $mask<S> { self.simd_gt(other.like(self)) }
                fn is_at_least(self, other: impl Operand<Self>) -> $mask<S> { self.simd_ge(other.like(self)) }
                fn is_equal(self, other: impl Operand<Self>) -> $mask<S> { self.simd_eq(other.like(self)) }
            }
        }

        impl<S: Simd> Lanes<$count> for $number<S> {
            operations! {
                fn of_lanes(set: S, numbers: [f64; $count]) -> Self { Self::load_array(set, numbers) }
                fn lanes(self) -> [f64; $count] { self.to_array() }
            }
        }

        impl<S: Simd> Operand<Self> for $number<S> {
            operations! {
                fn like(self, _: Self) -> Self { self }
            }
        }

        impl<S: Simd> Condition<$number<S>> for $mask<S> {
            operations! {
                fn of_all(set: S, answer: bool) -> Self { SimdMask::splat(set, answer) }
                fn bits(self) -> u32 { self.to_bitmask() as u32 }
                fn holds_somewhere(self) -> bool { self.any_true() }
                fn holds_everywhere(self) -> bool { self.all_true() }
                fn choose(self, first: $number<S>, second: $number<S>) -> $number<S> { self.select(first, second) }
            }
        }
    };
}

number_in_lanes!(f64x4, mask64x4, 4);
number_in_lanes!(f64x8, mask64x8, 8);
