//! Products without rounding error.

/// A product as the sum of two numbers: the rounded product and its rounding error. The sum is
/// exact unless the product is too large or too small for `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExactProduct {
    /// The product rounded to the nearest `f64`.
    pub rounded: f64,
    /// The exact product minus the rounded one.
    pub rest: f64,
}

/// Multiplies two numbers without rounding error.
///
/// Source: Dekker, "A floating-point technique for extending the available precision" (1971). Each
/// factor is split into halves of at most 26 bits, whose products are exact. A fused multiply-add
/// would be shorter, but not every machine has one.
#[must_use]
pub fn exact_product(a: f64, b: f64) -> ExactProduct {
    const SPLIT: f64 = 134_217_729.0; // 2^27 + 1
    let halves = |x: f64| {
        let high = SPLIT * x - (SPLIT * x - x);
        (high, x - high)
    };
    let rounded = a * b;
    let ((a_high, a_low), (b_high, b_low)) = (halves(a), halves(b));
    let rest = a_high * b_high - rounded + a_high * b_low + a_low * b_high + a_low * b_low;
    ExactProduct { rounded, rest }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_and_its_rest_are_exact() {
        // (2^40 + 1)^2 = 2^80 + 2^41 + 1: the last 1 is beyond the 53 bits of a number.
        let factor = 2f64.powi(40) + 1.0;
        let product = exact_product(factor, factor);
        assert_eq!(product.rounded, 2f64.powi(80) + 2f64.powi(41));
        assert_eq!(product.rest, 1.0);
        assert_eq!(exact_product(0.1, 3.0).rounded, 0.1 * 3.0);
        assert_ne!(exact_product(0.1, 3.0).rest, 0.0);
    }
}
