//! Bounds written as decimals that are still bounds.
//!
//! The shortest decimal that reads back as a given `f32` may lie on either side of that number. A
//! program that reads the file in double precision sees the decimal, not the `f32`, so a lower
//! bound has to be rounded down and an upper bound up. The decimals written here still read back
//! as the same `f32`.

use clearance_math::Real;
use serde::{Serialize, Serializer};

/// A bound of a distance, to be written as JSON; an infinite bound is written as null.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bound {
    /// The decimal is not above the number.
    Lower(Real),
    /// The decimal is not below the number.
    Upper(Real),
}

impl Serialize for Bound {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (Self::Lower(value) | Self::Upper(value)) = *self;
        if !value.is_finite() {
            return serializer.serialize_none();
        }
        // It is written as it was found: a decimal of so few digits is the shortest one of its f64.
        self.decimal().unwrap_or(value.into()).serialize(serializer)
    }
}

impl Bound {
    /// The shortest decimal on the right side of a finite number that reads back as that number.
    fn decimal(self) -> Option<f64> {
        /// A unit of the last of so many digits is less than the distance to any decimal that reads back as another number.
        const MOST_DIGITS: usize = 9;
        /// No `f32` has more: every binary fraction is a decimal that ends.
        const ALL_DIGITS: usize = 112;
        let (value, is_magnitude_rounded_up) = match self {
            Self::Lower(value) => (value, value.is_sign_negative()),
            Self::Upper(value) => (value, value.is_sign_positive()),
        };
        let exact = format!("{:.*e}", ALL_DIGITS - 1, value.abs());
        let (digits, exponent) = exact.split_once('e')?;
        let digits = digits.replace('.', "");
        let exponent: i32 = exponent.parse().ok()?;
        let decimals = (1..=MOST_DIGITS).map(|count| {
            let (kept, rest) = digits.split_at(count);
            let is_more = is_magnitude_rounded_up && rest.contains(|digit| digit != '0');
            let whole = kept.parse::<u32>().unwrap_or(0) + u32::from(is_more);
            format!("{whole}e{}", exponent + 1 - count as i32)
        });
        let mut decimals = decimals.filter(|text| text.parse() == Ok(value.abs()));
        let shortest: f64 = decimals.next()?.parse().ok()?;
        Some(shortest.copysign(value.into()))
    }
}

#[cfg(test)]
mod tests;
