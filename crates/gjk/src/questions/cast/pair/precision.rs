//! How well the places of two shapes in motion are known, and the tolerances that follow from it.

use clearance_math::{greater_of, lesser_of, tolerances};

/// How well the places of two parts are known, and how large the parts are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Precision {
    /// How much a computed distance may be wrong because poses are rounded.
    pub(crate) rounding: f64,
    /// Twice the size of the smaller part, or of the only one that has a size.
    pub(crate) size: f64,
    /// The sum of both radii.
    pub(crate) radii: f64,
}

impl Precision {
    /// What subtracting the radii may take away of a distance, too.
    #[inline(always)]
    pub(crate) fn rounding_of(&self, within: f64) -> f64 {
        self.rounding + 8.0 * f64::EPSILON * (within + self.radii)
    }

    /// How much more than asked the distance may be where the parts have met.
    #[inline(always)]
    pub(crate) fn near(&self, within: f64) -> f64 {
        // The search for a plane between the cores leaves a little of their distance open.
        let open = tolerances::CAST_OPEN * (within + self.radii);
        tolerances::CAST_GAP * self.size + open + 8.0 * self.rounding_of(within)
    }

    /// Whether the poses are known so well that a tolerance of [`tolerances::CAST_GAP`] says anything.
    #[inline(always)]
    pub(crate) fn is_precise(&self, within: f64) -> bool {
        let size = self.size + within + self.radii;
        // Of a point and a plane nothing has a size.
        size == 0.0 || self.rounding_of(within) <= tolerances::CAST_MOST_ROUNDING * size
    }
}

/// Twice the smaller of two sizes; twice the other one if that is zero.
#[inline(always)]
pub(crate) fn common_size(a: f64, b: f64) -> f64 {
    let smaller = lesser_of(a, b);
    2.0 * if smaller > 0.0 {
        smaller
    } else {
        greater_of(a, b)
    }
}
