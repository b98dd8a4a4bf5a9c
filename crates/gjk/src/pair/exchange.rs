//! The way into canonical order and back.
//!
//! A question puts its sides in order, asks a method about them, and turns what it says back:
//!
//! ```text
//! let exchange = Exchange::by(canonical::compare(&a, &b));
//! let [first, second] = exchange.sides([a, b]);
//! exchange.answer(method(first, second))
//! ```

use core::cmp::Ordering;
use core::hint::select_unpredictable;
use core::ops::Neg;

/// Whether the sides of a question were exchanged to be in canonical order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exchange(bool);

/// An answer about two sides that can be turned into that about the exchanged ones.
pub(crate) trait Mirrored: Sized {
    /// The same with a and b exchanged.
    fn mirrored(self) -> Self;

    /// The same, with a and b exchanged if `is_exchanged`.
    #[inline(always)]
    fn mirrored_if(self, is_exchanged: bool) -> Self {
        if is_exchanged { self.mirrored() } else { self }
    }
}

impl<T: Mirrored> Mirrored for Option<T> {
    #[inline(always)]
    fn mirrored(self) -> Self {
        self.map(T::mirrored)
    }
}

impl Exchange {
    /// The sides stay as they are.
    pub(crate) const NONE: Self = Self(false);

    /// `order` is how a compares with b: the lesser one comes first.
    #[inline(always)]
    pub(crate) fn by(order: Ordering) -> Self {
        Self(order.is_gt())
    }

    /// The sides of the question in canonical order. The same leads back, since exchanging twice changes nothing.
    ///
    /// Without a branch, because which comes first is unpredictable: so what is large should be borrowed.
    #[inline(always)]
    pub(crate) fn sides<T: Copy>(self, [a, b]: [T; 2]) -> [T; 2] {
        [
            select_unpredictable(self.0, b, a),
            select_unpredictable(self.0, a, b),
        ]
    }

    /// What was found for the sides in canonical order, turned to those of the question; and the other way round.
    #[inline(always)]
    pub(crate) fn answer<T: Mirrored>(self, of_ordered: T) -> T {
        of_ordered.mirrored_if(self.0)
    }

    /// A vector from the first to the second side in canonical order, turned to one from a to b of the question; and the other
    /// way round.
    #[inline(always)]
    pub(crate) fn normal<T: Neg<Output = T>>(self, of_ordered: T) -> T {
        if self.0 { -of_ordered } else { of_ordered }
    }
}
