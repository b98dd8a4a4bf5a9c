//! Bounds written as decimals that are still bounds.
//!
//! The shortest decimal that reads back as a given `f32` may lie on either side of that number. A
//! program that reads the file in double precision sees the decimal, not the `f32`, so a lower
//! bound has to be rounded down and an upper bound up. The decimals written here still read back
//! as the same `f32`.

use clearance_math::Real;
use serde::{Serialize, Serializer, ser::Error};
use serde_json::value::RawValue;

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
        let raw = RawValue::from_string(self.decimal()).map_err(S::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl Bound {
    /// The shortest decimal on the right side of a finite number that reads back as that number.
    fn decimal(self) -> String {
        let (value, is_magnitude_rounded_up) = match self {
            Self::Lower(value) => (value, value.is_sign_negative()),
            Self::Upper(value) => (value, value.is_sign_positive()),
        };
        let sign = if value.is_sign_negative() { "-" } else { "" };
        let exact = Magnitude::exact(value.abs());
        let rounded = (1..exact.digits.len()).map(|count| {
            if is_magnitude_rounded_up {
                exact.rounded_up(count)
            } else {
                exact.rounded_down(count)
            }
        });
        let mut texts = rounded.map(|magnitude| magnitude.text());
        let shortest = texts.find(|text| text.parse() == Ok(value.abs()));
        let text = shortest.unwrap_or_else(|| exact.text());
        format!("{sign}{text}")
    }
}

/// A decimal that is not negative: 0.DIGITS times ten to the power of `exponent`.
#[derive(Clone, Debug, PartialEq)]
struct Magnitude {
    /// Neither begins nor ends with a zero; empty for zero.
    digits: String,
    exponent: i32,
}

impl Magnitude {
    /// All digits of a finite number: every binary fraction is a decimal that ends.
    fn exact(value: Real) -> Self {
        let plain = format!("{value:.*}", fraction_bits(value));
        let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
        let whole = whole.trim_start_matches('0');
        Self::new(format!("{whole}{fraction}"), length(whole))
    }

    /// The number 0.DIGITS times ten to the power of `exponent`.
    fn new(digits: String, exponent: i32) -> Self {
        let significant = digits.trim_start_matches('0');
        Self {
            exponent: exponent - length(&digits) + length(significant),
            digits: significant.trim_end_matches('0').to_owned(),
        }
    }

    /// The largest number of `count` digits that is not above this one.
    fn rounded_down(&self, count: usize) -> Self {
        Self::new(self.digits[..count].to_owned(), self.exponent)
    }

    /// The smallest number of `count` digits, fewer than it has, that is not below this one.
    fn rounded_up(&self, count: usize) -> Self {
        let kept = &self.digits[..count];
        let before_nines = kept.trim_end_matches('9');
        let mut digits = before_nines.to_owned();
        match digits.pop() {
            // A digit below nine, so the next character is a digit, too.
            Some(last) => {
                digits.push(char::from(last as u8 + 1));
                Self::new(digits, self.exponent)
            }
            None => Self::new("1".to_owned(), self.exponent + 1),
        }
    }

    /// As other numbers of the files look: `12.5`, `0.001`, `1.5e-8`.
    fn text(&self) -> String {
        /// Numbers with more zeros before or behind their digits get an exponent.
        const PLAIN: core::ops::RangeInclusive<i32> = -4..=16;
        let (digits, exponent) = (&self.digits, self.exponent);
        if digits.is_empty() {
            return "0.0".to_owned();
        }
        if !PLAIN.contains(&exponent) {
            let (first, rest) = digits.split_at(1);
            let point = if rest.is_empty() { "" } else { "." };
            return format!("{first}{point}{rest}e{}", exponent - 1);
        }
        if exponent <= 0 {
            let zeros = "0".repeat(exponent.unsigned_abs() as usize);
            return format!("0.{zeros}{digits}");
        }
        let whole = exponent as usize;
        if digits.len() <= whole {
            return format!("{digits}{}.0", "0".repeat(whole - digits.len()));
        }
        format!("{}.{}", &digits[..whole], &digits[whole..])
    }
}

/// How many digits a text has. It has at most a few hundred.
fn length(digits: &str) -> i32 {
    digits.len() as i32
}

/// How many binary digits a finite number has behind the point; it has as many decimal ones.
fn fraction_bits(value: Real) -> usize {
    const MANTISSA_BITS: u32 = Real::MANTISSA_DIGITS - 1;
    let bits = value.to_bits();
    let exponent = (bits >> MANTISSA_BITS) & 0xff;
    let mantissa = bits & ((1 << MANTISSA_BITS) - 1);
    // Subnormal numbers have the exponent of the smallest normal ones, and no hidden digit.
    let (mantissa, exponent) = if exponent == 0 {
        (mantissa, 1)
    } else {
        (mantissa | 1 << MANTISSA_BITS, exponent)
    };
    // The value is mantissa * 2^(exponent - bias).
    const BIAS: i64 = 150;
    let lowest = i64::from(exponent) - BIAS + i64::from(mantissa.trailing_zeros());
    usize::try_from(-lowest).unwrap_or(0)
}

#[cfg(test)]
mod tests;
