//! Cones.

use clearance_math::{PreciseVector, Real};

use crate::cylinder::{across, half_diagonal, rim};
use crate::support::Support;

/// A cone about the y axis of the body, with its base at y = -half_height and its apex at y =
/// +half_height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// Half the height, > 0.
    pub half_height: Real,
    /// The radius of the base, > 0.
    pub radius: Real,
}

impl Cone {
    /// The least and greatest scalar products of its points with a direction, found at the apex or
    /// the rim.
    pub(crate) fn span<P: PreciseVector>(&self, direction: P) -> (f64, f64) {
        let apex = f64::from(self.half_height) * direction.component(1);
        let rim = f64::from(self.radius) * across(direction).1;
        (apex.min(-apex - rim), apex.max(rim - apex))
    }
}

impl<P: PreciseVector> Support<P> for Cone {
    /// Compares the scalar products of the apex, `h d_y`, and of the rim of the base, `-h d_y + r
    /// |d_xz|`.
    #[inline]
    fn support(&self, direction: P) -> P {
        let (half, radius) = (f64::from(self.half_height), f64::from(self.radius));
        let (flat, length) = across(direction);
        let is_apex = 2.0 * half * direction.component(1) >= radius * length;
        // Chosen by arithmetic instead of a branch, which no processor could predict.
        let (y, on_rim) = if is_apex { (half, 0.0) } else { (-half, 1.0) };
        (rim((flat, length), radius) * on_rim).with_component(1, y)
    }

    fn center(&self) -> P {
        // A quarter of the height above the base: the centre of mass.
        P::ZERO.with_component(1, -0.5 * f64::from(self.half_height))
    }

    fn bounding_radius(&self) -> f64 {
        half_diagonal(self.half_height, self.radius)
    }
}
